# SPDX-License-Identifier: Apache-2.0
"""Simulations in memory: options, steps, callbacks, runs into folders. Arrays: test_arrays.py; files: test_snapshots.py;
bodies that collide: test_bodies.py; warnings: test_simulation_warnings.py."""

import copy
import gc
import pickle
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest

import hornbeam as hb
from backends import BACKENDS
from conftest import sphere

TWO = {"position": [[-0.5, 0, 0], [0.5, 0, 0]], "velocity": [[0, -0.5**0.5, 0], [0, 0.5**0.5, 0]], "mass": [1, 1]}


def test_a_simulation_is_that_of_the_command(program, tmp_path):
    """The same bits, from the same model and options."""
    (tmp_path / "run.toml").write_text('[ic]\nmodel = "plummer"\nn = 256\nseed = 4\n[gravity]\neps = 0.05\n'
                                       '[time]\ndt = 0.03125\nend = 0.5\n[output]\ndirectory = "out"\n')
    subprocess.run([program, "run", "run.toml"], cwd=tmp_path, check=True, capture_output=True)
    simulation = sphere()
    simulation.run(0.5)
    last = hb.read(tmp_path / "out" / "snapshot_0001.hdf5")
    assert last.time == simulation.time == 0.5 and simulation.steps == 16
    assert (last.position == simulation.position).all() and (last.velocity == simulation.velocity).all()
    again = hb.Simulation.from_file(tmp_path / "run.toml")
    again.run()
    assert (again.position == last.position).all() and again.options == hb.Simulation.from_file(
        tmp_path / "run.toml").options
    from_run = hb.Simulation.resume(tmp_path / "out")
    assert from_run.steps == 16 and (from_run.position == last.position).all()


@pytest.mark.parametrize("options", [{}, {"steps": "block", "eta": 0.05}, {"steps": "symmetrised"},
                                     {"potential": {"kind": "nfw", "mass": 1.0, "scale": 2.0}},
                                     {"boundary": {"kind": "periodic", "size": [9, 9, 9]}},
                                     {"theta": 0.3, "theta_c": 0.6}])  # as without them, had theta its default
def test_checkpoints_pickles_and_copies_go_on_with_the_same_bits(options, tmp_path):
    simulation = sphere(**options)
    simulation.run(0.25)
    simulation.checkpoint(tmp_path / "checkpoint.hdf5")
    others = [hb.Simulation.resume(tmp_path / "checkpoint.hdf5"), pickle.loads(pickle.dumps(simulation)),
              copy.copy(simulation), copy.deepcopy(simulation), simulation.copy()]
    simulation.run(0.75)
    for other in others:
        assert other.steps < simulation.steps
        other.run(0.75)
        assert other.time == simulation.time and (other.position == simulation.position).all()
        assert (other.velocity == simulation.velocity).all() and other.steps == simulation.steps


def test_keywords_are_the_keys_of_the_table():
    simulation = hb.Simulation(TWO, dt=0.01, theta=0.4, backend="cpu", steps="block", eta_change=0.1,
                               time={"start": 2.0}, potential=[{"kind": "point", "mass": 1, "scale": 0.1}],
                               **{"gravity.order": 0, "device.precision": "double"}, threads=None, device=0)
    told = simulation.options
    assert (told["gravity"]["theta"], told["gravity"]["order"], told["device"]["precision"]) == (0.4, 0, "double")
    assert told["time"]["steps"] == "block" and told["potential"][0]["kind"] == "point" and simulation.time == 2
    drawn = hb.Simulation(model="hernquist", n=100, seed=3, ic={"scale": 2.0}, dt=0.01, units="galactic")
    assert drawn.options["ic"]["scale"] == "2" and drawn.G > 40000 and len(drawn) == 100


