# SPDX-License-Identifier: Apache-2.0
"""Tidal tensors of particles: against direct sums in fp64, closed forms, and derivatives of accelerations."""

import math

import numpy as np
import pytest

import hornbeam as hb
from backends import BACKENDS
from hornbeam import device_trees

pytestmark = pytest.mark.usefixtures("open_device")


@pytest.fixture(scope="module")
def plummer():
    random = np.random.default_rng(11)
    radius = 1 / np.sqrt(random.uniform(0.01, 0.99, 1500) ** (-2 / 3) - 1)
    way = random.normal(size=(1500, 3))
    return radius[:, None] * way / np.linalg.norm(way, axis=1)[:, None], random.uniform(0.5, 1.5, 1500) / 1500


def direct(position, mass, points, eps2, own=None):
    """Sum of m (3 d d^T / R^5 - 1 / R^3) over all particles."""
    found = np.zeros((len(points), 3, 3))
    for i, point in enumerate(points):
        d = position - point
        r = np.sqrt((d**2).sum(axis=1) + eps2)
        weight = np.where(np.arange(len(mass)) == (i if own else -1), 0, mass)
        found[i] = (3 * weight / r**5 * d.T) @ d - np.eye(3) * (weight / r**3).sum()
    return found


@pytest.fixture(scope="module")
def sums(plummer):
    """Points, and the direct sums at the particles and at them."""
    position, mass = plummer
    points = np.random.default_rng(2).normal(size=(200, 3))
    return points, direct(position, mass, position, 0.05**2, own=True), direct(position, mass, points, 0.05**2)


def error(found, expected):
    """The rms difference, in units of the rms size."""
    return np.sqrt(((found - expected) ** 2).sum() / (expected**2).sum())


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("options, most", [({"theta": 0.6}, 5e-3), ({"theta": 0.3}, 2e-4), ({"walk": "direct"}, 2e-6),
                                           ({"mac": "relative", "theta": 0.3}, 2e-3), ({"theta": 0.3, "order": 0}, 5e-3)])
def test_particles_and_points(plummer, sums, backend, options, most):
    """The tolerance is what cells leave out, by theta; of direct sums what fp32 rounds."""
    position, mass = plummer
    points, at_particles, at_points = sums
    tree = hb.Tree(position, mass, 0.05, backend=backend)
    found = tree.tidal_tensors(**options)
    assert found.shape == (1500, 3, 3) and found.dtype == float
    assert np.array_equal(found, found.transpose(0, 2, 1))
    assert error(found, at_particles) < most
    assert error(tree.tidal_tensors(targets=points, **options), at_points) < 2 * most
    again = hb.tidal_tensors(position, mass, 0.05, backend=backend, G=2.0, dtype=np.float32, **options)
    assert again.dtype == np.float32 and np.allclose(again, 2 * found, rtol=1e-6)


def test_double_and_spline_are_derivatives_of_accelerations(plummer):
    """Central differences of direct sums in fp64, with the spline's inner, outer and Newtonian parts in use: their own
    error is about (1e-4 / eps)^2."""
    position, mass = plummer
    at = np.random.default_rng(5).normal(size=(40, 3)) * 0.7
    options = {"softening": "spline", "walk": "direct"}
    tree = hb.Tree(position, mass, 0.3, precision="double", backend="cpu")
    found = tree.tidal_tensors(targets=at, **options)
    for k in range(3):
        step = np.eye(3)[k] * 1e-4
        ahead, behind = (tree.accelerations(targets=at + sign * step, **options) for sign in (1, -1))
        assert np.allclose(found[:, :, k], (ahead - behind) / 2e-4, atol=2e-6 * np.abs(found).max())


