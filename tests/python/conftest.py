# SPDX-License-Identifier: Apache-2.0
"""The module under test is that of the build folder: ctest sets PYTHONPATH, and HORNBEAM to the program."""

import os
import subprocess
import sys

import numpy as np
import pytest

import hornbeam as hb


@pytest.fixture
def plummer():
    return hb.ic.plummer(512, seed=3)


@pytest.fixture(scope="module")
def open_device():
    """Keeps OpenCL's device open: what opens it meanwhile shares its programs, which take PoCL 0.6 s each time."""
    is_there = any(device["backend"] == "opencl" for device in hb.info()["devices"])
    kept = hb.Simulation(hb.ic.plummer(2), dt=1.0, eps=0.1, backend="opencl") if is_there else None
    yield
    if kept:
        kept.close()


@pytest.fixture(scope="module")
def cloud():
    """Positions, masses."""
    random = np.random.default_rng(5)
    return random.normal(size=(300, 3)), random.uniform(0.5, 1.5, 300)


def direct(position, mass, eps=0.0, targets=None, G=1.0):
    """Accelerations and potentials by all pairs; eps: of each source, or of all."""
    places = position if targets is None else targets
    way = position[None] - places[:, None]
    square = (way**2).sum(-1) + np.broadcast_to(eps, len(position))[None] ** 2
    with np.errstate(divide="ignore"):
        inverse = np.where((way**2).sum(-1) > 0, 1 / np.sqrt(square), 0.0 if targets is None else 1 / np.sqrt(square))
    return G * ((mass * inverse**3)[..., None] * way).sum(1), -G * (mass * inverse).sum(1)


def python(code, **options):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, **options)


@pytest.fixture
def program():
    return os.environ["HORNBEAM"]


def sphere(**options):
    return hb.Simulation(hb.ic.plummer(256, seed=4), **{"dt": 1 / 32, "eps": 0.05, **options})


@pytest.fixture
def h5py():
    return pytest.importorskip("h5py", reason="h5py is not installed: what others write into files is not tested")
