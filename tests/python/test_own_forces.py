# SPDX-License-Identifier: Apache-2.0
"""Forces of your own: Simulation.add_force() and the two of hb.forces."""

import math
import re
import warnings

import numpy as np
import pytest

import hornbeam as hb
import hornbeam.rebound


def tracer(**options):
    return hb.Simulation(hb.Snapshot(position=[[0, 0, 0]], velocity=[[1, -0.5, 0.25]], mass=[0.0], id=[7]), backend="cpu",
                         precision="double", **{"eps": 0.01, "dt": 0.01, **options})


@pytest.mark.parametrize("steps", ["shared", "block"])
def test_linear_drag_decays(steps):
    sim = tracer(steps=steps)
    sim.add_force(hb.forces.Drag(0.7))
    sim.run(1.0)
    assert sim.particles.velocity[0] == pytest.approx(np.array([1, -0.5, 0.25]) * math.exp(-1 / 0.7), rel=2e-4)


def test_quadratic_drag_in_a_moving_medium():
    sim = tracer()
    sim.add_force(hb.forces.Drag(length=2.0, velocity=[1, -0.5, 0]))
    sim.run(1.0)
    assert sim.particles.velocity[0] == pytest.approx([1, -0.5, 0.25 / (1 + 0.25 / 2)], rel=2e-4)


def test_a_harmonic_force_keeps_the_energy():
    sim = tracer(steps="block", eta_change=0.05)
    sim.add_force(lambda time, x, v: -4 * x, potential=lambda time, x: 2 * np.sum(x**2, axis=1))
    sim.run(math.pi / 4)
    left = math.pi / 4 - sim.time
    assert sim.particles.velocity[0] == pytest.approx(np.zeros(3), abs=1e-3 + 2 * abs(left))
    assert sim.particles.position[0] == pytest.approx([0.5, -0.25, 0.125], abs=1e-3)


def test_energies_count_a_potential():
    rng = np.random.default_rng(3)
    x, v = rng.normal(size=(50, 3)), rng.normal(size=(50, 3))
    sim = hb.Simulation(hb.Snapshot(position=x, velocity=v, mass=np.full(50, 0.02)), dt=0.01, eps=0.1, backend="cpu")
    before = sim.energy().potential
    sim.add_force(lambda time, x, v: -x, potential=lambda time, x: 0.5 * np.sum(x**2, axis=1))
    assert sim.energy().potential - before == pytest.approx(0.01 * np.sum(x**2), rel=1e-6)
    assert not any("do not include" in note for note in sim.notes)
    sim.add_force(hb.forces.Drag(1.0))
    assert any("do not include the force Drag" in note for note in sim.notes)


def test_dynamical_friction_slows_the_named_particle():
    snapshot = hb.Snapshot(position=np.zeros((2, 3)), velocity=[[0.5, 0, 0], [0.5, 0, 0]], mass=[0.0, 0.0], id=[4, 9])
    sim = hb.Simulation(snapshot, dt=0.01, eps=0.1, backend="cpu", precision="double")
    friction = hb.forces.DynamicalFriction([9], mass=0.01, density=lambda r: np.full_like(r, 0.5), sigma=0.4, coulomb=5)
    sim.add_force(friction)
    X = 0.5 / (math.sqrt(2) * 0.4)
    bracket = math.erf(X) - 2 * X / math.sqrt(math.pi) * math.exp(-X * X)
    rate = 4 * math.pi * 0.01 * 0.5 * 5 * bracket / 0.5**3  # Binney & Tremaine 2008, eq. 8.13, over v
    assert sim.particles.acceleration[1] == pytest.approx([-rate * 0.5, 0, 0], rel=1e-12)
    assert sim.particles.acceleration[0] == pytest.approx(np.zeros(3), abs=1e-15)
    slow = friction(0, np.zeros((1, 3)), np.array([[1e-6, 0, 0]]), ids=np.array([9]))
    faster = friction(0, np.zeros((1, 3)), np.array([[0.0115, 0, 0]]), ids=np.array([9]))  # X beyond the series
    assert slow[0, 0] / 1e-6 == pytest.approx(faster[0, 0] / 0.0115, rel=1e-3)


