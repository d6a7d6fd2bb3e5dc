# SPDX-License-Identifier: Apache-2.0
"""A command under whatever limit of memory ends by an error at worst, never by a signal."""

import os

import pytest
from test_admission import LIMITS, MANY, RUNS, least_start, limited

from conftest import not_sanitized

pytestmark = not_sanitized


@pytest.mark.parametrize("limit", [157, 315, 524, 734])
def test_short_address_space_ends_in_one_line(hornbeam, limit):
    """Where the estimate says yes the rest may still be refused: by an error, never by a signal."""
    done = hornbeam.run("force", "--ic", "plummer", "-n", 200_000, "--backend", "cpu", "--theta", 2,
                        preexec_fn=limited("ulimit -v", limit))
    assert done.returncode in (0, 1), done
    if done.returncode == 1:
        assert done.stderr.startswith("hornbeam: error: memory: ") and done.stderr.count("\n") == 1, done.stderr


@pytest.mark.parametrize("kind", LIMITS)
def test_no_limit_ends_a_run_by_a_signal(hornbeam, kind):
    """From limits at which hardly the program starts to those of which it has enough, files of HDF5 among them."""
    (hornbeam.folder / "r.toml").write_text(RUNS["groups unbound"].replace(str(MANY), "3000"))
    start = least_start(hornbeam.program)
    low, high = {"ulimit -d": (5, 60), "ulimit -v": (start, start + 110)}[kind]
    for step in range(24):
        mb = low + (high - low) * step / 23
        done = hornbeam.run("run", "r.toml", "--overwrite", preexec_fn=limited(kind, mb))
        if done.returncode == 127 and "shared libraries" in done.stderr:
            continue  # the loader's own refusal, before the program begins
        assert done.returncode in (0, 1), (mb, done)
        if done.returncode == 1:
            assert "memory" in done.stderr and done.stderr.count("\n") == 1, (mb, done.stderr)


@pytest.mark.parametrize("command", [("run", "r.toml", "--overwrite"), ("ic", "galaxy", "-n", 3000, "-o", "g.hdf5"),
                                     ("analyze", "p.hdf5", "--groups", "--linking-fraction", 2, "--unbind"),
                                     ("render", "p.hdf5", "-o", "p.png")], ids=lambda command: command[0])
def test_no_number_of_cores_is_too_many_for_a_limit(hornbeam, command):
    """The stacks of all threads may not fit. OpenMP ends a process that cannot start one, in words of its own."""
    environment = {**os.environ, "OMP_NUM_THREADS": "40"}
    hornbeam.ok("ic", "plummer", "-n", 3000, "-o", "p.hdf5")
    (hornbeam.folder / "r.toml").write_text(RUNS["groups unbound"].replace(str(MANY), "3000").replace("threads = 1\n", ""))
    ended = []
    for mb in (120, 250, 450):
        done = hornbeam.run(*command, preexec_fn=limited("ulimit -v", mb), env=environment)
        assert done.returncode == 0 or done.stderr.startswith("hornbeam: error: memory"), (mb, done)
        ended.append(done.returncode)
    assert ended[-1] == 0
