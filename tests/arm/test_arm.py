# SPDX-License-Identifier: Apache-2.0
"""The program for 64-bit ARM, run by qemu-user, gives what this machine's gives without AVX (`make test-arm`)."""

import csv
import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SYSROOT = Path.home() / ".cache" / "hornbeam-arm64"
HERE = [ROOT / "build" / "hornbeam"]
ARM = ["qemu-aarch64", "-L", SYSROOT, ROOT / "build-arm" / "hornbeam"]

# short runs of examples: a galaxy, a ring whose bodies collide, gas that falls together
RUNS = {
    "galaxy": ["ic.n=5000", "time.end=0.125", "output.energy_every=0.0625", "output.every=0.125"],
    "ring": ["time.end=956", "output.every=956", "output.ring_every=478"],
    "evrard": ["ic.n=1000", "time.end=0.2"],
}


def printed(program, *arguments, folder=None):
    """Standard output of a command that must succeed, on the CPU without AVX."""
    done = subprocess.run([str(word) for word in [*program, *arguments]], cwd=folder, capture_output=True, text=True,
                          timeout=600, env={**os.environ, "HORNBEAM_ISA": "generic", "OCL_ICD_VENDORS": "/nowhere"})
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows(file):
    with open(file, encoding="utf-8") as opened:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(opened)]


def test_it_names_its_instruction_set():
    assert "NEON" in printed(ARM, "info") and "baseline" in printed(HERE, "info")


def test_the_selftest_has_the_same_errors():
    """Rounded to the two digits of its table: truncation, which is the same, is a thousand times larger than rounding."""
    assert [line.split() for line in printed(ARM, "selftest", "--table").splitlines()] == [
        line.split() for line in printed(HERE, "selftest", "--table").splitlines()]


@pytest.mark.parametrize("precision", ["mixed", "double"])
def test_forces_have_the_same_interactions_and_errors(precision):
    asked = ["force", "--ic", "galaxy", "-n", 20000, "--check", 200, "--precision", precision, "--backend", "cpu", "--json"]
    here, arm = json.loads(printed(HERE, *asked)), json.loads(printed(ARM, *asked))
    assert arm["interactions_per_particle"] == here["interactions_per_particle"]
    assert arm["error"]["acc_rms"] == pytest.approx(here["error"]["acc_rms"], rel=1e-3)  # rounding in fp32 of an error of 1e-5


@pytest.mark.parametrize("name", RUNS)
def test_runs_have_the_same_energies(name, tmp_path):
    for program, folder in ((HERE, "here"), (ARM, "arm")):
        printed(program, "run", ROOT / "examples" / f"{name}.toml", "--backend", "cpu", "--set", *RUNS[name],
                f"output.directory={folder}", folder=tmp_path)
    here, arm = rows(tmp_path / "here" / "energy.csv"), rows(tmp_path / "arm" / "energy.csv")
    assert len(arm) == len(here) > 1
    for one, other in zip(here, arm):
        for quantity, value in one.items():
            if quantity.startswith(("time", "step", "kinetic", "potential", "thermal")):
                # the libraries of mathematics differ in last bits of sin, cos and exp
                assert other[quantity] == pytest.approx(value, rel=1e-6, abs=1e-12), quantity
    if name == "ring":
        here, arm = rows(tmp_path / "here" / "ring.csv"), rows(tmp_path / "arm" / "ring.csv")
        assert arm[1]["collisions"] == here[1]["collisions"] > 0
