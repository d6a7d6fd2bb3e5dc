# SPDX-License-Identifier: Apache-2.0
"""Forces of your own: Simulation.add_force() and the two of hb.forces."""

import math

import numpy as np
import pytest

import hornbeam as hb


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
