# SPDX-License-Identifier: Apache-2.0
"""What hornbeam analyze prints and draws, and the scripts of examples/ at any number of particles."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def needs_matplotlib():
    pytest.importorskip("matplotlib", reason="no matplotlib here: plots are not drawn")


def with_this_python():
    """The environment in which the program finds the Python of these tests."""
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


def test_columns_never_run_together(hornbeam):
    hornbeam.ok("ic", "galaxy", "-n", 3000, "-o", "g.hdf5")
    text = hornbeam.ok("analyze", "g.hdf5", "--energy", "--disc", "--bar", "--profile")
    table = text[text.index("  disc\n"):text.index("  bar\n")].splitlines()[1:]
    assert len({len(line) for line in table}) == 1  # ends of lines are aligned
    names = table[0].split()
    assert names[0] == "radius" and names[-1] == "toomre_q" and len(names) == 10
    measured = hornbeam.json("analyze", "g.hdf5", "--disc")["disc"]
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
    for unit in ("time 0 [0.977792 Gyr]", "[1e10 Msun (km/s)^2]", "[kpc]", "[1e10 Msun/kpc^3]", "[km/s]"):
        assert unit in text, text
    said = hornbeam.ok("analyze", "p.csv", "--energy", "--profile")
    assert "[" not in said.replace("unless [units] says otherwise", "")  # G = 1: there are none


def test_a_measure_that_fails_leaves_the_others(hornbeam):
    hornbeam.ok("ic", "plummer", "-n", 200, "-o", "p.hdf5")
    done = hornbeam.run("analyze", "p.hdf5", "--disc", "--energy", "none.hdf5")
    assert done.returncode == 1 and "virial_ratio" in done.stdout and "disc: failed: disc: there are fewer" in done.stdout
    assert done.stdout.count("cannot open") == 2 and done.stderr.count("\n") == 1 and "fewer than 100" in done.stderr
    done = hornbeam.run("analyze", "p.hdf5", "--disc", "--energy", "--json", "--csv", "t.csv")
    answer = json.loads(done.stdout)
    assert done.returncode == 1 and answer["virial_ratio"] > 0 and "fewer" in answer["errors"]["disc"]
    assert not (hornbeam.folder / "t.csv").exists()  # no row of it would be whole
    assert "disc" in hornbeam.error(1, "analyze", "p.hdf5", "--disc", "--json")


def test_one_black_hole_is_measured_from_its_galaxy(hornbeam):
    hornbeam.ok("ic", "galaxy", "-n", 5000, "-o", "g.hdf5", "--black-hole-mass", 0.01)
    found = hornbeam.json("analyze", "g.hdf5", "--black-holes")["black_holes"]
    assert found["count"] == 1 and 0 <= found["distance"] < 0.1 and 0 <= found["speed"] < 0.3


MEASURES = ["--energy", "--lagrangian", "--half-mass", "--profile", "--anisotropy", "--disc", "--bar", "--black-holes"]


@pytest.mark.parametrize("files", [["g.hdf5"], ["g.hdf5", "h.hdf5"]])
def test_every_measure_is_drawn(hornbeam, files):
    needs_matplotlib()
    for name in files:
        hornbeam.ok("ic", "galaxy", "-n", 2000, "-o", name, "--black-hole-mass", 0.01, "--seed", len(name))
    done = hornbeam.run("analyze", *files, *MEASURES, "--plot", "a.png", env=with_this_python())
    assert done.returncode == 0 and done.stderr == "" and "plot in a.png" in done.stdout
    assert (hornbeam.folder / "a.png").read_bytes().startswith(PNG_SIGNATURE)
    assert sorted(path.name for path in hornbeam.folder.iterdir()) == sorted([*files, "a.png"])  # nothing is left behind


def test_plots_that_cannot_be_drawn(hornbeam):
    hornbeam.ok("ic", "plummer", "-n", 50, "-o", "p.hdf5")
    assert ".png" in hornbeam.error(2, "analyze", "p.hdf5", "--energy", "--plot", "a.jpg")
    (hornbeam.folder / "bin").mkdir()
    (hornbeam.folder / "bin" / "python3").write_text("#!/bin/sh\necho it has no matplotlib; exit 1\n")
    (hornbeam.folder / "bin" / "python3").chmod(0o755)
    program = hornbeam.folder / "hornbeam"  # away from build/, beside which a Python with matplotlib may stand
    program.write_bytes(Path(hornbeam.program).read_bytes())
    program.chmod(0o755)
    done = subprocess.run([program, "analyze", "p.hdf5", "--energy", "--plot", "a.png"], cwd=hornbeam.folder,
                          env={**os.environ, "PATH": str(hornbeam.folder / "bin") + ":/usr/bin:/bin"}, text=True,
                          capture_output=True)
    assert done.returncode == 1 and "it has no matplotlib" in done.stderr and "pip install" in done.stderr
    assert "virial_ratio" in done.stdout and not (hornbeam.folder / "a.png").exists()


def script(hornbeam, name, *arguments):
    environment = {**with_this_python(), "HORNBEAM": hornbeam.program}
    done = subprocess.run([sys.executable, EXAMPLES / name, *map(str, arguments)], cwd=hornbeam.folder, env=environment,
                          capture_output=True, text=True)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def galaxy_run(hornbeam, n, end):
    (hornbeam.folder / "g.toml").write_text(
        f'[ic]\nmodel = "galaxy"\nn = {n}\nblack_hole_mass = 0.01\n[gravity]\neps = 0.05\n'
        f'[time]\ndt = 0.03125\nend = {end}\n'
        '[output]\ndirectory = "out"\nevery = 0.125\nblack_holes_every = 0.03125\n')
    hornbeam.ok("run", "g.toml", "--overwrite")


@pytest.mark.parametrize("n, end", [(60, 0.125), (1000, 0)])
def test_the_scripts_of_galaxies_work_at_any_n(hornbeam, n, end):
    needs_matplotlib()
    galaxy_run(hornbeam, n, end)
    stays = script(hornbeam, "galaxy_stays.py", "out", "-o", "stays.png")
    assert stays.returncode == 0 and "virial ratio" in stays.stdout and "halo density" in stays.stdout
    assert ("left out: hornbeam: error: out/snapshot_0000.hdf5: --disc: disc" in stays.stdout) == (n == 60)
    hole = script(hornbeam, "black_holes.py", "out", "-o", "hole.png")
    assert hole.returncode == 0 and "from its start" in hole.stdout
    assert "rows" in script(hornbeam, "plot_energy.py", "out/energy.csv", "energy.png").stdout
    for name in ("hole.png", "energy.png", *(["stays.png"] if n > 60 else [])):
        assert (hornbeam.folder / name).read_bytes().startswith(PNG_SIGNATURE)


def test_the_scripts_read_tables_whose_columns_name_units(hornbeam):
    needs_matplotlib()
    galaxy_run(hornbeam, 100, 0)
    for name, columns in (("energy.csv", "time kinetic potential total"), ("black_holes.csv", "time x y z")):
        path = hornbeam.folder / "out" / name
        header, rest = path.read_text().split("\n", 1)
        for column in columns.split():
            header = re.sub(rf"\b{column}\b", f"{column} [0.977792 Gyr]", header)
        path.write_text(header + "\n" + rest)
    for arguments in (["plot_energy.py", "out/energy.csv", "e.png"], ["black_holes.py", "out"], ["galaxy_stays.py", "out"]):
        assert script(hornbeam, *arguments).returncode == 0


@pytest.mark.parametrize("n", [1, 5, 50])
def test_profiles_are_drawn_at_any_n(hornbeam, n):
    needs_matplotlib()
    hornbeam.ok("ic", "plummer", "-n", n, "-o", "p.hdf5")
    done = script(hornbeam, "profiles.py", "p.hdf5", "-o", "p.png")
    if n == 1:
        assert done.returncode == 1 and "span no range" in done.stderr
    else:
        assert done.returncode == 0 and (hornbeam.folder / "p.png").read_bytes().startswith(PNG_SIGNATURE)


@pytest.mark.parametrize("flag", ["--lagrangian", "--half-mass", "--profile", "--anisotropy"])
def test_families_without_particles_or_mass_are_named(hornbeam, flag):
    hornbeam.ok("ic", "galaxy", "-n", 200, "--bulge-mass", 0, "-o", "g.hdf5")
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
