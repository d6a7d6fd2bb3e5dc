# SPDX-License-Identifier: Apache-2.0
"""Processes that mpiexec starts share the sums of gas (test_processes.py)."""

from conftest import not_sanitized
from test_processes import assert_shared, file_of
from test_ranks_gas import EVRARD, draw_with_debris

pytestmark = not_sanitized


def test_processes_share_gas_in_block_steps(hornbeam):
    draw_with_debris(hornbeam)
    assert_shared(hornbeam, "mpich", 3,
                  lambda name: file_of(hornbeam, name, EVRARD, softening="adaptive", steps="block", end=0.04))
