# SPDX-License-Identifier: Apache-2.0
"""Gas from a configuration: what a run writes, what it can be resumed from, what is refused."""
import csv
import json

import h5py
import numpy as np
import pytest

BOX = """
[boundary]
kind = "periodic"
size = [2.0, 0.125, 0.125]
"""
TUBE = """
[ic]
model = "sod"
n = 1152
[gas]
eos = "ideal"
self_gravity = false
[time]
dt = 0.01
end = {end}
[output]
directory = "{folder}"
every = 0.02
""" + BOX


def config(tmp_path, text, name="gas.toml"):
    path = tmp_path / name
    path.write_text(text)
    return path


def rows(folder):
    with open(folder / "energy.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_tube_runs_from_a_configuration(hornbeam, tmp_path):
    folder = tmp_path / "tube"
    hornbeam.ok("run", str(config(tmp_path, TUBE.format(end=0.04, folder=folder))), "--backend", "cpu")
    energies = rows(folder)
    for row in energies:
        total = sum(float(row[part]) for part in ("kinetic", "potential", "thermal"))
        assert float(row["total"]) == pytest.approx(total, rel=1e-12)
        assert abs(float(row["relative_error"])) < 1e-4
    assert float(energies[-1]["kinetic"]) > 0
    norms = json.loads(hornbeam.ok("analyze", str(folder / "snapshot_0002.hdf5"), "--exact", "--json"))
    # at 32 cells, and before the waves have gone far; peers/sph.md has 0.024, 0.051 and 0.023 at t = 0.2
    assert norms["exact"]["particles"] > 500
    assert all(0 < norms["exact"][what] < 0.05 for what in ("density_error", "velocity_error", "pressure_error"))
    with h5py.File(folder / "snapshot_0002.hdf5") as file:
        gas = file["PartType0"]
        density, h, mass = (gas[name][:] for name in ("Density", "SmoothingLength", "Masses"))
        assert gas["InternalEnergy"].shape == density.shape == (1152,)
        # 100 particles like itself within H
        assert np.allclose(4 / 3 * np.pi * h**3 * density / mass, 100, rtol=1e-6)


def test_run_that_is_resumed_has_the_same_bits(hornbeam, tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    hornbeam.ok("run", str(config(tmp_path, TUBE.format(end=0.04, folder=whole), "whole.toml")), "--backend", "cpu")
    first = config(tmp_path, TUBE.format(end=0.02, folder=parts), "parts.toml")
    hornbeam.ok("run", str(first), "--backend", "cpu")
    first.write_text(TUBE.format(end=0.04, folder=parts))
    hornbeam.ok("run", str(first), "--resume", "--backend", "cpu")
    with h5py.File(whole / "snapshot_0002.hdf5") as a, h5py.File(parts / "snapshot_0002.hdf5") as b:
        for name in ("Coordinates", "Velocities", "InternalEnergy", "Density"):
            assert np.array_equal(a["PartType0"][name][:], b["PartType0"][name][:]), name


def test_block_steps_of_gas_resume_with_the_same_bits(hornbeam, tmp_path):
    text = TUBE.replace("dt = 0.01", "dt = 0.02\nsteps = \"block\"")
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    said = hornbeam.ok("run", str(config(tmp_path, text.format(end=0.08, folder=whole), "whole.toml")), "--backend", "cpu")
    assert "cut short" in said
    first = config(tmp_path, text.format(end=0.04, folder=parts), "parts.toml")
    hornbeam.ok("run", str(first), "--backend", "cpu")
    first.write_text(text.format(end=0.08, folder=parts))
    hornbeam.ok("run", str(first), "--resume", "--backend", "cpu")
    with h5py.File(whole / "snapshot_0004.hdf5") as a, h5py.File(parts / "snapshot_0004.hdf5") as b:
        for name in ("Coordinates", "Velocities", "InternalEnergy", "Density"):
            assert np.array_equal(a["PartType0"][name][:], b["PartType0"][name][:]), name
    rungs = json.loads((whole / "run.json").read_text())["rungs"]
    assert rungs["repeated"] == 0 and rungs["woken"] >= 0
    assert abs(float(rows(whole)[-1]["relative_error"])) < 1e-4


def test_refusals_name_the_key(hornbeam, tmp_path):
    text = TUBE.format(end=0.04, folder=tmp_path / "none")
    for change, said in (("gas.gamma=1", "gas.gamma"), ("gas.eos=plasma", "ideal"), ("gas.sound_speed=1", "does nothing"),
                         ("time.steps=symmetrised", "gas"), ("gas.eos=isothermal", "gas.sound_speed"), ("sph.h=1", "[gas]")):
        done = hornbeam.run("run", str(config(tmp_path, text)), "--set", change)
        assert done.returncode == 2 and said in done.stderr, (change, done.stderr)


def test_models_fill_their_boxes(hornbeam, tmp_path):
    assert "1152" in hornbeam.run("ic", "sod", "-n", "1000", "-o", str(tmp_path / "x.hdf5")).stderr
    assert "the nearest are" in hornbeam.run("ic", "sedov", "-n", "1001", "-o", str(tmp_path / "x.hdf5")).stderr
    hornbeam.ok("ic", "evrard", "-n", "1000", "-o", str(tmp_path / "evrard.hdf5"))
    with h5py.File(tmp_path / "evrard.hdf5") as file:
        gas = file["PartType0"]
        radius = np.sort(np.linalg.norm(gas["Coordinates"][:], axis=1))
        assert np.allclose(gas["InternalEnergy"][:], 0.05)
        # M(r) = r^2
        assert np.allclose(radius[100::100] ** 2, np.arange(101, 1001, 100) / 1000, atol=0.02)


def test_pictures_of_gas(hornbeam, tmp_path):
    folder = tmp_path / "tube"
    hornbeam.ok("run", str(config(tmp_path, TUBE.format(end=0.02, folder=folder))), "--backend", "cpu")
    last, size = str(folder / "snapshot_0001.hdf5"), ("--width", 160, "--height", 40)
    hornbeam.ok("render", last, "-o", "column.png", *size, "--extent", 2, "--numbers", "column.npy")
    column = np.load(hornbeam.folder / "column.npy")
    assert column.shape == (40, 160)
    # four images above one another: each has the tube's mass, (1 + 1/8) over 2 x 0.125 x 0.125, seen along 0.125
    assert column.mean() == pytest.approx(0.125 * 1.125 / 2, rel=1e-3)
    hornbeam.ok("render", last, "-o", "slice.png", *size, "--extent", 2, "--slice", "z=0.0625", "--numbers", "slice.npy")
    density = np.load(hornbeam.folder / "slice.npy")[20]
    assert density[80 - 20] == pytest.approx(1, rel=0.02) and density[80 + 30] == pytest.approx(0.125, rel=0.05)
    hornbeam.ok("render", last, "-o", "p.png", "--slice", "y=0", "--field", "pressure", "--vmin", 0.05, "--cmap", "gray",
                "--shade", "--scale", "linear", *size, "--numbers", "p.npy")
    assert np.nanmax(np.load(hornbeam.folder / "p.npy")) == pytest.approx(1, rel=0.02)
    hornbeam.ok("movie", str(folder), "-o", "m.gif", "--field", "vx", *size)
    for arguments, said in ((("--slice", "q=0"), "--axis"), (("--slice", "z"), "AXIS=PLACE"), (("--field", "mass"), "--field"),
                            (("--slice", "z=0", "--axis", "x"), "--slice"), (("--field", "vx", "--scale", "log"), "scale"),
                            (("--field", "temperature"), "G = 1"), (("--vmin", 9, "--vmax", 1), "vmin")):
        assert said in hornbeam.error(2, "render", last, "-o", "e.png", *arguments), arguments
    hornbeam.ok("ic", "plummer", "-n", 10, "-o", "stars.hdf5")
    assert "no gas" in hornbeam.error(2, "render", "stars.hdf5", "-o", "e.png", "--field", "density")
