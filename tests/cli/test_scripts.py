# SPDX-License-Identifier: Apache-2.0
"""The scripts of examples/ that draw, on short runs and at any number of particles."""

import re
import subprocess
import sys

import pytest

from plots import EXAMPLES, SIGNATURE, script  # noqa: F401: also a fixture
from test_examples import FLOWS, run_flow, run_ring


def galaxy_run(hornbeam, n, end):
    (hornbeam.folder / "g.toml").write_text(
        f'[ic]\nmodel = "galaxy"\nn = {n}\nblack_hole_mass = 0.01\n[gravity]\neps = 0.05\n'
        f'[time]\ndt = 0.03125\nend = {end}\n'
        '[output]\ndirectory = "out"\nevery = 0.125\nblack_holes_every = 0.03125\n')
    hornbeam.ok("run", "g.toml", "--overwrite")


@pytest.mark.parametrize("n, end", [(60, 0.125), (1000, 0)])
def test_the_scripts_of_galaxies_work_at_any_n(hornbeam, script, n, end):  # noqa: F811
    galaxy_run(hornbeam, n, end)
    stays = script("galaxy_stays.py", "out", "-o", "stays.png")
    assert stays.returncode == 0 and "virial ratio" in stays.stdout and "halo density" in stays.stdout
    assert ("left out: hornbeam: error: out/snapshot_0000.hdf5: --disc: disc" in stays.stdout) == (n == 60)
    hole = script("black_holes.py", "out", "-o", "hole.png")
    assert hole.returncode == 0 and "from its start" in hole.stdout
    assert "rows" in script("plot_energy.py", "out/energy.csv", "energy.png").stdout
    for name in ("hole.png", "energy.png", *(["stays.png"] if n > 60 else [])):
        assert (hornbeam.folder / name).read_bytes().startswith(SIGNATURE)
    if n == 60:
        check_that_scripts_are_programs(hornbeam.folder, hole.stdout)
        check_tables_whose_columns_name_units(hornbeam.folder / "out", script)


def check_that_scripts_are_programs(folder, said):
    """Of one that need not load matplotlib: all others run in the Python of the tests."""
    command = [sys.executable, EXAMPLES / "black_holes.py", "out"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == "" and done.stdout == said


def check_tables_whose_columns_name_units(folder, script):  # noqa: F811
    for name, columns in (("energy.csv", "time kinetic potential total"), ("black_holes.csv", "time x y z")):
        header, rest = (folder / name).read_text().split("\n", 1)
        for column in columns.split():
            header = re.sub(rf"\b{column}\b", f"{column} [Gyr]", header)
        (folder / name).write_text(header + "\n" + rest)
    for arguments in (["plot_energy.py", "out/energy.csv", "e.png"], ["black_holes.py", "out"], ["galaxy_stays.py", "out"]):
        assert script(*arguments).returncode == 0


def test_profiles_are_drawn_at_any_n(hornbeam, script):  # noqa: F811
    for n in (1, 5, 50):
        hornbeam.ok("ic", "plummer", "-n", n, "-o", f"{n}.hdf5")
        done = script("profiles.py", f"{n}.hdf5", "-o", f"{n}.png")
        if n == 1:
            assert done.returncode == 1 and "do not cover a range" in done.stderr
        else:
            assert done.returncode == 0 and (hornbeam.folder / f"{n}.png").read_bytes().startswith(SIGNATURE)


@pytest.mark.parametrize("example, words", [("occlude", ["above", "out/snapshot_0000.hdf5", "out/snapshot_0002.hdf5"]),
                                            ("overstability", ["waves", "out"])])
def test_rings_are_drawn(hornbeam, script, example, words):  # noqa: F811
    run_ring(hornbeam, example)
    assert script("rings.py", *words, "-o", "ring.png").returncode == 0
    assert (hornbeam.folder / "ring.png").stat().st_size > 10000


@pytest.mark.parametrize("example", FLOWS)
def test_flows_are_drawn(hornbeam, script, example):  # noqa: F811
    run_flow(hornbeam, example)
    assert script("flows.py", "out", "-o", "flow.png", "--hornbeam", hornbeam.program).returncode == 0
    assert (hornbeam.folder / "flow.png").stat().st_size > 10000
