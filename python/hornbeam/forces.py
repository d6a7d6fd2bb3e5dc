# SPDX-License-Identifier: Apache-2.0
"""Forces of arrays, each with one call: accelerations(), potentials() and both(). Options are those of [gravity] and
[device] of the library's table, by the same names: `hornbeam force --help` and docs/configuration.md list them, too.

External potentials by themselves: external() and external_mass(). Forces for Simulation.add_force(): Drag and
DynamicalFriction."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core, device_arrays
from .arrays import numbers, per_particle, vectors
from .carried_units import carries_unit, refused_unit
from .checks import number, table
from .errors import UsageError, warn_of
from .external import external, external_mass
from .own_forces import Drag, DynamicalFriction
from .quantities import forces as forces_of_quantities

__all__ = ["DynamicalFriction", "Drag", "accelerations", "both", "external", "external_mass", "potentials"]


def _plain(options):
    """NumPy's scalars and arrays as Python's, whose type is checked."""
    for name, value in options.items():
        if carries_unit(value):
            raise refused_unit(value, name)
    return {name: value.tolist() if isinstance(value, (np.generic, np.ndarray)) else value
            for name, value in options.items()}


def _kind(dtype):
    try:
        found = np.dtype(dtype)
    except (TypeError, ValueError) as error:
        raise UsageError(f"dtype: received {dtype!r} (must be a type of real numbers such as numpy.float32)") from error
    if found.kind != "f":
        raise UsageError(f"dtype: received {found} (must be a type of real numbers such as numpy.float32)")
    return found


def _boundary(box, boundary):
    if box is None:
        return _plain(table(boundary, "boundary") or {})
    if boundary is not None:
        raise UsageError("box: received both box and boundary (give one of them)")
    edges = numbers(box, "box")
    if edges.shape not in ((), (3,)):
        raise UsageError(f"box: received an array of shape {edges.shape} (must be one number or three)")
    return {"kind": "periodic", "size": [float(edge) for edge in np.broadcast_to(edges, 3)]}


def _eps(eps, n, targets, target_eps):
    """One length as a number, or lengths of all sources and targets."""
    if eps is not None:
        eps = numbers(eps, "eps")
    if target_eps is not None and targets is None:
        raise UsageError("target_eps: received no targets (give both, or neither)")
    if eps is None and target_eps is None:
        return 0.0, None, None
    if target_eps is None:
        if eps.ndim == 0:
            return float(eps), None, None
        if targets is not None:
            raise UsageError("target_eps: is missing, and the sources have different softenings (give a number, or one of "
                             "each target; a pair has the root mean square of both)")
        return None, per_particle(eps, "eps", n), None
    of_sources = per_particle(0.0 if eps is None else eps, "eps", n)
    return None, of_sources, per_particle(target_eps, "target_eps", len(targets))


def both(positions: Any, masses: Any, eps: Any = None, *, targets: Any = None, target_eps: Any = None,
         G: Any = None, box: ArrayLike | None = None, boundary: dict[str, Any] | None = None,
         dtype: Any = None, **options: Any) -> tuple[Any, Any]:
    """Accelerations (N, 3) and potentials (N) of particles that attract one another.

    positions   (N, 3); lists and arrays of any layout and kind of real number; or arrays on a CUDA device, see below
    masses      (N), or one number for all; 0 feels gravity and attracts nothing
    eps         softening length: one number, or (N); none: 0
    targets     (M, 3): where forces are found; none: at the particles, without their own
    target_eps  softening of the targets where eps is (N): one number, or (M)
    G           the gravitational constant in your units; none: 1
    box         edge of a periodic box about the origin, or three edges, 0 along an open axis: all images attract, too
                (an infinite lattice, whose mean density is taken out of a box with three periods)
    boundary    more of that, as a dict of the keys of [boundary]: {"kind": "periodic", "size": [1, 1, 0], ...}
    dtype       of what comes back; none: float64, on a GPU that of positions

    Of positions and masses with units (astropy.units) all lengths are to have some, G is that of nature, and
    accelerations come in (km/s)^2 per unit of length, potentials in (km/s)^2.

    Accelerations are -grad phi, potentials per unit mass, negative and without the self term. The interpreter's lock is
    not held meanwhile.

    Arrays on a CUDA device (PyTorch, CuPy, JAX, all that has __dlpack__ or __cuda_array_interface__) are read there, in
    the order of their library's stream, and what comes back lies there, too, as arrays of that library. All must be on
    one device, which is the one that works; numbers for all may be Python's.
    """
    if any(carries_unit(value) for value in (positions, masses, eps, targets, target_eps, G, box)):
        return forces_of_quantities(both, positions, masses, eps, targets, target_eps, G, box, boundary,
                                    {"dtype": dtype, **options})
    G, options = number(1.0 if G is None else G, "G"), _plain(options)
    if any(device_arrays.is_on_device(array) for array in (positions, masses, eps, targets, target_eps)):
        return device_arrays.both(positions, masses, eps, targets, target_eps, G, _boundary(box, boundary), dtype, options)
    dtype = _kind(np.float64 if dtype is None else dtype)
    position = vectors(positions, "positions")
    n = len(position)
    mass = per_particle(masses, "masses", n)
    places = None if targets is None else vectors(targets, "targets")
    length, of_each, of_targets = _eps(eps, n, places, target_eps)
    if length is not None:
        options["eps"] = length
    if n == 0 or (places is not None and len(places) == 0):  # the names of options are looked at all the same
        _core.forces(np.zeros((1, 3)), np.zeros(1), None, None, None, G, options, _boundary(box, boundary))
        m = n if places is None else len(places)
        return np.zeros((m, 3), dtype), np.zeros(m, dtype)
    acceleration, potential, notes = _core.forces(position, mass, of_each, places, of_targets, G, options,
                                                  _boundary(box, boundary))
    warn_of(notes)
    return acceleration.astype(dtype, copy=False), potential.astype(dtype, copy=False)


def accelerations(positions: Any, masses: Any, eps: Any = None, **options: Any) -> Any:
    return both(positions, masses, eps, **options)[0]


def potentials(positions: Any, masses: Any, eps: Any = None, **options: Any) -> Any:
    return both(positions, masses, eps, **options)[1]


def _with_options(function, summary=None):
    """The docstring with the options, which the table alone knows."""
    lines = [f"    {name}  {kind}: {help}" for section, name, kind, help in _core.option_table()
             if section in ("gravity", "device") and name != "eps"]
    function.__doc__ = (summary or function.__doc__).rstrip() + "\n\n    Options:\n" + "\n".join(lines) + "\n"


_with_options(accelerations, "Accelerations (N, 3) of particles that attract one another; arguments as of both().")
_with_options(potentials, "Potentials (N) of particles that attract one another; arguments as of both().")
_with_options(both)
