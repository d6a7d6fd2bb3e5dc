# SPDX-License-Identifier: Apache-2.0
"""Single values that people give: numbers, whole numbers, texts, paths, functions. What does not fit is refused, with
what came and what is allowed. Arrays: arrays.py."""

import operator
import os

import numpy as np

from . import _core
from .arrays import numbers
from .carried_units import carries_unit, is_without_dimension, refused_unit
from .errors import UsageError


class KnownNames:
    """Attributes that a class does not have are refused, as NAME = VALUE with a letter wrong would do nothing. Names with
    an underscore are anyone's."""

    def __setattr__(self, name, value):
        if not name.startswith("_") and not hasattr(type(self), name):
            known = [one for one in dir(type(self)) if not one.startswith("_")]
            raise AttributeError(f"{type(self).__name__}: has no {name} ({_core.suggestion(name, known)})")
        super().__setattr__(name, value)


def _refused(value, name, allowed):
    return UsageError(f"{name}: received {value!r} ({type(value).__name__}) (must be {allowed})")


def number(value, name, least=None, system=None, dimension=None):
    """A finite one, of any kind but bool; also a Quantity of that dimension in that system of units (arrays.py),
    or a text such as "500 Myr"."""
    if isinstance(value, str) and value[:1] in "-.0123456789" and system is not None and isinstance(dimension, tuple):
        value = system.from_text(value, name, dimension)
    allowed = "a finite number" if least is None else f"a finite number, {least} or above"
    try:
        array = numbers(value, name, system, dimension)
    except UsageError as error:
        if carries_unit(value):
            raise
        raise _refused(value, name, allowed) from error
    if array.ndim or not np.isfinite(array) or (least is not None and array < least):
        raise _refused(value, name, allowed)
    return float(array)


def whole(value, name, least=0, most=2**63 - 1):
    if not is_without_dimension(value):
        raise refused_unit(value, name)
    try:
        if isinstance(value, (bool, np.bool_)) or not least <= (found := operator.index(value)) <= most:
            raise TypeError
    except TypeError:
        raise _refused(value, name, f"a whole number from {least} to {most}") from None
    return found


def text(value, name):
    if not isinstance(value, str):
        raise _refused(value, name, "a text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{name}: received {value!r}, which is not valid Unicode (half of a surrogate pair)") from None
    return value


def path(value, name="path"):
    """As a text."""
    try:
        found = os.fsdecode(value)
    except TypeError:
        raise _refused(value, name, "a path: a text, bytes or a pathlib.Path") from None
    if not found or "\0" in found:
        raise UsageError(f"{name}: received {value!r} (must be a path: not empty, without null characters)")
    return text(found, name)


def function(value, name):
    """One that can be called, or None."""
    if value is not None and not callable(value):
        raise _refused(value, name, "a function")
    return value


def truth(value, name):
    if not isinstance(value, (bool, np.bool_)):
        raise _refused(value, name, "True or False")
    return bool(value)


def is_false(answer):
    """Python's False or NumPy's, also of an array of one; None is not."""
    return answer is False or (getattr(answer, "dtype", None) == bool and np.size(answer) == 1 and not np.all(answer))


def table(value, name):
    """A dict by names, or None."""
    if value is not None and not (isinstance(value, dict) and all(isinstance(key, str) for key in value)):
        raise _refused(value, name, "a dict by names")
    return value
