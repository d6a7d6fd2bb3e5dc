# SPDX-License-Identifier: Apache-2.0
"""Forces and neighbours of arrays, each with one call. Options are those of [gravity] and [device] of the library's
table, by the same names: `hornbeam force --help` and docs/configuration.md tell them, too."""

import numpy as np

from . import _core
from .arrays import numbers, per_particle, vectors
from .checks import number, table, whole
from .errors import UsageError
from .quantities import forces as forces_of_quantities, is_quantity


def _plain(options):
    """NumPy's scalars and arrays as Python's: what is asked of their kind is asked of these."""
    return {name: value.tolist() if isinstance(value, (np.generic, np.ndarray)) else value
            for name, value in options.items()}


def _kind(dtype):
    try:
        found = np.dtype(dtype)
    except (TypeError, ValueError) as error:
        raise UsageError(f"dtype: received {dtype!r} (must be a kind of real numbers as numpy.float32)") from error
    if found.kind != "f":
        raise UsageError(f"dtype: received {found} (must be a kind of real numbers as numpy.float32)")
    return found


def _boundary(box, boundary):
    if box is None:
        return _plain(table(boundary, "boundary") or {})
    if boundary is not None:
        raise UsageError("box: goes with no boundary (give one of them)")
    edges = numbers(box, "box")
    if edges.shape not in ((), (3,)):
        raise UsageError(f"box: received an array of shape {edges.shape} (must be one number or three)")
    return {"kind": "periodic", "size": [float(edge) for edge in np.broadcast_to(edges, 3)],
            "n_ghost_x": 1, "n_ghost_y": 1, "n_ghost_z": 1}


def _eps(eps, n, targets, target_eps):
    """One length as a number, or lengths of all sources and targets."""
    if eps is not None:
        eps = numbers(eps, "eps")
    if target_eps is not None and targets is None:
        raise UsageError("target_eps: there are no targets (give both, or neither)")
    if eps is None and target_eps is None:
        return 0.0, None, None
    if target_eps is None:
        if eps.ndim == 0:
            return float(eps), None, None
        if targets is not None:
            raise UsageError("target_eps: is missing, and sources have lengths of their own (give a number, or one of "
                             "each target: a pair has the root of the mean of both squares)")
        return None, per_particle(eps, "eps", n), None
    of_sources = per_particle(0.0 if eps is None else eps, "eps", n)
    return None, of_sources, per_particle(target_eps, "target_eps", len(targets))


def both(positions, masses, eps=None, *, targets=None, target_eps=None, G=1.0, box=None, boundary=None,
         dtype=np.float64, **options):
    """Accelerations (N, 3) and potentials (N) of particles that pull one another.

    positions   (N, 3); lists and arrays of any layout and kind of real number
    masses      (N), or one number for all; 0 feels and does not pull
    eps         softening length: one number, or (N); none: 0
    targets     (M, 3): where forces are found; none: at the particles, without their own
    target_eps  softening of the targets where eps is (N): one number, or (M)
    G           the gravitational constant in your units
    box         edge of a periodic box about the origin, or three edges: images of the 26 boxes around it pull, too
    boundary    more of that, as a dict of the keys of [boundary]: {"kind": "periodic", "size": [1, 1, 0], ...}
    dtype       of what comes back

    Of positions and masses with units (astropy.units) all lengths are to have some, G is that of nature, and
    accelerations come in (km/s)^2 per unit of length, potentials in (km/s)^2.

    Accelerations are -grad phi, potentials per unit mass, negative and without the self term. The interpreter's lock is
    not held meanwhile.
    """
    if any(is_quantity(value) for value in (positions, masses, eps, targets, target_eps, G, box)):
        return forces_of_quantities(both, positions, masses, eps, targets, target_eps, G, box, boundary,
                                    {"dtype": dtype, **options})
    position = vectors(positions, "positions")
    n = len(position)
    mass = per_particle(masses, "masses", n)
    places = None if targets is None else vectors(targets, "targets")
    length, of_each, of_targets = _eps(eps, n, places, target_eps)
    if length is not None:
        options["eps"] = length
    G, dtype, options = number(G, "G"), _kind(dtype), _plain(options)
    if n == 0 or (places is not None and len(places) == 0):  # the names of options are looked at all the same
        _core.forces(np.zeros((1, 3)), np.zeros(1), None, None, None, G, options, _boundary(box, boundary))
        m = n if places is None else len(places)
        return np.zeros((m, 3), dtype), np.zeros(m, dtype)
    acceleration, potential, _ = _core.forces(position, mass, of_each, places, of_targets, G, options,
                                              _boundary(box, boundary))
    return acceleration.astype(dtype, copy=False), potential.astype(dtype, copy=False)


def accelerations(positions, masses, eps=None, **options):
    return both(positions, masses, eps, **options)[0]


def potentials(positions, masses, eps=None, **options):
    return both(positions, masses, eps, **options)[1]


class Tree:
    """Positions sorted into a tree that is built once and asked many times.

    positions  (N, 3)
    box        edge of a periodic cube [0, box); positions outside of it are taken into it
    options    backend, device, threads

    Every backend gives the same lists, bit for bit. Several threads may ask one tree; they wait for one another.
    """

    def __init__(self, positions, box=0.0, **options):
        self._tree = _core.Neighbours(vectors(positions, "positions"), number(box, "box", 0), _plain(options))

    def __len__(self):
        return self._tree.size()

    def __repr__(self):
        return f"<hornbeam.Tree of {len(self)} positions on {self.backend}>"

    @property
    def backend(self):
        return self._tree.backend

    def within(self, radius):
        """All others within `radius` of each: (offset, index, distance), the neighbours of i being
        index[offset[i]:offset[i + 1]], ascending."""
        return self._tree.within(number(radius, "radius"))

    def nearest(self, k):
        """The k nearest others of each: index and distance of shape (N, k), the nearest first."""
        k = whole(k, "nearest")
        _, index, distance = self._tree.nearest(k)
        return index.reshape(-1, k), distance.reshape(-1, k)

    def count(self, radius):
        """How many others are within `radius` of each: (N)."""
        return self._tree.count(number(radius, "radius"))


def neighbours(positions, radius=None, *, nearest=None, box=0.0, **options):
    """Neighbours of each position, those within a radius or the k nearest, as rows one after the other:
    (offset, index, distance), the neighbours of i being index[offset[i]:offset[i + 1]]. A position is no neighbour of
    itself. Rows are ascending in index within a radius, and in distance for the nearest. box and options: see Tree.
    """
    if (radius is None) == (nearest is None):
        raise UsageError("neighbours: needs one measure of who is near (give radius or nearest)")
    tree = Tree(positions, box, **options)
    if nearest is None:
        return tree.within(radius)
    index, distance = tree.nearest(nearest)
    return np.arange(0, index.size + 1, index.shape[1], dtype=np.uint64), index.ravel(), distance.ravel()


def _with_options(function, summary=None):
    """The docstring with the options, which the table alone knows."""
    lines = [f"    {name}  {help}" for section, name, _, help in _core.option_table()
             if section in ("gravity", "device") and name != "eps"]
    function.__doc__ = (summary or function.__doc__).rstrip() + "\n\n    Options:\n" + "\n".join(lines) + "\n"


_with_options(accelerations, "Accelerations (N, 3) of particles that pull one another; arguments as of both().")
_with_options(potentials, "Potentials (N) of particles that pull one another; arguments as of both().")
_with_options(both)
