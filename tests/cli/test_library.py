# SPDX-License-Identifier: Apache-2.0
"""examples/library: a program of a user's own on the installed library."""

import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT, not_sanitized

pytestmark = not_sanitized


def done(*command):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=280)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def installed(request, tmp_path_factory):
    build, prefix = Path(request.config.getoption("--hornbeam")).resolve().parent, tmp_path_factory.mktemp("prefix")
    if not (build / "libhornbeam.so").exists():
        pytest.skip(f"{build} holds the program alone: build all of it")
    done("cmake", "--install", build, "--prefix", prefix)
    return prefix


def test_headers_are_the_public_ones(installed):
    """src/ is not part of what is installed, and no header needs it."""
    there = {path.name for path in installed.glob("include/**/*.h")}
    assert there == {path.name for path in (ROOT / "include" / "hornbeam").glob("*.h")}


@pytest.mark.parametrize("library", ["hornbeam::hornbeam", "hornbeam::shared"])
def test_the_example_builds_and_runs(installed, tmp_path, library):
    shutil.copytree(ROOT / "examples" / "library", tmp_path / "source")  # away from our own sources
    done("cmake", "-S", tmp_path / "source", "-B", tmp_path, f"-DCMAKE_PREFIX_PATH={installed}", f"-DLIBRARY={library}")
    done("cmake", "--build", tmp_path)
    assert "at (0.5," in done(tmp_path / "two_body")
