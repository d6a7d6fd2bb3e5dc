# SPDX-License-Identifier: Apache-2.0
"""Processes of a run that fail, are killed, do not answer, or are not needed (test_processes.py)."""

import os
import signal
import time

import h5py
from conftest import not_sanitized
from test_processes import errors, process_of, run, start
from test_ranks import STEP, write

pytestmark = not_sanitized


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


def test_few_particles_take_fewer_processes(hornbeam):
    """Those that are left go on, and the others end with them."""
    config = write(hornbeam, "some", n=500)
    status, out, err = run(hornbeam, "mpich", 3, "run", config, HORNBEAM_RANKS=None)
    assert status == 0 and errors(err) == [] and "1 of 3 devices will compute" in out + err
