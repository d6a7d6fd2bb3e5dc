# SPDX-License-Identifier: Apache-2.0
"""Several devices share the sums of gas, the search for collisions and the walks of a box: their files are those of
one, byte for byte. PoCL's device is opened several times (HORNBEAM_RANKS)."""

import json
import re

import h5py
import numpy as np
import pytest
from test_ranks import assert_same, ranks

DEVICE = '[device]\nbackend = "opencl"\n'
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
RING = '''[units]
system = "si"
[ic]
model = "ring"
surface_density = 400
particle_density = 400
radius_min = 1
radius_max = 4
slope = -3
seed = 1
eps = 0.1
[boundary]
kind = "shear"
size = [120, 120, 0]
n_ghost_x = 1
n_ghost_y = 1
omega = 1.3143527e-4
[collisions]
law = "{law}"
[time]
dt = 95.6
end = 764.8
[output]
directory = "{folder}"
every = 382.4
''' + DEVICE
BOX = '''[ic]
model = "plane-wave"
n = 1024
[boundary]
kind = "periodic"
size = [1, 1, 1]
[time]
dt = 0.01
end = 0.04
[output]
directory = "{folder}"
every = 0.02
''' + DEVICE


def run(hornbeam, count, text, *arguments, **values):
    """The folder of a run on `count` ranks, and what it prints."""
    folder = values.setdefault("folder", f"of_{count}")
    (hornbeam.folder / f"{folder}.toml").write_text(text.format(**values), encoding="utf-8")
    done = hornbeam.run("run", f"{folder}.toml", *arguments, **ranks(count))
    assert done.returncode == 0, done.stderr
    return hornbeam.folder / folder, done.stdout


def assert_alike(hornbeam, text, count, **values):
    """Asserts that `count` ranks leave the files of one. Returns the folder of one, and what it prints."""
    one, said = run(hornbeam, 1, text, **values)
    assert_same(one, run(hornbeam, count, text, **values)[0])
    return one, said


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


@pytest.mark.parametrize("law", ["bridges", "merge"])
def test_rings_with_collisions(hornbeam, law):
    _, said = assert_alike(hornbeam, RING, 7 if law == "bridges" else 2, law=law)
    assert int(re.search(r"(\d+) collisions", said).group(1)) > 50


def test_a_box_that_attracts_as_an_infinite_lattice(hornbeam):
    assert_alike(hornbeam, BOX, 3)