def test_model_and_gas_agree_as_in_files():
    galaxy = {"disc_mass": 4, "disc_scale": 3, "gas_mass": 0.2, "gas_temperature": 1e4, "gas_number": 150}
    given = dict(model="galaxy", n=300, dt=1e-4, units="galactic")
    with pytest.raises(hb.UsageError, match="gas.mean_weight: is 1.3, and ic.gas_mean_weight is 1.22"):
        hb.Simulation(**given, ic={**galaxy, "gas_mean_weight": 1.22}, gas={"eos": "ideal", "mean_weight": 1.3})
    with pytest.raises(hb.UsageError, match="gas.sound_speed: is 10, and ic.gas_temperature = 10000"):
        hb.Simulation(**given, ic=galaxy, gas={"eos": "isothermal", "sound_speed": 10})
    # without a disc of stars, which takes seconds to draw together with one of gas
    drawn = hb.Simulation(**given, ic={**galaxy, "disc_mass": 0}, gas={"eos": "isothermal", "mean_weight": 1.22})
    assert drawn.options["gas"]["sound_speed"] == pytest.approx(8.2255, rel=1e-4)
    # the defaults of what is not given are in proportion to it
    stars = hb.ic.galaxy(300, units="galactic", disc_mass=4, disc_scale=3)
    assert stars.mass[stars.family == hb.Family.bulge].sum() == pytest.approx(2)


@pytest.mark.parametrize("options, words", [
    (dict(), "time.dt: is missing"), (dict(dt=-1), "time.dt: received -1 (must be above 0)"),
    (dict(dt=0.1, tetha=0.5), "unknown option tetha (did you mean theta?)"),
    (dict(dt=0.1, gravity={"tetha": 0.5}), "did you mean theta"),
    (dict(dt=0.1, gravty={"theta": 0.5}), "did you mean gravity"),
    (dict(dt=0.1, **{"gravity.tetha": 1}), "did you mean theta"),
    (dict(dt=0.1, kind="open"), 'write potential={"kind": ...} or boundary={"kind": ...}'),
    (dict(dt=0.1, gravity=3), "must be a dict of the keys of [gravity]"),
    (dict(dt=0.1, time={"dt": 0.2}), "received time.dt twice"),
    (dict(dt=0.1, theta="wide"), "gravity.theta"), (dict(dt=0.1, theta=[1]), "gravity.theta"),
    (dict(dt=0.1, theta=object()), "must be a number"), (dict(dt=0.1, mac="none"), "is not one of bh, offset"),
    (dict(dt=0.1, backend="gpu"), "gpu"), (dict(dt=0.1, output={"every": 1}), "hornbeam.run()"),
    (dict(dt=0.1, model="plummer", n=10), "has both [ic] and particles"),
    (dict(dt=0.1, seed=3), "seed would make a model, and particles are given"),
    (dict(dt=0.1, n=3), "n would make a model"),
    (dict(dt=0.1, scale=2), 'write ic={"scale": 2} or potential={"scale": ...}'),
    (dict(dt=0.1, eps=[0.1, 0.1, 0.1]), "eps: received an array of shape (3,)"),
    (dict(dt=0.1, units="parsec"), "parsec"),
])
def test_options_that_cannot_be(options, words):
    with pytest.raises(hb.UsageError) as told:
        hb.Simulation(TWO, **options)
    assert words in str(told.value)


@pytest.mark.parametrize("particles, words", [
    (3, "particles: received int"), ({"position": [[1, 2]]}, "position: received an array of shape (1, 2)"),
    ({**TWO, "mass": [1, -1]}, "mass = -1"), ({**TWO, "mas": 1}, "did you mean mass?"),
    ({**TWO, "velocity": np.zeros((3, 3))}, "velocity: received 3 rows for 2 particles"),
    ({**TWO, "position": [[0, 0, np.nan], [0, 0, 0]]}, "position z = nan"), ("absent.hdf5", "absent.hdf5"),
    ({**TWO, "family": "galaxy"}, "family: received 'galaxy'"), ({**TWO, "id": [1.5, 2]}, "id: received"),
    ({**TWO, "eps": [0.1]}, "eps: received an array of shape (1,)")])
def test_particles_that_cannot_be(particles, words):
    with pytest.raises(hb.Error) as told:
        hb.Simulation(particles, dt=0.1)
    assert words in str(told.value)


