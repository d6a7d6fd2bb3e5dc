# SPDX-License-Identifier: Apache-2.0
"""How runs in several processes end: stopped and resumed, killed, stuck, or refused (test_processes.py)."""

import os
import signal
import time

import h5py
from conftest import not_sanitized
from test_processes import errors, process_of, run, start
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


def test_a_process_that_is_killed_ends_the_job(hornbeam):
    """In whatever it does then; the last checkpoint is resumed."""
    config = write(hornbeam, "some", n=500)
    hornbeam.ok("run", config, "--set", f"time.end={STEP}")
    for delay in (0, 0.3, 1):
        process = start(hornbeam, "mpich", 3, "run", config, "--resume", "--set", "time.end=1e3")
        victim = process_of(hornbeam, 2)
        time.sleep(delay)
        os.kill(victim, signal.SIGKILL)
        began = time.monotonic()
        process.communicate(timeout=60)
        assert process.returncode != 0 and time.monotonic() - began < 10
    with h5py.File(hornbeam.folder / "some" / "checkpoint.hdf5") as file:
        saved = file["Checkpoint"].attrs["time"]
    hornbeam.ok("run", config, "--resume", "--set", f"time.end={saved + STEP}")



def test_a_process_that_hangs_ends_the_job(hornbeam):
    config = write(hornbeam, "some", n=500, end=1e3)
    process = start(hornbeam, "mpich", 2, "run", config, HORNBEAM_PATIENCE="2")
    stopped = process_of(hornbeam, 1)
    while process.poll() is None and not (hornbeam.folder / "some" / "snapshot_0001.hdf5").exists():
        time.sleep(0.05)
    os.kill(stopped, signal.SIGSTOP)
    try:
        _, err = process.communicate(timeout=60)
    finally:
        os.kill(stopped, signal.SIGKILL)
    assert process.returncode != 0
    assert errors(err) == ["hornbeam: error: process 1 of 2: has not answered for 2 s (HORNBEAM_PATIENCE)"]


def test_a_failure_is_one_line_and_ends_all(hornbeam):
    for request in (3, 150):
        status, _, err = run(hornbeam, "mpich", 2, "run", write(hornbeam, "some", n=500), "--overwrite",
                             HORNBEAM_RANKS=f"1,{request}")
        assert status == 1 and len(errors(err)) == 1 and "the last of 2 ranks fails" in err, err


def test_a_run_that_is_stopped_has_its_status(hornbeam):
    status, _, err = run(hornbeam, "openmpi", 2, "run", write(hornbeam, "some", n=500, end=1e3), "--set", "output.wall_limit=0.5")
    assert status == 4 and errors(err) == [], err


def test_wrong_configurations_are_one_line(hornbeam):
    status, _, err = run(hornbeam, "mpich", 3, "run", "absent.toml")
    assert status != 0 and len(errors(err)) == 1 and "absent.toml" in err
    status, _, err = run(hornbeam, "mpich", 2, "force", "--ic", "plummer", "-n", 100, "--backend", "opencl", "--device", "0,1")
    assert status == 2 and len(errors(err)) == 1 and "device = 1" in err


def test_few_particles_take_fewer_processes(hornbeam):
    """Those that are left go on, and the others end with them."""
    config = write(hornbeam, "some", n=500)
    status, out, err = run(hornbeam, "mpich", 3, "run", config, HORNBEAM_RANKS=None)
    assert status == 0 and errors(err) == [] and "1 of 3 devices will compute" in out + err


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
