# SPDX-License-Identifier: Apache-2.0
"""Particles at one time: what models draw, files hold and simulations start from."""

from __future__ import annotations

import enum
import html
import os
import warnings
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from .arrays import any_array, numbers, per_particle, places, vectors, whole_numbers
from .carried_units import carries_unit
from .checks import KnownNames, number, path as _path, table, text
from .dimensions import ENERGY, LENGTH, TIME, of_key
from .errors import HornbeamWarning, UsageError, warn_of
from .past import held
from .progress import image_of, png_of
from .quantities import System

Family = enum.IntEnum("Family", {name: number for number, name in enumerate(_core.family_names)}, module=__name__)
Family.__doc__ = ("Particle families, numbered as in Gadget's PartTypeN. Masks are `sim.family == hb.Family.disc`; comparing "
                  "it with \"disc\" is False everywhere.")

_fields = {row[0]: row for row in _core.field_table()}
# Dimensions of what is no field.
_others = {"time": TIME, "box_size": LENGTH, "G": (1, -1, 2), "energy": ENERGY, "momentum": (0, 1, 1),
           "angular_momentum": (1, 1, 1)}
# What to do in place of writing to what is computed.
_instead = {"acceleration": "for drag or a force of yours change velocity in a callback of run(); for a field there is "
                            "the option potential={\"kind\": ...}",
            "potential": "for a field of its own there is the option potential={\"kind\": ...}",
            "density": "change position or mass",
            "smoothing_length": "change position or mass; the option neighbours sets its size",
            "pressure": "change internal_energy, or the option eos", "temperature": "change internal_energy",
            "time_step": "the options dt, steps and eta set it",
            "internal_energy": "it is given where eos is \"ideal\" or one of materials"}


def _families(value, n):
    if isinstance(value, str):
        value = [value] * n
    named = any_array(value, "family")
    if n == 0 and named.size == 0:
        return np.zeros(0, np.uint8)
    if named.size and all(isinstance(name, str) for name in named.flat):  # also objects, as columns of pandas are
        for name in set(named.flat):
            if name not in _core.family_names:
                raise UsageError(f"family: received {str(name)!r} ({_core.suggestion(str(name), _core.family_names)})")
        value = np.reshape([_core.family_names.index(name) for name in named.flat], named.shape)
    return whole_numbers(value, "family", n, np.uint8, len(_core.family_names) - 1)


