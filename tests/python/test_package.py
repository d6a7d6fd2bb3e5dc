# SPDX-License-Identifier: Apache-2.0
"""What importing does, what the package knows of itself, and its command."""

import ctypes
import json
import os
import pydoc
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hornbeam as hb
from hornbeam import _core
from conftest import python


def test_info_is_that_of_the_command(program):
    told = json.loads(subprocess.run([program, "info", "--json"], capture_output=True, text=True, check=True).stdout)
    here = hb.info()
    assert here["version"] == told["version"] == hb.__version__
    assert here["backends"] == told["backends"] and "cpu" in here["backends"]
    assert "cpu" in [device["backend"] for device in here["devices"]]
    assert [d["backend"] for d in here["devices"]] == [d["backend"] for d in told["devices"]]


@pytest.fixture(scope="module")
def without_drivers():
    """What a Python says that imports the package and tests it; with PoCL, the test would compile for minutes."""
    code = ("import os; before = dict(os.environ); import hornbeam as hb, json; assert dict(os.environ) == before; "
            "print(len(hb.info()['devices'])); print(json.dumps(hb.selftest()))")
    return python(code, env={**os.environ, "OCL_ICD_VENDORS": "/nowhere", "CUDA_VISIBLE_DEVICES": ""})


def test_the_selftest_passes(without_drivers):
    told = json.loads(without_drivers.stdout.splitlines()[1])
    assert told["failures"] == 0 and all(e["good"] and e["backend"] == "cpu" for e in told["evaluations"])
    assert any(e["label"] == "cpu group mixed" for e in told["evaluations"])


def test_importing_changes_nothing_and_needs_no_driver(without_drivers):
    lines = without_drivers.stdout.splitlines()
    assert (len(lines), lines[0], without_drivers.stderr) == (2, "1", "")


def test_the_module_is_the_command(program, tmp_path):
    for arguments, status in ((["--version"], 0), (["ic", "plummer"], 2), (["info", "--json"], 0)):
        ours = subprocess.run([sys.executable, "-m", "hornbeam", *arguments], capture_output=True, text=True)
        theirs = subprocess.run([program, *arguments], capture_output=True, text=True)
        assert (ours.returncode, ours.stdout, ours.stderr) == (theirs.returncode, theirs.stdout, theirs.stderr)
        assert ours.returncode == status


def test_the_module_exports_its_entry_point_only():
    if not sys.platform.startswith("linux") or shutil.which("nm") is None:
        pytest.skip("nm of Linux is not installed: the symbols of the module are not tested")
    listed = subprocess.run(["nm", "-D", "--defined-only", _core.__file__], capture_output=True, text=True, check=True).stdout
    assert [line.split()[-1] for line in listed.splitlines()] == ["PyInit__core"]


@pytest.mark.parametrize("first", ["hornbeam", "libstdc++"])
def test_numbers_are_read_next_to_another_libstdcxx(first):
    """A wheel contains a libstdc++. The machine's own comes into the process with PoCL and other packages, and fills its
    locale. If the loader joins the variables of both, the streams of one no longer read numbers."""
    try:
        ctypes.CDLL("libstdc++.so.6")
    except OSError:
        pytest.skip("libstdc++.so.6 is not installed: a second one in the process is not tested")
    package, library = "import hornbeam as hb", "import ctypes; ctypes.CDLL('libstdc++.so.6')._ZNSt6locale7classicEv()"
    lines = [package, library] if first == "hornbeam" else [library, package]
    done = python("\n".join([*lines, "print(len(hb.Simulation(hb.ic.plummer(16), backend='cpu', dt=0.01)))"]))
    assert (done.returncode, done.stdout) == (0, "16\n"), done.stderr


def test_errors_are_classes_of_their_own():
    assert issubclass(hb.UsageError, ValueError) and issubclass(hb.UsageError, hb.Error)
    assert issubclass(hb.NoDevice, hb.UsageError) and issubclass(hb.NotFinite, hb.Error)
    assert issubclass(hb.Error, RuntimeError) and issubclass(hb.HornbeamWarning, UserWarning)


def test_tab_offers_what_is_for_use_and_help_the_words_of_options():
    assert set(dir(hb)) == set(hb.__all__) and {"plummer", "uniform_cube"} < set(dir(hb.ic))
    assert "profile" in dir(hb.analysis) and not {"np", "text", "number", "os", "Any"} & {*dir(hb.ic), *dir(hb.analysis)}
    assert "{plummer,spline}" in hb.both.__doc__ and "{auto,cpu,cuda,opencl}" in hb.potentials.__doc__


def test_help_of_forces_lists_all_that_it_has():
    shown = pydoc.plain(pydoc.render_doc(hb.forces))
    for name in hb.forces.__all__:
        assert f"\n    {name}(" in shown or f"\n    class {name}(" in shown
        assert name in hb.forces.__doc__
    public = {name for name, one in vars(hb.forces).items()
              if callable(one) and not name.startswith("_") and one.__module__ in ("hornbeam.forces", "hornbeam.external")}
    assert public | {"Drag", "DynamicalFriction"} == set(hb.forces.__all__)


def test_the_page_lists_all_measures():
    page = (Path(__file__).resolve().parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
    listed = page.split("`hb.analysis` has the measures")[1].split("\n\n")[0]
    assert set(dir(hb.analysis)) <= set(re.findall(r"`(\w+)`", listed))
