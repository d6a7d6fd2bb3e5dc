# SPDX-License-Identifier: Apache-2.0
"""Forces of your own in a simulation: what Simulation.add_force() takes, and two that are ready."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import numbers
from .checks import number
from .errors import UsageError

_erf = np.frompyfunc(math.erf, 1, 1)


def _takes_ids(function):
    try:
        return "ids" in inspect.signature(function).parameters
    except (TypeError, ValueError):  # of a function that does not say
        return False


def named(function: Any) -> str:
    """How messages and checkpoints call it."""
    return getattr(function, "__name__", type(function).__name__)


def adapted(function: Any, what: str, arguments: int, shape: tuple[int, ...]) -> Any:
    """A function of (time, positions, velocities, ids) that gives what `function` gives as the library takes it: for each
    particle one value of `shape`. arguments: how many of the first three it takes."""
    with_ids = _takes_ids(function)

    def call(time, positions, velocities, ids):
        given = (time, positions, velocities)[:arguments]
        found = function(*given, ids=ids) if with_ids else function(*given)
        name = f"add_force: {what} of {named(function)}"
        values = numbers(found, name)
        wanted = (len(positions), *shape)
        if values.shape != wanted and not (what == "step" and values.ndim == 0):
            raise UsageError(f"{name}: returned an array of shape {values.shape} (must be {wanted})")
        return np.array(np.broadcast_to(values, wanted), dtype=np.float64, order="C")

    return call


def _medium(velocity, positions):
    return np.asarray(velocity(positions) if callable(velocity) else velocity, dtype=np.float64)


class Drag:
    """Drag in a medium, for Simulation.add_force().

    time      linear drag: the acceleration is -(v - u) / time
    length    quadratic drag: it is -|v - u| (v - u) / length; give one of the two
    velocity  u, of the medium: three numbers, or a function of positions (n, 3) that returns velocities (n, 3)

    As `step` of add_force, `.step` keeps steps below a tenth of the time in which drag stops a particle.
    """

    def __init__(self, time: float | None = None, length: float | None = None,
                 velocity: ArrayLike | Callable[[Any], Any] = (0.0, 0.0, 0.0)) -> None:
        if (time is None) == (length is None):
            raise UsageError("Drag: takes either time (linear drag) or length (quadratic drag)")
        self.time = None if time is None else number(time, "time")
        self.length = None if length is None else number(length, "length")
        if not (self.time or self.length or 0) > 0:
            raise UsageError(f"Drag: received {time if length is None else length!r} (must be above 0)")
        self.velocity = velocity

    def _rate(self, relative):
        if self.time is not None:
            return np.full(len(relative), 1 / self.time)
        return np.linalg.norm(relative, axis=1) / self.length

    def __call__(self, time: float, positions: NDArray[Any], velocities: NDArray[Any]) -> NDArray[Any]:
        relative = velocities - _medium(self.velocity, positions)
        return -self._rate(relative)[:, None] * relative

    def step(self, time: float, positions: NDArray[Any], velocities: NDArray[Any]) -> NDArray[Any]:
        """A tenth of the time in which each particle is stopped."""
        rate = self._rate(velocities - _medium(self.velocity, positions))
        with np.errstate(divide="ignore"):
            return 0.1 / rate


class DynamicalFriction:
    """Chandrasekhar's dynamical friction on some particles (Binney & Tremaine 2008, eq. 8.13), for
    Simulation.add_force(): they move through matter that the simulation does not have as particles.

    ids         of the particles that are slowed down
    mass        of each of them, or one for all
    density     of the matter: a number, or a function of the distances from `centre`
    sigma       its velocity dispersion in one dimension, in the same way
    coulomb     the Coulomb logarithm ln(Lambda)
    centre      of the matter, at rest
    G           the gravitational constant in the simulation's units
    """

    def __init__(self, ids: ArrayLike, mass: ArrayLike, density: float | Callable[[Any], Any],
                 sigma: float | Callable[[Any], Any], coulomb: float, centre: ArrayLike = (0.0, 0.0, 0.0),
                 G: float = 1.0) -> None:
        self.ids = np.atleast_1d(np.asarray(ids, dtype=np.int64))
        order = np.argsort(self.ids)
        self.ids = self.ids[order]
        self.mass = np.broadcast_to(np.asarray(mass, dtype=np.float64), self.ids.shape)[order]
        self.density, self.sigma = density, sigma
        self.coulomb, self.G = number(coulomb, "coulomb"), number(G, "G")
        self.centre = np.asarray(centre, dtype=np.float64)

    def __call__(self, time: float, positions: NDArray[Any], velocities: NDArray[Any],
                 ids: NDArray[Any] | None = None) -> NDArray[Any]:
        found = np.zeros_like(positions)
        asked = np.arange(len(positions)) if ids is None else ids
        rows = np.nonzero(np.isin(asked, self.ids))[0]
        if len(rows) == 0:
            return found
        mass = self.mass[np.searchsorted(self.ids, asked[rows])]
        r = np.linalg.norm(positions[rows] - self.centre, axis=1)
        density = self.density(r) if callable(self.density) else self.density
        sigma = np.broadcast_to(self.sigma(r) if callable(self.sigma) else self.sigma, r.shape)
        x = np.linalg.norm(velocities[rows], axis=1) / (math.sqrt(2) * sigma)
        safe = np.maximum(x, 1e-30)
        exact = _erf(x).astype(np.float64) - 2 * x / math.sqrt(math.pi) * np.exp(-x * x)
        # (erf X - 2 X exp(-X^2) / sqrt(pi)) / X^3, which for slow particles is a difference of equal numbers
        share = np.where(x < 0.02, 4 / (3 * math.sqrt(math.pi)) * (1 - 0.6 * x * x), exact / safe**3)
        rate = 4 * math.pi * self.G**2 * mass * density * self.coulomb * share / (math.sqrt(2) * sigma) ** 3
        found[rows] = -rate[:, None] * velocities[rows]
        return found
