# SPDX-License-Identifier: Apache-2.0
"""How runs in several processes end: stopped and resumed, or refused (test_processes.py)."""

import os

from conftest import not_sanitized
from test_processes import errors, run
from test_ranks import STEP, assert_same, write

pytestmark = not_sanitized


def test_a_run_goes_on_with_another_number_of_processes(hornbeam):
    hornbeam.ok("run", write(hornbeam, "one", n=500))
    config = write(hornbeam, "some", n=500)
    for count, end in ((3, 4), (2, 8)):
        resume = ["--resume"] if end == 8 else []
        status, _, err = run(hornbeam, "mpich", count, "run", config, *resume, "--set", f"time.end={end * STEP}")
        assert status == 0, err
    assert_same(hornbeam.folder / "one", hornbeam.folder / "some")


def test_a_run_that_is_stopped_has_its_status(hornbeam):
    status, _, err = run(hornbeam, "openmpi", 2, "run", write(hornbeam, "some", n=500, end=1e3), "--set", "output.wall_limit=0.5")
    assert status == 4 and errors(err) == [], err


def test_wrong_configurations_are_one_line(hornbeam):
    status, _, err = run(hornbeam, "mpich", 3, "run", "absent.toml")
    assert status != 0 and len(errors(err)) == 1 and "absent.toml" in err
    status, _, err = run(hornbeam, "mpich", 2, "force", "--ic", "plummer", "-n", 100, "--backend", "opencl", "--device", "0,1")
    assert status == 2 and len(errors(err)) == 1 and "device = 1" in err


def test_the_first_process_computes_alone_on_the_cpu(hornbeam):
    status, out, err = run(hornbeam, "mpich", 2, "run", write(hornbeam, "some", n=500), "--backend", "cpu")
    assert status == 0 and errors(err) == [] and "the first of 2 processes computes alone" in out + err


def test_independent_runs_are_no_team(hornbeam):
    """A shell for each, with its own run: the farms that people have. HORNBEAM_ALONE=1 lets them be."""
    for rank in range(2):
        write(hornbeam, f"run{rank}", n=100)
    shell = ["sh", "-c", f"exec {hornbeam.program} run run$PMI_RANK.toml"]
    status, _, err = run(hornbeam, "mpich", 2, program=shell)
    assert status == 2 and len(errors(err)) == 1 and "other arguments" in err and "HORNBEAM_ALONE=1" in err
    status, _, err = run(hornbeam, "mpich", 2, program=shell, HORNBEAM_ALONE="1")
    assert status == 0 and all((hornbeam.folder / f"run{rank}" / "snapshot_0002.hdf5").exists() for rank in range(2)), err


def test_one_process_prints_what_needs_no_device(hornbeam):
    status, out, err = run(hornbeam, "mpich", 3, "--version")
    assert status == 0 and errors(err) == [] and out == hornbeam.ok("--version")


def test_a_launcher_without_mpi_is_one_line(hornbeam):
    environment = {**os.environ, "PMI_SIZE": "2", "PMI_RANK": "0", "HORNBEAM_MPI": "/absent/libmpi.so"}
    error = hornbeam.error(2, "info", env=environment)
    assert error.startswith("HORNBEAM_MPI = /absent/libmpi.so: cannot be opened")
    environment["PMI_RANK"] = "1"
    other = hornbeam.run("info", env=environment)
    assert other.returncode == 2 and other.stdout == "" and other.stderr.startswith("hornbeam: process 1 on ")


def test_patience_is_a_number_above_0(hornbeam):
    status, _, err = run(hornbeam, "mpich", 2, "force", "--ic", "plummer", "-n", 100, "--backend", "opencl",
                         HORNBEAM_PATIENCE="0")
    assert status != 0 and len(errors(err)) == 1 and "must be a number of seconds above 0" in err