class Snapshot(KnownNames):
    """N particles as NumPy arrays that share the library's memory, and what they are measured in.

        Snapshot(position, velocity, mass, **fields)

    position (N, 3) is needed; velocity and eps are 0, and mass is 1 / N, where they are not given. Fields are
    attributes: None where there is none. An array may be written to; one that is assigned is copied into the particles,
    whose number stays. None takes a field out that is not required. units: "galactic", "pc, Msun, km/s", ..., or another
    Snapshot: what the numbers are in; by default G = 1. `unit("density")` names the unit of a field.
    """

    if TYPE_CHECKING:  # fields: properties, made below from the library's table

        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def __init__(self, position: ArrayLike, velocity: ArrayLike | None = None, mass: ArrayLike | None = None, *,
                 time: Any = 0.0, units: str | Snapshot | None = None, box_size: Any = 0.0, **fields: Any) -> None:
        like = units if isinstance(units, Snapshot) else None
        if units is not None and like is None:
            text(units, "units")
        place = vectors(position, "position", System.named(units) if like is None else like._system, LENGTH)
        self._start(_core.Snapshot(len(place)))
        if like is not None:
            self._core.take_units(like._core)
        elif units is not None:
            self._core.set_units(units)
        self.position = place
        self.mass = 1.0 / max(len(place), 1) if mass is None else mass
        if velocity is not None:
            self.velocity = velocity
        for name, value in fields.items():
            if name not in _fields:
                raise UsageError(f"Snapshot: unknown field {name} ({_core.suggestion(name, list(_fields))})")
            setattr(self, name, value)
        self.time = time
        self.box_size = box_size

    def _start(self, core, computed=frozenset()):
        self._core = core
        self._computed = computed
        self._views = weakref.WeakValueDictionary()
        self._roots = weakref.WeakValueDictionary()
        self._gone_by = False

    @classmethod
    def _of(cls, core, computed=frozenset()):
        """computed: fields that a simulation makes of the others, which may only be read."""
        snapshot = cls.__new__(cls)
        snapshot._start(core, computed)
        return snapshot

    @classmethod
    def from_any(cls, particles: Any, units: str | Snapshot | None = None) -> Snapshot:
        """A Snapshot as it is; one of a dict of arrays, in these units where it does not name others."""
        if isinstance(particles, Snapshot):
            return particles
        if isinstance(particles, dict):
            if "position" not in table(particles, "particles"):
                raise UsageError(f"particles: received a dict of {', '.join(particles) or 'nothing'} (position is missing)")
            return cls(**{**({} if units is None else {"units": units}), **particles})
        raise UsageError(f"particles: received {type(particles).__name__} (must be a Snapshot, a dict of arrays, or the "
                         "path of a file)")

    def _like(self, particles):
        """A copy of what is to come to these: at their time, quantities in their units."""
        more = Snapshot.from_any(particles, self).copy()
        more._core.time = self.time
        return more

    def __len__(self) -> int:
        return self._core.size()

    def __repr__(self) -> str:
        there = ", ".join(name for name in _fields if self._core.view(name) is not None)
        walls = f", in a {self._core.walls}" if self._core.walls else ""
        return f"<hornbeam.Snapshot of {len(self)} particles at t = {self.time:.6g}, {self.units}{walls}: {there}>"

    def _repr_html_(self):
        return f"<code>{html.escape(repr(self))}</code><br>" + image_of(self, 600, 450)

    def _repr_png_(self):
        return png_of(self, 600, 450)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Snapshot) and self._core == other._core

    __hash__ = None

    def _view(self, name):
        found = self._views.get(name)
        if found is None:
            root = self._roots.get(name)
            if root is None:
                root = self._core.view(name)
            if root is None:
                return None
            found = root.view()  # parts that are cut out hold the root, by which they are known (past.py)
            found.flags.writeable = not self._gone_by and name not in self._computed
            self._roots[name], self._views[name] = root, found
        return found

    def _freeze(self):
        """Values written to arrays of a past time would be lost: they may only be read from now on. Returns those that
        are in use: flags of slices that were taken cannot be changed back."""
        self._gone_by = True
        for array in list(self._views.values()):
            array.flags.writeable = False
        return held(self._roots, self._views)

    def _set(self, name, value):
        if self._gone_by:
            raise UsageError(f"{name}: these particles belong to a simulation at the time {self.time:.6g}, which has passed (read "
                             "its particles again, or take a .copy() of these)")
        if name in self._computed:
            raise UsageError(f"{name}: is computed from the particles, and values written to it would be lost "
                             f"({_instead[name]})")
        _, _, dimension, components, required = _fields[name]
        if value is None:
            if required:
                raise UsageError(f"{name}: received None (must be an array; every snapshot has one)")
            self._core.clear(name)
            self._views.pop(name, None)
            self._roots.pop(name, None)
            return
        n = len(self)
        if name == "family":
            array = _families(value, n)
        elif name == "id":
            array = whole_numbers(value, name, n, np.uint64, 2**64 - 1)
        elif components == 1:
            array = per_particle(value, name, n, self._system, dimension)
        else:
            array = numbers(value, name, self._system, dimension)
            array = vectors(np.broadcast_to(array, (n, 3)) if array.shape == (3,) else array, name)
            if len(array) != n:
                raise UsageError(f"{name}: received {len(array)} rows for {n} particles (their number cannot change)")
        if n > 0:
            self._core.view(name, True)[...] = array

    @property
    def time(self) -> float:
        return self._core.time

    @time.setter
    def time(self, value: Any) -> None:
        self._core.time = number(value, "time", None, self._system, TIME)

    @property
    def box_size(self) -> float:
        """Edge of a periodic cube; 0: none, or a box that is no cube (boundary). One that is set becomes the boundary's, where
        there is one."""
        return self._core.box_size

    @box_size.setter
    def box_size(self, value: Any) -> None:
        edge = number(value, "box_size", 0, self._system, LENGTH)
        self._refuse_of_simulation("box_size")
        self._core.box_size = edge

    def _refuse_of_simulation(self, name):
        if self._computed or self._gone_by:
            raise UsageError(f"{name}: belongs to the simulation (take a .copy() of its particles, and make another simulation from them)")

    @property
    def boundary(self) -> dict[str, Any] | None:
        """The box in which the particles are, as the option boundary of Simulation has it, {"kind": "periodic", "size":
        [2, 1, 1], ...}; None: none is known. A run of them goes on in it, unless it is given another."""
        return self._core.boundary if self._core.walls else None

    @boundary.setter
    def boundary(self, value: Any) -> None:
        self._refuse_of_simulation("boundary")
        keys = {} if value is None else table(value, "boundary")
        keys = {key: self._system.numbers(one, f"boundary.{key}", of_key(f"boundary.{key}")).tolist()
                if carries_unit(one) else one for key, one in keys.items()}
        if keys and "kind" not in keys:
            raise UsageError("boundary: kind is missing (\"periodic\", \"shear\" or \"open\")")
        other = _core.Snapshot(0)
        other.boundary = keys
        kept = other.boundary if other.walls else {"kind": "open"}
        lost = [key for key in keys if key not in kept]
        if lost:
            raise UsageError(f"boundary: {lost[0]} is not a property of a box of kind {keys['kind']} (give it to a run)")
        self._core.boundary = keys

    @property
    def gamma(self) -> float | None:
        """The adiabatic index with which gas was made; None: not known. A run of ideal gas with another warns."""
        return self._core.gamma

    @gamma.setter
    def gamma(self, value: Any) -> None:
        index = None if value is None else number(value, "gamma", 1)
        if index == 1:
            raise UsageError("gamma: received 1 (must be above 1)")
        self._refuse_of_simulation("gamma")
        self._core.gamma = index

    @property
    def notes(self) -> list[str]:
        """What was found while they were read or drawn: one sentence each."""
        return self._core.notes

    @property
    def units(self) -> str:
        """"kpc, 1e10 Msun, km/s (G = 43009.2)", or "G = 1"."""
        return self._core.units

    @property
    def G(self) -> float:
        """The gravitational constant in the units of the numbers."""
        return self._core.G

    def unit(self, name: str) -> str:
        """The unit of a field by its name, "kpc", "km/s", or of "time", "energy", "momentum", "angular_momentum",
        "box_size" and "G"; empty where G = 1 or it has none."""
        if text(name, "unit") == "temperature":
            return "" if self._core.sizes is None else "K"
        if name in _fields:
            return self._core.unit(name)
        if name == "time":
            return self._core.unit_of_measure(name)
        if name not in _others:
            raise UsageError(f"unit: unknown field {name} ({_core.suggestion(name, [*_fields, *_others])})")
        return self._core.unit_name(*_others[name])

    @property
    def _system(self):
        return System(lambda: self._core)

    def quantity(self, name):
        """A field, "time", "box_size" or "G" as a Quantity of astropy.units, with values of its own. Refused for G = 1."""
        others = {key: _others[key] for key in ("time", "box_size", "G")}
        if name not in _fields and name not in others:
            raise UsageError(f"quantity: unknown field {name} ({_core.suggestion(str(name), [*_fields, *others])})")
        value = getattr(self, name)
        if value is None:
            raise UsageError(f"quantity: these particles have no {name}")
        dimension = "K" if name == "temperature" else others[name] if name in others else tuple(_fields[name][2])
        return self._system.quantity(value, name, dimension)

    def convert(self, units: str) -> None:
        """Numbers and units into others, in place: "solar", "pc, Msun, km/s"."""
        if self._computed or self._gone_by:
            raise UsageError("convert: these particles belong to a simulation, whose units cannot change (take a .copy() of them)")
        self._core.convert(text(units, "units"))

    def copy(self) -> Snapshot:
        return Snapshot._of(self._core.copy())

    def select(self, which: ArrayLike) -> Snapshot:
        """Those particles, by a mask of bools, by places or by families ("disc", ["disc", "bulge"]), as another
        Snapshot."""
        if isinstance(which, str) or (isinstance(which, (list, tuple)) and which and
                                      all(isinstance(one, str) for one in which)):
            which = family_mask(self, which, "select")
        return Snapshot._of(self._core.select(places(which, "select", len(self)).tolist()))

    def __add__(self, other: Any) -> Snapshot:
        """Particles of both, in one. Fields that one side lacks are dropped (eps, radius, spin and material: 0);
        where ids meet, those of `other` go on after ours, or are the lowest
        that are free where there are no higher ones. Of two boxes, times and gammas ours count; a HornbeamWarning tells
        where they differ."""
        if not isinstance(other, Snapshot):
            return NotImplemented
        both, second = self.copy(), other
        if len(self) and len(other) and np.isin(other.id, self.id).any():
            second = other.copy()
            after = int(self.id.max()) + 1
            free = np.arange(len(self) + len(other), dtype=np.uint64)
            second.id = (np.setdiff1d(free, self.id)[:len(other)] if after + len(other) > 2**64 else
                         np.arange(len(other), dtype=np.uint64) + np.uint64(after))
        warn_of(both._core.append(second._core))
        return both

    def __getstate__(self) -> Any:
        arrays = {name: self._core.view(name) for name in _fields}
        return {"fields": {name: array.copy() for name, array in arrays.items() if array is not None},
                "time": self.time, "box_size": self.box_size,
                "surroundings": self._core.surroundings}

    def __setstate__(self, state: Any) -> None:
        fields = state["fields"]
        self._start(_core.Snapshot(len(fields["position"])))
        for name, array in fields.items():
            self._core.view(name, True)[...] = array
        self.time, self.box_size = state["time"], state["box_size"]
        self._core.surroundings = state["surroundings"]


