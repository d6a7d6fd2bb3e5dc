# SPDX-License-Identifier: Apache-2.0
"""Quantities of astropy.units to numbers in the units of a snapshot or simulation, and back. astropy is imported only
if a Quantity is requested, or a value with a unit is given (carried_units.py)."""

import numpy as np

from . import _core
from .carried_units import as_quantity, carries_unit
from .dimensions import AREA_DENSITY, DENSITY, FREQUENCY, LENGTH, MASS, TIME, VELOCITY
from .errors import Error, UsageError

_words = {LENGTH: "a length", MASS: "a mass", VELOCITY: "a velocity", TIME: "a time", FREQUENCY: "a frequency",
          DENSITY: "a mass per volume", AREA_DENSITY: "a mass per area"}
_what_to_do = ("give numbers, or units in which they are: units=\"galactic\", \"solar\", \"si\", \"cgs\", \"saturn\" or "
               "\"pc, Msun, km/s\"")


def _units():
    try:
        import astropy.units
    except ImportError as error:
        raise Error("quantity: astropy is not installed (pip install astropy)") from error
    return astropy.units


def _base(core, dimension, size, cgs):
    """By its name where astropy knows it, so that 1 kpc is 1 kpc to the last bit."""
    u = _units()
    try:
        named = u.Unit(core.unit_name(*dimension))
        if abs(named.to(cgs) / size - 1) < 1e-3:
            return named
    except ValueError:
        pass
    return u.Unit(size * cgs)


def _unit(core, dimension):
    """Of values of that dimension, or that of this name."""
    u = _units()
    if isinstance(dimension, str):
        return u.Unit(dimension)
    bases = zip((LENGTH, MASS, VELOCITY), core.sizes, (u.cm, u.g, u.cm / u.s), dimension)
    return u.Unit(np.prod([_base(core, base, size, cgs) ** power for base, size, cgs, power in bases if power] or 1))


class System:
    """What numbers are in: `find` gives a _core.Snapshot with these units, once there is a Quantity to convert."""

    def __init__(self, find):
        self._find, self._core = find, None

    @classmethod
    def named(cls, text):
        """Of units by their name, "galactic"; None: G = 1."""
        def find():
            core = _core.Snapshot(0)
            if text is not None:
                core.set_units(text)
            return core

        return cls(find)

    def _known(self, name, came):
        if self._core is None:
            self._core = self._find()
        if self._core.sizes is None:
            raise UsageError(f"{name}: {came}, but with G = 1 numbers have no units ({_what_to_do})")
        return self._core

    def numbers(self, value, name, dimension):
        """Those of a value with a unit that should have this dimension: powers of length, mass and velocity, or the name of a
        unit; None: of something that no Quantity says."""
        quantity, u = as_quantity(value, name), _units()
        kind = quantity.unit.physical_type
        came = f"received a Quantity in {quantity.unit}" + ("" if kind == "unknown" else f" ({kind})")
        if dimension is None:
            if quantity.unit.is_equivalent(u.dimensionless_unscaled):
                return quantity.to_value(u.dimensionless_unscaled)
            raise UsageError(f"{name}: {came} (must be a number)")
        unit = _unit(self._known(name, came) if isinstance(dimension, tuple) else None, dimension)
        try:
            return quantity.to_value(unit, equivalencies=u.dimensionless_angles())
        except u.UnitConversionError:
            words = _words.get(dimension, "of that kind")
            raise UsageError(f"{name}: {came} (must be {words}, as in {u.Myr if dimension == TIME else unit})") from None

    def from_text(self, value, name, dimension):
        """The number of a text such as "500 Myr"."""
        return _core.number_from(value, self._known(name, f"received {value!r}"), dimension, name)

    def quantity(self, value, name, dimension):
        """Values of the library as a Quantity; times in the largest of the usual units that is not above theirs."""
        u = _units()
        found = u.Quantity(value, _unit(self._known(name, "was asked for as a Quantity"), dimension))
        if dimension == TIME:
            usual = [unit for unit in (u.Gyr, u.Myr, u.kyr, u.yr, u.day, u.s) if unit.to(found.unit) <= 1.1]
            return found.to(usual[0] if usual else u.s)
        return found


class Ones(System):
    """Used while the units of the values are not yet known: all are 1."""

    def __init__(self):
        super().__init__(None)

    def numbers(self, value, name, dimension):
        return np.ones(np.shape(as_quantity(value, name)))


def forces(call, positions, masses, eps, targets, target_eps, G, box, boundary, options):
    """hb.both() of Quantities: lengths in the unit of the positions, masses in their own, and G that of nature unless
    it is a Quantity, too. Accelerations in (km/s)^2 per unit of length, potentials in (km/s)^2."""
    u = _units()
    for value, name in ((positions, "positions"), (masses, "masses")):
        if not carries_unit(value):
            raise UsageError(f"{name}: received plain numbers together with Quantities (give both positions and masses with units, "
                             "or neither)")
    positions, masses = as_quantity(positions, "positions"), as_quantity(masses, "masses")
    length, mass = positions.unit, masses.unit

    def of(value, name, unit, words):
        if value is None:
            return None
        quantity = as_quantity(value, name)
        if not carries_unit(value) and np.any(quantity != 0):
            raise UsageError(f"{name}: received plain numbers together with Quantities (must be {words}, as in {unit})")
        if not quantity.unit.is_equivalent(unit) and not (np.ndim(value) == 0 and np.all(quantity == 0)):
            raise UsageError(f"{name}: received a Quantity in {quantity.unit.to_string() or 'no unit'} (must be {words}, as in {unit})")
        return quantity.value if quantity.unit.is_equivalent(u.dimensionless_unscaled) else quantity.to_value(unit)

    for value, name, unit, words in ((positions, "positions", u.kpc, "a length"), (masses, "masses", u.Msun, "a mass")):
        of(value, name, unit, words)
    if carries_unit(G):
        G = as_quantity(G, "G")
        of(G, "G", u.m**3 / u.kg / u.s**2, "a gravitational constant")
    elif G is not None:
        raise UsageError(f"G: received {G!r} together with Quantities (give a Quantity, or leave it out to use the physical value)")
    else:
        from astropy.constants import G
    lengths = {name: of(value, name, length, "a length")
               for name, value in (("targets", targets), ("target_eps", target_eps), ("box", box))}
    if boundary is not None:
        boundary = {key: of(value, f"boundary.{key}", length, "a length") if key == "size" else value
                    for key, value in boundary.items()}
    acceleration, potential = call(positions.value, masses.value, of(eps, "eps", length, "a length"),
                                   **lengths, boundary=boundary, **options)
    squared = (G * mass / length).to(u.km**2 / u.s**2)
    found = acceleration * (squared / length), potential * squared
    return tuple(u.Quantity(one, dtype=kind) for one, kind in zip(found, (acceleration.dtype, potential.dtype)))
