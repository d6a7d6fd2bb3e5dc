# SPDX-License-Identifier: Apache-2.0
"""Arrays of a past time of which slices were taken, `v = sim.velocity[:, 0]`. NumPy gives slices a flag of their own,
which cannot be taken back, so they stay writable. Here such writing is found, so that it is not lost silently."""

from __future__ import annotations

import sys
import time
import weakref
import zlib
from typing import Any, NamedTuple

import numpy as np

from .errors import Error

_REST = 20  # times as long as a look at all of them took, before the next one


def _holders(roots: Any, name: str) -> int:
    root = roots.get(name)
    return 0 if root is None else sys.getrefcount(root)


def _holders_of_one() -> int:
    """What _holders() returns for a root that only one view holds: versions of Python count differently."""
    view = np.zeros(1).view()
    view = view.base.view()
    return _holders(weakref.WeakValueDictionary(one=view.base), "one")


_ONE = _holders_of_one()


class Held(NamedTuple):
    """An array that is still in use, whole or as slices."""

    name: str
    root: Any
    has_parts: bool


def held(roots: Any, views: Any) -> list[Held]:
    """roots, views: weak, by name; each view is one of its root, which its parts hold in place of it. Not those that other
    libraries made of a view (memoryview, torch.from_numpy): they hold the view, as who has the whole array does."""
    return [Held(name, roots[name], _holders(roots, name) > _ONE - (name not in views)) for name in list(roots)]


class _Known(NamedTuple):
    root: Any  # weak
    name: str
    time: float
    check: int  # a sum over what stood there


def _check(root: Any) -> int:
    return zlib.crc32(root.data)


class Past:
    """Of one simulation. It keeps none of the arrays alive."""

    def __init__(self) -> None:
        self._newest: list[_Known] = []
        self._others: list[_Known] = []
        self._next_look = 0.0

    def remember(self, arrays: list[Held], when: float) -> None:
        """Arrays that are now of that past time."""
        self._others += self._newest
        self._newest = []
        for name, root, has_parts in arrays:
            (self._newest if has_parts else self._others).append(_Known(weakref.ref(root), name, when, _check(root)))

    def look(self) -> None:
        """Throws Error where one has been written to since: the newest parts are looked at each time, and all others now
        and then."""
        self._newest = self._unwritten(self._newest)
        begin = time.monotonic()
        if begin >= self._next_look and self._others:
            self._others = self._unwritten(self._others)
            self._next_look = begin + (1 + _REST) * (time.monotonic() - begin)

    def _unwritten(self, known: list[_Known]) -> list[_Known]:
        """Those of them that are still in use."""
        still = []
        for k, one in enumerate(known):
            root = one.root()
            if root is None:
                continue
            if _check(root) != one.check:
                del known[k]  # it is reported once
                raise Error(f"{one.name}: a slice of the array at the time {one.time:.6g} was written to "
                            "after that time, which has no effect (take the slice of the present array again, or "
                            f"write sim.{one.name}[...] = ...)")
            still.append(one)
        return still
