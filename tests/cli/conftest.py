# SPDX-License-Identifier: Apache-2.0
"""The program under test, run as users run it: ctest passes its path with --hornbeam."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

# of what is built with AddressSanitizer, which needs all addresses, and to come first in every program
not_sanitized = pytest.mark.skipif(os.environ.get("HORNBEAM_SANITIZED") == "1", reason="not under AddressSanitizer")
ROOT = Path(__file__).resolve().parents[2]


def pytest_addoption(parser):
    parser.addoption("--hornbeam", default=str(ROOT / "build" / "hornbeam"), help="the program")


class Hornbeam:
    """Runs commands in one folder."""

    def __init__(self, program, folder):
        self.program = str(Path(program).resolve())
        self.folder = folder

    def run(self, *arguments, **options):
        command = [self.program, *map(str, arguments)]
        # where no OpenCL kernel has been compiled yet, PoCL needs up to two minutes for all of selftest's
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=300, **options)

    def start(self, *arguments, **options):
        command = [self.program, *map(str, arguments)]
        return subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                **options)

    def ok(self, *arguments, **options):
        """Standard output of a command that must succeed without complaint."""
        done = self.run(*arguments, **options)
        assert done.returncode == 0 and done.stderr == "", done.stderr
        return done.stdout

    def stopped(self, *arguments, **options):
        """Standard output of a run that must be stopped before its end."""
        done = self.run(*arguments, **options)
        assert done.returncode == 4 and done.stderr == "", (done.returncode, done.stderr)
        return done.stdout

    def json(self, *arguments):
        return json.loads(self.ok(*arguments, "--json"))

    def error(self, status, *arguments, **options):
        """The one line of a command that must fail with `status`."""
        done = self.run(*arguments, **options)
        assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
        begin = f"{Path(self.program).name}: error: "
        assert done.stderr.startswith(begin) and done.stderr.count("\n") == 1, done.stderr
        return done.stderr[len(begin):].rstrip()


@pytest.fixture
def hornbeam(request, tmp_path):
    return Hornbeam(request.config.getoption("--hornbeam"), tmp_path)


@pytest.fixture(scope="session")
def program_elsewhere(request, tmp_path_factory):
    """A copy away from build/, beside which a Python with matplotlib stands, perhaps."""
    return shutil.copy(request.config.getoption("--hornbeam"), tmp_path_factory.mktemp("elsewhere") / "hornbeam")


@pytest.fixture
def bench(request, tmp_path):
    """hornbeam-bench, which is built beside the program."""
    return Hornbeam(Path(request.config.getoption("--hornbeam")).with_name("hornbeam-bench"), tmp_path)


@pytest.fixture
def bench_without_plots(bench, tmp_path_factory):
    """The same where it finds no script for plots, each of which takes longer than a suite at small N."""
    return Hornbeam(shutil.copy(bench.program, tmp_path_factory.mktemp("elsewhere") / "hornbeam-bench"), bench.folder)


@pytest.fixture
def config(tmp_path):
    """Writes a configuration of a small run; sections given as text are added."""

    def write(extra="", n=64, dt=0.0625, end=0.5, every=0.25, name="run.toml"):
        text = (f'[ic]\nmodel = "plummer"\nn = {n}\n[time]\ndt = {dt}\nend = {end}\n'
                f'[output]\ndirectory = "out"\nevery = {every}\n{extra}')
        (tmp_path / name).write_text(text)
        return name

    return write
