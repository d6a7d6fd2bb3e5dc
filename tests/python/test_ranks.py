# SPDX-License-Identifier: Apache-2.0
"""Several devices from Python: the results of one. HORNBEAM_RANKS opens PoCL's device several times."""

import numpy as np
import pytest

import hornbeam as hb
from backends import BACKENDS

pytestmark = [pytest.mark.skipif("opencl" not in BACKENDS, reason="OpenCL is not tested here"),
              pytest.mark.usefixtures("open_device")]


@pytest.fixture
def two_ranks(monkeypatch):
    """Whatever is opened after it is called has two ranks."""
    def begin():
        hb.close_devices()
        monkeypatch.setenv("HORNBEAM_RANKS", "2")

    yield begin
    hb.close_devices()


@pytest.mark.parametrize("device", [0, "0", "all", [0], (0,)])
def test_devices_are_an_index_a_list_or_all(device):
    ball = hb.ic.plummer(200, seed=1)
    expected = hb.both(ball.position, ball.mass, 0.05, backend="opencl")
    found = hb.both(ball.position, ball.mass, 0.05, backend="opencl", device=device)
    assert all(np.array_equal(a, b) for a, b in zip(expected, found))


def test_forces_and_runs_of_two_ranks_are_those_of_one(two_ranks):
    ball = hb.ic.plummer(1500, seed=2)

    def results():
        simulation = hb.Simulation(ball, dt=1 / 64, eps=0.05, backend="opencl", device="all")
        simulation.run(until=0.125)
        return [*hb.both(ball.position, ball.mass, 0.05, backend="opencl"), simulation.position,
                simulation.energy().total]

    expected = results()
    two_ranks()
    assert all(np.array_equal(a, b) for a, b in zip(expected, results()))


@pytest.mark.parametrize("device", ["none", [0, 0], [], -1, 1.5, None, True, [0, "1"]])
def test_other_devices_are_refused(device):
    with pytest.raises(hb.UsageError, match="device"):
        hb.accelerations(np.eye(3), np.ones(3), eps=0.1, backend="opencl", device=device)


def test_trees_and_neighbours_of_two_ranks_are_those_of_one(two_ranks):
    ball = hb.ic.plummer(1500, seed=2)

    def results():
        tree = hb.Tree(ball.position, ball.mass, 0.05, backend="opencl")
        return [*tree.both(), tree.accelerations(targets=ball.position[:50] + 0.1), tree.tidal_tensors(),
                *hb.neighbours(ball.position, 0.1, backend="opencl")]

    expected = results()
    two_ranks()
    assert all(np.array_equal(a, b) for a, b in zip(expected, results()))
