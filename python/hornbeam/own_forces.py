# SPDX-License-Identifier: Apache-2.0
"""Forces of your own in a simulation: what Simulation.add_force() takes, and two that are ready."""

from __future__ import annotations

import copy
import inspect
import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import any_array, numbers, per_particle, whole_numbers
from .checks import function as a_function, number
from .errors import UsageError, warn_of

_erf = np.frompyfunc(math.erf, 1, 1)


def _takes_ids(function):
    try:
        return "ids" in inspect.signature(function).parameters
    except (TypeError, ValueError):  # of a function that does not say
        return False


def named(function: Any) -> str:
    """How messages and checkpoints call it."""
    return getattr(function, "__name__", type(function).__name__)


def bound(simulation: Any, force: Any, potential: Any, step: Any) -> tuple[Any, Any, Any]:
    """The functions of add_force() as `simulation` calls them: what for_simulation() of a force returns replaces it, and
    methods of the force among the others become those of the replacement."""
    a_function(potential, "potential")
    a_function(step, "step")
    if not callable(force):
        raise UsageError(f"add_force: received {force!r} (must be a function of time, positions and velocities)")
    if isinstance(force, type) or not hasattr(force, "for_simulation"):
        return force, potential, step
    there = force.for_simulation(simulation)
    if not callable(there):
        raise UsageError(f"add_force: for_simulation of {named(force)} returned {there!r} (must be a function of time, "
                         "positions and velocities)")
    others = (getattr(there, one.__name__) if getattr(one, "__self__", None) is force else one for one in (potential, step))
    return there, *others


def names_in(record: str) -> list[str]:
    """Of the forces that a simulation's record has."""
    return [force["name"] for force in json.loads(record).get("own_forces", [])] if "own_forces" in record else []


def _name_before(simulation):
    """Of the force of the checkpoint that is to be added next; None: there is none."""
    names, index = simulation._forces_before, len(simulation._forces)
    return names[index] if index < len(names) else None


def notes_of_another(simulation: Any, force: Any) -> list[str]:
    """A warning if the checkpoint has a force of another name in the place of the one that is added."""
    before = _name_before(simulation)
    if before in (None, named(force)):
        return []
    return [f"WARNING: add_force: received the force {named(force)}, and the checkpoint has {before} in its place (add the "
            "forces of the checkpoint, in its order)"]


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


def constant_of(force: Any) -> float:
    """Its gravitational constant, which is given, or that of the simulation to which it was added. 1 if it is called by
    itself."""
    return 1.0 if force.G is None else float(force.G)


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


def _refuse(values, name, is_wrong):
    """Refuses the first of the values for which it is true."""
    if np.any(is_wrong):
        raise UsageError(f"{name}: received {np.extract(is_wrong, values)[0]:g} (must be finite and "
                         f"{'above 0' if name == 'sigma' else '0 or above'})")


def _at(profile, r, name):
    """Values at distances r of a number or a function of them, which must make sense."""
    values = np.broadcast_to(numbers(profile(r), name) if callable(profile) else profile, r.shape)
    _refuse(values, name, ~np.isfinite(values) | (values <= 0 if name == "sigma" else values < 0))
    return values


class DynamicalFriction:
    """Chandrasekhar's dynamical friction on some particles (Binney & Tremaine 2008, eq. 8.13), for
    Simulation.add_force(): they move through matter that the simulation does not have as particles.

    ids         of the particles that are slowed down, each once
    mass        of each of them, or one for all
    density     of the matter: a number, or a function of the distances from `centre`
    sigma       its velocity dispersion in one dimension, in the same way
    coulomb     the Coulomb logarithm ln(Lambda)
    centre      of the matter, at rest
    G           the gravitational constant. None: that of the simulation to which add_force() adds the friction, and 1
                where it is called by itself
    """

    def __init__(self, ids: ArrayLike, mass: ArrayLike, density: float | Callable[[Any], Any],
                 sigma: float | Callable[[Any], Any], coulomb: float, centre: ArrayLike = (0.0, 0.0, 0.0),
                 G: float | None = None) -> None:
        ids = np.atleast_1d(any_array(ids, "ids"))
        self.ids, order = np.unique(whole_numbers(ids, "ids", ids.size, np.uint64, 2**64 - 1), return_index=True)
        if len(order) < ids.size:
            raise UsageError(f"ids: received {ids.size} ids of {len(order)} particles (give each once)")
        self.mass = per_particle(mass, "mass", len(order))[order]
        _refuse(self.mass, "mass", ~((self.mass >= 0) & np.isfinite(self.mass)))
        self.density, self.sigma = (one if callable(one) else number(one, name) for one, name in
                                    ((density, "density"), (sigma, "sigma")))
        for profile, name in ((self.density, "density"), (self.sigma, "sigma")):
            if not callable(profile):
                _at(profile, np.zeros(1), name)
        self.coulomb, self.G = number(coulomb, "coulomb", 0), None if G is None else number(G, "G", 0)
        self.centre = numbers(centre, "centre")
        if self.centre.shape != (3,) or not np.isfinite(self.centre).all():
            raise UsageError(f"centre: received {centre!r} (must be three finite numbers)")

    def for_simulation(self, simulation: Any) -> DynamicalFriction:
        """The same friction with the simulation's G, unless one was given. add_force() calls this. It refuses ids that the
        simulation does not have. A resumed simulation may have lost particles, which is a warning."""
        missing = self.ids[~np.isin(self.ids, simulation.id)].tolist()
        if missing:
            said = f"ids: received {', '.join(map(str, missing[:5]))}{', ...' if missing[5:] else ''}"
            if _name_before(simulation) is None:
                raise UsageError(f"{said} (must be ids of particles of the simulation)")
            warn_of([f"WARNING: {said}, and the resumed simulation has no such particle"])
        found = copy.copy(self)
        found.G = simulation.G if self.G is None else self.G
        return found

    def __call__(self, time: float, positions: NDArray[Any], velocities: NDArray[Any],
                 ids: NDArray[Any] | None = None) -> NDArray[Any]:
        found = np.zeros_like(positions)
        G, asked = constant_of(self), np.asarray(np.arange(len(positions)) if ids is None else ids, dtype=np.uint64)
        rows = np.nonzero(np.isin(asked, self.ids))[0]
        if len(rows) == 0:
            return found
        mass = self.mass[np.searchsorted(self.ids, asked[rows])]
        r = np.linalg.norm(positions[rows] - self.centre, axis=1)
        density, sigma = _at(self.density, r, "density"), _at(self.sigma, r, "sigma")
        x = np.linalg.norm(velocities[rows], axis=1) / (math.sqrt(2) * sigma)
        safe = np.maximum(x, 1e-30)
        exact = _erf(x).astype(np.float64) - 2 * x / math.sqrt(math.pi) * np.exp(-x * x)
        # (erf X - 2 X exp(-X^2) / sqrt(pi)) / X^3, which for slow particles is a difference of equal numbers
        share = np.where(x < 0.02, 4 / (3 * math.sqrt(math.pi)) * (1 - 0.6 * x * x), exact / safe**3)
        rate = 4 * math.pi * G**2 * mass * density * self.coulomb * share / (math.sqrt(2) * sigma) ** 3
        found[rows] = -rate[:, None] * velocities[rows]
        return found
