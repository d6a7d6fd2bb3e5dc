# SPDX-License-Identifier: Apache-2.0
"""Several devices share the search for collisions and the walks of a box: their files are those of one, byte for byte.
PoCL's device is opened several times (HORNBEAM_RANKS)."""

import re

import pytest
from test_ranks import assert_same, ranks

DEVICE = '[device]\nbackend = "opencl"\n'
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


@pytest.mark.parametrize("law", ["bridges", "merge"])
def test_rings_with_collisions(hornbeam, law):
    _, said = assert_alike(hornbeam, RING, 7 if law == "bridges" else 2, law=law)
    assert int(re.search(r"(\d+) collisions", said).group(1)) > 50


def test_a_box_that_attracts_as_an_infinite_lattice(hornbeam):
    assert_alike(hornbeam, BOX, 3)
