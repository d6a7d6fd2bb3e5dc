# SPDX-License-Identifier: Apache-2.0
"""Several processes that share simulations: those of mpiexec or srun."""

import atexit
import os
import threading

from . import _core
from .errors import UsageError


def ranks(comm=None) -> int:
    """Lets the processes that mpiexec or srun has started share the simulations of the first one.

    The first process goes on with the number of processes. The others compute for it and do not return: they end with it
    (SystemExit). `comm` is a communicator of mpi4py; by default these are all that the launcher has started. A process
    that was started alone goes on with 1. docs/cluster.md has an example.

    Error: MPI's library is not found. UsageError: the call is in a thread, or the processes have other arguments."""
    if threading.current_thread() is not threading.main_thread():
        raise UsageError("hb.ranks: must be called by the main thread, since the others of the other processes would go on")
    if _core.number_of_ranks() > 1:
        return _core.number_of_ranks()
    if comm is None:
        status = _core.join_ranks(None, 0, 1)
    else:
        from mpi4py import MPI
        status = _core.join_ranks(MPI._addressof(comm), comm.Get_rank(), comm.Get_size())
    if status is not None:
        raise SystemExit(status)
    number = _core.number_of_ranks()
    if number > 1:
        atexit.register(_leave, os.getpid())
    return number


def _leave(pid):
    if os.getpid() == pid:  # not in a fork of the first process
        _core.leave_ranks(0)
