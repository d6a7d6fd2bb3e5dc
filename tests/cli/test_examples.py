# SPDX-License-Identifier: Apache-2.0
"""The configurations of examples/, shortened."""

import json
import re

import pytest

from conftest import ROOT


def test_the_example_runs(hornbeam):
    out = hornbeam.ok("run", ROOT / "examples" / "plummer.toml", "--set", "time.end=0.25")
    assert "finished" in out


def test_the_merger_example_starts(hornbeam):
    out = hornbeam.ok("run", ROOT / "examples" / "merger.toml", "--set", "time.end=0")
    assert "120000 particles" in out and "kpc, 1e10 Msun, km/s" in out


def test_the_merger_of_galaxies_from_a_file_starts(hornbeam):
    out = hornbeam.ok("run", ROOT / "examples" / "compact_merger.toml", "--set", "time.end=0")
    assert "44000 particles" in out


def test_the_black_hole_example_uses_its_rungs(hornbeam):
    hornbeam.ok("run", ROOT / "examples" / "black_hole.toml", "--set", "ic.n=2000", "--set", "time.end=0.125",
                "--set", "output.directory=out")
    run = json.loads((hornbeam.folder / "out" / "run.json").read_text())
    assert len(run["rungs"]["by_rung"]) > 4 and run["totals"]["steps"] == 1


@pytest.mark.parametrize("example", ["galaxy", "bonsai_merger", "large_collision"])
def test_the_examples_of_drawn_galaxies_run(hornbeam, example):
    shorter = {"ic.n": 2000, "time.end": 0.0625, "time.dt": 0.0625, "output.every": 0.0625, "output.directory": "out"}
    if example == "bonsai_merger":
        shorter |= {"ic.n": 2002, "ic.disc_number": 200, "ic.bulge_number": 100, "ic.halo_number": 700}
    sets = [word for key, value in shorter.items() for word in ("--set", f"{key}={value}")]
    hornbeam.ok("run", ROOT / "examples" / f"{example}.toml", *sets)
    measured = hornbeam.json("analyze", "out/snapshot_0001.hdf5", "--disc", "--bar")
    assert measured["time"] == 0.0625 and len(measured["disc"]["radius"]) > 2
    if example == "bonsai_merger":
        track = (hornbeam.folder / "out" / "black_holes.csv").read_text().splitlines()
        assert len(track) == 3, "both at t = 0; the next row would be that of t = 0.25"
        # 186 apart at the start; black holes stand some units off the centres of mass of 1,000 particles
        assert 175 < hornbeam.json("analyze", "out/snapshot_0001.hdf5", "--black-holes")["black_holes"]["distance"] < 197


def test_planetesimals_of_the_example_merge(hornbeam):
    out = hornbeam.ok("run", ROOT / "examples" / "planetesimals.toml", "--set", "time.end=0.5", "--set", "ic.n=1000",
                      "--set", "ic.body_radius=0.02", "--set", "output.directory=out")
    left = int(re.search(r"(\d+) particles left", out)[1])
    assert 10 < left < 900