def friction(ids=(0,), **options):
    return hb.forces.DynamicalFriction(ids, **{"mass": 0.01, "density": 0.5, "sigma": 0.4, "coulomb": 5, **options})


@pytest.mark.parametrize("units", [None, "galactic"])
def test_g_of_forces_is_the_simulations(units):
    """Of those that were given one it stays; the force itself stays as it is, and may go to another simulation."""
    x, v = np.array([[0.0, 0, 0], [1, 0, 0]]), np.array([[0.5, 0, 0], [0, 0.5, 0]])
    mass = np.array([1.0, 2.0])

    def simulation():
        return hb.Simulation(hb.Snapshot(x, v, mass, units=units), dt=0.01, eps=0.1, backend="cpu", precision="double",
                             boundary={"self_gravity": False})

    rubs = friction([0])
    for given, G in ((rubs, simulation().G), (friction([0], G=3.0), 3.0)):
        sim = simulation()
        sim.add_force(given)
        assert sim.acceleration[0] == pytest.approx(friction([0], G=G)(0, x, v)[0], rel=1e-12)
        assert sim.copy().acceleration == pytest.approx(sim.acceleration, rel=1e-15)
    assert rubs.G is None
    gravity = hb.rebound.TestParticleGravity(mass, 2)
    sim = simulation()
    sim.add_force(gravity, potential=gravity.potential)
    assert sim.acceleration[0] == pytest.approx([2 * sim.G, 0, 0])
    assert sim.energy().potential == pytest.approx(-2 * sim.G)
    assert rubs(0, x, v)[0] == pytest.approx(friction([0], G=1.0)(0, x, v)[0])  # by itself


def test_a_force_of_your_own_may_ask_for_the_simulation():
    class Spring:
        def __init__(self, strength=None):
            self.strength = strength

        def for_simulation(self, sim):
            return Spring(sim.G * 4)

        def __call__(self, time, positions, velocities):
            return -self.strength * positions

        def potential(self, time, positions):
            return 0.5 * self.strength * (positions**2).sum(axis=1)

    sim = hb.Simulation(hb.Snapshot([[1.0, 0, 0]], mass=[1.0]), dt=0.01, eps=0.1, backend="cpu")
    spring = Spring()
    sim.add_force(spring, potential=spring.potential)
    assert sim.acceleration[0, 0] == -4 and sim.energy().potential == 2

    class Nothing(Spring):
        def for_simulation(self, sim):
            return None

    with pytest.raises(hb.UsageError, match="for_simulation of Nothing returned None"):
        sim.add_force(Nothing())


@pytest.mark.parametrize("wrong, said", [
    ({"sigma": 0}, "sigma: received 0 .must be finite and above 0"), ({"sigma": -1}, "sigma: received -1"),
    ({"sigma": np.nan}, "sigma: received nan"), ({"density": -0.5}, "density: received -0.5 .must be finite and 0 or above"),
    ({"density": np.inf}, "density: received inf"), ({"mass": -1}, "mass: received -1"), ({"mass": np.nan}, "mass: received nan"),
    ({"mass": [1, 2]}, "mass: received"), ({"coulomb": -5}, "coulomb: received -5"), ({"coulomb": np.nan}, "coulomb"),
    ({"G": -1}, "G: received -1"), ({"centre": [0, 0]}, "centre: received"), ({"centre": [0, np.nan, 0]}, "centre: received"),
    ({"ids": [1.5]}, "ids: received"), ({"ids": [-1]}, "ids: received -1"), ({"ids": [3, 3]}, "ids: received .* each once")])
def test_friction_of_what_makes_no_sense_is_refused(wrong, said):
    with pytest.raises(hb.UsageError, match=f"^{said}"):
        friction(**wrong)


def test_profiles_that_make_no_sense_are_refused_when_they_are_called():
    for wrong, said in (({"sigma": lambda r: 0 * r}, "sigma: received 0"), ({"density": lambda r: -r}, "density: received -1")):
        with pytest.raises(hb.UsageError, match=said):
            friction(G=1.0, **wrong)(0, np.array([[1.0, 0, 0]]), np.ones((1, 3)))


