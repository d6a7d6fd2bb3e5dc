# SPDX-License-Identifier: Apache-2.0
"""Processes that mpiexec starts share a run: their files are those of one process, byte for byte. tools/setup.sh installs
MPICH and Open MPI into .venv/mpi; each process opens PoCL's device, and launches are shared whatever their size
(HORNBEAM_RANKS)."""

import functools
import os
import subprocess
import time
from pathlib import Path

import pytest
from conftest import ROOT, not_sanitized
from test_ranks import assert_same, write
from test_ranks_physics import BOX, RING

pytestmark = not_sanitized  # MPI's libraries leave memory behind
MPI = ROOT / ".venv" / "mpi"
OPEN_MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
ABIS = {"mpich": ("mpich", {}), "openmpi": ("openmpi", OPEN_MPI),
        "standard": ("mpich", {"HORNBEAM_MPI": str(MPI / "mpich" / "lib" / "libmpi_abi.so.1")})}


@functools.cache
def starts_processes(launcher):
    """Some machines let no launcher connect processes."""
    return launcher.exists() and subprocess.run([launcher, "-n", "2", "true"], env={**os.environ, **OPEN_MPI}).returncode == 0


def start(hornbeam, abi, count, *arguments, program=None, **more):
    folder, environment = ABIS[abi]
    launcher = MPI / folder / "bin" / "mpiexec"
    if not starts_processes(launcher):
        pytest.skip(f"{launcher} does not start processes (tools/setup.sh test installs it)")
    environment = {**os.environ, "HORNBEAM_RANKS": "1", "PATH": f"{launcher.parent}:{os.environ['PATH']}",
                   "TEST_OF_PROCESSES": str(hornbeam.folder), **environment, **more}
    environment.pop("GOMP_SPINCOUNT", None)  # the program then starts a second time, as it does for users
    command = [launcher, "-n", str(count), *(program or [hornbeam.program]), *map(str, arguments)]
    return subprocess.Popen(command, cwd=hornbeam.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env={name: value for name, value in environment.items() if value is not None})


def run(hornbeam, abi, count, *arguments, **more):
    """more: the environment, where None takes a variable out, and `program` in place of ours."""
    process = start(hornbeam, abi, count, *arguments, **more)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


def process_of(hornbeam, rank):
    """The number of the process of that rank, once it is there."""
    for _ in range(1000):
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                environment = (entry / "environ").read_text().split("\0")
                is_ours = (entry / "exe").resolve() == Path(hornbeam.program)
            except OSError:
                continue
            ranks = {f"PMI_RANK={rank}", f"OMPI_COMM_WORLD_RANK={rank}"}
            if is_ours and f"TEST_OF_PROCESSES={hornbeam.folder}" in environment and ranks & set(environment):
                return int(entry.name)
        time.sleep(0.01)
    raise AssertionError(f"no process of rank {rank}")


def errors(text):
    """Lines of ours, among those that a launcher prints when a process fails."""
    return [line for line in text.splitlines() if line.startswith("hornbeam: error: ")]


def file_of(hornbeam, name, text, **values):
    (hornbeam.folder / f"{name}.toml").write_text(text.format(folder=name, **values), encoding="utf-8")
    return f"{name}.toml"


def assert_shared(hornbeam, abi, count, write_config):
    hornbeam.ok("run", write_config("one"))
    status, out, err = run(hornbeam, abi, count, "run", write_config("shared"))
    assert status == 0 and errors(err) == [] and f"{count} x " in out, err
    assert_same(hornbeam.folder / "one", hornbeam.folder / "shared")


def test_processes_share_block_steps(hornbeam):
    assert_shared(hornbeam, "mpich", 3, lambda name: write(hornbeam, name, steps="block"))


def test_processes_share_a_ring_with_collisions(hornbeam):
    assert_shared(hornbeam, "openmpi", 2, lambda name: file_of(hornbeam, name, RING, law="bridges"))


def test_processes_share_a_periodic_box(hornbeam):
    assert_shared(hornbeam, "standard", 2, lambda name: file_of(hornbeam, name, BOX))
