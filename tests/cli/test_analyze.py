# SPDX-License-Identifier: Apache-2.0
"""What hornbeam analyze prints and draws."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import Hornbeam
from plots import SIGNATURE, needs_matplotlib, panels, plot  # noqa: F401: also fixtures


@pytest.fixture(scope="module")
def shared(request, tmp_path_factory):
    """The program in a folder of what several tests look at: models of galaxies take longer than measures of them."""
    shared = Hornbeam(request.config.getoption("--hornbeam"), tmp_path_factory.mktemp("shared"))
    shared.ok("ic", "galaxy", "-n", 5000, "-o", "g.hdf5", "--black-hole-mass", 0.01)
    return shared


@pytest.fixture
def galaxy(hornbeam, shared):
    """A galaxy of 5,000 particles about a black hole."""
    return Path(shutil.copy(shared.folder / "g.hdf5", hornbeam.folder)).name


@pytest.fixture(scope="module")
def without_bulge(shared):
    shared.ok("ic", "galaxy", "-n", 200, "--bulge-mass", 0, "-o", "without_bulge.hdf5")
    return shared.folder / "without_bulge.hdf5"


def test_columns_never_run_together(hornbeam, galaxy):
    text = hornbeam.ok("analyze", galaxy, "--energy", "--disc", "--bar", "--profile")
    table = text[text.index("  disc\n"):text.index("  bar\n")].splitlines()[1:]
    assert len({len(line) for line in table}) == 1  # ends of lines are aligned
    names = table[0].split()
    assert names[0] == "radius" and names[-1] == "toomre_q" and len(names) == 10
    measured = hornbeam.json("analyze", galaxy, "--disc")["disc"]
    assert len(table) == 1 + len(measured["radius"])
    for i, line in enumerate(table[1:]):
        assert [float(word) for word in line.split()] == pytest.approx([measured[name][i] for name in names], rel=1e-5)
    assert re.search(r"^    virial_ratio +[\d.]+$", text, re.MULTILINE)


def test_units_are_named(hornbeam):
    (hornbeam.folder / "p.csv").write_text("x,y,z,vx,vy,vz,mass\n" + "".join(
        f"{i},{i * i % 7},{i * 5 % 11},1,2,3,1\n" for i in range(40)))
    hornbeam.ok("convert", "p.csv", "p.gadget")
    import numpy as np
    rows = np.genfromtxt(hornbeam.folder / "p.csv", delimiter=",", names=True)
    np.savez(hornbeam.folder / "p.npz", **{name: rows[name] for name in rows.dtype.names}, length_cm=3.0856775814913673e21,
             mass_g=1.98841e43, velocity_cm_per_s=1e5)
    text = hornbeam.ok("analyze", "p.npz", "--energy", "--profile", "--half-mass")
    for unit in ("time 0 [Gyr]", "[1e10 Msun (km/s)^2]", "[kpc]", "[1e10 Msun/kpc^3]", "[km/s]"):
        assert unit in text, text
    said = hornbeam.ok("analyze", "p.csv", "--energy", "--profile")
    assert "[" not in said.replace("unless [units] is given", "")  # G = 1: there are none


def test_a_measure_that_fails_leaves_the_others(hornbeam):
    hornbeam.ok("ic", "plummer", "-n", 200, "-o", "p.hdf5")
    done = hornbeam.run("analyze", "p.hdf5", "--disc", "--energy", "none.hdf5")
    assert done.returncode == 1 and "virial_ratio" in done.stdout and "disc: failed: disc: fewer than 100" in done.stdout
    assert done.stdout.count("cannot open") == 2 and done.stderr.count("\n") == 1 and "fewer than 100" in done.stderr
    done = hornbeam.run("analyze", "p.hdf5", "--disc", "--energy", "--json", "--csv", "t.csv")
    answer = json.loads(done.stdout)
    assert done.returncode == 1 and answer["virial_ratio"] > 0 and "fewer" in answer["errors"]["disc"]
    assert not (hornbeam.folder / "t.csv").exists()  # no row of it would be whole
    assert "disc" in hornbeam.error(1, "analyze", "p.hdf5", "--disc", "--json")


def test_one_black_hole_is_measured_from_its_galaxy(hornbeam, galaxy):
    found = hornbeam.json("analyze", galaxy, "--black-holes")["black_holes"]
    assert found["count"] == 1 and 0 <= found["distance"] < 0.1 and 0 <= found["speed"] < 0.3


MEASURES = ["energy", "lagrangian", "half-mass", "profile", "anisotropy", "disc", "bar", "black-holes"]
# of one file test_plot.py draws energies, half-mass radii, discs and bars
OF_ONE_FILE = ["lagrangian", "profile", "anisotropy", "black-holes"]


@pytest.mark.parametrize("files, measures", [(["g.hdf5"], OF_ONE_FILE), (["g.hdf5", "h.hdf5"], MEASURES)])
def test_every_measure_is_drawn(hornbeam, galaxy, plot, files, measures):  # noqa: F811
    shutil.copy(hornbeam.folder / galaxy, hornbeam.folder / "h.hdf5")
    handed, drawn = plot(*files, *(f"--{measure}" for measure in measures))
    assert [measure["name"] for measure in handed["measures"]] == measures
    for measure in measures:
        assert any(title.split("|")[0].split(":")[0] == measure for title in drawn), measure


def test_a_plot_is_drawn_by_the_python_that_is_there(hornbeam):
    needs_matplotlib()
    hornbeam.ok("ic", "plummer", "-n", 200, "-o", "p.hdf5")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = hornbeam.run("analyze", "p.hdf5", "--energy", "--half-mass", "--plot", "a.png", env=environment)
    assert done.returncode == 0 and done.stderr == "" and "plot in a.png" in done.stdout
    assert (hornbeam.folder / "a.png").read_bytes().startswith(SIGNATURE)
    assert sorted(path.name for path in hornbeam.folder.iterdir()) == ["a.png", "p.hdf5"]  # nothing is left behind


def test_plots_that_cannot_be_drawn(hornbeam, program_elsewhere):
    hornbeam.ok("ic", "plummer", "-n", 50, "-o", "p.hdf5")
    assert ".png" in hornbeam.error(2, "analyze", "p.hdf5", "--energy", "--plot", "a.jpg")
    (hornbeam.folder / "bin").mkdir()
    (hornbeam.folder / "bin" / "python3").write_text("#!/bin/sh\necho it has no matplotlib; exit 1\n")
    (hornbeam.folder / "bin" / "python3").chmod(0o755)
    done = subprocess.run([program_elsewhere, "analyze", "p.hdf5", "--energy", "--plot", "a.png"], cwd=hornbeam.folder,
                          env={**os.environ, "PATH": str(hornbeam.folder / "bin") + ":/usr/bin:/bin"}, text=True,
                          capture_output=True)
    assert done.returncode == 1 and "it has no matplotlib" in done.stderr and "pip install" in done.stderr
    assert "virial_ratio" in done.stdout and not (hornbeam.folder / "a.png").exists()


@pytest.mark.parametrize("flag", ["--lagrangian", "--half-mass", "--profile", "--anisotropy"])
def test_families_without_particles_or_mass_are_named(hornbeam, without_bulge, flag):
    shutil.copy(without_bulge, hornbeam.folder / "g.hdf5")
    message = hornbeam.error(1, "analyze", "g.hdf5", flag, "--types", "gas")
    assert message == "g.hdf5: has no particles of the family gas (it has halo, disc)"
    assert "of the family gas, black-hole (" in hornbeam.error(1, "analyze", "g.hdf5", flag, "--types", "gas", "--types",
                                                               "black-hole")
    (hornbeam.folder / "m.csv").write_text("x,y,z,vx,vy,vz,mass\n" + "".join(f"{k},0,0,0,0,0,0\n" for k in range(50)))
    assert hornbeam.error(1, "analyze", "m.csv", flag) == "m.csv: none of its particles has mass"
    assert "m.csv: its particles of the family halo have no mass" in hornbeam.error(1, "analyze", "m.csv", flag, "--types",
                                                                                    "halo")
    done = hornbeam.run("analyze", "g.hdf5", "--energy", flag, "--types", "gas")
    assert done.returncode == 1 and "virial_ratio" in done.stdout and "has no particles of the family gas" in done.stdout


def test_families_do_not_apply_to_measures_of_the_disc(hornbeam):
    hornbeam.ok("ic", "galaxy", "-n", 1000, "-o", "g.hdf5")
    for measure in ("--bar", "--disc", "--rotation-curve"):
        message = hornbeam.error(2, "analyze", "g.hdf5", measure, "--types", "halo")
        assert message == f"--types: does not apply to {measure}, which measures the disc of stars (leave it out)"


def test_hubble_is_in_km_per_s_and_mpc(hornbeam):
    hornbeam.ok("ic", "plummer", "-n", 200, "--units", "galactic", "-o", "p.hdf5")
    assert "hubble: received 0.7 (must be from 10 to 1000 km/s/Mpc, such as 70)" in hornbeam.error(
        2, "analyze", "p.hdf5", "--groups", "--hubble", 0.7)
