# SPDX-License-Identifier: Apache-2.0
"""hornbeam run with bodies that merge, rub, halt the run, meet within a step, or leave the box."""

import json

import h5py
import numpy as np
import pytest

CLOUD = """[ic]
model = "uniform-sphere"
n = 400
omega = 0.6
virial = 0.3
body_radius = 0.02
eps = 0.002
[boundary]
kind = "open"
size = [3, 3, 3]
[collisions]
law = "merge"
[time]
dt = 0.01
end = 2
[output]
directory = "out"
every = 1
"""

TWO = "x,y,z,vx,vy,vz,mass,radius,id\n0,0,0,0,0,0,1e-9,0.5,11\n3,0.2,0,-1,0,0,1e-9,0.5,12\n"


def last(folder, number):
    with h5py.File(folder / "out" / f"snapshot_{number:04d}.hdf5") as file:
        group = file["PartType1"]
        return {name: group[name][:] for name in group}


@pytest.fixture
def two(hornbeam):
    (hornbeam.folder / "two.csv").write_text(TWO)
    (hornbeam.folder / "two.toml").write_text(
        '[input]\nfile = "two.csv"\n[gravity]\neps = 0.01\n[collisions]\nlaw = "constant"\nrestitution = 1\n'
        '[time]\ndt = 0.125\nend = 4\n[output]\ndirectory = "out"\nevery = 4\n')
    return hornbeam.folder / "two.toml"


def test_planetesimals_merge_and_leave(hornbeam):
    (hornbeam.folder / "cloud.toml").write_text(CLOUD)
    out = hornbeam.ok("run", "cloud.toml")
    assert "box 3 x 3 x 3 about the origin (0: open), what leaves it is gone" in out
    bodies = last(hornbeam.folder, 2)
    n = len(bodies["Masses"])
    assert n < 300 and f"left the box, {n} particles remain" in out
    assert json.loads((hornbeam.folder / "out" / "run.json").read_text())["totals"]["particles"] == n
    assert np.all(np.abs(bodies["Coordinates"]) <= 1.5)
    # volumes are kept, so all still have the density that they began with
    assert np.allclose(bodies["Radius"] ** 3 / bodies["Masses"], 0.02**3 * 400, rtol=1e-12)
    assert len(np.unique(bodies["ParticleIDs"])) == n and bodies["ParticleIDs"].max() < 400
    assert np.any(bodies["Spin"] != 0)


def test_a_resumed_run_merges_to_the_same_bits(hornbeam):
    (hornbeam.folder / "cloud.toml").write_text(CLOUD)
    hornbeam.ok("run", "cloud.toml")
    whole = last(hornbeam.folder, 2)
    hornbeam.ok("run", "cloud.toml", "--overwrite", "--set", "time.end=1")
    hornbeam.ok("run", "cloud.toml", "--resume")
    resumed = last(hornbeam.folder, 2)
    assert whole.keys() == resumed.keys()
    for name in whole:
        assert np.array_equal(whole[name], resumed[name]), name


def test_halt_ends_the_run(hornbeam, two):
    two.write_text(two.read_text().replace('law = "constant"\nrestitution = 1', 'law = "halt"'))
    out = hornbeam.ok("run", two)
    assert "bodies 11 and 12 (ids) have met at t = 2.125" in out and "stopped by a collision" in out
    with h5py.File(hornbeam.folder / "out" / "latest.hdf5") as file:
        assert file["Header"].attrs["Time"] == pytest.approx(2.125)


def test_a_long_step_meets_nobody_unless_it_is_swept(hornbeam, two):
    hornbeam.ok("run", two, "--set", "time.dt=4")
    assert last(hornbeam.folder, 1)["Velocities"][1, 0] == pytest.approx(-1, abs=1e-6)
    hornbeam.ok("run", two, "--set", "time.dt=4", "--set", "collisions.detection=swept", "--overwrite")
    bodies = last(hornbeam.folder, 1)
    # the way between their centres when they touched: 0.2 across, so 1 - 0.2^2 of the speed goes over
    assert bodies["Velocities"][0, 0] == pytest.approx(-0.96, abs=1e-6)
    assert bodies["Velocities"][1, 0] == pytest.approx(-0.04, abs=1e-6)
    assert bodies["Coordinates"][0, 0] == pytest.approx(-0.96 * (4 - (3 - np.sqrt(0.96))), abs=1e-6)


def test_friction_spins_bodies(hornbeam, two):
    hornbeam.ok("run", two, "--set", "collisions.tangential_restitution=0", "--set", "collisions.friction=0.5")
    bodies = last(hornbeam.folder, 1)
    assert bodies["Spin"][0, 2] == bodies["Spin"][1, 2] != 0
    hornbeam.ok("run", two, "--overwrite")
    assert "Spin" not in last(hornbeam.folder, 1)


@pytest.mark.parametrize("settings, said", [
    (["collisions.tangential_restitution=2"], "tangential_restitution"),
    (["collisions.friction=0.5"], "collisions.friction: must be left out where tangential_restitution = 1"),
    (["collisions.friction=-1"], "friction"),
    (["collisions.detection=sweeping"], "is not one of overlap, swept"),
    (["collisions.law=merge"], "restitution: does nothing with law"),
    (["boundary.size=[1,1,1]"], "boundary.kind: is missing"),
    (["boundary.kind=open", "boundary.size=[9,9,9]", "time.steps=block"], "steps = block"),
    (["boundary.kind=open", "boundary.size=[9,-9,9]"], "boundary.size"),
])
def test_what_cannot_be_is_refused(hornbeam, two, settings, said):
    sets = [part for text in settings for part in ("--set", text)]
    assert said in hornbeam.error(2, "run", two, *sets)