def test_closed_forms():
    """A point mass, coincident bodies, and points so far away that they take units of their own."""
    point = np.array([[0.0, 0, 0], [2.0, 0, 0]])
    tree = hb.Tree(point, [8.0, 0.0], 0.0, precision="double")
    assert np.allclose(tree.tidal_tensors(), [np.zeros((3, 3)), np.diag([2.0, -1, -1])], atol=1e-12)
    far = 1e9
    found = tree.tidal_tensors(targets=[[0, 0, far], [0, 4, 0]])
    assert np.allclose(found[0] * far**3, 8 * np.diag([-1, -1, 2.0]), rtol=1e-6)
    assert np.allclose(found[1], np.diag([-1, 2.0, -1]) / 8, atol=1e-12)
    # of softened coincident bodies one attracts the other by -m / eps^3 in all directions
    pair = hb.tidal_tensors(np.zeros((2, 3)), [3.0, 5.0], 0.5)
    assert np.allclose(pair, [-5 * 8 * np.eye(3), -3 * 8 * np.eye(3)])
    assert hb.tidal_tensors(np.zeros((0, 3)), []).shape == (0, 3, 3)
    assert hb.tidal_tensors(np.zeros((0, 3)), [], targets=[[1, 2, 3]]).tolist() == [np.zeros((3, 3)).tolist()]


def ewald(d, edge, alpha):
    """The second derivatives of a particle's potential with all its images in a box of three edges, at displacements d
    (N, 3): Ewald's sums in fp64, less the mean density's. At 0 those of its images alone."""
    found = np.zeros((len(d), 3, 3))
    d = d - np.round(d / edge) * edge  # all images farther than 1.5 edges attract by waves only
    for shift in np.ndindex(3, 3, 3):
        x = d + (np.array(shift) - 1) * edge
        own = np.linalg.norm(x, axis=1) == 0
        found[own] += np.eye(3) * 4 * alpha**3 / (3 * np.sqrt(np.pi))  # of -erf(alpha r) / r
        x[own] = 1e3  # farther than erfc reaches
        r = np.linalg.norm(x, axis=1)
        near, bell = np.vectorize(math.erfc)(alpha * r) / r, 2 * alpha / np.sqrt(np.pi) * np.exp(-(alpha * r)**2)
        slope = -(near + bell) / r**2  # f' / r
        curve = (3 * near + 3 * bell + 2 * (alpha * r)**2 * bell) / r**4  # (f'' - f' / r) / r^2
        found += np.einsum("n,na,nb->nab", curve, x, x) + slope[:, None, None] * np.eye(3)
    k = 2 * np.pi * (np.indices((15, 27, 27)).reshape(3, -1).T - [0, 13, 13]) / edge
    k2 = (k**2).sum(axis=1)
    k, k2 = k[(k2 > 0) & (k2 < (10 * alpha)**2)], k2[(k2 > 0) & (k2 < (10 * alpha)**2)]
    weight = 4 * np.pi / edge.prod() * np.exp(-k2 / (4 * alpha**2)) / k2 * np.where(k[:, 0] > 0, 2, 1)  # k and -k
    return found - (np.cos(d @ k.T) @ (weight * (k[:, :, None] * k[:, None]).T).reshape(9, -1).T).reshape(-1, 3, 3)


def in_a_box(edge, n=60):
    random = np.random.default_rng(3)
    return (random.uniform(size=(n, 3)) - 0.5) * np.where(edge > 0, edge, 0.7), random.uniform(0.5, 1.5, n) / n


@pytest.fixture(scope="module", params=[(1.0, 1.0, 1.0), (1.0, 1.3, 2.0)])
def box_of_images(request):
    """A box, its particles, points, and Ewald's sums at both, which take seconds: once for all backends."""
    edge = np.array(request.param)
    position, mass = in_a_box(edge, 40)
    points = in_a_box(edge, 20)[0] * 0.9 + 0.02
    sums = [np.einsum("j,ijab->iab", mass, ewald((at[:, None] - position).reshape(-1, 3), edge, 3.0 / edge.min())
                      .reshape(len(at), len(mass), 3, 3)) for at in (points, position)]
    return edge, position, mass, points, *sums


@pytest.mark.parametrize("backend", BACKENDS)
def test_all_images_of_a_box(box_of_images, backend):
    """At particles, without their own but with those of their images, and at points. Expansions of order 10 leave out
    some 1e-4 of the derivatives, of order 22 some 1e-9."""
    edge, position, mass, points, at_points, at_particles = box_of_images
    for precision, most in (("mixed", 2e-4), ("double", 1e-7)):
        if precision == "double" and backend != "cpu":
            continue
        tree = hb.Tree(position, mass, 0.0, box=edge, backend=backend, precision=precision)
        assert error(tree.tidal_tensors(theta=0, targets=points), at_points) < most
        assert error(tree.tidal_tensors(theta=0, walk="stackless"), at_particles) < most
        assert error(tree.tidal_tensors(theta=0), at_particles) < most


