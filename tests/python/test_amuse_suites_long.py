# SPDX-License-Identifier: Apache-2.0
"""AMUSE's own tests of its gravity codes, with Hornbeam's codes in their place (amuse_suites.py), and our tests in AMUSE. All of
AMUSE comes from PyPI into an environment of its own in the build folder, at the versions below; its tests are not copied.

Each suite must pass but for what NOT_OF_OURS and EXCEPTIONS name: tests of what only that code has, and tests whose expectation
is another convention or that code's own error. A named test that passes fails here, too."""

import os
import shutil
import subprocess
import sys
import venv
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

PACKAGES = ("amuse-framework==2024.6.0", "amuse-tests==2024.6.0", "mpi4py", "numpy", "h5py", "pytest", "docutils", "setuptools",
            "setuptools_scm", "wheel")
# how many tests each has
SUITES = {"bhtree": 30, "hermite": 36, "huayno": 30, "mi6": 18, "ph4": 35, "phigrape": 26, "octgrav": 8, "bonsai": 10,
          "petar": 11, "fastkick": 30}
NOT_OF_OURS = {
    "bhtree TestBHTreeInterface::test2": "the last particle takes the place of a removed one in BHTree's memory",
    "hermite TestHermite::test18": "end_time_accuracy_factor makes Hermite end before or after the requested time",
    "hermite TestHermite::test21": "pickles the MPI channel; AMUSE's channel of sockets cannot be pickled",
    "huayno TestHuayno::test22": "the integrator SHARED8, of order 8: 13 digits of an orbit",
    "huayno TestHuayno::test25": "the integrator of Kepler orbits: massless particles to 1e-8",
    "huayno TestHuayno::test26": "the same, without softening",
    "mi6 TestMI6Interface::test5": "MI6's black holes: their softenings and steps",
    "mi6 TestMI6Interface::test6": "MI6's black hole",
    "mi6 TestMI6Interface::test7": "MI6's black hole",
    "mi6 TestMI6Interface::test8": "MI6's black hole",
    "mi6 TestMI6::test2": "MI6's black holes: parameters",
    "mi6 TestMI6::test4": "MI6's black hole: an orbit around it",
    "ph4 TestPh4Interface::test9": "a particle's index is an argument of ph4's",
    "ph4 TestPH4::test5": "ph4 merges bound pairs by itself",
    "ph4 TestPH4::test25": "a particle's index is an argument of ph4's",
    "ph4 TestPH4::test26": "a particle's index is an argument of ph4's",
    "ph4 TestPH4::test27": "the powers of two that ph4 takes as steps, for each particle",
    "phigrape TestMPIInterface::test7": "set_eta of PhiGRAPE takes two accuracies of its steps",
    "octgrav TestMPIInterface::test2": "the last particle takes the index of a removed one in Octgrav",
    "bonsai TestBonsai::test7": "Bonsai takes whole steps beyond the requested time, and lacks sums that ours has",
    "bonsai TestBonsai::test9": "Bonsai's tree cannot hold a particle at a distance of 1e9; ours can",
}
EXCEPTIONS = {
    "hermite TestHermite::test20": "half an orbit back to 1e-4: the exact orbit is 2.3e-4 off what is expected",
    "mi6 TestMI6Interface::test4": "MI6's code of a missing particle is -3, and of one not committed; AMUSE's interface says -1",
    "ph4 TestPH4::test11": "ph4 reports one pair of those that touch in a step; Hornbeam and MI6 report all",
    "phigrape TestPhigrape::test15": "PhiGRAPE ends after the requested time; Hornbeam ends there",
    "phigrape TestPhigrape::test16": "PhiGRAPE ends after the requested time; Hornbeam ends there",
}
HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def python():
    """Of the environment with AMUSE, made when first needed."""
    if shutil.which("mpicc") is None or shutil.which("mpiexec") is None:
        pytest.skip("Open MPI is not installed, which AMUSE is built with (apt-get install libopenmpi-dev openmpi-bin)")
    folder = Path(os.environ["HORNBEAM"]).resolve().parent / "amuse"
    executable = folder / "bin" / "python3"
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        venv.create(folder, with_pip=True)
        made = subprocess.run([executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES],
                              capture_output=True, text=True, timeout=1500)
        if made.returncode != 0:
            pytest.skip(f"AMUSE cannot be installed from PyPI here: {made.stderr.strip()[-300:]}")
        (folder / "complete").touch()
    return executable


def tested(python, tmp_path, *arguments):
    """{"Class::test": "passed", "failed" or "skipped"} of files run in the environment."""
    report = tmp_path / "report.xml"
    paths = [str(HERE), *[one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one]]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(os.path.abspath(one) for one in paths),
                   "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    run = subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "junit_family=xunit1",
                          f"--junitxml={report}", *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=1500)
    assert report.exists(), run.stdout[-2000:] + run.stderr[-2000:]
    found = {}
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        name = f"{case.get('classname').rsplit('.', 1)[-1]}::{case.get('name')}"
        found[name] = "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"
    return found, run.stdout


@pytest.mark.parametrize("suite", SUITES)
def test_a_suite_of_amuse(python, tmp_path, suite):
    where = subprocess.run([python, "-c", "import amuse.test, os; print(os.path.dirname(amuse.test.__file__))"],
                           capture_output=True, text=True, check=True).stdout.split()[0]
    found, output = tested(python, tmp_path, "-p", "amuse_suites", f"{where}/suite/codes_tests/test_{suite}.py")
    assert len(found) == SUITES[suite]
    failed = {f"{suite} {name}" for name, result in found.items() if result == "failed"}
    named = {name for name in {**NOT_OF_OURS, **EXCEPTIONS} if name.split()[0] == suite}
    assert failed == named, output[-3000:]


def test_few_are_named():
    """At most 5 exceptions; what is not of ours is less than a tenth."""
    assert len(EXCEPTIONS) <= 5 and len(NOT_OF_OURS) < 0.1 * sum(SUITES.values())


@pytest.mark.parametrize("file, least", [("test_amuse.py", 20), ("test_amuse_gas.py", 6)])
def test_our_tests_in_amuse(python, tmp_path, file, least):
    """At least so many run: codes of AMUSE that are not installed are skipped."""
    found, output = tested(python, tmp_path, "-o", "python_files=test_*.py", "--rootdir", str(HERE), str(HERE / file))
    assert list(found.values()).count("passed") >= least and "failed" not in found.values(), output[-3000:]