def test_two_bodies_go_round():
    simulation = hb.Simulation(TWO, dt=2 * np.pi / np.sqrt(2) / 1000, eps=0)
    period = 2 * np.pi / np.sqrt(2)
    before = simulation.energy()
    assert f"total {before.total:.6g}, momentum (" in repr(before)
    simulation.run(period)
    after = simulation.energy()
    assert abs(after.total / before.total - 1) < 1e-6 and simulation.time == pytest.approx(period)
    # rounding of forces in fp32; steps are of second order: (2 pi / 1000)^2
    assert np.abs(simulation.position - TWO["position"]).max() < 1e-4
    assert before.total == pytest.approx(-0.5) and before.momentum == (0, 0, 0) and before.thermal == 0
    assert simulation.acceleration[0, 0] == pytest.approx(1, rel=1e-4)


def test_callbacks():
    simulation, times = sphere(), []
    simulation.run(0.25, lambda s: times.append(s.time))
    assert times == [k / 32 for k in range(1, 9)]
    times.clear()
    simulation.run(1.0, lambda s: times.append(s.time), every=0.25)
    assert times == [0.5, 0.75, 1.0]
    times.clear()
    simulation.copy().run(1.5, lambda s: times.append(s.time), every=0.375)
    assert times == [1.375, 1.5]  # from here on, and at the end
    simulation.run(2.0, lambda s: s.time < 1.5, every=0.1)
    assert simulation.time == pytest.approx(1.53, abs=0.04)  # the first step at or after
    for stop in (np.False_, np.array(False), np.zeros(1, bool)):
        for options in ({}, {"every": 0.05}):
            before = simulation.steps
            simulation.run(2.0, lambda s: stop, **options)
            assert 0 < simulation.steps - before <= 2
    before = simulation.steps
    for go_on in (None, 0, np.True_, np.zeros(2, bool), []):
        simulation.copy().run(2.0, lambda s: times.append(s.steps) or go_on)
        assert times[-1] > before + 1
    with pytest.raises(ZeroDivisionError):
        simulation.run(3.0, lambda s: 1 / 0)
    simulation.step(3)
    for wrong in (dict(until=None), dict(until="soon"), dict(until=9, every=1),
                  dict(until=9, callback=print, every=0)):
        with pytest.raises(hb.UsageError):
            simulation.run(**wrong)
    with pytest.raises(hb.UsageError):
        simulation.step(-1)


def test_callbacks_more_often_than_steps_are_those_of_each_step():
    for every in (1 / 32, 1e-3, 1e-8, 1e-30, 1e-320):  # none takes 0.25 / every rounds
        simulation, times = sphere(), []
        simulation.run(0.25, lambda s: times.append(s.time), every=every)
        assert times == [k / 32 for k in range(1, 9)]


def test_a_run_into_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    heard = []
    summary = hb.run(model="plummer", n=64, dt=1 / 16, end=0.5, output={"directory": "out", "every": 0.25},
                     tell=lambda kind, what: heard.append((kind, what)))
    assert summary["totals"]["finished"] and summary["totals"]["steps"] == 8
    assert [what["time"] for kind, what in heard if kind == "output"] == [0, 0.25, 0.5]
    with pytest.raises(hb.Error, match="has files of an earlier run"):
        hb.run(model="plummer", n=64, dt=1 / 16, end=0.5, output={"directory": "out"})
    with pytest.raises(hb.UsageError, match="time.end: is missing"):
        hb.run(model="plummer", n=64, dt=1 / 16)
    hb.run(model="plummer", n=64, dt=1 / 16, end=1.0, output={"directory": "out", "every": 0.25}, resume=True)
    assert (tmp_path / "out/snapshot_0004.hdf5").exists()


def test_ctrl_c_stops_and_the_simulation_goes_on():
    code = """
import hornbeam as hb, os, signal, threading
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
for steps in ("shared", "block"):
    s = hb.Simulation(hb.ic.plummer(2000), dt=0.5, eps=0.01, steps=steps)
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        s.run(1e9)
    except KeyboardInterrupt:
        print("stopped", s.time > 0 or steps == "block", s.steps == round(s.time / 0.5))
    s.energy(), s.step()
    print("goes on")
"""
    began = time.time()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "stopped True True\ngoes on\n" * 2, done.stderr
    assert time.time() - began < 30


def test_several_simulations_in_threads():
    reference = sphere(threads=1)
    reference.run(0.5)
    all_of_them = [sphere(threads=1) for _ in range(3)]
    workers = [threading.Thread(target=s.run, args=(0.5,)) for s in all_of_them]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all((s.position == reference.position).all() for s in all_of_them)