def _field_property(name, words, powers, components):
    shape = "(N, 3)" if components == 3 else "(N)"
    what = [f"{unit}{'' if power == 1 else f'^{power}'}"
            for unit, power in zip(("length", "mass", "velocity"), powers) if power]
    doc = f"{words}: {shape}" + (f", in units of {' '.join(what)}" if what else "")
    if name == "family":
        doc += ", numbers of hb.Family: `sim.family == hb.Family.disc` is a mask, select(\"disc\") those particles"
    return property(lambda self: self._view(name), lambda self, value: self._set(name, value), doc=doc)


for _name, _words, _powers, _components, _required in _fields.values():
    setattr(Snapshot, _name, _field_property(_name, _words, _powers, _components))


def read(path: str | os.PathLike[str], format: str | None = None, *, physical: bool = False, blocks: str = "") -> Snapshot:
    """The snapshot in a file, of any format and variant that is known (docs/formats.md).

    physical: of cosmological files, apply the scale factor a and h. blocks: of a Gadget-2 binary file of format 1, the
    names of its blocks in their order, as "POS VEL ID MASS U RHO NE NH HSML".
    """
    if not isinstance(physical, bool):
        raise UsageError(f"physical: received {physical!r} (must be True or False)")
    if not isinstance(blocks, str):
        raise UsageError(f"blocks: received {blocks!r} (must be a text such as \"POS VEL ID MASS\")")
    return Snapshot._of(_core.read(_path(path), _format(format), physical, blocks))


