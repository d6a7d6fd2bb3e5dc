# SPDX-License-Identifier: Apache-2.0
"""What the library reports of a simulation that is likely wrong is a warning."""

import warnings

import numpy as np
import pytest

import hornbeam as hb
from conftest import sphere

TWO = {"position": [[-0.5, 0, 0], [0.5, 0, 0]], "velocity": [[0, -0.5**0.5, 0], [0, 0.5**0.5, 0]], "mass": [1, 1]}


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


def test_energy_that_leaves_and_wrong_units_warn(recwarn):
    stars = hb.ic.plummer(300, seed=1)
    good = hb.Simulation(stars, dt=1/64)
    good.run(0.5, lambda s: None, every=0.25)
    assert not recwarn.list
    with pytest.warns(hb.HornbeamWarning, match="the energy has changed by .* take time.dt = 0.1") as told:
        hb.Simulation(stars, dt=1.0).run(5)
    assert told[0].filename == __file__
    kicked = hb.Simulation(stars, dt=1/64)
    kicked.run(0.25, lambda s: setattr(s, "velocity", 1.5 * s.velocity), every=0.125)  # another energy, which is meant
    assert not [one for one in recwarn.list if "energy" in str(one.message)]
    far = hb.Snapshot(1000 * stars.position, stars.velocity, stars.mass)
    with pytest.warns(hb.HornbeamWarning, match=r"2K/.W. = "):
        hb.Simulation(far, dt=1/64).run(0.1)
    with pytest.warns(hb.HornbeamWarning, match="no step was made: 0.5 is less than a thousandth of a step of 2000"):
        hb.Simulation(stars, dt=2000.0).run(until=0.5)
    with pytest.warns(hb.HornbeamWarning, match="extend beyond boundary.size: .* are wrapped into it"):
        hb.Simulation(stars, dt=1/64, boundary={"kind": "periodic", "size": [1, 1, 1]})


def warnings_of(use):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        use()
    assert all(one.filename == __file__ and one.category is hb.HornbeamWarning for one in told)
    return [str(one.message) for one in told]


def test_what_is_likely_wrong_is_a_warning():
    stars = hb.ic.plummer(300, seed=1)
    boxed = hb.Snapshot(stars.position, stars.velocity, stars.mass, box_size=1.0)
    assert "BoxSize of 1, and this run has open boundaries" in warnings_of(lambda: hb.Simulation(boxed, dt=0.1, eps=0.1))[0]
    rock = hb.Snapshot(stars.position, stars.velocity, stars.mass, family="gas", internal_energy=1.0, material=401)
    assert "MaterialIDs" in warnings_of(lambda: hb.Simulation(rock, dt=0.01, eps=0.1, eos="ideal"))[0]
    far = hb.Snapshot(stars.position + 1e6, stars.velocity, stars.mass)
    for use in (lambda: hb.Simulation(far, dt=0.1, eps=0.1, precision="single"),
                lambda: hb.accelerations(far.position, far.mass, 0.1, precision="single")):
        assert "single precision resolves positions to 0.06, too coarse" in warnings_of(use)[0]
    for use in (lambda: hb.accelerations(stars.position, stars.mass, 0.1, precision="single"),
                lambda: hb.accelerations(far.position, far.mass, 0.1)):
        assert not warnings_of(use)


def test_forces_warn_of_small_clumps_and_far_particles():
    """As `hornbeam force` does: a clump far from the origin in a wide cloud, and a particle far from all others."""
    random = np.random.default_rng(3)
    cloud, clump = random.uniform(-1e4, 1e4, (300, 3)), 9e3 + random.normal(scale=1e-2, size=(100, 3))
    together = np.concatenate([cloud, clump])
    assert "single precision resolves positions to 0.0006, too coarse for the neighbours of 100 of 400" in warnings_of(
        lambda: hb.accelerations(together, 1.0, 0.0, precision="single"))[0]
    assert not warnings_of(lambda: hb.accelerations(together, 1.0, 0.0))
    far = np.concatenate([cloud, [[1e15, 0, 0]]])
    assert any("cannot represent the acceleration of 1 of 301 particles" in warning for warning in warnings_of(
        lambda: hb.accelerations(far, 1.0, 0.1, precision="single")))
    assert not warnings_of(lambda: hb.accelerations(far, 1.0, 0.1, precision="double"))


def test_gas_that_does_not_flow_warns():
    gas = hb.ic.evrard(100)
    with pytest.warns(hb.HornbeamWarning, match="100 particles of the family gas, and no .gas. eos"):
        hb.Simulation(gas, dt=0.1)
    with pytest.warns(hb.HornbeamWarning, match="made in a periodic box of 1 x 1 x 1, and this run has open boundaries"):
        hb.Simulation(hb.ic.sedov(512), dt=0.1, gas={"eos": "ideal", "self_gravity": False}, boundary={"kind": "open"})
    with pytest.warns(hb.HornbeamWarning, match="the gas of the periodic box attracts itself"):
        hb.Simulation(hb.ic.sedov(512), dt=0.1, gas={"eos": "ideal"},
                      boundary={"kind": "periodic", "size": [1, 1, 1], "n_ghost_x": 0})
    with pytest.warns(hb.HornbeamWarning, match="gas of 5 particles has fewer than the 100 neighbours .* are meaningless"):
        hb.Simulation(gas.select(range(5)), dt=0.1, eos="ideal")
    with pytest.warns(hb.HornbeamWarning, match="gas of 50 particles has fewer than the 100 neighbours .* averages over all of the gas"):
        hb.Simulation(gas.select(range(50)), dt=0.1, eos="ideal")
    for few in ({"kernels": 0.3}, {"neighbours": 1}):
        with pytest.raises(hb.UsageError, match="sedov.kernels: would spread the energy within .* of the centre, where no particle is"):
            hb.ic.sedov(4096, **few)
