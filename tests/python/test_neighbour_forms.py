# SPDX-License-Identifier: Apache-2.0
"""Neighbours within radii of their own, in boxes of unequal edges, between two trees, and as pairs, matrices and graphs,
against all pairs by NumPy."""

import importlib.util

import numpy as np
import pytest

import hornbeam as hb
from hornbeam import neighbour_forms

pytestmark = pytest.mark.usefixtures("open_device")

BACKENDS = sorted({device["backend"] for device in hb.info()["devices"]})
EDGES = [(0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (1.0, 0.4, 2.5), (0.0, 0.5, 0.0)]


@pytest.fixture(params=BACKENDS, scope="module")
def backend(request):
    return request.param


def separations(points, particles, edges):
    """Distances of all points and particles, by nearest images: by the operations of the searches, to the bit."""
    way = np.abs(particles[None] - points[:, None])
    edge = np.where(np.array(edges) > 0, edges, np.inf)
    way = np.minimum(way, edge - way) ** 2
    return np.sqrt(way[..., 0] + way[..., 1] + way[..., 2])


def cloud(edges, n, seed):
    """Uniform, and clustered at a face and an edge of the box."""
    random = np.random.default_rng(seed)
    edge = np.where(np.array(edges) > 0, edges, 1.0)
    x = random.uniform(size=(n, 3))
    x[: n // 3] = 0.02 * random.normal(size=(n // 3, 3))
    return np.where(np.array(edges) > 0, x * edge % edge, x)


@pytest.mark.parametrize("edges", EDGES)
def test_radii_of_their_own_in_any_box(edges, backend):
    particles, points = cloud(edges, 400, 1), cloud(edges, 150, 2)
    points[:20] = particles[:20]
    tree = hb.Tree(particles, box=edges, backend=backend)
    random = np.random.default_rng(3)
    for targets, own in ((None, particles), (points, points)):
        distance = separations(own, particles, edges)
        inside = np.ones_like(distance, bool)
        if targets is None:
            np.fill_diagonal(inside, False)
        radii = random.uniform(0, 0.3, len(own)) * (random.random(len(own)) > 0.1)  # some are 0
        radii[0] = 3.0  # beyond half of every box: each particle counts once
        for radius, limit in ((radii, radii[:, None]), (0.11, 0.11), (2.0, 2.0)):
            right = inside & (distance <= limit)
            offset, index, found = tree.within(radius, targets=targets)
            assert (np.diff(offset.astype(int)) == right.sum(1)).all()
            assert (index == np.nonzero(right)[1]).all() and (found == distance[right]).all()
            assert (tree.count(radius, targets=targets) == right.sum(1)).all()
        index, found = tree.nearest(7, targets=targets)
        order = np.argsort(np.where(inside, distance, np.inf), axis=1, kind="stable")[:, :7]
        assert (found == np.take_along_axis(distance, order, 1)).all()
        assert (index == order).all() or (found[index != order] == 0).all()  # squares that are alike may vanish
    assert (hb.neighbours(particles, radii, targets=points, box=edges, backend=backend)[1] ==
            tree.within(radii, targets=points)[1]).all()


def test_between_two_trees(backend):
    first, second = cloud((1, 0.4, 2.5), 300, 4), cloud((1, 0.4, 2.5), 200, 5)
    one, other = (hb.Tree(x, box=(1, 0.4, 2.5), backend=backend) for x in (first, second))
    for found, right in ((one.within(0.1, targets=other), one.within(0.1, targets=second)),
                         (one.nearest(3, targets=other), one.nearest(3, targets=second)),
                         ([one.count(0.1, targets=one)], [one.count(0.1, targets=first)])):
        assert all((a == b).all() for a, b in zip(found, right))
    moved = (second + 0.01) % (1, 0.4, 2.5)
    other.refit(moved)
    assert (one.within(0.1, targets=other)[1] == one.within(0.1, targets=moved)[1]).all()
    with pytest.raises(hb.UsageError, match="targets: received a tree with box"):
        one.within(0.1, targets=hb.Tree(second))


def test_pairs_matrices_and_graphs():
    pytest.importorskip("scipy", reason="scipy is not installed: matrices are not compared")
    particles, points = cloud((0, 0, 0), 200, 6), cloud((0, 0, 0), 50, 7)
    tree = hb.Tree(particles)
    among, apart = separations(particles, particles, (0, 0, 0)), separations(points, particles, (0, 0, 0))
    pairs, distance = tree.pairs(0.1)
    right = np.argwhere(np.triu(among <= 0.1, 1))
    assert pairs.dtype == np.int64 and (pairs == right).all() and (distance == among[tuple(right.T)]).all()
    pairs, distance = tree.pairs(0.1, targets=points)
    right = np.argwhere(apart <= 0.1)
    assert (pairs == right).all() and (distance == apart[tuple(right.T)]).all()
    edges, distance = tree.edge_index(0.1, targets=points)
    assert edges.dtype == np.int64 and (edges == right.T[::-1]).all()  # from particles to targets
    edges, distance = tree.edge_index(nearest=4)
    assert (edges[1] == np.repeat(np.arange(200), 4)).all() and (edges[0] == tree.nearest(4)[0].ravel()).all()
    for form in ("csr", "coo"):
        matrix = tree.sparse(0.1, targets=points, form=form)
        assert matrix.format == form and (matrix.toarray() == np.where(apart <= 0.1, apart, 0)).all()
        assert tree.sparse(0.1, form=form).shape == (200, 200)
    empty = hb.Tree(np.zeros((0, 3)))
    assert empty.pairs(1.0)[0].shape == (0, 2) and empty.edge_index(1.0)[0].shape == (2, 0)
    assert empty.sparse(1.0, targets=points).shape == (50, 0)


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed: its forms are not compared")
def test_forms_of_pytorchs_arrays_are_numpys():
    import torch

    found = hb.Tree(cloud((0, 0, 0), 200, 6)).within(0.1)
    there = [torch.from_numpy(a.astype(kind)) for a, kind in zip(found, (np.int64, np.int32, np.float64))]
    for form in (lambda rows: neighbour_forms.pairs(rows, True), neighbour_forms.edge_index):
        for a, b in zip(form(found), form(there)):
            assert (a == b.numpy()).all() and a.dtype == b.numpy().dtype
    dense = neighbour_forms.sparse(found, 200, "csr").toarray()
    for form in ("csr", "coo"):
        assert (neighbour_forms.sparse(there, 200, form).to_dense().numpy() == dense).all()


@pytest.mark.parametrize("ask, words", [
    (lambda tree: tree.within([0.1, 0.2]), "radius: received an array of shape (2,)"),
    (lambda tree: tree.within(np.full(5, -1.0)), "radius 0 = -1: must be positive"),
    (lambda tree: tree.count(np.array([0.1, np.nan, 0, 0, 0])), "radius 1 = nan"),
    (lambda tree: tree.count(np.ones((5, 1))), "radius: received an array of shape (5, 1)"),
    (lambda tree: hb.Tree(np.zeros((5, 3)), box=(1, 2)), "box: received an array of shape (2,)"),
    (lambda tree: hb.Tree(np.zeros((5, 3)), box=(1, -2, 0)), "box: received"),
    (lambda tree: tree.sparse(0.1, form="csc"), "form: received 'csc' (must be csr or coo)"),
    (lambda tree: tree.edge_index(), "give radius or nearest"),
    (lambda tree: tree.edge_index(0.1, nearest=2), "give radius or nearest"),
])
def test_what_is_refused(ask, words):
    with pytest.raises(hb.UsageError) as error:
        ask(hb.Tree(np.zeros((5, 3))))
    assert words in str(error.value)