def family_names(family, argument="family"):
    """Of one name, several, or None: none."""
    names = [] if family is None else [*family] if isinstance(family, (list, tuple, set)) else [family]
    names = [name.name if isinstance(name, Family) else name for name in names]
    for name in names:
        if not isinstance(name, str) or name not in Family.__members__:
            raise UsageError(f"{argument}: received {name!r} (must be one of {', '.join(Family.__members__)})")
    return names


def family_mask(snapshot, family, argument="family"):
    """Which particles are of one name or of several."""
    return np.isin(snapshot.family, [Family[name] for name in family_names(family, argument)])


def snapshot_of(what):
    """Of a file, a Snapshot or dict of arrays, or a Simulation."""
    return read(what) if isinstance(what, (str, os.PathLike)) else Snapshot.from_any(getattr(what, "particles", what))


def _format(name):
    return None if name is None else text(name, "format")


def _write(path, core, format, record=""):
    for loss in _core.write(_path(path), core, _format(format), record):
        warnings.warn(loss, HornbeamWarning, stacklevel=3)


def write(path: str | os.PathLike[str], snapshot: Any, format: str | None = None) -> None:
    """Writes a snapshot; the extension gives the format, or `format` its name. What the format cannot store is reported
    by a HornbeamWarning."""
    _write(path, Snapshot.from_any(snapshot)._core, format)
