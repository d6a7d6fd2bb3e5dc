# SPDX-License-Identifier: Apache-2.0
"""Units that a value carries, whichever package made it: astropy, unyt (yt, swiftsimio), pint, pynbody, AMUSE, xarray.
This is the one gate: what carries a unit becomes a Quantity of astropy.units here, or is refused with what to write
instead. No such value reaches numpy.asarray(), which drops the unit without a word."""

import inspect
import sys
from collections.abc import Mapping

import numpy as np

from .errors import UsageError

_plain = {np.ndarray, float, int, bool, str, bytes, complex, type(None), dict, set, range}
_no_units = {"", "1", "1.0", "dimensionless", "NoUnit()", "no unit"}
_names = {"Msol": "Msun", "M_sun": "Msun", "solar_mass": "Msun", "dimensionless": "", "MSun": "Msun", "parsec": "pc"}
# What each package calls the bare numbers in a unit.
_lines = {"astropy": ".to_value(unit)", "unyt": ".to_value(unit)", "pint": ".m_as(unit)", "amuse": ".value_in(unit)",
          "pynbody": ".in_units(unit).view(numpy.ndarray)", "": "numpy.asarray()"}


def _attribute(value, name):
    """One that holds something, no method."""
    try:
        found = getattr(value, name, None)
    except Exception:  # of classes that compute theirs, and cannot here
        return None
    return None if inspect.isroutine(found) or inspect.isclass(found) else found


def unit_of(value):
    """The unit that a value carries; None: it carries none. Of a list that of the first value that carries one."""
    kind = type(value)
    if kind is np.ndarray and value.dtype == object and value.size > 0:  # of Quantities, mostly
        return next((unit for unit in map(unit_of, value.flat) if unit is not None), None)
    if kind in _plain or issubclass(kind, str) or kind.__module__ == "numpy":
        return None
    if kind in (list, tuple):
        if all(one in _plain or issubclass(one, np.generic) for one in set(map(type, value))):
            return None
        return next((unit for unit in map(unit_of, value) if unit is not None), None)
    if str(kind.__module__).startswith("hornbeam."):  # a Snapshot has units, and is no array
        return None
    for name in ("unit", "units"):
        unit = _attribute(value, name)
        if unit is not None:
            return None if str(unit) in ("NoUnit()", "no unit") else unit
    if isinstance(value, (list, tuple)):
        return unit_of(list(value))
    marks = _attribute(value, "attrs")  # as h5py, xarray and pandas keep it
    if isinstance(marks, Mapping) and isinstance(marks.get("units", marks.get("unit")), str):
        return marks.get("units", marks.get("unit"))
    if isinstance(value, np.ma.MaskedArray) and type(value.data) is not np.ndarray:
        return unit_of(value.data)
    return "a unit that it does not name" if _attribute(value, "magnitude") is not None else None


def carries_unit(value):
    return unit_of(value) is not None


def is_without_dimension(value):
    """Whether the value carries no unit, or one that says so."""
    unit = unit_of(value)
    return unit is None or str(unit) in _no_units


def _maker(value):
    """The package that made it, by the modules of its classes."""
    found = {kind.__module__.partition(".")[0] for kind in type(value).__mro__}
    return next((name for name in ("unyt", "pynbody", "pint", "amuse", "astropy") if name in found), "")


def _refusal(value, name, unit, why):
    return UsageError(f"{name}: received {type(value).__name__} in {unit}: {why} (give {_lines[_maker(value)]} of it, or a "
                      "Quantity of astropy.units)")


def refused_unit(value, name):
    """The error where there is no unit to convert to."""
    return UsageError(f"{name}: received a Quantity in {unit_of(value)}, and plain numbers are needed (give "
                      f"{_lines[_maker(value)]} of it)")


def _bare(value):
    """The numbers, without their unit."""
    for name in ("magnitude", "number", "value"):
        found = _attribute(value, name)
        if found is not None:
            return np.asarray(found)
    return np.asarray(value)


def _size_of_unyt(value):
    size = (1.0 * value.units).in_cgs()
    return float(size.d), str(size.units)


def _size_of_pint(value):
    size = (1.0 * value.units).to_base_units()
    return float(size.magnitude), str(size.units)


def _size_of_pynbody(value):
    bases = ("cm", "g", "s", "K")
    powers = value.units.dimensional_project(bases)
    base = " ".join(f"{name}**{power}" for name, power in zip(bases, powers) if power)
    return float(value.units.ratio(base or "1")), base


_sizes = {"unyt": _size_of_unyt, "pint": _size_of_pint, "pynbody": _size_of_pynbody}


def _by_name(u, unit):
    """astropy's unit of that name; None: it has none."""
    words = str(unit)
    for theirs, ours in _names.items():
        words = ours if words == theirs else words
    try:
        return u.Unit(words)
    except (ValueError, TypeError):
        return None


def _unit_in(u, value, name, unit):
    """astropy's unit of that name, where it is as large as the package says: 1 kpc is 1 kpc to the last bit. Else one of
    that size: `h` is an hour to astropy, and the Hubble constant to yt."""
    named, measure = _by_name(u, unit), _sizes.get(_maker(value))
    if measure is None:
        if named is None:
            raise _refusal(value, name, unit, "a unit that astropy does not know")
        return named
    try:
        size, base = measure(value)
        own = u.Unit(_names.get(base, base)) * size
    except Exception as error:
        raise _refusal(value, name, unit, f"its size is unknown: {error}") from error
    if named is not None and named.is_equivalent(own) and abs(named.to(own) - 1) < 1e-3:
        return named
    return u.Unit(own)


def refuse_masked(value, name):
    masked = np.count_nonzero(getattr(value, "mask", False))
    if masked:
        raise UsageError(f"{name}: received {masked} masked values (give all of them)")


def as_quantity(value, name):
    """As a Quantity of astropy.units; a list of several units in that of the first. UsageError if that cannot be."""
    u = sys.modules.get("astropy.units")
    if u is None:
        try:
            import astropy.units as u
        except ImportError as error:
            raise _refusal(value, name, unit_of(value), "astropy, which converts units, is not installed: pip install astropy") from error
    refuse_masked(value, name)
    if isinstance(value, u.Quantity):
        return value
    try:
        if type(value) is np.ndarray and value.dtype == object:
            value = value.tolist()
        if type(value) in (list, tuple):
            return u.Quantity([as_quantity(one, name) for one in value])
        unit = unit_of(value)
        if unit is None:
            return u.Quantity(value)
        if isinstance(value, u.Quantity):  # the one of an array without axes
            return value
        if getattr(value, "comoving", None) and _maker(value) == "unyt":
            raise _refusal(value, name, f"comoving {unit}", "comoving values are not multiplied by the scale factor: use .to_physical()")
        if _maker(value) == "amuse":
            value = value.as_astropy_quantity()
            return value
        return u.Quantity(_bare(value), _unit_in(u, value, name, unit))
    except (u.UnitConversionError, TypeError) as error:
        raise UsageError(f"{name}: received quantities with units that do not agree: {error}") from error
