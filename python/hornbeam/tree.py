# SPDX-License-Identifier: Apache-2.0
"""A tree of particles that is built once and asked many times, for neighbours and for forces, and neighbours with one
call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, device_arrays, device_trees, neighbour_forms
from .arrays import numbers, per_particle, vectors
from .checks import number, whole
from .errors import UsageError
from .forces import _boundary, _eps, _kind, _plain


class TreeNodes:
    """The C cells of a tree over N particles, level by level: the root first, and the children of a cell side by side.

    centre, edge      (C, 3) and (C): the cubes; a far outlier can lie outside of the cubes that hold it
    low, high         (C, 3): the smallest boxes about the particles
    mass              (C)
    centre_of_mass    (C, 3)
    moment            (C, 3, 3): sum of m d d^T, where d is the distance from the centre of mass
    first, count      (C): the particles of cell c are order[first[c]:first[c] + count[c]]
    child, children   (C): the children of cell c are the cells child[c] to child[c] + children[c] - 1; 0 of a leaf
    order             (N): the particle at each place along the tree's curve
    """

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def __init__(self, **arrays: Any) -> None:
        vars(self).update(arrays)

    def __len__(self) -> int:
        return len(self.mass)

    def __repr__(self) -> str:
        return f"<hornbeam.TreeNodes: {len(self)} cells of {len(self.order)} particles>"


def _edges(box: Any) -> tuple[float, float, float]:
    """Of a box, from one number or three."""
    if np.ndim(box) != 1:
        edge = number(box, "box", 0)
        return edge, edge, edge
    edges = numbers(box, "box")
    if edges.shape != (3,):
        raise UsageError(f"box: received an array of shape {edges.shape} (must be one number or three)")
    x, y, z = (number(edge, "box", 0) for edge in edges)
    return x, y, z


def _demand_one_measure(radius: Any, nearest: Any) -> None:
    if (radius is None) == (nearest is None):
        raise UsageError("neighbours: needs either a radius or a number of neighbours (give radius or nearest)")


class Tree:
    """Particles sorted into a tree that is built once and asked many times.

    positions  (N, 3)
    masses     (N), or one number for all: for forces; none: neighbours alone
    eps        softening length: one number, or (N); none: 0
    box        edge of a periodic cube [0, box), or three edges, 0 along an open axis; positions outside of it are taken
               into it. Forces are those of hb.both() with this box: all images attract, too
    options    backend, device, threads, precision (of forces)

    Every backend gives the same neighbours, bit for bit. Several threads may ask one tree; they wait for one another.

    Arrays on a CUDA device (see hb.both()) are copied there and stay; what is found lies there, too, as arrays of the
    library that positions are of: indices as int32 and offsets as int64, by which these index, and distances and forces
    in the type of positions.
    """

    def __init__(self, positions: Any, masses: Any = None, eps: Any = None, *, box: Any = 0.0, **options: Any) -> None:
        self._box = _edges(box)
        self._options = _plain(options)
        self._neighbours: Any = None
        self._forces: Any = None
        self._eps: float | None = 0.0
        self._there: Any = None  # arrays lie on a device, and so does all that is made of them
        if masses is None and eps is not None:
            raise UsageError("eps: received no masses (give both, or neither)")
        if any(device_arrays.is_on_device(array) for array in (positions, masses, eps)):
            self._there = device_trees.Particles(positions, masses, eps, self._box, self._options)
            self._neighbours, self._forces = self._there.neighbours, self._there.forces
            self._eps = self._there.eps
            return
        self._position = vectors(positions, "positions")
        if masses is None:
            self._search()
            return
        self._position = self._position.copy()  # for later searches: the caller may write to its own
        n = len(self._position)
        mass = per_particle(masses, "masses", n)
        self._eps, of_each, _ = _eps(eps, n, None, None)
        boundary = _boundary(self._box, None) if any(self._box) else {}
        self._forces = _core.Forces(self._position, mass, of_each, boundary, self._options)

    def _search(self) -> Any:
        """The tree of neighbours, made when first requested."""
        if self._neighbours is None and self._there is not None:
            self._neighbours = self._there.search()
        if self._neighbours is None:
            self._neighbours = _core.Neighbours(self._position, self._box, self._options)
        return self._neighbours

    def __len__(self) -> int:
        return len(self._position) if self._there is None else len(self._there)

    def __repr__(self) -> str:
        return f"<hornbeam.Tree of {len(self)} positions on {self.backend}>"

    def __reduce__(self) -> Any:
        raise TypeError("a hornbeam.Tree cannot be pickled or copied (make another one of its positions)")

    @property
    def backend(self) -> str:
        return (self._forces or self._search()).backend

    def _points(self, targets: Any) -> Any:
        """Target points as the search takes them."""
        if targets is None:
            return None
        if isinstance(targets, Tree):
            if (self._there is None) != (targets._there is None):
                raise UsageError("targets: received a tree of arrays in the host's memory together with one on a GPU (make both from "
                                 "arrays on one device)")
            if self._box != targets._box:
                raise UsageError(f"targets: received a tree with box {targets._box} (must be that of the tree, {self._box})")
            return targets._position if self._there is None else targets._search()
        if self._there is None:
            return vectors(targets, "targets")
        self._there.demand_here("targets", targets)
        return targets

    def _reach(self, radius: Any, points: Any) -> dict[str, Any]:
        """The radius of all targets, or the radii of each."""
        if not isinstance(radius, (list, tuple)) and getattr(radius, "ndim", 0) == 0:
            return {"radius": number(radius, "radius"), "radii": None, "targets": points}
        if self._there is not None:
            self._there.demand_here("radius", radius)
            return {"radius": 0.0, "radii": radius, "targets": points}
        radii = per_particle(radius, "radius", len(self if points is None else points))
        return {"radius": 0.0, "radii": radii, "targets": points}

    def within(self, radius: Any, *, targets: Any = None) -> Any:
        """All others within `radius` of each: (offset, index, distance), the neighbours of i being
        index[offset[i]:offset[i + 1]], ascending. radius: one number, or one for each target, 0 or above. targets (M, 3):
        of each of these points, for which a particle at the same position counts; or another Tree: of each of its
        positions. In a periodic box a pair counts once, by its nearest images, however large the radius."""
        points = self._points(targets)
        return self._search().within(**self._reach(radius, points))

    def pairs(self, radius: Any, *, targets: Any = None) -> Any:
        """All pairs within `radius`: (pairs, distance), pairs of shape (M, 2) as int64, in the order of their first and then of
        their second, which is the larger. With targets: pairs of target and particle. radius and targets: see within();
        with a radius for each particle those pairs of which the first reaches the second."""
        return neighbour_forms.pairs(self.within(radius, targets=targets), targets is None)

    def sparse(self, radius: Any, *, targets: Any = None, form: str = "csr") -> Any:
        """The distances within `radius` as a sparse matrix of shape (M, N), a row for each target, in the form "csr" or
        "coo": of scipy.sparse, or on a GPU of CuPy or PyTorch. Distances of 0 are stored. radius and targets: see within()."""
        return neighbour_forms.sparse(self.within(radius, targets=targets), len(self), form)

    def edge_index(self, radius: Any = None, *, nearest: int | None = None, targets: Any = None) -> Any:
        """Neighbours within a radius or the k nearest as edges of a graph: (edge_index, distance), edge_index of shape (2, E)
        as int64 by PyTorch Geometric's convention: edges go from edge_index[0], the neighbours, to edge_index[1], the
        particles or targets whose neighbours they are, in whose order they are."""
        return neighbour_forms.edge_index(self._found(radius, nearest, targets))

    def _found(self, radius: Any, nearest: Any, targets: Any) -> Any:
        """Rows by the one measure that is given."""
        _demand_one_measure(radius, nearest)
        if radius is not None:
            return self.within(radius, targets=targets)
        return self._search().nearest(whole(nearest, "nearest"), self._points(targets))

    def nearest(self, k: int, *, targets: Any = None) -> Any:
        """The k nearest others of each: index and distance of shape (N, k), the nearest first; with targets (M, 3), or another
        Tree, the k nearest particles of each of these points, of shape (M, k)."""
        k = whole(k, "nearest")
        if self._there is not None:
            return self._search().table(k, self._points(targets))
        _, index, distance = self._search().nearest(k, self._points(targets))
        return index.reshape(-1, k), distance.reshape(-1, k)

    def count(self, radius: Any, *, targets: Any = None) -> Any:
        """How many others are within `radius` of each: (N); with targets how many particles of each of these: (M). radius and
        targets: see within()."""
        points = self._points(targets)
        return self._search().count(**self._reach(radius, points))

    def both(self, *, targets: Any = None, target_eps: Any = None, G: float = 1.0, dtype: Any = None,
             **options: Any) -> tuple[Any, Any]:
        """Accelerations and potentials of the particles, or at targets: (M, 3), with target_eps where the tree's eps is
        (N). Options are those of hb.both() but for backend, device, threads and precision, which are the tree's. It is
        built when first asked, and anew where options ask for another tree: all but theta, theta_c, mac, softening and conserve do,
        and so does a change between an accuracy and angles.
        """
        return self._field(targets, target_eps, G, dtype, options, False)

    def _field(self, targets: Any, target_eps: Any, G: Any, dtype: Any, options: dict[str, Any], tides: bool) -> Any:
        """Accelerations and potentials, and tidal tensors if requested."""
        if self._forces is None:
            raise UsageError("forces: the tree has no masses (give Tree(positions, masses, ...))")
        if "eps" in options:
            raise UsageError("eps: is a property of the tree (give Tree(positions, masses, eps))")
        G, options = number(G, "G"), _plain(options)
        if self._eps is not None:
            options["eps"] = self._eps
        if self._there is not None:
            return self._there.field(targets, target_eps, G, dtype, options, tides)
        dtype = _kind(np.float64 if dtype is None else dtype)
        places = None if targets is None else vectors(targets, "targets")
        if target_eps is not None and places is None:
            raise UsageError("target_eps: received no targets (give both, or neither)")
        lengths = None if target_eps is None or places is None else per_particle(target_eps, "target_eps", len(places))
        found = self._forces.evaluate(places, lengths, G, options, tides)
        return tuple(one.astype(dtype, copy=False) for one in found)

    def accelerations(self, **options: Any) -> Any:
        """Accelerations, (N, 3) or at targets; arguments as of both()."""
        return self.both(**options)[0]

    def potentials(self, **options: Any) -> Any:
        """Potentials, (N) or at targets; arguments as of both()."""
        return self.both(**options)[1]

    def tidal_tensors(self, *, targets: Any = None, target_eps: Any = None, G: float = 1.0, dtype: Any = None,
                      **options: Any) -> Any:
        """Tidal tensors -d2 phi / dx_i dx_j = da_i / dx_j, of shape (N, 3, 3) or, at targets, (M, 3, 3). Arguments are
        those of both(). Cells act by their quadrupoles; expansions play no part. On the CPU groups of targets walk the
        tree together, on GPUs each target by itself. Outside of the mass the trace is 0; inside of softened particles it is
        -4 pi G times their density."""
        return self._field(targets, target_eps, G, dtype, options, True)[2]

    def nodes(self, **options: Any) -> TreeNodes:
        """The cells of the tree, as NumPy's arrays, also of arrays on a GPU. Options are those of both() that the tree
        depends on: leaf_size, group_size, curve. The tree is built again if particles have moved by refit()."""
        return TreeNodes(**self._of_tree("nodes", options))

    def keys(self, **options: Any) -> Any:
        """The key of each particle along the tree's curve, (N) as int64, as NumPy's array: 21 bits an axis within the root's
        cube, whose faces take the particles outside of it. nodes().order sorts them. Options are those of nodes();
        curve = "morton" interleaves the bits of the coordinates."""
        return self._of_tree("keys", options)

    def _of_tree(self, name: str, options: dict[str, Any]) -> Any:
        if self._forces is None:
            raise UsageError(f"{name}: the tree has no masses (give Tree(positions, masses, ...))")
        options = _plain(options)
        if self._eps is not None:
            options["eps"] = self._eps
        return getattr(self._forces, name)(options)

    def refit(self, positions: Any) -> None:
        """The same particles have moved: order and cells of the tree stay, its boxes and moments are computed again. Neighbours
        and forces are those of the new positions, as exact as before. They take longer the farther particles have
        moved from their neighbours at the build. Worth it while moves are short compared with distances to neighbours."""
        if self._there is not None:
            self._there.refit(positions)
            return
        moved = vectors(positions, "positions")
        if self._forces is not None:
            self._forces.refit(moved)
        if self._neighbours is not None:
            self._neighbours.refit(moved)
        self._position = moved if self._neighbours is not None else moved.copy()


def neighbours(positions: Any, radius: Any = None, *, nearest: int | None = None, targets: Any = None, box: Any = 0.0,
               **options: Any) -> Any:
    """Neighbours of each position, those within a radius or the k nearest, as rows one after the other:
    (offset, index, distance), the neighbours of i being index[offset[i]:offset[i + 1]]. A position is no neighbour of
    itself. Rows are ascending in index within a radius, and in distance for the nearest. radius: one number, or one for
    each target. targets (M, 3): rows of these points instead, for which a particle at the same position counts. box,
    options and arrays on a GPU: see Tree.
    """
    _demand_one_measure(radius, nearest)
    return Tree(positions, box=box, **options)._found(radius, nearest, targets)


def _tree(positions: Any, masses: Any, eps: Any, box: Any, options: dict[str, Any]) -> Tree:
    """A tree with those of the options that are its own, which it takes out."""
    own = {name: options.pop(name) for name in ("backend", "device", "threads", "precision") if name in options}
    return Tree(positions, masses, eps, box=box, **own)


def tidal_tensors(positions: Any, masses: Any, eps: Any = None, *, targets: Any = None, target_eps: Any = None,
                  G: float = 1.0, box: Any = 0.0, dtype: Any = None, **options: Any) -> Any:
    """Tidal tensors -d2 phi / dx_i dx_j of particles, (N, 3, 3) without their own or at targets: see
    Tree.tidal_tensors(). Options are those of accelerations(); arrays on a GPU stay there."""
    tree = _tree(positions, masses, eps, box, options)
    return tree.tidal_tensors(targets=targets, target_eps=target_eps, G=G, dtype=dtype, **options)


def tree_nodes(positions: Any, masses: Any, eps: Any = None, *, box: Any = 0.0, **options: Any) -> TreeNodes:
    """The cells of a tree over particles: see TreeNodes and Tree.nodes()."""
    return _tree(positions, masses, eps, box, options).nodes(**options)