@pytest.mark.parametrize("box", [[1, 1.5, 0], [0, 1, 0], [1, 1, 1]])
def test_derivatives_of_accelerations_in_a_lattice(box):
    """Central differences of the accelerations, which tests/backends/lattice_test.cpp compares with Ewald's sums."""
    position, mass = in_a_box(np.array(box, float))
    tree = hb.Tree(position, mass, 0.05, box=box, precision="double", backend="cpu")
    at = in_a_box(np.array(box, float), 30)[0] * 0.9
    found = tree.tidal_tensors(targets=at, walk="direct")
    for k in range(3):
        step = np.eye(3)[k] * 1e-5
        ahead, behind = (tree.accelerations(targets=at + sign * step, walk="direct") for sign in (1, -1))
        assert np.allclose(found[:, :, k], (ahead - behind) / 2e-5, atol=1e-6 * np.abs(found).max())  # (1e-5 / eps)^2


@pytest.mark.parametrize("softening", ["plummer", "spline"])
@pytest.mark.parametrize("space", [{}])
def test_groups_walk_as_single_targets_do(plummer, softening, space):
    """Both open every cell at theta 0, in fp64: what is left is the order of the sums. With 40 coincident particles, of
    which one leaf is a point mass, and bodies of two softenings."""
    position, mass = (plummer[0][:500] + 2.0) % 4.0 - 2.0, plummer[1][:500]
    position[100:140] = position[100]
    eps = np.where(np.arange(len(mass)) % 2, 0.3, 0.1)
    tree = hb.Tree(position, mass, eps, precision="double", backend="cpu", **space)
    at = np.concatenate([position[90:150], np.random.default_rng(7).normal(size=(50, 3))])
    for targets in ({}, {"targets": at, "target_eps": 0.2}):
        group, single = (tree.tidal_tensors(theta=0, walk=walk, softening=softening, **targets) for walk in ("group", "stackless"))
        assert error(group, single) < 1e-13
    cells, single = (tree.tidal_tensors(theta=0.3, walk=walk, softening=softening) for walk in ("group", "stackless"))
    assert 1e-9 < error(cells, single) < 1e-3  # groups open more cells than their targets would


def test_own_lengths_refit_and_errors(plummer):
    position, mass = plummer
    eps = np.full(len(mass), 0.05)
    eps[::2] = 0.1
    tree = hb.Tree(position, mass, eps)
    at = np.array([[0.3, 0.2, 0.1]])
    found = tree.tidal_tensors(targets=at, target_eps=0.2, walk="direct")
    assert error(found, direct(position, mass, at, (eps**2 + 0.04) / 2)) < 2e-6
    tree.refit(position + 0.01)
    assert error(tree.tidal_tensors(targets=at + 0.01, target_eps=0.2, walk="direct"), found) < 1e-5
    with pytest.raises(hb.UsageError, match="^forces: the tree has no masses"):
        hb.Tree(position).tidal_tensors()
    with pytest.raises(hb.Error, match="^target 0: position x = nan"):
        tree.tidal_tensors(targets=[[np.nan, 0, 0]], target_eps=0.2)
    with pytest.raises(hb.NotFinite, match="is non-finite"):
        hb.tidal_tensors([[0.0, 0, 0], [1e-17, 0, 0], [1, 0, 0]], 1.0)


def test_arrays_on_a_device(plummer):
    """By the way of arrays on a GPU, on the CPU: the same bits."""
    position, mass = plummer
    there = device_trees.Particles(position, mass, 0.05, (0.0, 0.0, 0.0), {}, device=("cpu", 0))
    found = np.from_dlpack(there.field(None, None, 1.0, None, {"eps": 0.05}, True)[2])
    assert np.array_equal(found, hb.tidal_tensors(position, mass, 0.05, backend="cpu"))