def test_one_simulation_is_for_one_thread_at_a_time():
    simulation = hb.Simulation(hb.ic.plummer(5000), dt=1 / 64, eps=0.05)
    worker = threading.Thread(target=simulation.step, args=(20,))
    worker.start()
    refused = 0
    while worker.is_alive():
        try:
            simulation.energy()
        except hb.Error as error:
            refused += "another thread" in str(error)
    worker.join()
    assert refused > 0 and simulation.steps == 20


def test_a_closed_simulation_says_so():
    with sphere() as simulation:
        position = simulation.position
    for use in (simulation.step, simulation.energy, lambda: simulation.position, lambda: len(simulation),
                lambda: simulation.write("x.hdf5"), lambda: pickle.dumps(simulation)):
        with pytest.raises(hb.Error, match="is closed"):
            use()
    assert position.shape == (256, 3) and "closed" in repr(simulation)
    simulation = sphere()
    position = simulation.position
    del simulation
    gc.collect()
    position.sum()


def test_copies_at_other_times_are_within_a_step():
    simulation = sphere()
    simulation.step(2)
    now, step = simulation.time, simulation.options["time"]["dt"]
    for time in (now - step, now, now + step / 2, now + step):
        assert simulation.at(time).time == time
    for time in (now - 2 * step, now + 1.1 * step, 1e6):
        with pytest.raises(hb.UsageError, match="more than a step"):
            simulation.at(time)


def test_each_particle_may_have_its_softening():
    eps = np.linspace(0.01, 0.1, 2)
    simulation = hb.Simulation(TWO, dt=0.01, eps=eps)
    assert (simulation.eps == eps).all() and "eps" not in TWO
    same = hb.Simulation({**TWO, "eps": eps}, dt=0.01)
    assert (same.acceleration == simulation.acceleration).all()
    given = hb.Snapshot(**TWO)
    hb.Simulation(given, dt=0.01, eps=list(eps))
    assert given.eps is None  # the caller's stay as they are
    for others in ({"model": "plummer", "n": 2}, {"input": {"file": "x.hdf5"}}):
        with pytest.raises(hb.UsageError, match="eps: received one for each particle, but no particles"):
            hb.Simulation(dt=0.01, eps=eps, **others)


def test_the_step_is_told_and_stays():
    simulation = sphere(steps="block", eta=0.1)
    assert simulation.dt == 1 / 32
    with pytest.raises(hb.UsageError, match=r"dt: received 0.1.*hb.Simulation\(sim.particles, dt="):
        simulation.dt = 0.1
    assert simulation.dt == 1 / 32 and hb.Simulation(simulation.particles, dt=0.1).dt == 0.1


def test_numbers_that_another_kernel_has_by_default_are_kept(tmp_path):
    sim = hb.Simulation(hb.ic.evrard(400), dt=0.01, eps=0.05, gas={"eos": "ideal", "kernel": "wendland-c4", "neighbours": 100})
    sim.step()
    sim.checkpoint(tmp_path / "c.hdf5")
    again = hb.Simulation.resume(tmp_path / "c.hdf5")
    sim.step(), again.step()
    assert (again.smoothing_length == sim.smoothing_length).all() and (again.position == sim.position).all()


def test_copies_pickles_and_files_know_the_box_and_gamma_of_a_model(tmp_path):
    tube, flows = hb.ic.sod(144, gamma=1.4), {"eos": "ideal", "self_gravity": False}
    hb.write(tmp_path / "tube.hdf5", tube)
    asked = hb.Simulation(tube, dt=0.1, gas={**flows, "gamma": 1.4},
                          boundary={"kind": "periodic", "size": [2, 0.125, 0.125]})
    asked.run(0.02)
    error = hb.analysis.exact(asked, "sod")["pressure_error"]
    assert error < 0.03  # the pressures of gamma 5/3 would be off by 0.5
    hb.write(tmp_path / "later.hdf5", asked.particles)
    for later in (asked.particles, asked.particles.copy(), hb.read(tmp_path / "later.hdf5"), str(tmp_path / "later.hdf5")):
        assert hb.analysis.exact(later, "sod")["pressure_error"] == pytest.approx(error, rel=1e-12)
    for same in (tube, tube.copy(), copy.copy(tube), copy.deepcopy(tube), pickle.loads(pickle.dumps(tube)),
                 tube.select(tube.mass > 0), hb.read(tmp_path / "tube.hdf5"), str(tmp_path / "tube.hdf5")):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            run = hb.Simulation(same, dt=0.1, gas={**flows, "gamma": 1.4})
            run.run(0.02)
        assert (run.position == asked.position).all()
        with pytest.warns(hb.HornbeamWarning, match="gas was made with gamma 1.4, and this run's has 1.66"):
            hb.Simulation(same, dt=0.1, gas=flows)


