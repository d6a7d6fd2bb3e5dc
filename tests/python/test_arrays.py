# SPDX-License-Identifier: Apache-2.0
"""Particles' arrays of a simulation: written to, of times gone by, more and fewer of them."""

import copy
import gc

import numpy as np
import pytest

import hornbeam as hb
from hornbeam import past
from conftest import direct, sphere


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


def gas_in_a_cube(**options):
    gas = hb.Snapshot(np.random.default_rng(4).uniform(size=(400, 3)), family="gas", internal_energy=1.0, material=0)
    return hb.Simulation(gas, dt=1e-3, eps=0.1, **options)


@pytest.mark.parametrize("name, make, instead", [
    ("acceleration", sphere, "change velocity in a callback"), ("potential", sphere, "potential={"),
    ("temperature", sphere, "internal_energy"), ("pressure", lambda: gas_in_a_cube(eos="ideal"), "internal_energy"),
    ("density", lambda: gas_in_a_cube(eos="ideal"), "position or mass"),
    ("smoothing_length", lambda: gas_in_a_cube(eos="ideal"), "neighbours"),
    ("internal_energy", lambda: gas_in_a_cube(gas={"eos": "isothermal", "sound_speed": 1.0}), "eos")])
def test_what_is_computed_is_read_only(name, make, instead):
    simulation = make()
    for value in (1.0, None):
        with pytest.raises(hb.UsageError, match=f"{name}: is computed from the particles") as told:
            setattr(simulation, name, value)
        assert instead in str(told.value)
    found = getattr(simulation, name)
    if found is None:
        return
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 5.0
    mine = simulation.particles.copy()
    getattr(mine, name)[0] = 1.0  # a copy is anyone's
    assert (getattr(mine, name)[0] == 1).all()


def test_state_that_is_not_computed_may_be_written_to():
    gas = gas_in_a_cube(eos="ideal")
    for name in ("position", "velocity", "mass", "id", "family", "eps", "material", "internal_energy"):
        assert getattr(gas, name).flags.writeable, name
    gas.internal_energy[:] = 2.0
    assert gas.energy().thermal == pytest.approx(2.0)
    with pytest.warns(hb.HornbeamWarning, match="no .gas. eos"):
        still = gas_in_a_cube()  # moves as stars, which keep what stands there
    still.density = 3.0
    still.step()
    assert (still.density == 3).all()


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
    gas = gas_in_a_cube(eos="ideal")
    gas.internal_energy[3] = np.nan
    with pytest.raises(hb.Error, match="particle 3 .*internal energy = nan"):
        gas.step()
    gas.internal_energy[3] = 1.0
    gas.step()
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
    for wrong, words in (([999], "beyond"), ([-1, 253], "index 253"),
                         ([1] + [0] * 253, "index 0 253 times .*mask must be of bools")):
        with pytest.raises(hb.UsageError, match=f"remove: received .*{words}"):
            simulation.remove(wrong)
    assert len(simulation) == 254
    simulation.id[:2] = 2**64 - 1, 0
    simulation.add(hb.Snapshot([[5, 0, 0], [6, 0, 0], [7, 0, 0]], mass=0.1, id=[3, 4, 5]))
    assert len(set(simulation.id)) == 257 and simulation.id[-3:].tolist() == [1, 2, 3]  # no higher ones are left


WAYS = {"component": lambda a: a[:, 0], "rows": lambda a: a[3:9], "transposed": lambda a: a.T, "flat": lambda a: a.ravel(),
        "view": lambda a: a.view(), "of a part": lambda a: a[:, :2][::2], "as array": lambda a: np.asarray(a)[0],
        "strided": lambda a: np.lib.stride_tricks.as_strided(a, writeable=True), "memory": lambda a: np.asarray(memoryview(a))}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kept", [False, True])
