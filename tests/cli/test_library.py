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


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """Away from our own sources; the folder of a build, too, so that the compiler is tried once."""
    return shutil.copytree(ROOT / "examples" / "library", tmp_path_factory.mktemp("example") / "source")


@pytest.mark.parametrize("library", ["hornbeam::hornbeam", "hornbeam::shared"])
def test_the_example_builds_and_runs(installed, example, library):
    build = example.parent
    done("cmake", "-S", example, "-B", build, f"-DCMAKE_PREFIX_PATH={installed}", f"-DLIBRARY={library}")
    (build / "two_body").unlink(missing_ok=True)
    done("cmake", "--build", build)
    assert "at (0.5," in done(build / "two_body")