def test_names_that_a_run_and_its_model_have_are_refused():
    for model, name in (("evrard", "energy"), ("sedov", "energy"), ("collapse", "alpha"), ("sedov", "neighbours")):
        with pytest.raises(hb.UsageError, match=rf'{name} is a key of .*and of models .write ic=."{name}": 2'):
            hb.Simulation(model=model, n=512, dt=0.1, **{name: 2})
    assert hb.Simulation(model="evrard", n=500, ic={"energy": 0.5}, dt=0.1, eos="ideal").internal_energy[0] == 0.5
    hb.Simulation(model="plummer", n=50, dt=0.1, energy=0.5, eps=0.1)  # the watchdog's; eps counts for both


def test_gravity_can_be_off_in_every_box():
    position, velocity = [[-1, 0.2, 0], [1, 0, 0.1]], [[0.25, 0, 0], [-0.5, 0.125, 0]]
    for space in ({}, {"kind": "open", "size": [20, 20, 20]}, {"kind": "periodic", "size": [20, 20, 20]}):
        for steps in ("shared",) if space.get("kind") == "open" else ("shared", "block"):
            sim = hb.Simulation(hb.Snapshot(position, velocity, [5, 5]), dt=1 / 16, eps=0.1, steps=steps,
                                boundary={"self_gravity": False, **space})
            sim.run(2.0)
            assert (sim.velocity == velocity).all() and (sim.position == np.array(position) + 2 * np.array(velocity)).all()
            assert sim.energy().potential == 0 and sim.options["boundary"]["self_gravity"] is False
    point = {"kind": "plummer", "mass": 2.0, "scale": 0.1}
    free = hb.Simulation(hb.Snapshot(position, velocity, [5, 5]), dt=1 / 64, eps=0.1, potential=point, precision="double",
                         boundary={"self_gravity": False})
    light = hb.Simulation(hb.Snapshot(position, velocity, [0, 0]), dt=1 / 64, eps=0.1, potential=point, precision="double")
    free.run(1.0)
    light.run(1.0)
    assert np.abs(free.position - light.position).max() < 1e-13  # masses of 0 do not pull either; rounding
    with pytest.raises(hb.UsageError, match="gas.self_gravity"):
        hb.Simulation(hb.ic.sod(144), dt=0.01, boundary={"kind": "periodic", "size": [2, 0.25, 0.25], "self_gravity": False},
                      gas={"eos": "ideal", "self_gravity": True})


@pytest.mark.parametrize("backend", BACKENDS)
def test_steps_of_particles(backend, tmp_path):
    """At the start by eq. 2 of docs/dynamics.md alone: the longest dt / 2^rung that is at most eta sqrt(eps / |a|)."""
    ball = hb.ic.plummer(500, seed=4)
    shared = hb.Simulation(ball, dt=1 / 64, eps=0.01, backend=backend)
    assert np.array_equal(shared.particle_steps, np.full(500, 1 / 64))
    sim = hb.Simulation(ball, dt=1 / 16, eps=0.01, steps="block", eta=0.1, max_rung=4, backend=backend)
    wanted = 0.1 * np.sqrt(0.01 / np.linalg.norm(sim.acceleration, axis=1))
    rung = np.clip(np.ceil(np.log2(1 / 16 / wanted)), 0, 4)
    assert np.array_equal(sim.particle_steps, 2.0**(-4 - rung)) and len(set(rung)) >= 3
    sim.step(3)
    sim.checkpoint(tmp_path / "checkpoint.hdf5")
    again = hb.Simulation.resume(tmp_path / "checkpoint.hdf5")
    assert np.array_equal(again.particle_steps, sim.particle_steps) and sim.particle_steps.min() < 1 / 16
