# SPDX-License-Identifier: Apache-2.0
"""Spheres that touch, or will: who meets, found by the search that collisions in runs use."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, device_arrays, device_trees
from .arrays import per_particle, vectors
from .checks import number
from .errors import UsageError
from .forces import _plain


class Contacts(NamedTuple):
    """Pairs of spheres, in order of their indices."""

    pairs: NDArray[np.int32]  # (M, 2), the first index of a pair being the lower
    overlap: NDArray[np.float64]  # (M), the sum of both radii less the distance now: negative before they touch
    time: NDArray[np.float64]  # (M), from now until they touch; 0 where they do


def collisions(positions: ArrayLike, radii: ArrayLike, velocities: ArrayLike | None = None, dt: float | None = None, *,
               box: float = 0.0, **options: Any) -> Contacts:
    """Pairs of spheres that touch: (pairs, overlap, time), pairs of shape (M, 2), in the order of their indices.

    positions   (N, 3)
    radii       (N), or one number for all
    velocities  (N, 3): of pairs that touch those alone that approach one another
    dt          with velocities: also those that come to touch within this time, each moving straight on; `time` says when
    box         edge of a periodic cube [0, box); positions outside of it are taken into it. At least four times the
                largest radius, with dt of the largest radius and way (beside the mean motion) of one sphere
    options     backend, device, threads

    Touching is r_ij <= R_i + R_j. Every backend finds the same pairs. Arrays on a CUDA device are searched there, as by
    hb.both(), and what is found lies there, too: pairs as int32.
    """
    if any(device_arrays.is_on_device(array) for array in (positions, radii, velocities)):
        return Contacts(*device_trees.collisions(positions, radii, velocities, dt, number(box, "box", 0), _plain(options)))
    place = vectors(positions, "positions")
    radius = per_particle(radii, "radii", len(place))
    if dt is not None and velocities is None:
        raise UsageError("dt: received no velocities (give both, only velocities, or neither)")
    velocity = None if velocities is None else vectors(velocities, "velocities")
    if velocity is not None and len(velocity) != len(place):
        raise UsageError(f"velocities: received {len(velocity)} for {len(place)} positions (give one each)")
    time = 0.0 if dt is None else number(dt, "dt")
    pairs, overlap, time_of_contact = _core.contacts(place, radius, velocity, time, number(box, "box", 0), _plain(options))
    return Contacts(pairs.reshape(-1, 2), overlap, time_of_contact)
