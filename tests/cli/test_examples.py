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


def test_the_collapse_of_gas_runs_and_is_drawn(hornbeam):
    hornbeam.ok("run", ROOT / "examples" / "evrard.toml", "--set", "ic.n=600", "--set", "time.end=0.1", "--set",
                "output.directory=out")
    row = (hornbeam.folder / "out" / "energy.csv").read_text().splitlines()[-1].split(",")
    assert float(row[0]) == 0.1 and float(row[2]) > 1e-3, "it falls"
    hornbeam.ok("render", "out/snapshot_0001.hdf5", "-o", "e.png", "--slice", "z=0", "--width", 64, "--height", 48)


RINGS = {"ring": {"ic.size_x": 60, "ic.size_y": 60, "boundary.size": "[60,60,0]"},
         "occlude": {"ic.size_x": 40, "ic.size_y": 40, "boundary.size": "[40,40,0]"},
         "propeller": {"ic.size_x": 160, "ic.size_y": 240, "boundary.size": "[160,240,0]"},
         "overstability": {"ic.size_x": 60, "boundary.size": "[60,12,0]"}}


def run_ring(hornbeam, example):
    step = 47.8
    changes = RINGS[example] | {"time.end": 20 * step, "output.every": 10 * step, "output.ring_every": 10 * step,
                                "output.directory": "out"}
    sets = [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
    hornbeam.ok("run", ROOT / "examples" / f"{example}.toml", *sets)


@pytest.mark.parametrize("example", RINGS)
def test_the_examples_of_rings_run(hornbeam, example):
    run_ring(hornbeam, example)
    assert len((hornbeam.folder / "out" / "ring.csv").read_text().splitlines()) == 4
    ring = hornbeam.json("analyze", "out/snapshot_0002.hdf5", "--ring")["ring"]
    assert ring["optical_depth"] > 0.1 and ring["overlapping_pairs"] > 0
    assert (ring["gravitational_viscosity"] != 0) == (example != "overstability")


def test_planetesimals_of_the_example_merge(hornbeam):
    out = hornbeam.ok("run", ROOT / "examples" / "planetesimals.toml", "--set", "time.end=0.5", "--set", "ic.n=1000",
                      "--set", "ic.body_radius=0.02", "--set", "output.directory=out")
    left = int(re.search(r"(\d+) particles? remains?", out)[1])
    assert 10 < left < 900


def test_the_impact_example_goes(hornbeam):
    hornbeam.ok("run", ROOT / "examples" / "impact.toml", "--backend", "cpu", "--threads", "1", "--set", "ic.n=500",
                "--set", "ic.settle=5", "--set", "ic.before=0.1", "--set", "time.end=0.2", "--set", "output.every=0.2",
                "--set", "output.directory=out")
    found = hornbeam.json("analyze", "out/snapshot_0001.hdf5", "--disc-mass")["disc_mass"]
    masses = [found[fate + "_mass"] for fate in ("planet", "disc", "escaping")]
    assert sum(masses) == pytest.approx(1.02) and found["material"] == [100, 101]
    assert sum(found["planet_of_material"]) == pytest.approx(masses[0])
    energies = (hornbeam.folder / "out" / "energy.csv").read_text().splitlines()
    error = float(energies[-1].split(",")[energies[0].split(",").index("relative_error")])
    assert abs(error) < 2e-3


def test_the_galaxy_with_gas_starts(hornbeam):
    out = hornbeam.ok("run", ROOT / "examples" / "gas_galaxy.toml", "--backend", "cpu", "--threads", "1", "--set",
                      "ic.n=3000", "--set", "ic.gas_number=1000", "--set", "time.end=0.005", "--set",
                      "output.directory=out")
    assert "3000 particles" in out


FLOWS = {"sedov": {"ic.n": 4096}, "kelvin_helmholtz": {"ic.n": 1512, "boundary.size": "[1,1,1]"}}


def run_flow(hornbeam, example):
    changes = FLOWS[example] | {"time.end": 0.02, "time.dt": 0.01, "output.every": 0.01, "output.directory": "out"}
    sets = [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
    hornbeam.ok("run", ROOT / "examples" / f"{example}.toml", *sets)


@pytest.mark.parametrize("example", FLOWS)
def test_the_examples_of_gas_run(hornbeam, example):
    run_flow(hornbeam, example)
    exact = hornbeam.json("analyze", "out/snapshot_0002.hdf5", "--exact")["exact"]
    if example == "sedov":
        assert 1 < exact["peak_density"] < 2 and exact["density_error"] < 0.5
    else:
        assert 0 < exact["amplitude"] < 0.02 and exact["reference_amplitude"] == pytest.approx(0.01, rel=0.05)
