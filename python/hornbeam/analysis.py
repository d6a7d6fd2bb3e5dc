# SPDX-License-Identifier: Apache-2.0
"""Measures of snapshots and simulations, as arrays: those of `hornbeam analyze` (docs/analysis.md, docs/groups.md).

Each takes a Snapshot, a Simulation or a dict of arrays. Profiles are dicts of arrays, one value a shell or ring. eps:
softening of the potential; None: the particles' own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from .arrays import numbers
from .checks import number, text, truth, whole
from .errors import UsageError
from .snapshot import Snapshot


def _core_of(what):
    return Snapshot.from_any(getattr(what, "particles", what))._core


def _bins(bins, edges):
    return whole(bins, "bins", 1, 1_000_000), [] if edges is None else numbers(edges, "edges").ravel().tolist()


def _eps(eps):
    if eps is None:
        return -1.0
    length = numbers(eps, "eps")
    if length.ndim or not 0 <= length < np.inf:
        raise UsageError(f"eps: received {eps!r} (must be a number, 0 or above, or None: the particles' own)")
    return float(length)


def _threads(threads):
    return whole(threads, "threads", 0, 2**31 - 1)


def energy(what: Any, eps: float | None = None, softening: str = "plummer", threads: int = 0) -> Any:
    """Energies with the potential by direct summation in double precision (N <= 100,000), else by a tree at theta 0.3:
    kinetic, potential, thermal, total, momentum, angular_momentum."""
    return _core.energies(_core_of(what), _eps(eps), text(softening, "softening"), _threads(threads))


def virial_ratio(what: Any, eps: float | None = None, softening: str = "plummer", threads: int = 0) -> float:
    """2 K / |W|: 1 in equilibrium."""
    return _core.virial_ratio(energy(what, eps, softening, threads))


def centre_of_density(what: Any) -> NDArray[np.float64]:
    """The densest place, by shrinking spheres: (3)."""
    return np.array(_core.centre_of_density(_core_of(what)))


def lagrangian_radii(what: Any, fractions: ArrayLike = (0.1, 0.5, 0.9)) -> NDArray[np.float64]:
    """Radii about the centre of density that hold these fractions of the mass."""
    return _core.lagrangian_radii(_core_of(what), numbers(fractions, "fractions").ravel().tolist())


def profile(what: Any, bins: int = 32, edges: ArrayLike | None = None) -> dict[str, Any]:
    """radius, density, mass (within) and circular_velocity in spherical shells about the centre of density."""
    return _core.profile(_core_of(what), *_bins(bins, edges))


def anisotropy(what: Any, bins: int = 32, edges: ArrayLike | None = None) -> dict[str, Any]:
    """radius, radial_dispersion, tangential_dispersion and anisotropy (beta) in these shells."""
    return _core.anisotropy(_core_of(what), *_bins(bins, edges))


def disc(what: Any, bins: int = 20, edges: ArrayLike | None = None, eps: float | None = None,
         softening: str = "plummer") -> dict[str, Any]:
    """radius, count, surface_density, scale_height, rotation, radial_, azimuthal_ and vertical_dispersion,
    circular_velocity and toomre_q in rings about the disc's axis."""
    return _core.disc(_core_of(what), _eps(eps), text(softening, "softening"), *_bins(bins, edges))


def bar(what: Any, bins: int = 20, edges: ArrayLike | None = None) -> dict[str, Any]:
    """radius and amplitude of the disc's second harmonic in rings; strength and angle of the bar."""
    return _core.bar(_core_of(what), *_bins(bins, edges))


def groups(what: Any, linking_length: float | None = None, linking_fraction: float | None = None,
           linking_density: float | None = None, min_members: int = 32, unbind: bool = False, eps: float | None = None,
           threads: int = 0, backend: str = "cpu") -> dict[str, NDArray[Any]]:
    """Friends of friends. group: the number of each particle's group, or -1; and of each group, the largest first,
    size, mass, position, velocity, dispersion, half_mass_radius and most_bound (a particle; -1 without unbind)."""
    lengths = [None if one is None else number(one, name) for name, one in
               (("linking_length", linking_length), ("linking_fraction", linking_fraction),
                ("linking_density", linking_density))]
    return _core.groups(_core_of(what), *lengths, whole(min_members, "min_members"), truth(unbind, "unbind"),
                        _eps(eps), _threads(threads), text(backend, "backend"))
