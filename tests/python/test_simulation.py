# SPDX-License-Identifier: Apache-2.0
"""Simulations in memory: options, steps, arrays, files."""

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
from conftest import direct

TWO = {"position": [[-0.5, 0, 0], [0.5, 0, 0]], "velocity": [[0, -0.5**0.5, 0], [0, 0.5**0.5, 0]], "mass": [1, 1]}


def sphere(**options):
    return hb.Simulation(hb.ic.plummer(256, seed=4), **{"dt": 1 / 32, "eps": 0.05, **options})


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
                                     {"boundary": {"kind": "periodic", "size": [9, 9, 9]}}])
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


@pytest.mark.parametrize("options, words", [
    (dict(), "time.dt: is missing"), (dict(dt=-1), "time.dt: received -1 (must be above 0)"),
    (dict(dt=0.1, tetha=0.5), "unknown option tetha (did you mean theta?)"),
    (dict(dt=0.1, gravity={"tetha": 0.5}), "did you mean theta"),
    (dict(dt=0.1, gravty={"theta": 0.5}), "did you mean gravity"),
    (dict(dt=0.1, **{"gravity.tetha": 1}), "did you mean theta"),
    (dict(dt=0.1, kind="open"), 'write potential={"kind": ...} or boundary={"kind": ...}'),
    (dict(dt=0.1, gravity=3), "must be a dict of the keys of [gravity]"),
    (dict(dt=0.1, time={"dt": 0.2}), "time.dt is given twice"),
    (dict(dt=0.1, theta="wide"), "gravity.theta"), (dict(dt=0.1, theta=[1]), "gravity.theta"),
    (dict(dt=0.1, theta=object()), "must be a number"), (dict(dt=0.1, mac="none"), "is not one of bh, offset"),
    (dict(dt=0.1, backend="gpu"), "gpu"), (dict(dt=0.1, output={"every": 1}), "hornbeam.run()"),
    (dict(dt=0.1, model="plummer", n=10), "has [ic] beside particles"), (dict(dt=0.1, units="parsec"), "parsec"),
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


def test_a_run_that_halts_halts_with_a_callback_too():
    ends = []
    for options in ({}, {"callback": ends.append}, {"callback": ends.append, "every": 0.5}):
        pair = hb.Simulation(hb.Snapshot([[-1, 0, 0], [1, 0, 0]], [[1, 0, 0], [-1, 0, 0]], 1e-3, radius=0.1), dt=0.02,
                             eps=0, collisions={"law": "halt"})
        pair.run(3.0, **options)
        assert pair.halted == (0, 1) and pair.steps == 45
    assert len(ends) == 45 + 2  # at 0.5 and where they met


def test_arrays_may_be_written_to_until_the_next_step():
    simulation = sphere()
    simulation.run(0.25)
    with_drift = simulation.copy()
    velocity, before = with_drift.velocity, with_drift.energy()
    velocity[:, 0] += 1.0
    assert with_drift.energy().momentum[0] == pytest.approx(before.momentum[0] + 1.0)
    simulation.run(0.5)
    with_drift.run(0.5)
    assert np.abs(with_drift.position - simulation.position - [0.25, 0, 0]).max() < 2e-3  # another tree, as precise
    assert with_drift.steps == simulation.steps
    with pytest.raises(ValueError):
        velocity[0, 0] = 3  # of a time gone by
    with_drift.mass = np.full(256, 2 / 256)
    assert with_drift.particles.mass.sum() == pytest.approx(2)
    with_drift.step()
    with_drift.eps = np.linspace(0.01, 0.1, 256)
    with_drift.step()
    assert with_drift.eps[0] == 0.01 and "0.01 to 0.1" not in simulation.softening
    untouched = simulation.position.copy()
    assert (simulation.position == untouched).all()
    reference = simulation.copy()
    simulation.step()
    reference.step()
    assert (reference.position == simulation.position).all()  # looking changes nothing


def test_what_follows_from_arrays_follows_what_was_written_to_them(tmp_path):
    simulation = sphere()
    simulation.run(0.25)
    position, acceleration, potential = simulation.position, simulation.acceleration, simulation.potential
    position *= 3.0
    simulation.mass = simulation.mass * 2
    truth = direct(position, simulation.mass, simulation.eps)
    simulation.write(tmp_path / "written.hdf5")
    written = hb.read(tmp_path / "written.hdf5")
    for found in ((acceleration, potential), (simulation.acceleration, simulation.potential),
                  (written.acceleration, written.potential)):
        assert np.abs(found[0] - truth[0]).max() < 1e-2 * np.abs(truth[0]).max()  # theta = 0.6
        assert found[1] == pytest.approx(truth[1], rel=1e-3)
    assert simulation.position is position and simulation.acceleration is acceleration
    simulation.acceleration[:] = 5.0  # is found, not given
    assert np.abs(simulation.acceleration - truth[0]).max() < 1e-2 * np.abs(truth[0]).max()


def test_density_follows_places_that_were_written_to():
    gas = hb.Snapshot(np.random.default_rng(4).uniform(size=(400, 3)), family="gas", internal_energy=1.0)
    simulation = hb.Simulation(gas, dt=1e-3, eps=0.1, eos="ideal")
    before = simulation.density.copy()
    simulation.position *= 2.0
    assert simulation.density == pytest.approx(before / 8, rel=1e-2)


def test_what_cannot_be_is_mended_where_it_stands():
    simulation = sphere()
    simulation.velocity[3] = np.nan
    for asks in (simulation.step, simulation.energy, lambda: simulation.acceleration, lambda: simulation.particles):
        with pytest.raises(hb.Error, match="particle 3 .*velocity x = nan"):
            asks()
    simulation.velocity[3] = 0.0
    simulation.step()
    simulation.mass = -1.0
    with pytest.raises(hb.Error, match="mass = -1"):
        simulation.step()
    simulation.mass = 1.0
    simulation.step()
    with pytest.raises(KeyError, match="mine"), simulation:  # closes, whatever was written
        simulation.velocity[:] = np.inf
        raise KeyError("mine")
    with pytest.raises(hb.Error, match="is closed"):
        simulation.step()
    with sphere() as left:
        taken = left.particles.copy()
        left.mass = -1.0
        left.particles = taken
        left.step()


def test_particles_come_and_go():
    simulation = sphere()
    simulation.run(0.25)
    simulation.add({"position": [[5, 0, 0]], "mass": [0.1]})
    assert len(simulation) == 257 and simulation.id[-1] == 256 and simulation.eps[-1] == 0.05
    simulation.step()
    simulation.remove([0, 1])
    simulation.remove(simulation.id == 256)
    simulation.step()
    assert len(simulation) == 254 and simulation.id[0] == 2 and simulation.steps == 10
    with pytest.raises(hb.UsageError):
        simulation.remove([999])
    simulation.id[:2] = 2**64 - 1, 0
    simulation.add(hb.Snapshot([[5, 0, 0], [6, 0, 0], [7, 0, 0]], mass=0.1, id=[3, 4, 5]))
    assert len(set(simulation.id)) == 257 and simulation.id[-3:].tolist() == [1, 2, 3]  # no higher ones are left


def test_snapshots_share_memory_and_know_their_units():
    snapshot = hb.ic.plummer(100, units="galactic")
    assert snapshot.unit("position") == "kpc" and snapshot.unit("velocity") == "km/s" and snapshot.G > 43000
    position = snapshot.position
    position[0] = 7
    assert (snapshot.position[0] == 7).all() and snapshot.position is position
    del snapshot
    gc.collect()
    assert position[0, 0] == 7  # the array keeps the particles
    first = hb.Snapshot([[0, 0, 0], [1, 0, 0]], mass=2.0, family=["gas", "star"], id=[4, 9], internal_energy=[3, 0])
    assert first.family.tolist() == [hb.Family.gas, hb.Family.star] and first.density is None
    first.internal_energy = None
    assert first.internal_energy is None and "id" in repr(first)
    both = first + first
    assert both.id.tolist() == [4, 9, 10, 11] and len(both.select(both.family == hb.Family.gas)) == 2
    assert pickle.loads(pickle.dumps(both)) == both and both.copy() == both and both != first
    with pytest.raises(hb.UsageError, match="their number stays"):
        first.position = np.zeros((3, 3))
    with pytest.raises(hb.UsageError, match="from 0 to 5"):
        first.family = 6
    units = pickle.loads(pickle.dumps(hb.ic.plummer(3, units="solar")))
    assert units.units == hb.ic.plummer(3, units="solar").units


def test_files_come_back(tmp_path):
    simulation = sphere()
    simulation.run(0.25)
    simulation.write(tmp_path / "now.hdf5")
    back = hb.read(tmp_path / "now.hdf5")
    assert (back.position == simulation.position).all() and back.time == 0.25 and (back.eps == 0.05).all()
    with pytest.warns(hb.HornbeamWarning):
        hb.write(tmp_path / "now.gadget", hb.Snapshot([[0, 0, 0]], eps=1.0, radius=1.0))
    for path in ("absent/now.hdf5", "now.xyz"):
        with pytest.raises(hb.Error, match="now"):
            simulation.write(tmp_path / path)
    with pytest.raises(hb.Error, match="absent.hdf5"):
        hb.read(tmp_path / "absent.hdf5")
    with pytest.raises(hb.Error, match="now.hdf5"):
        hb.Simulation.resume(tmp_path / "now.hdf5")


def test_models_that_seem_wrong_warn_who_draws_them():
    with pytest.warns(hb.HornbeamWarning, match="are the units those of G") as told:
        hb.ic.ring()  # of metres and kilograms, with G = 1
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hb.ic.ring(units="si")


def test_models_are_those_of_the_command(program, tmp_path):
    listed = subprocess.run([program, "ic", "--help"], capture_output=True, text=True, check=True).stdout
    assert all(f"\n  {name}" in listed for name in hb.ic.models)
    subprocess.run([program, "ic", "uniform-cube", "-n", "50", "--seed", "9", "--edge", "3", "-o", "u.hdf5"],
                   cwd=tmp_path, check=True, capture_output=True)
    assert (hb.read(tmp_path / "u.hdf5").position == hb.ic.uniform_cube(50, 9, edge=3).position).all()
    assert "edge" in hb.ic.uniform_cube.__doc__ and len(hb.ic.model("uniform-sphere", 92)) == 92
    for wrong, words in ((lambda: hb.ic.plummer(10, sale=2), "did you mean scale"), (lambda: hb.ic.plummer(-1), "n: "),
                         (lambda: hb.ic.plummer(), "number of particles is missing"),
                         (lambda: hb.ic.model("plumer", 10), "no model"), (lambda: hb.ic.plummer(9, scale={}), "scale")):
        with pytest.raises(hb.UsageError, match=words):
            wrong()


def test_a_run_into_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    heard = []
    summary = hb.run(model="plummer", n=64, dt=1 / 16, end=0.5, output={"directory": "out", "every": 0.25},
                     tell=lambda kind, what: heard.append((kind, what)))
    assert summary["totals"]["finished"] and summary["totals"]["steps"] == 8
    assert [what["time"] for kind, what in heard if kind == "output"] == [0, 0.25, 0.5]
    with pytest.raises(hb.Error, match="holds the files of an earlier run"):
        hb.run(model="plummer", n=64, dt=1 / 16, end=0.5, output={"directory": "out"})
    with pytest.raises(hb.UsageError, match="time.end: is missing"):
        hb.run(model="plummer", n=64, dt=1 / 16)
    hb.run(model="plummer", n=64, dt=1 / 16, end=1.0, output={"directory": "out", "every": 0.25}, resume=True)
    assert (tmp_path / "out/snapshot_0004.hdf5").exists()


@pytest.mark.parametrize("steps", ["shared", "block"])
def test_ctrl_c_stops_and_the_simulation_goes_on(steps):
    code = f"""
import hornbeam as hb, signal, threading
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
s = hb.Simulation(hb.ic.plummer(2000), dt=0.5, eps=0.01, steps="{steps}")
threading.Timer(1.0, lambda: __import__("os").kill(__import__("os").getpid(), 2)).start()
try:
    s.run(1e9)
except KeyboardInterrupt:
    print("stopped", s.time > 0 or "{steps}" == "block", s.steps == round(s.time / 0.5))
s.energy(), s.step()
print("goes on")
"""
    began = time.time()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "stopped True True\ngoes on\n", done.stderr
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
    simulation = hb.Simulation(hb.ic.plummer(20000), dt=1 / 64, eps=0.05)
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


@pytest.mark.filterwarnings("ignore:gravity presses")
def test_warnings_of_the_library_are_warnings():
    pair = {**TWO, "radius": 0.1}
    with pytest.warns(hb.HornbeamWarning, match="a step is 0.0159 orbits") as told:
        simulation = hb.Simulation(pair, dt=0.1, boundary={"kind": "shear", "size": [10, 10, 0], "omega": 1.0},
                                   collisions={"law": "constant"})
    assert told[0].filename == __file__ and any("estimated" in note for note in simulation.notes)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sphere()
