# SPDX-License-Identifier: Apache-2.0
"""The workers behind hornbeam.amuse: processes that answer AMUSE's calls, in N-body units. They need no AMUSE themselves, but
mpi4py, which AMUSE loads. Each interface starts one of these functions in a process of its own."""

from .connection import connect
from .fields import FieldWorker
from .gas import GasWorker
from .gravity import Worker

__all__ = ["FieldWorker", "GasWorker", "Worker", "start_field_worker", "start_gas_worker", "start_worker"]


def start_worker():
    """A code of gravitational dynamics."""
    connect()
    return Worker()


def start_field_worker():
    """Gravity at points, of particles that are put there."""
    connect()
    return FieldWorker()


def start_gas_worker():
    """A code of gas, dark matter and stars."""
    connect()
    return GasWorker()
