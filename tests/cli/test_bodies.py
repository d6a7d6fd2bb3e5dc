# SPDX-License-Identifier: Apache-2.0
"""Planets, polytropes and impacts: what `ic` draws and what `analyze` finds."""
import csv
import json
import math

import numpy as np
import pytest


def after_an_impact(path):
    """A planet of mass and radius 1, a circular disc at 3 with a hundredth of it, and two that escape."""
    rng = np.random.default_rng(7)
    ball = rng.uniform(-1, 1, (4000, 3))
    ball = ball[np.linalg.norm(ball, axis=1) < 1]
    ball = np.concatenate([ball, -ball])
    angles = 2 * np.pi * np.arange(20) / 20
    ring = np.stack([3 * np.cos(angles), 3 * np.sin(angles), 0 * angles], axis=1)
    flow = np.stack([-np.sin(angles), np.cos(angles), 0 * angles], axis=1) / math.sqrt(3)
    with open(path, "w", encoding="utf-8") as file:
        file.write("x,y,z,vx,vy,vz,mass,density,family\n")
        for x in ball:
            file.write("%r,%r,%r,0,0,0,%r,%r,0\n" % (*x.tolist(), 1 / len(ball), 3 / (4 * math.pi)))
        for x, v in zip(ring, flow):
            file.write("%r,%r,%r,%r,%r,%r,%r,1e-3,0\n" % (*x.tolist(), *v.tolist(), 0.01 / 20))
        file.write("4,0,0,1,0,0,0.001,1e-6,0\n-4,0,0,-1,0,0,0.001,1e-6,0\n")


def test_disc_mass_as_json_text_and_table(hornbeam, tmp_path):
    file, table = tmp_path / "after.csv", tmp_path / "disc.csv"
    after_an_impact(file)
    found = json.loads(hornbeam.ok("analyze", str(file), "--disc-mass", "--json", "--csv", str(table)))["disc_mass"]
    assert found["planet_mass"] == pytest.approx(1, rel=1e-9)
    assert found["disc_mass"] == pytest.approx(0.01, rel=1e-9) and found["disc_particles"] == 20
    assert found["escaping_mass"] == pytest.approx(0.002, rel=1e-9) and found["escaping_particles"] == 2
    assert found["disc_angular_momentum"] == pytest.approx([0, 0, 0.01 * math.sqrt(3)], abs=1e-9)
    assert found["disc_radius"] == pytest.approx(3, rel=1e-9)
    assert found["planet_radius"] == pytest.approx(1, rel=1e-9)
    with open(table, encoding="utf-8") as lines:
        row = next(csv.DictReader(lines))
    name = next(key for key in row if key.startswith("disc_mass_disc_mass"))
    assert float(row[name]) == pytest.approx(0.01)
    assert "disc_mass" in hornbeam.ok("analyze", str(file), "--disc-mass")
    # a planet so thin that it holds the disc
    wide = json.loads(hornbeam.ok("analyze", str(file), "--disc-mass", "--planet-density", "0.005", "--json"))
    assert wide["disc_mass"]["disc_particles"] == 0


def test_disc_mass_refuses(hornbeam, tmp_path):
    file = tmp_path / "stars.hdf5"
    hornbeam.ok("ic", "plummer", "-n", "100", "-o", str(file))
    assert "--planet-density" in hornbeam.error(1, "analyze", str(file), "--disc-mass")
    assert "--disc-mass" in hornbeam.error(2, "analyze", str(file), "--energy", "--planet-density", "1")
    assert "more than 0" in hornbeam.error(2, "analyze", str(file), "--disc-mass", "--planet-density", "-1")


def test_polytrope_from_ic_to_exact(hornbeam, tmp_path):
    file, bare = tmp_path / "sphere.hdf5", tmp_path / "bare.hdf5"
    said = hornbeam.ok("ic", "polytrope", "-n", "500", "--settle", "12", "--mass", "2", "-o", str(file))
    assert "settled in 12 turns" in said
    exact = json.loads(hornbeam.ok("analyze", str(file), "--exact", "--json"))["exact"]
    assert exact["particles"] == 500 and exact["velocity_error"] == 0
    # of a central density of 2.86
    assert 0 < exact["density_error"] < 0.2
    hornbeam.ok("ic", "polytrope", "-n", "500", "-o", str(bare))
    assert "densities" in hornbeam.error(1, "analyze", str(bare), "--exact")
    assert "4.99" in hornbeam.error(2, "ic", "polytrope", "-n", "500", "--index", "5", "-o", str(bare))


def test_collapse_says_its_equation_of_state(hornbeam, tmp_path):
    said = hornbeam.ok("ic", "collapse", "-n", "500", "-o", str(tmp_path / "cloud.hdf5"))
    assert "barotropic" in said and "0.316228" in said and "1.11072" in said
