# SPDX-License-Identifier: Apache-2.0
"""The Milky Way's potentials by name beside galpy's own, over a galaxy's whole plane."""

import numpy as np
import pytest

import hornbeam as hb

galpy = pytest.importorskip("galpy", reason="galpy is not installed: its potentials are not compared")
from galpy.potential import MWPotential2014, evaluateRforces, evaluatezforces  # noqa: E402
from galpy.potential.mwpotentials import McMillan17  # noqa: E402

# name: galpy's, R0 in kpc, v0 in km/s, the largest error of v_c and of a vertical pull over the whole pull
KNOWN = {"bovy14": (MWPotential2014, 8.0, 220.0, 2.5e-3, 5e-3),  # a bulge of five Plummer spheres
         "mcmillan17": (McMillan17, 8.21, 233.1, 1.2e-3, 8e-3)}  # discs and bulge of fourteen Miyamoto-Nagai discs


@pytest.mark.parametrize("name", KNOWN)
def test_pulls_are_galpys(name):
    of_galpy, R0, v0, speed_error, pull_error = KNOWN[name]
    radii = np.geomspace(0.5, 100, 24)
    places = np.array([(R, 0.0, z) for z in (0.0, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0) for R in radii])
    particles = hb.Snapshot(position=places, velocity=np.zeros_like(places), mass=np.zeros(len(places)))
    simulation = hb.Simulation(particles, dt=1e-6, eps=0.0, units={"system": "galactic"}, potential={"kind": name}, backend="cpu")
    found = simulation.particles.acceleration
    unit = v0**2 / R0
    radial = np.array([evaluateRforces(of_galpy, R / R0, z / R0, use_physical=False) for R, _, z in places]) * unit
    vertical = np.array([evaluatezforces(of_galpy, R / R0, z / R0, use_physical=False) for R, _, z in places]) * unit
    size = np.hypot(radial, vertical)
    plane = places[:, 2] == 0
    assert np.abs(np.sqrt(found[plane, 0] / radial[plane]) - 1).max() < speed_error
    assert np.abs((found[:, 0] - radial) / size).max() < pull_error
    assert np.abs((found[:, 2] - vertical) / size).max() < pull_error
