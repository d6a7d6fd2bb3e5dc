# SPDX-License-Identifier: Apache-2.0
"""From what people have (lists, NumPy of any kind and layout) to the arrays that the library takes: float64, C order.
What does not fit is refused, with what came and what is allowed."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .carried_units import carries_unit, is_without_dimension, refused_unit
from .device_arrays import is_on_device, without_flags
from .errors import UsageError


def _has_masked(value):
    """numpy.ma is loaded by whoever makes masked arrays, and not here, where files may be short."""
    return "numpy.ma" in sys.modules and isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value)


def _described(array):
    return f"an array of shape {array.shape} and type {array.dtype}"


def _array(value, name, remedy=""):
    value = without_flags(value, name)
    try:
        return np.asarray(value)
    except Exception as error:  # of another library's array, which may do anything
        raise UsageError(f"{name}: received {type(value).__name__}, and NumPy reports: {error}{remedy}") from error


def numbers(value: Any, name: str, system: Any = None, dimension: Any = None) -> NDArray[np.float64]:
    """`value` as an array of float64 of any shape, without a copy where it is one. Quantities become numbers of that
    dimension in that system of units (quantities.py); without a system they are refused."""
    if type(value) is np.ndarray and value.dtype == np.float64:
        return value
    if carries_unit(value):
        if system is None:
            raise refused_unit(value, name)
        return np.asarray(system.numbers(value, name, dimension), np.float64)
    if is_on_device(value):
        raise UsageError(f"{name}: received {type(value).__module__}.{type(value).__name__} on a GPU, but must be in the "
                         "host's memory (give .get(), .cpu() or numpy.asarray() of it)")
    array = _array(value, name, " (give numbers, all rows of one length)")
    if _has_masked(value):
        raise UsageError(f"{name}: received {_described(array)} with {np.ma.count_masked(value)} masked values (give "
                         "only numbers: .compressed(), .filled() or a selection)")
    if array.dtype.kind not in "iuf":
        if array.size == 0:
            return array.astype(np.float64)
        raise UsageError(f"{name}: received {_described(array)} (give real numbers: float64, float32 or integers)")
    return array.astype(np.float64, copy=False)


def vectors(value: Any, name: str, system: Any = None, dimension: Any = None) -> NDArray[np.float64]:
    """(N, 3)"""
    array = numbers(value, name, system, dimension)
    if array.size == 0 and array.ndim < 2:
        array = array.reshape(0, 3)
    if array.ndim != 2 or array.shape[1] != 3:
        raise UsageError(f"{name}: received {_described(array)} (must be of shape (N, 3): x, y, z of each)")
    return np.ascontiguousarray(array)


def per_particle(value: Any, name: str, n: int, system: Any = None, dimension: Any = None) -> NDArray[np.float64]:
    """(N), also from one number for all."""
    array = numbers(value, name, system, dimension)
    if array.ndim == 0:
        return np.full(n, float(array))
    if array.shape != (n,):
        raise UsageError(f"{name}: received {_described(array)} for {n} positions (must be one number, or of shape "
                         f"({n},))")
    return np.ascontiguousarray(array)


def any_array(value: Any, name: str) -> NDArray[Any]:
    """Of any kind; a unit is refused unless it is that of numbers."""
    if not is_without_dimension(value):
        raise refused_unit(value, name)
    if _has_masked(value):
        raise UsageError(f"{name}: received {np.ma.count_masked(value)} masked values (give all of them)")
    return _array(value, name)


def places(which: Any, name: str, n: int) -> NDArray[np.int64]:
    """Of a mask of bools or of places, some of which may be counted from the end."""
    chosen = any_array(which, name)
    if isinstance(which, (list, tuple)) and len({isinstance(one, (bool, np.bool_)) for one in which}) == 2:
        raise UsageError(f"{name}: received a list of bools and other values (give a mask of bools, or a list of indices)")
    if chosen.dtype == bool:
        if chosen.shape != (n,):
            raise UsageError(f"{name}: received a mask of shape {chosen.shape} (must be ({n},))")
        return np.flatnonzero(chosen)
    if chosen.size == 0:
        return np.zeros(0, np.int64)
    if chosen.dtype.kind not in "iu" or chosen.ndim != 1:
        raise UsageError(f"{name}: received {_described(chosen)} (give a mask of "
                         "bools, or a list of indices)")
    if chosen.max() >= n or chosen.min() < -n:
        raise UsageError(f"{name}: received indices beyond the {n} particles")
    chosen = chosen.astype(np.int64)
    chosen[chosen < 0] += n
    once, times = np.unique(chosen, return_counts=True)
    if len(once) < len(chosen):
        raise UsageError(f"{name}: received index {once[times.argmax()]} {times.max()} times (give each once; a mask "
                         "must be of bools, as mask.astype(bool) is)")
    return chosen


def whole_numbers(value: Any, name: str, n: int, kind: Any, most: int) -> NDArray[Any]:
    """(N), or one for all."""
    array = any_array(value, name)
    if n == 0 and array.shape == (0,):
        return np.zeros(0, kind)
    if array.shape not in ((), (n,)) or array.dtype.kind not in "iu":
        raise UsageError(f"{name}: received {_described(array)} for {n} particles "
                         f"(must be whole numbers, one or {n})")
    if array.size and (array.min() < 0 or array.max() > most):
        raise UsageError(f"{name}: received {array.min()} to {array.max()} (must be from 0 to {most})")
    return array.astype(kind)
