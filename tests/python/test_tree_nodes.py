# SPDX-License-Identifier: Apache-2.0
"""The cells of a tree: a partition of the particles into cubes, with masses and moments of direct sums."""

import numpy as np
import pytest

import hornbeam as hb
from backends import BACKENDS
from hornbeam import device_trees

pytestmark = pytest.mark.usefixtures("open_device")


@pytest.fixture(scope="module")
def clumps():
    random = np.random.default_rng(8)
    position = np.concatenate([random.normal(size=(1500, 3)), 5 + 0.01 * random.normal(size=(1500, 3))])
    return position, random.uniform(0.5, 1.5, len(position)) * 1e3


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("options", [{}, {"leaf_size": 8}, {"curve": "morton", "leaf_size": 32}])
def test_cells_partition_the_particles(clumps, backend, options):
    position, mass = clumps
    nodes = hb.tree_nodes(position, mass, 0.01, backend=backend, **options)
    assert repr(nodes) == f"<hornbeam.TreeNodes: {len(nodes)} cells of 3000 particles>"
    assert sorted(nodes.order) == list(range(3000))
    assert nodes.first[0] == 0 and nodes.count[0] == 3000
    inner = nodes.children > 0
    parent = np.full(len(nodes), -1)
    for cell in np.flatnonzero(inner):
        children = np.arange(nodes.child[cell], nodes.child[cell] + nodes.children[cell])
        assert (parent[children] == -1).all()
        parent[children] = cell
        assert nodes.first[children[0]] == nodes.first[cell]
        assert nodes.count[children].sum() == nodes.count[cell]
        assert (np.diff(nodes.first[children]) == nodes.count[children][:-1]).all()
    assert (parent[1:] >= 0).all() and parent[0] == -1
    assert np.array_equal(nodes.edge[1:] * 2, nodes.edge[parent[1:]])
    # the cube of a child is one of the eighths of its parent's
    away = np.abs(nodes.centre[1:] - nodes.centre[parent[1:]]) / nodes.edge[1:, None]
    assert np.allclose(away, 0.5, atol=1e-9)
    assert nodes.count[~inner].max() <= options.get("leaf_size", 64)


@pytest.mark.parametrize("precision, tolerance", [("mixed", 3e-6), ("double", 1e-12)])
def test_masses_and_moments_are_sums(clumps, precision, tolerance):
    """The tolerance is rounding: fp32 of moments, relative to those about the middle of the box."""
    position, mass = clumps
    nodes = hb.tree_nodes(position, mass, precision=precision, leaf_size=16)
    for cell in range(len(nodes)):
        own = nodes.order[nodes.first[cell]:nodes.first[cell] + nodes.count[cell]]
        x, m = position[own], mass[own]
        assert np.isclose(nodes.mass[cell], m.sum(), rtol=tolerance)
        assert np.array_equal(nodes.low[cell], x.min(axis=0)) and np.array_equal(nodes.high[cell], x.max(axis=0))
        middle = (x * m[:, None]).sum(axis=0) / m.sum()
        size = np.linalg.norm(nodes.high[cell] - nodes.low[cell])
        assert np.allclose(nodes.centre_of_mass[cell], middle, atol=tolerance * (size + 1e-9))
        away = x - middle
        expected = np.einsum("i,ij,ik->jk", m, away, away)
        assert np.allclose(nodes.moment[cell], expected, atol=tolerance * m.sum() * (size**2 + 1e-16))


def test_a_tree_that_has_moved_is_built_again(clumps):
    position, mass = clumps
    tree = hb.Tree(position, mass, 0.01)
    tree.accelerations()
    tree.refit(position[::-1].copy())
    moved, fresh = tree.nodes(), hb.tree_nodes(position[::-1].copy(), mass, 0.01)
    assert np.array_equal(moved.order, fresh.order) and np.array_equal(moved.centre, fresh.centre)


def test_few_particles_and_errors():
    assert len(hb.tree_nodes(np.zeros((0, 3)), [])) == 0
    one = hb.tree_nodes([[1.0, 2, 3]], [4.0])
    assert len(one) == 1 and one.mass[0] == 4 and np.array_equal(one.centre_of_mass[0], [1, 2, 3]) and not one.moment.any()
    same = hb.tree_nodes(np.ones((100, 3)), 1.0)
    assert same.mass[0] == 100 and not same.moment.any()
    with pytest.raises(hb.UsageError, match="^walk = direct: has no tree"):
        hb.tree_nodes([[1.0, 2, 3]], [4.0], walk="direct")
    with pytest.raises(hb.UsageError, match="^order = 0: cells have no second moments"):
        hb.tree_nodes([[1.0, 2, 3]], [4.0], order=0)
    with pytest.raises(hb.UsageError, match="^nodes: the tree has no masses"):
        hb.Tree([[1.0, 2, 3]]).nodes()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("curve", ["hilbert", "morton"])
def test_keys_sort_the_particles(clumps, backend, curve):
    position, mass = clumps
    tree = hb.Tree(position, mass, 0.01, backend=backend)
    keys, nodes = tree.keys(curve=curve), tree.nodes(curve=curve, leaf_size=8)
    assert keys.shape == (3000,) and keys.dtype == np.int64 and (keys >= 0).all()
    assert (np.diff(keys[nodes.order]) >= 0).all()
    # those of a cell of edge 2^-k of the root's share their upper 3 k bits
    level = np.round(np.log2(nodes.edge[0] / nodes.edge)).astype(int)
    for cell in range(len(nodes)):
        own = keys[nodes.order[nodes.first[cell]:nodes.first[cell] + nodes.count[cell]]] >> (63 - 3 * level[cell])
        assert (own == own[0]).all()
    assert np.array_equal(keys, hb.Tree(position, mass, 0.01).keys(curve=curve))


def test_morton_keys_interleave_coordinates(clumps):
    position, mass = clumps
    tree = hb.Tree(position, mass, precision="double")
    keys, nodes = tree.keys(curve="morton"), tree.nodes(curve="morton")
    low = nodes.centre[0] - nodes.edge[0] / 2
    grid = np.clip((position - low) / nodes.edge[0] * 2**21, 0, 2**21 - 1).astype(np.int64)
    expected = np.zeros(3000, np.int64)
    for bit in range(21):
        for axis in range(3):
            expected |= (grid[:, axis] >> bit & 1) << (3 * bit + 2 - axis)
    assert (keys != expected).mean() < 1e-3  # at faces of the grid rounding decides


def test_cells_and_keys_of_arrays_on_a_device(clumps):
    """By the way of arrays on a GPU, on the CPU."""
    position, mass = clumps
    there = device_trees.Particles(position, mass, 0.01, (0.0, 0.0, 0.0), {}, device=("cpu", 0))
    here = hb.Tree(position, mass, 0.01, backend="cpu")
    assert np.array_equal(there.forces.keys({"eps": 0.01}), here.keys())
    found, expected = there.forces.nodes({"eps": 0.01}), here.nodes()
    for name, value in found.items():
        assert np.array_equal(value, getattr(expected, name))


def test_errors_of_keys():
    with pytest.raises(hb.UsageError, match="^curve = none: "):
        hb.Tree([[1.0, 2, 3]], [4.0]).keys(curve="none", walk="stackless")
    with pytest.raises(hb.UsageError, match="^keys: the tree has no masses"):
        hb.Tree([[1.0, 2, 3]]).keys()
    assert hb.Tree(np.zeros((0, 3)), []).keys().shape == (0,)
