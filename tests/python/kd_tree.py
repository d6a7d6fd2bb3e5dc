# SPDX-License-Identifier: Apache-2.0
"""SciPy's cKDTree and KDTree as thin classes over hb.Tree, for SciPy's own tests of them (test_scipy_suite_long.py). Points of one or
two dimensions are points in space with zeros behind. What a search in space by Euclidean distances has no place for skips
the test that asks, with its reason."""

import operator
import os

import numpy as np
import pytest

import hornbeam as hb


def demand_euclidean(p):
    if p != 2:
        pytest.skip("another Minkowski norm")


def checked(values):
    values = np.asarray(values)
    if np.iscomplexobj(values):
        raise TypeError("complex data")
    values = np.asarray(values, float)
    if not np.isfinite(values).all():
        raise ValueError("must be finite")
    return values


def demand_processors(workers):
    if workers == -1 and os.cpu_count() is None:
        raise NotImplementedError("Cannot determine the number of processors")


class cKDTree:  # noqa: N801, SciPy's name
    def __init__(self, data, leafsize=10, compact_nodes=True, copy_data=False, balanced_tree=True, boxsize=None):
        data = checked(data)
        if data.ndim != 2:
            raise ValueError("data must be of two dimensions")
        self.n, self.m = data.shape
        if self.m > 3:
            pytest.skip("more than three dimensions")
        self.data, self.leafsize, self.boxsize = data, leafsize, boxsize
        self.mins, self.maxes = (data.min(0), data.max(0)) if self.n else (None, None)
        edges = np.zeros(3)
        edges[:self.m] = 0 if boxsize is None else boxsize
        wrapped = edges[:self.m] > 0
        if (data[:, wrapped] < 0).any() or (data >= edges[:self.m])[:, wrapped].any():
            raise ValueError("data must be in the box")
        self.tree_in_space = hb.Tree(self._in_space(data), box=edges)

    def __reduce__(self):
        return type(self), (self.data, self.leafsize, True, False, True, self.boxsize)

    def __getattr__(self, name):
        if name in ("size", "tree", "indices", "_build_weights"):
            pytest.skip("the nodes of a k-d tree")
        raise AttributeError(name)

    def _in_space(self, points):
        return np.pad(points, ((0, 0), (0, 3 - self.m)))

    def _targets(self, x):
        """Points in space, and the shape that results have."""
        x = checked(x)
        if x.shape[-1:] != (self.m,):
            raise ValueError(f"points must be of {self.m} dimensions")
        return self._in_space(x.reshape(-1, self.m)), x.shape[:-1]

    def query(self, x, k=1, eps=0, p=2, distance_upper_bound=np.inf, workers=1):
        demand_euclidean(p)
        demand_processors(workers)
        if k is None:
            raise ValueError("k must be an integer or a sequence of integers")
        points, shape = self._targets(x)
        wanted = np.arange(1, k + 1) if np.ndim(k) == 0 else np.asarray(k)
        most = min(int(wanted.max()), self.n)
        distance = np.full((len(points), int(wanted.max())), np.inf)
        index = np.full(distance.shape, self.n, np.intp)
        if most > 0:
            index[:, :most], distance[:, :most] = self.tree_in_space.nearest(most, targets=points)
        beyond = ~(distance < distance_upper_bound)
        distance[beyond], index[beyond] = np.inf, self.n
        distance, index = distance[:, wanted - 1], index[:, wanted - 1]
        if np.ndim(k) == 0 and operator.index(k) == 1:
            distance, index = distance.reshape(shape), index.reshape(shape)
            return (float(distance), int(index)) if shape == () else (distance, index)
        return distance.reshape(*shape, len(wanted)), index.reshape(*shape, len(wanted))

    def query_ball_point(self, x, r, p=2.0, eps=0, workers=1, return_sorted=None, return_length=False):
        demand_euclidean(p)
        demand_processors(workers)
        points, shape = self._targets(x)
        radii = np.broadcast_to(np.asarray(r, float) * (1 + eps), shape).reshape(-1)
        if return_length:
            counts = self.tree_in_space.count(radii, targets=points).astype(np.intp).reshape(shape)
            return int(counts) if shape == () else counts
        offset, index, _ = self.tree_in_space.within(radii, targets=points)
        rows = np.empty(len(points), dtype=object)
        for i in range(len(points)):
            rows[i] = index[offset[i]:offset[i + 1]].tolist()
        return rows[0] if shape == () else rows.reshape(shape)

    def query_ball_tree(self, other, r, p=2.0, eps=0):
        demand_euclidean(p)
        offset, index, _ = other.tree_in_space.within(r * (1 + eps), targets=self.tree_in_space)
        return [index[offset[i]:offset[i + 1]].tolist() for i in range(self.n)]

    def query_pairs(self, r, p=2.0, eps=0, output_type="set"):
        demand_euclidean(p)
        pairs, _ = self.tree_in_space.pairs(r * (1 + eps))
        return pairs if output_type == "ndarray" else set(map(tuple, pairs.tolist()))

    def count_neighbors(self, other, r, p=2.0, weights=None, cumulative=True):
        demand_euclidean(p)
        radii = np.atleast_1d(np.asarray(r, float))
        if not cumulative and (np.diff(radii) < 0).any():
            raise ValueError("r must be non-decreasing")
        ours, theirs = weights if isinstance(weights, tuple) else (weights, weights)
        if weights is None:
            found = [other.tree_in_space.count(np.full(self.n, one), targets=self.tree_in_space).sum() for one in radii]
        else:
            ours = np.ones(self.n) if ours is None else np.asarray(ours, float)
            theirs = np.ones(other.n) if theirs is None else np.asarray(theirs, float)
            if len(ours) != self.n or len(theirs) != other.n:
                raise ValueError("one weight a point")
            pairs, distance = other.tree_in_space.pairs(np.full(self.n, max(radii, default=0.0)), targets=self.tree_in_space)
            product = ours[pairs[:, 0]] * theirs[pairs[:, 1]]
            found = [product[distance <= one].sum() for one in radii]
        found = np.array(found, dtype=np.intp if weights is None else float)
        found = found if cumulative else np.diff(found, prepend=0)
        return found if np.ndim(r) else found[0]

    def sparse_distance_matrix(self, other, max_distance, p=2.0, output_type="dok_matrix"):
        demand_euclidean(p)
        matrix = other.tree_in_space.sparse(max_distance, targets=self.tree_in_space, form="coo")
        if output_type == "dict":
            return {(int(i), int(j)): v for i, j, v in zip(matrix.row, matrix.col, matrix.data)}
        if output_type == "ndarray":
            kind = np.dtype([("i", np.intp), ("j", np.intp), ("v", np.float64)], align=True)
            return np.array(list(zip(matrix.row, matrix.col, matrix.data)), dtype=kind)
        return matrix.todok() if output_type == "dok_matrix" else matrix


class NoNodes(type):
    def __getattr__(cls, name):
        if name in ("node", "innernode", "leafnode"):
            pytest.skip("the nodes of a k-d tree")
        raise AttributeError(name)


class KDTree(cKDTree, metaclass=NoNodes):
    def query(self, x, k=1, *given, **named):
        distance, index = super().query(x, k, *given, **named)
        return distance, (np.intp(index) if np.ndim(index) == 0 else index)