def test_parts_of_arrays_gone_by_are_not_written_to_in_silence(way, kept):
    simulation = sphere()
    whole = simulation.velocity
    part = WAYS[way](whole)
    part[:] *= 0.5  # of the present: the next step goes by it
    energy = simulation.energy().kinetic
    assert energy < sphere().energy().kinetic
    if not kept:
        del whole
    simulation.step()
    assert simulation.energy().kinetic == pytest.approx(energy, rel=0.3)
    part[:] = 3.0
    with pytest.raises(hb.Error, match="velocity: a slice of the array at the time 0 was written to"):
        simulation.step()
    assert simulation.steps == 1 and (simulation.velocity != 3.0).all()  # said once, and nothing was done
    simulation.step()
    part[:] = 4.0
    simulation.close()  # of which nothing more is asked


@pytest.mark.parametrize("ask", [lambda s: s.time, lambda s: s.run(1.0), lambda s: s.energy(), lambda s: s.position,
                                 lambda s: s.write("x.hdf5"), lambda s: s.copy(), lambda s: s.add({"position": [[9, 9, 9]]}),
                                 lambda s: setattr(s, "mass", 1.0)])
def test_whatever_is_asked_next_tells(ask, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    simulation = sphere()
    x = simulation.position[:, 0]
    simulation.add({"position": [[5, 0, 0]], "mass": [0.1]})  # these are other arrays, too
    x[0] = 1.0
    with pytest.raises(hb.Error, match="position: a slice"):
        ask(simulation)


def test_parts_that_are_only_read_stay_and_cost_little(monkeypatch):
    simulation, path = sphere(), []
    for _ in range(30):
        path.append(simulation.position[7])
        simulation.step()
    assert np.ptp([place[0] for place in path]) > 0 and len(simulation._past._others) == 29
    looked = []
    monkeypatch.setattr("hornbeam.past._check", lambda root, check=past._check: looked.append(1) or check(root))
    monkeypatch.setattr("hornbeam.past._REST", 1e9)  # older ones are looked at once, and then no more for long
    simulation._past._next_look = 0.0
    simulation.step(), simulation.step()
    assert len(looked) == 1 + 29 + 1
    path[2][0] = 0.0
    simulation._past._next_look = 0.0
    with pytest.raises(hb.Error, match="at the time 0.0625"):
        simulation.step()
    path.clear()
    gc.collect()
    simulation._past._next_look = 0.0
    simulation.step()
    assert not simulation._past._others and not simulation._past._newest


def test_particles_of_a_time_gone_by_are_read_only():
    simulation = sphere()
    particles = simulation.particles
    before = particles.position.copy()
    simulation.step()
    assert (particles.position == before).all() and particles.time == 0
    with pytest.raises(ValueError, match="read-only"):
        particles.velocity[:] = 0
    with pytest.raises(hb.UsageError, match="mass: these particles belong to a simulation at the time 0, which has passed"):
        particles.mass = 1.0
    mine = particles.copy()
    mine.mass = 1.0
    mine.velocity[:] = 0
    assert hb.Simulation(particles, dt=0.1, eps=0.1).position.flags.writeable


def test_gas_that_is_written_to_keeps_its_viscosity():
    """Whoever cools gas in each step must not have it begin anew with the viscosity of a shock."""
    place = np.random.default_rng(3).random((400, 3)) - 0.5
    gas = hb.Snapshot(place, 0 * place, np.full(400, 1 / 400), family="gas", internal_energy=np.ones(400))
    space = {"kind": "periodic", "size": [1, 1, 1]}
    sim = hb.Simulation(gas, dt=0.05, eps=0.01, gas={"eos": "ideal", "self_gravity": False}, boundary=space)
    sim.run(until=4)  # alpha falls from 1 to some 0.1
    speeds = {}
    for what in ("left", "written", "joined", "taken"):
        one = copy.deepcopy(sim)
        if what == "written":
            one.internal_energy[:] *= 1 + 1e-9
        elif what == "joined":
            one.add(hb.Snapshot([[0.1, 0.2, 0.3]], mass=[1e-12], family="star"))
        elif what == "taken":
            one.add(hb.Snapshot([[0.1, 0.2, 0.3]], mass=[1e-12], family="star"))
            one.remove(one.family == 4)
        one.run(until=5)
        speeds[what] = (one.velocity[:400] ** 2).sum()
    for what in ("written", "joined", "taken"):
        assert speeds[what] == pytest.approx(speeds["left"], rel=0.01), speeds  # 0.37 of it, were alpha 1 again
