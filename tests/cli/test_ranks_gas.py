# SPDX-License-Identifier: Apache-2.0
"""Several devices share the sums of gas: their files are those of one, byte for byte (test_ranks_physics.py)."""

import json

import h5py
import numpy as np
from test_ranks_physics import DEVICE, assert_alike

EVRARD = '''[input]
file = "start.hdf5"
[gravity]
softening = "spline"
[gas]
eos = "ideal"
softening = "{softening}"
[time]
dt = 0.02
end = {end}
steps = "{steps}"
[output]
directory = "{folder}"
every = 0.04
''' + DEVICE
SEDOV = '''[ic]
model = "sedov"
n = 1000
energy = 10
[gas]
eos = "ideal"
self_gravity = false
reconstruct = true
[boundary]
kind = "periodic"
size = [1, 1, 1]
[time]
dt = 0.004
end = 0.008
steps = "block"
[output]
directory = "{folder}"
every = 0.004
''' + DEVICE

def draw_with_debris(hornbeam):
    """Evrard's sphere, of which 64 particles are far away on all sides: their H extend over most of the gas, so that many
    warps share the sum of each. The more there are, the fewer warps share each, and no rank has all of them."""
    hornbeam.ok("ic", "evrard", "-n", 1200, "-o", "start.hdf5")
    with h5py.File(hornbeam.folder / "start.hdf5", "r+") as file:
        places = file["PartType0/Coordinates"][()]
        away = np.random.default_rng(1).normal(size=(64, 3))
        places[-64:] = 8 * away / np.linalg.norm(away, axis=1)[:, None] + places.mean(axis=0)
        file["PartType0/Coordinates"][...] = places


def test_gas_softened_by_its_kernel_in_block_steps(hornbeam):
    draw_with_debris(hornbeam)
    assert_alike(hornbeam, EVRARD, 3, softening="adaptive", steps="block", end=0.04)


def test_gas_that_wakes_its_neighbours_in_a_periodic_box(hornbeam):
    one, _ = assert_alike(hornbeam, SEDOV, 3)
    assert json.loads((one / "run.json").read_text(encoding="utf-8"))["rungs"]["woken"] > 0
