# SPDX-License-Identifier: Apache-2.0
"""Units: by name, of models, of files that have others or none, and in all that a run writes."""

import csv
import json

import h5py
import numpy as np
import pytest

START = '[input]\nfile = "{}"\n[gravity]\neps = 0.05\n[time]\ndt = {}\nend = {}\n[output]\ndirectory = "out"\n'


def run(hornbeam, file, units="", dt=0.01, end=0.02, *arguments):
    (hornbeam.folder / "u.toml").write_text(START.format(file, dt, end) + units)
    return "u.toml", "--overwrite", *arguments


def virial(hornbeam, file):
    return hornbeam.json("analyze", file, "--energy", "--eps", 0)["virial_ratio"]


ALL = ("galactic", "solar", "pc,Msun,km/s")


# discs take half a second each
@pytest.mark.parametrize("model, options, systems", [("plummer", (), ALL), ("hernquist", ("--scale", 3), ALL),
                                                     ("galaxy", (), ALL[1:2]),
                                                     ("merger", ("--disc-mass", 0, "--pericentre", 2, "--separation", 20), ALL[2:]),
                                                     ("uniform-sphere", ("--virial", 1), ALL)])
def test_every_model_is_the_same_equilibrium_in_physical_units(hornbeam, model, options, systems):
    hornbeam.ok("ic", model, "-n", 1500, *options, "-o", "one.hdf5")
    one = virial(hornbeam, "one.hdf5")
    assert 0.5 < one < 2
    for units in systems:
        said = hornbeam.ok("ic", model, "-n", 1500, *options, "--units", units, "-o", "phys.hdf5")
        assert "G = " in said
        assert virial(hornbeam, "phys.hdf5") == pytest.approx(one, rel=1e-6)  # that of rounding in the tree
    assert "--units: received 'imperial'" in hornbeam.error(2, "ic", model, "-n", 10, *options, "--units", "imperial",
                                                            "-o", "x.hdf5")


@pytest.mark.parametrize("units", [(), ("--units", "galactic")])
def test_a_galaxy_stands_at_the_origin(hornbeam, units):
    hornbeam.ok("ic", "galaxy", "-n", 501, "--black-hole-mass", 0.1, *units, "-o", "g.hdf5")
    with h5py.File(hornbeam.folder / "g.hdf5") as file:
        parts = {key: (file[key]["Coordinates"][:], file[key]["Velocities"][:]) for key in file if "PartType" in key}
    assert sorted(parts) == ["PartType1", "PartType2", "PartType3", "PartType5"]
    for name, vectors in parts.items():
        for vector in vectors:
            assert (abs(vector.mean(axis=0)) <= 1e-15 * abs(vector).max()).all() and (name != "PartType5" or not vector.any())
    momentum = hornbeam.json("analyze", "g.hdf5", "--energy")["momentum"]
    assert np.abs(momentum).max() < 1e-13 * (100 if units else 1)  # of mass times speed: in km/s


def test_files_whose_units_are_others_are_refused_converted_or_ignored(hornbeam):
    hornbeam.ok("ic", "plummer", "-n", 300, "--units", "galactic", "-o", "kpc.hdf5")
    pc = '[units]\nlength = "pc"\nmass = "Msun"\nvelocity = "km/s"\n'
    message = hornbeam.error(2, "run", *run(hornbeam, "kpc.hdf5", pc))
    assert message.startswith("kpc.hdf5: its units are kpc, 1e10 Msun, km/s (G = 43009.2), and those of [units] are pc, Msun, km/s")
    assert "units.of_files" in message and not (hornbeam.folder / "out").exists()
    said = hornbeam.ok("run", *run(hornbeam, "kpc.hdf5", pc, 1, 2, "--set", "units.of_files=convert", "--set",
                                   "gravity.eps=50"))
    assert "converted to pc" in said and "WARNING" not in said
    with h5py.File(hornbeam.folder / "out" / "snapshot_0000.hdf5") as file, h5py.File(hornbeam.folder / "kpc.hdf5") as kpc:
        a, b = file["PartType1/Coordinates"], kpc["PartType1/Coordinates"]
        assert a[:] == pytest.approx(1000 * b[:], rel=1e-14) and a.attrs["to_cgs"] * 1000 == pytest.approx(b.attrs["to_cgs"])
    said = hornbeam.ok("run", *run(hornbeam, "kpc.hdf5", pc, 1e-3, 1e-3, "--set", "units.of_files=ignore"))
    assert "ignored for pc" in said and "WARNING: 2K/|W|" in said and "units" in said
    assert "[units]" in hornbeam.error(2, "run", *run(hornbeam, "kpc.hdf5", '[units]\nsystem = "nbody"\n'))
    hornbeam.ok("run", *run(hornbeam, "kpc.hdf5", '[units]\nsystem = "galactic"\n', 1e-5, 1e-5))


