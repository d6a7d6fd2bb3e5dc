# SPDX-License-Identifier: Apache-2.0
"""hb.ranks(): the processes of mpiexec share the simulations of the first one, with its bits. tools/setup.sh installs MPICH
into .venv/mpi, and mpi4py."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

MPI = Path(__file__).resolve().parents[2] / ".venv" / "mpi" / "mpich"
pytestmark = pytest.mark.skipif(os.environ.get("HORNBEAM_SANITIZED") == "1", reason="MPI's libraries leave memory behind")
SCRIPT = """
import os
import subprocess
import sys
{before}
import numpy as np
import hornbeam as hb
number = hb.ranks({comm})
particles = hb.ic.plummer(1000, seed=3)
acceleration = hb.accelerations(particles.position, particles.mass, eps=0.01, backend="opencl")
simulation = hb.Simulation(particles, eps=0.01, dt=1 / 64, backend="opencl")
simulation.run(1 / 16)
np.savez("of_" + str(number), acceleration=acceleration, pos=simulation.position)
print(number, hb.ranks(), flush=True)
subprocess.run([{program!r}, "info", "--json"], check=True, stdout=subprocess.DEVNULL, timeout=60)
if "mpi4py" not in sys.modules:  # which ends MPI in forks, too
    if os.fork() == 0:
        sys.exit(0)
    os.wait()
simulation.step()
sys.exit(3)
"""


def run(folder, count, before="", comm=""):
    launcher = MPI / "bin" / "mpiexec"
    if count > 1 and not launcher.exists():
        pytest.skip(f"{launcher} is not installed (tools/setup.sh test)")
    (folder / "script.py").write_text(SCRIPT.format(before=before, comm=comm, program=os.environ["HORNBEAM"]), encoding="utf-8")
    environment = {**os.environ, "HORNBEAM_RANKS": "1", "PATH": f"{launcher.parent}:{os.environ['PATH']}",
                   "LD_LIBRARY_PATH": f"{MPI / 'lib'}:{os.environ.get('LD_LIBRARY_PATH', '')}"}
    prefix = [str(launcher), "-n", str(count)] if count > 1 else []
    return subprocess.run([*prefix, sys.executable, "script.py"], cwd=folder, env=environment, capture_output=True, text=True,
                          timeout=300)


def assert_shared(folder, count, **more):
    alone, shared = run(folder, 1), run(folder, count, **more)
    assert alone.returncode == 3 and alone.stdout == "1 1\n", alone.stderr
    assert shared.returncode == 3 and shared.stdout == f"{count} {count}\n", shared.stderr
    one, other = np.load(folder / "of_1.npz"), np.load(folder / f"of_{count}.npz")
    for name in ("acceleration", "pos"):
        assert one[name].tobytes() == other[name].tobytes(), name


def test_processes_share_forces_and_steps(tmp_path):
    assert_shared(tmp_path, 2)


def test_a_communicator_of_mpi4py_counts(tmp_path):
    pytest.importorskip("mpi4py")
    assert_shared(tmp_path, 3, before="from mpi4py import MPI", comm="MPI.COMM_WORLD.Dup()")
