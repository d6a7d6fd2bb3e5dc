# SPDX-License-Identifier: Apache-2.0
"""Arrays of other libraries that say wrong things, throw anything, or store a sign as a flag: an hb.UsageError, or the
right forces, never a silent other one. Stubs stand for the libraries; none of them is needed."""

import contextlib
import types

import numpy as np
import pytest

import hornbeam as hb
from hornbeam import _core, device_arrays
from test_gpu_arrays import cloud, on_cpu, same  # noqa: F401: the fixture

NO_PAIRS = [2, (2,), (2, 0, 0), (), "ab", "2", None, (2, "x"), (2, None), (2, -1), (2, 2**40), (2.5, 0), ({}, 0), (None, 0),
            object(), {"kind": 2}]
USES = {"positions": lambda a: hb.both(a, 1.0), "masses": lambda a: hb.both(np.ones((3, 3)), a),
        "eps": lambda a: hb.both(np.ones((3, 3)), 1.0, a), "targets": lambda a: hb.both(np.ones((3, 3)), 1.0, targets=a),
        "tree": hb.Tree, "neighbours": lambda a: hb.neighbours(a, 1.0), "snapshot": hb.Snapshot,
        "collisions": lambda a: hb.collisions(a, 1.0), "box": lambda a: hb.both(np.ones((3, 3)), 1.0, box=a)}


class Says:
    """An array of which nothing but its device is known."""

    def __init__(self, device):
        self._device = device

    def __dlpack_device__(self):
        return self._device


@pytest.mark.parametrize("use", USES)
def test_a_device_that_is_no_pair_is_told(use):
    for device in NO_PAIRS:
        with pytest.raises(hb.UsageError, match="Says, whose __dlpack_device__ returns .* [(]must be a pair"):
            USES[use](Says(device))


@pytest.mark.parametrize("error", [OSError, AssertionError, MemoryError, ZeroDivisionError, KeyError, NotImplementedError])
def test_whatever_another_library_throws_is_told(error):
    class Throws:
        def __init__(self, at):
            self._at = at

        def __getattr__(self, name):
            if name == self._at:
                def throw(*_, **__):
                    raise error("of its own")
                return throw
            if name == "__dlpack_device__":
                return lambda: (1, 0)
            raise AttributeError(name)

    for at in ("__dlpack_device__", "is_neg", "is_conj", "__array__"):
        with pytest.raises(hb.UsageError, match="of its own"):
            hb.both(Throws(at), 1.0)
    session = _core.DeviceForces("cpu", 0)
    for at in ("__dlpack__", "is_neg", "is_conj"):
        with pytest.raises(hb.UsageError, match="positions: .*of its own"):
            device_arrays.taken(Throws(at), "positions", session, (None, 3))


class Flagged:
    """An array whose minus and conjugate are flags, as PyTorch's: its memory is shown without them."""

    def __init__(self, array, neg=False, conj=False):
        self._array, self._neg, self._conj = array, neg, conj

    def is_neg(self):
        return self._neg

    def is_conj(self):
        return self._conj

    def resolve_neg(self):
        return Flagged(-self._array if self._neg else self._array, False, self._conj)

    def resolve_conj(self):
        return Flagged(self._array.conj() if self._conj else self._array, self._neg, False)

    def __array__(self, *_, **__):
        return self._array

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **_):
        return self._array.__dlpack__()


@pytest.mark.parametrize("by", [hb.both, on_cpu])
def test_a_minus_that_is_a_flag_is_kept(cloud, by):
    position, mass = cloud
    expected = hb.both(position, mass, 0.1, backend="cpu")
    same(by(Flagged(-position, neg=True), Flagged(-mass, neg=True), 0.1), expected, float)
    same(by(Flagged(position), Flagged(mass), 0.1), expected, float)
    same(by(Flagged(position, conj=True), mass, Flagged(np.full(len(mass), -0.1), neg=True)), expected, float)


def test_a_minus_that_is_a_flag_is_kept_in_all_that_takes_arrays(cloud):
    position, mass = (a[:500] for a in cloud)
    minus = Flagged(-position, neg=True)
    assert (hb.Tree(minus).nearest(3)[0] == hb.Tree(position).nearest(3)[0]).all()
    snapshot = hb.Snapshot(minus, mass=Flagged(-mass, neg=True))
    assert (snapshot.position == position).all() and (snapshot.mass == mass).all()
    shown = hb.both(position, mass, 0.1, targets=Flagged(-position[:7], neg=True), backend="cpu")
    same(shown, hb.both(position, mass, 0.1, targets=position[:7], backend="cpu"), float)


def test_a_flag_that_cannot_be_resolved_is_told(cloud):
    class Stuck(Flagged):
        def resolve_neg(self):
            raise OSError("it is stuck")

    with pytest.raises(hb.UsageError, match="positions: .*is_neg.*it is stuck .give .resolve_neg"):
        hb.both(Stuck(cloud[0], neg=True), 1.0)


@pytest.mark.parametrize("use", ["positions", "masses", "eps", "targets", "tree", "neighbours", "collisions"])
def test_a_captured_stream_is_refused_before_a_device_is_taken(use, monkeypatch):
    class Tensor(Says):
        is_cuda = True

    cuda = types.SimpleNamespace(device=lambda _: contextlib.nullcontext(), is_current_stream_capturing=lambda: True)
    monkeypatch.setitem(device_arrays.sys.modules, "torch", types.SimpleNamespace(Tensor=Tensor, cuda=cuda))
    monkeypatch.setattr(Tensor, "device", "cuda:0", raising=False)
    there = Tensor((2, 0))
    use = {"masses": lambda a: hb.both(a, a), "eps": lambda a: hb.both(a, 1.0, a),
           "targets": lambda a: hb.both(a, 1.0, targets=a)}.get(use, USES[use])
    with pytest.raises(hb.UsageError, match="Tensor while its stream is being captured into a CUDA graph"):
        use(there)
