# SPDX-License-Identifier: Apache-2.0
"""External potentials by themselves, without particles: hb.forces.external and hb.forces.external_mass."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from .arrays import numbers, vectors
from .checks import number, text
from .dimensions import LENGTH, TIME
from .errors import UsageError
from .options import toml_of
from .quantities import System


def _read(potential: Any, units: Any) -> tuple[Any, System]:
    system = System.named(None if units is None else text(units, "units"))
    return _core.Text(toml_of({"units": units, "potential": potential, "dt": 1.0}, "external", system), [], "external", ""), system


def _refuse_non_finite(places):
    rows, axes = np.nonzero(~np.isfinite(places))
    if len(rows):
        raise UsageError(f"positions: received position {'xyz'[axes[0]]} = {places[rows[0], axes[0]]} of point {rows[0]} "
                         "(must be finite)")


def external(potential: Any, positions: Any, units: str | None = None, time: Any = 0.0) -> dict[str, Any]:
    """Acceleration (N, 3), potential (N) and density (N) of external potentials at positions (N, 3), in double precision.

    potential  as hb.Simulation takes it: a dict of the keys of [potential] (docs/dynamics.md), a list of these whose sum
               counts, or a name as "bovy14"
    units      as hb.Simulation takes them, "galactic" or "pc, Msun, km/s"; none: G = 1
    time       of potentials that move

    The density is that of the mass that attracts, by Poisson's equation. It is infinite at the centre of a point, a cusp,
    and in a disc without height; a logarithmic potential flatter than 0.707 has negative ones on its axis.
    """
    read, system = _read(potential, units)
    places = vectors(positions, "positions", system, LENGTH)
    _refuse_non_finite(places)
    acceleration, phi, density = _core.external_values(read, np.ascontiguousarray(places),
                                                       number(time, "time", None, system, TIME))
    return {"acceleration": acceleration, "potential": phi, "density": density}


def external_mass(potential: Any, radius: Any, units: str | None = None) -> Any:
    """The mass of external potentials within each radius of their own centre, of the shape of `radius`; of several the
    sum. potential, units: see external()."""
    read, system = _read(potential, units)
    radii = numbers(radius, "radius", system, LENGTH)
    found = _core.external_mass(read, np.ascontiguousarray(radii.ravel())).reshape(radii.shape)
    return found if found.ndim else float(found)