@pytest.mark.parametrize("extension", ["csv", "gadget", "tipsy"])
def test_formats_without_units_say_what_was_taken(hornbeam, extension):
    hornbeam.ok("ic", "plummer", "-n", 300, "-o", f"a.{extension}")
    said = hornbeam.ok("run", *run(hornbeam, f"a.{extension}"))
    assert "no units in the file: G = 1 is assumed" in said and "WARNING" not in said
    said = hornbeam.ok("run", *run(hornbeam, f"a.{extension}", '[units]\nsystem = "galactic"\n', 1e-4, 1e-4))
    assert "no units in the file: its numbers are read without conversion, in kpc, 1e10 Msun, km/s" in said
    assert "WARNING: 2K/|W| = 2" in said and "likely cause is units" in said


def test_all_outputs_of_a_run_name_its_units(hornbeam):
    (hornbeam.folder / "u.toml").write_text(
        '[ic]\nmodel = "plummer"\nn = 200\nscale = 1e5\nmass = 1e20\n[units]\nlength = "km"\nmass = "kg"\nvelocity = "m/s"\n'
        '[time]\ndt = 100\nend = 100\n[gravity]\neps = 1e4\n[output]\ndirectory = "out"\nformats = ["hdf5", "csv"]\n')
    said = hornbeam.ok("run", "u.toml")
    assert "units km, kg, m/s (G = 6.6743e-14), time in hour" in said and "yt.load" in said and "WARNING" not in said
    out = hornbeam.folder / "out"
    with h5py.File(out / "snapshot_0001.hdf5") as file:
        assert file["Units"].attrs["UnitLength_in_cm"] == 1e5 and file["Units"].attrs["UnitMass_in_g"] == 1e3
        assert np.abs(file["PartType1/Coordinates"][:]).max() > 1e5
        assert file["PartType1/Velocities"].attrs["to_cgs"] == 100
    assert json.loads((out / "run.json").read_text())["units"]["length"] == "km"
    with open(out / "energy.csv", newline="") as file:
        header = next(csv.reader(file))
    assert header[:4] == ["time [hour]", "step", "kinetic [kg (m/s)^2]", "potential [kg (m/s)^2]"]
    assert (out / "snapshot_0001.csv").read_text().startswith("x [km],y [km],z [km],vx [m/s],vy [m/s],vz [m/s],mass [kg]")
    # and are read back, to go on in the same units
    said = hornbeam.ok("run", *run(hornbeam, "out/snapshot_0001.csv", "", 100, 100, "--set", "output.directory=two"))
    assert "units from the header: km, kg, m/s" in said and "WARNING" not in said
    said = hornbeam.ok("analyze", "out/snapshot_0001.hdf5", "--energy")
    assert "km, kg, m/s" in said


@pytest.mark.parametrize("units, part", [
    ('length = "kps"\nmass = "kg"\nvelocity = "m/s"', "units.length: received the unknown unit 'kps'"),
    ('length = "kg"\nmass = "kg"\nvelocity = "m/s"', "must be a length"),
    ('of_files = "convert"', "units: does not define the units"),
    ('length = "kpc"', "units: has only length"),
    ('system = "si"\nlength = "kpc"', "units: has both system and length"),
    ('system = "si"\nof_files = "some"', "same, convert, ignore"),
])
def test_units_that_say_nothing_are_refused(hornbeam, units, part):
    hornbeam.ok("ic", "plummer", "-n", 10, "-o", "a.csv")
    assert part in hornbeam.error(2, "run", *run(hornbeam, "a.csv", f"[units]\n{units}\n"))
