# SPDX-License-Identifier: Apache-2.0
"""pytreegrav's own tests of gravity, with Hornbeam in the place of its functions (pytreegrav_suite.py). The tests come with the
source of the version below from PyPI, into the build folder; nothing of them is copied.

Each test of SUITE must pass but for EXCEPTIONS. A named test that passes fails here, too."""

import os
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

pytest.importorskip("pytreegrav", reason="pytreegrav is not installed: its own tests are not run")

VERSION = "1.5.0"
# The files about what Hornbeam does, and how many tests each has. The others are about pytreegrav's kernels and walks
# (bruteforce_symmetric 26, subtree_walks 10), its code for CUDA (53), and columns along rays (75).
SUITE = {"field": 15, "nonunique_positions": 11, "plummer": 4, "quadrupole": 7, "radix_build": 17, "target_self_potential": 3,
         "tidal_tensor": 28, "tree_quadrupole_mismatch": 4, "tree_reuse_and_ordering": 15}
OWN_PROCESS = "starts pytreegrav in a process of its own"
CORRELATIONS = "correlation functions, which Hornbeam does not have"
KERNEL = "a kernel of pytreegrav by itself"
NOT_OF_OURS = {
    "test_dynamic_tree_survives_duplicates": OWN_PROCESS,
    "test_duplicates_at_the_origin_terminate": OWN_PROCESS,
    "test_parallel_split_matches_serial": OWN_PROCESS,
    "test_corrfunc_supplied_tree_larger_than_pos": CORRELATIONS,
    "test_corrfunc_order_dependence_is_the_binning_approximation": CORRELATIONS,
    "test_kernel_continuous_at_breakpoints": KERNEL,
    "test_softened_kernel_is_minus_dK_dr_over_r": KERNEL,
    "test_morton_order_is_idempotent": "the order along pytreegrav's own curve, whose cube and axes are others",
}
EXCEPTIONS = {
    "test_softened_potential_discrepancy_is_one_self_pair":
        "measures by how much pytreegrav's potential of coincident particles is wrong; Hornbeam's is that of direct sums",
    "test_radix_rekeying_separation":
        "the root cell holds all particles in pytreegrav; Hornbeam's leaves out far outliers, which keep their own boxes",
}
HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def folder():
    """Of the tests, fetched when first needed."""
    build = Path(os.environ["HORNBEAM"]).resolve().parent / "pytreegrav"
    tests = build / f"pytreegrav-{VERSION}" / "tests"
    if not tests.exists():
        fetched = subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "pytreegrav",
                                  "--dest", build, f"pytreegrav=={VERSION}"], capture_output=True, text=True, timeout=300)
        if fetched.returncode != 0:
            pytest.skip(f"pytreegrav's source cannot be fetched from PyPI here: {fetched.stderr.strip()[-300:]}")
        with tarfile.open(build / f"pytreegrav-{VERSION}.tar.gz") as source:
            source.extractall(build)
    return tests


@pytest.mark.parametrize("file", SUITE)
def test_pytreegravs_own(folder, tmp_path, file):
    """Without its marks of tests that are expected to fail: these pass here."""
    report = tmp_path / "report.xml"
    paths = [str(HERE), *[one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one]]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(os.path.abspath(one) for one in paths)}
    run = subprocess.run([sys.executable, "-m", "pytest", "-q", "--runxfail", "-p", "no:cacheprovider", "-p", "pytreegrav_suite",
                          f"--junitxml={report}", "-k", " and ".join(f"not {name}" for name in NOT_OF_OURS),
                          f"test_{file}.py"], cwd=folder, env=environment, capture_output=True, text=True, timeout=1500)
    assert report.exists(), run.stdout[-2000:] + run.stderr[-2000:]
    failed, passed = set(), 0
    for case in ElementTree.parse(report).iter("testcase"):
        name = case.get("name").split("[")[0]
        if {child.tag for child in case} & {"failure", "error", "skipped"}:
            failed.add(name)
        else:
            passed += 1
    source = (folder / f"test_{file}.py").read_text()
    assert failed == {name for name in EXCEPTIONS if f"def {name}(" in source}, run.stdout[-3000:]
    left_out = int(run.stdout.rsplit(" deselected", 1)[0].rsplit(" ", 1)[-1]) if " deselected" in run.stdout else 0
    assert passed + len(failed) + left_out == SUITE[file], run.stdout[-500:]


def test_few_are_named():
    assert len(EXCEPTIONS) <= 2
