# SPDX-License-Identifier: Apache-2.0
"""hornbeam run with bodies that merge, rub, halt the run, meet within a step, or leave the box."""

import csv
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
    assert "box 3 x 3 x 3 about the origin (0: open), particles that leave it are removed" in out
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


def rows_of(folder):
    with open(folder / "events.csv") as file:
        return [{name.split(" ")[0]: value if name == "kind" else float(value) for name, value in row.items()}
                for row in csv.DictReader(file)]


def test_events_are_on_record_and_account_for_every_body(hornbeam):
    (hornbeam.folder / "cloud.toml").write_text(CLOUD)
    hornbeam.ok("run", "cloud.toml")
    first, end = last(hornbeam.folder, 0), last(hornbeam.folder, 2)
    mass = dict(zip(first["ParticleIDs"].tolist(), first["Masses"]))
    for row in rows_of(hornbeam.folder / "out"):
        one, two = int(row["id_1"]), int(row["id_2"])
        assert row["mass_1"] == pytest.approx(mass[one], rel=1e-13)  # the sum of those that it has absorbed
        gone = mass.pop(two)
        if row["kind"] == "merged":
            assert one != two and row["mass_1"] >= row["mass_2"] == pytest.approx(gone, rel=1e-13) and 0 <= row["angle"] <= 90
            mass[one] += gone
        else:
            assert row["kind"] == "left" and one == two and row["mass_2"] == 0 and row["speed"] > 0
    assert sorted(mass) == sorted(end["ParticleIDs"].tolist())
    assert [mass[i] for i in end["ParticleIDs"].tolist()] == pytest.approx(end["Masses"], rel=1e-13)


@pytest.mark.parametrize("law", ["merge", "constant"])
def test_events_of_a_killed_run_are_those_of_a_whole_one(hornbeam, law):
    text = CLOUD.replace('law = "merge"', f'law = "{law}"' + ("" if law == "merge" else "\nrecord_above = 0.5"))
    (hornbeam.folder / "cloud.toml").write_text(text)
    hornbeam.ok("run", "cloud.toml", "--set", "output.checkpoint_every=0.3")
    events = hornbeam.folder / "out" / "events.csv"
    whole = events.read_bytes()
    assert whole.count(b"\n") > 100
    hornbeam.ok("run", "cloud.toml", "--overwrite", "--set", "time.end=1.1", "--set", "output.checkpoint_every=0.3")
    lines = whole.splitlines(keepends=True)
    late = b"".join(line for line in lines[1:] if float(line.split(b",")[0]) > 1.105)
    with events.open("ab") as file:  # of steps after the checkpoint, the last one torn, as a kill leaves them
        file.write(late[:len(late) // 2])
    hornbeam.ok("run", "cloud.toml", "--resume", "--set", "output.checkpoint_every=0.3")
    assert events.read_bytes() == whole


def test_a_heavy_body_that_leaves_is_warned_of(hornbeam):
    (hornbeam.folder / "in.csv").write_text("x,y,z,vx,vy,vz,mass,id\n4.9,0,0,1,0,0,1000,7\n1,0,0,0,1,0,1e-3,8\n")
    (hornbeam.folder / "run.toml").write_text(
        '[input]\nfile = "in.csv"\n[boundary]\nkind = "open"\nsize = [10, 10, 10]\n[gravity]\neps = 0.1\n'
        '[time]\ndt = 0.015625\nend = 0.5\n[output]\ndirectory = "out"\n')
    out = hornbeam.ok("run", "run.toml")
    assert out.count("particle 7 (id) has left the box at t = 0.109375 with 100 % of the mass") == 1


def test_a_run_without_particles_ends_and_says_so(hornbeam):
    (hornbeam.folder / "in.csv").write_text("x,y,z,vx,vy,vz,mass,id\n4.9,0,0,1,0,0,1,7\n-4.9,0,0,-1,1,0,1,8\n")
    (hornbeam.folder / "run.toml").write_text(
        '[input]\nfile = "in.csv"\n[boundary]\nkind = "open"\nsize = [10, 10, 10]\n[gravity]\neps = 0.1\n'
        '[time]\ndt = 0.015625\nend = 0.5\n[output]\ndirectory = "out"\nevery = 0.0625\n')
    out = hornbeam.ok("run", "run.toml")
    assert "no particle is left at t = 0.109375: the run ends" in out
    assert "stopped by the loss of all particles at t = 0.109375 after 7 steps" in out and "there is nothing to resume" in out
    assert json.loads((hornbeam.folder / "out" / "run.json").read_text())["totals"]["particles"] == 0
    assert [row["kind"] for row in rows_of(hornbeam.folder / "out")] == ["left", "left"]
    assert "no particle is left" in hornbeam.ok("run", "run.toml", "--resume")


def test_halt_ends_the_run(hornbeam, two):
    two.write_text(two.read_text().replace('law = "constant"\nrestitution = 1', 'law = "halt"'))
    out = hornbeam.ok("run", two)
    assert "bodies 11 and 12 (ids) have collided at t = 2.125" in out and "stopped by a collision" in out
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
    (["collisions.friction=0.5"], "collisions.friction: must be left out with tangential_restitution = 1"),
    (["collisions.friction=-1"], "friction"),
    (["collisions.record_above=-1"], "record_above"),
    (["collisions.detection=sweeping"], "is not one of overlap, swept"),
    (["collisions.law=merge"], "restitution: has no effect with law"),
    (["boundary.size=[1,1,1]"], "boundary.kind: is missing"),
    (["boundary.kind=open", "boundary.size=[9,9,9]", "time.steps=block"], "steps = block"),
    (["boundary.kind=open", "boundary.size=[9,-9,9]"], "boundary.size"),
])
def test_what_cannot_be_is_refused(hornbeam, two, settings, said):
    sets = [part for text in settings for part in ("--set", text)]
    assert said in hornbeam.error(2, "run", two, *sets)
