# SPDX-License-Identifier: Apache-2.0
"""Planets, polytropes and impacts: what `ic` draws and what `analyze` finds."""
import csv
import json
import math

import h5py
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
    assert "relaxed in 12 iterations" in said
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


EARTH = "Rearth, Mearth, km/s"


def test_an_impact_of_bodies_from_files(hornbeam):
    """What a run has relaxed goes into the next one: units of the files, or converted; options that say a body twice are refused."""
    hornbeam.ok("ic", "planet", "-n", 400, "--mass", 0.9, "--settle", 20, "--units", EARTH, "-o", "big.hdf5")
    hornbeam.ok("ic", "planet", "-n", 60, "--mass", 0.1, "--layers", "granite:1", "--units", EARTH, "-o", "small.npz")
    files = ["--target", "big.hdf5", "--impactor", "small.npz"]
    said = hornbeam.ok("ic", "impact", *files, "--before", 0.5, "-o", "met.hdf5")
    assert "target: 400 particles of big.hdf5, mass 0.9" in said and "460 particles of impact" in said and "Rearth" in said
    with h5py.File(hornbeam.folder / "met.hdf5") as met, h5py.File(hornbeam.folder / "big.hdf5") as big:
        one, all_ = big["PartType0"], met["PartType0"]
        assert len(set(all_["ParticleIDs"][:])) == 460
        for name in ("InternalEnergy", "MaterialIDs", "Masses"):
            assert (all_[name][:400] == one[name][:]).all()
        momentum = (all_["Masses"][:][:, None] * all_["Velocities"][:]).sum(axis=0)
        assert np.abs(momentum).max() < 1e-12
        size = np.linalg.norm(all_["Coordinates"][:400].mean(axis=0) - all_["Coordinates"][400:].mean(axis=0))
    said = hornbeam.ok("ic", "impact", *files, "--before", 0.5 * 6378.1, "--units", "si", "-o", "si.hdf5")
    assert "in m, kg, m/s" in said and "[units]" not in said
    with h5py.File(hornbeam.folder / "si.hdf5") as met:
        x = met["PartType0"]["Coordinates"][:]
        assert np.linalg.norm(x[:400].mean(axis=0) - x[400:].mean(axis=0)) == pytest.approx(6.3781e6 * size, rel=1e-4)
    drawn = hornbeam.ok("ic", "impact", "--target", "big.hdf5", "--impactor-mass", 0.09, "--before", 0.5, "--units", EARTH,
                        "-o", "one.hdf5")
    assert "440 particles" in drawn
    for options, words in (("--target-mass 1", "impact.target-mass: received both this and target = big.hdf5"),
                           ("--settle 9", "impact.settle: applies to bodies that Hornbeam makes"), ("-n 9", None)):
        if words is None:
            assert "n = 9 was not used" in hornbeam.ok("ic", "impact", *files, "--before", 1, *options.split(), "-o", "n.hdf5")
            continue
        assert words in hornbeam.error(2, "ic", "impact", *files, "--before", 1, *options.split(), "-o", "x.hdf5")
    (hornbeam.folder / "impact.toml").write_text(
        '[ic]\nmodel = "impact"\ntarget = "big.hdf5"\nimpactor = "small.npz"\nbefore = 0.5\n[gas]\neos = "tillotson"\n'
        '[time]\ndt = 0.01\nend = 0.02\n[output]\ndirectory = "hit"\n')
    assert "460 particles" in hornbeam.ok("run", "impact.toml")
    hornbeam.ok("convert", "small.npz", "bare.gadget", "--to", "gadget2")  # without units and materials
    assert "different units" in hornbeam.error(2, "ic", "impact", "--target", "big.hdf5", "--impactor", "bare.gadget", "--before", 1,
                                               "-o", "x.hdf5")
    assert "the gas of the impactor has no MaterialIDs" in hornbeam.error(
        2, "ic", "impact", "--target", "big.hdf5", "--impactor", "bare.gadget", "--before", 1, "--units", EARTH, "-o", "x.hdf5")
    said = hornbeam.ok("ic", "impact", "--target", "bare.gadget", "--impactor", "bare.gadget", "--before", 1, "--units", "si", "-o",
                       "x.hdf5")
    assert "bare.gadget: no units in the file: its numbers are read without conversion, in m, kg, m/s" in said


def test_a_turning_sphere_is_said_to_be_out_of_balance(hornbeam):
    spin = ["-n", 500, "--mass", 0.3, "--layers", "granite:1", "--units", EARTH, "-o", "spin.hdf5", "--spin"]
    assert "is a sphere out of equilibrium (give settle = 300)" in hornbeam.ok("ic", "planet", *spin, 2.3)
    said = hornbeam.ok("ic", "planet", *spin, 2.3, "--settle", 60)
    assert 0.75 < float(said.split("axes z / x = ")[1].split()[0]) < 0.85  # Maclaurin: 0.82
    assert "settle: the body flies apart" in hornbeam.error(1, "ic", "planet", *spin, 6, "--settle", 60)