def test_friction_on_particles_that_are_not_there_is_refused(tmp_path):
    sim = hb.Simulation(hb.Snapshot(np.eye(3), mass=np.zeros(3), id=[4, 2**60 + 1, 9]), dt=0.01, eps=0.1, backend="cpu")
    with pytest.raises(hb.UsageError, match=r"^ids: received 0, 5 \(must be ids of particles of the simulation\)"):
        sim.add_force(friction([9, 5, 0]))
    sim.add_force(friction([9, 2**60 + 1]))
    sim.remove([0, 2])  # bodies merge, and leave
    sim.copy().step()
    sim.checkpoint(tmp_path / "checkpoint.hdf5")
    again = hb.Simulation.resume(tmp_path / "checkpoint.hdf5")
    with pytest.warns(hb.HornbeamWarning, match="received 9, and the resumed simulation has no such particle"):
        again.add_force(friction([9, 2**60 + 1]))
    again.step()


def test_errors_are_clear_and_leave_the_simulation_usable():
    sim = tracer()
    state = {"wrong": None}

    def force(time, x, v):
        if state["wrong"] == "raises":
            raise ValueError("no table there")
        return {"shape": np.zeros(3), "nan": np.full((1, 3), np.nan)}.get(state["wrong"], -x)

    sim.add_force(force)
    sim.step()
    at = sim.time, sim.particles.position.copy()
    for wrong, error, words in (("raises", ValueError, "no table there"), ("shape", hb.UsageError, r"shape \(3,\)"),
                                ("nan", hb.Error, "non-finite.* 7")):
        state["wrong"] = wrong
        with pytest.raises(error, match=words):
            sim.step()
        assert sim.time == at[0] and np.array_equal(sim.particles.position, at[1])
    state["wrong"] = None
    sim.step()
    with pytest.raises(hb.UsageError, match="must be a function"):
        sim.add_force(3)
    with pytest.raises(hb.UsageError, match="either time"):
        hb.forces.Drag()


def test_steps_are_limited():
    sim = tracer(dt=0.5)
    drag = hb.forces.Drag(1.0)
    sim.add_force(drag, step=drag.step)
    sim.run(1.0)
    assert sim.time == 1.0 and sim.steps >= 10


def test_a_resumed_simulation_warns_of_a_force_of_another_name(tmp_path):
    def ff(time, x, v):
        return -x

    def gg(time, x, v):
        return -2 * x

    sim = tracer()
    sim.add_force(ff)
    sim.add_force(gg)
    sim.checkpoint(tmp_path / "checkpoint.hdf5")
    for order, another in (((ff, gg), None), ((gg, gg), "force gg, and the checkpoint has ff"), ((ff, ff, gg), "ff, .* has gg")):
        again = hb.Simulation.resume(tmp_path / "checkpoint.hdf5")
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            for force in order:
                again.add_force(force)
        assert len(said) == (another is not None)
        assert not said or said[0].category is hb.HornbeamWarning and re.search(another, str(said[0].message))
        again.step()


def test_a_resumed_simulation_asks_for_the_force_again(tmp_path):
    sim = tracer()
    drag = hb.forces.Drag(0.7)
    sim.add_force(drag)
    sim.run(0.05)
    sim.checkpoint(tmp_path / "checkpoint.hdf5")
    again = hb.Simulation.resume(tmp_path / "checkpoint.hdf5")
    with pytest.raises(hb.UsageError, match="not been added again: Drag"):
        again.step()
    again.add_force(drag)
    copy = sim.copy()
    for one in (sim, again, copy):
        one.run(0.2)
    assert np.array_equal(sim.particles.velocity, again.particles.velocity)
    assert np.array_equal(sim.particles.velocity, copy.particles.velocity)


def test_measures_warn_that_they_do_not_count_a_potential(tmp_path):
    sim = tracer()
    sim.add_force(hb.forces.Drag(1.0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hb.analysis.energy(sim)

    def ff(time, x, v):
        return -x

    sim.add_force(ff, potential=lambda time, x: 0.5 * np.sum(x**2, axis=1))
    sim.write(tmp_path / "snapshot.hdf5")
    for what in (sim, tmp_path / "snapshot.hdf5"):
        for measure in (hb.analysis.energy, hb.analysis.virial_ratio):
            with pytest.warns(hb.HornbeamWarning, match="do not include the potential of the force ff, ") as said:
                measure(what)
            assert said[0].filename == __file__ and len(said) == 1
