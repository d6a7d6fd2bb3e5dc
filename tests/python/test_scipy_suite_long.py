# SPDX-License-Identifier: Apache-2.0
"""SciPy's own tests of its cKDTree and KDTree, as they are installed with it, run against hb.Tree by thin classes (kd_tree.py). Data
of four and five dimensions are drawn in three, and of the Minkowski norms that a test goes through only the Euclidean one
remains."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

import pytest

import hornbeam as hb

scipy = pytest.importorskip("scipy", reason="scipy is not installed: its tests of neighbour searches are not run")
suite = pytest.importorskip("scipy.spatial.tests.test_kdtree", reason="scipy is installed without its tests")

# Why a test does not apply to a search in space.
REASONS = {"another Minkowski norm", "the nodes of a k-d tree", "more than three dimensions"}


def test_scipys_tests_of_its_trees_pass(tmp_path):
    text = Path(suite.__file__).read_text()
    text, dimensions = re.subn(r"\b([mk]) = [45]$", r"\1 = 3", text, flags=re.M)
    text, norms = re.subn(r"for p in \[[^]]*\]", "for p in [2]", text)
    begin = "from scipy.spatial import minkowski_distance\n"
    assert dimensions > 10 and norms >= 2 and text.count(begin) == 1  # the suite is as it was when this was written
    (tmp_path / "test_suite.py").write_text(text.replace(begin, begin + "from kd_tree import KDTree, cKDTree\n"))
    paths = [str(Path(__file__).parent), str(Path(hb.__file__).parents[1])]
    run = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "kdtree", "-W",
                          "ignore::pytest.PytestUnknownMarkWarning", "--junitxml", "found.xml", "test_suite.py"],
                         cwd=tmp_path, env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)}, capture_output=True, text=True,
                         timeout=500)
    cases = list(xml.etree.ElementTree.parse(tmp_path / "found.xml").iter("testcase"))
    skipped = {f"{case.get('classname')}.{case.get('name')}": case.find("skipped").get("message") for case in cases
               if case.find("skipped") is not None}
    assert run.returncode == 0, run.stdout[-4000:]
    assert set(skipped.values()) <= REASONS, skipped
    print(f"scipy {scipy.__version__}: {len(cases) - len(skipped)} of its tests pass, {len(skipped)} do not apply")
    assert len(cases) - len(skipped) >= 170  # of SciPy 1.17.1
