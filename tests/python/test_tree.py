# SPDX-License-Identifier: Apache-2.0
"""A tree that stays: forces at its particles and elsewhere, with other options, and after its particles have moved."""

import copy
import pickle
import time

import numpy as np
import pytest

import hornbeam as hb
from conftest import direct

pytestmark = pytest.mark.usefixtures("open_device")

BACKENDS = sorted({device["backend"] for device in hb.info()["devices"]})
TRUNCATION = 2e-3  # rms at theta = 0.5, not rounding


def rms(a, b):
    return np.sqrt(((a - b) ** 2).sum() / (b**2).sum())


@pytest.fixture(params=BACKENDS, scope="module")
def backend(request):
    return request.param


@pytest.fixture(scope="module")
def asked(cloud, backend):
    """A tree of the cloud that many ask: opening a device takes longer than building it anew for other options."""
    return hb.Tree(*cloud, 0.1, backend=backend)


def test_forces_of_a_tree_are_those_of_both(cloud, backend):
    position, mass = cloud
    tree = hb.Tree(position, mass, 0.1, backend=backend)
    for options in ({}, {"theta": 0.3}, {"mac": "bh"}, {"mac": "relative", "theta": 0.3}, {"softening": "spline"},
                    {"order": 0}, {"expansion": 0}, {"theta_c": 0.0}, {"walk": "stackless"}, {"walk": "direct"},
                    {"leaf_size": 4}, {"G": 2.0}, {}):
        found = tree.both(**options)
        expected = hb.both(position, mass, 0.1, backend=backend, **options)
        assert (found[0] == expected[0]).all() and (found[1] == expected[1]).all(), options
    assert (tree.accelerations(theta=0.4) == tree.both(theta=0.4)[0]).all() and tree.backend == backend
    assert tree.potentials(dtype=np.float32).dtype == np.float32 and len(tree) == 300


@pytest.mark.parametrize("options", [{}, {"walk": "stackless"}, {"walk": "direct"}, {"expansion": 0}, {"order": 0, "theta": 0.2},
                                     {"mac": "relative", "theta": 0.3}, {"softening": "spline"}])
def test_forces_at_other_places(cloud, asked, options):
    position, mass = cloud
    options = {"theta": 0.5, **options}
    for count in (1, 700):
        targets = np.random.default_rng(8).normal(size=(count, 3)) * 3
        targets[0] = position[7]  # on a source, which counts there
        acceleration, potential = asked.both(targets=targets, **options)
        if options.get("softening") == "spline":
            expected, phi = hb.both(position, mass, 0.1, targets=targets, walk="direct", precision="double", backend="cpu",
                                    softening="spline")
        else:
            expected, phi = direct(position, mass, 0.1, targets)
        assert acceleration.shape == (count, 3)
        assert rms(acceleration, expected) < TRUNCATION and rms(potential, phi) < TRUNCATION
        assert asked.accelerations(targets=np.zeros((0, 3)), **options).shape == (0, 3)


def test_the_precision_is_the_trees(cloud, backend):
    position, mass = cloud
    tree = hb.Tree(position, mass, 0.1, backend=backend, precision="double")
    exact = direct(position, mass, 0.1)[0]
    assert rms(tree.accelerations(walk="direct"), exact) < 1e-12  # rounding
    targets = position + 1e-3
    assert rms(tree.accelerations(targets=targets, walk="direct"), direct(position, mass, 0.1, targets)[0]) < 1e-12


@pytest.fixture(scope="module")
def many():
    """So many sources and targets that devices walk by groups: above 5e8 pairs; and the forces at a few of the targets."""
    sphere, other = hb.ic.plummer(23000, seed=1), hb.ic.plummer(22000, seed=2)
    return sphere, other, direct(sphere.position, sphere.mass, 0.05, other.position[:20])


def test_many_sources_and_many_targets(many, backend):
    sphere, other, exact = many
    tree = hb.Tree(sphere.position, sphere.mass, 0.05, backend=backend)
    found = tree.both(targets=other.position)
    expected = hb.both(sphere.position, sphere.mass, 0.05, targets=other.position, backend=backend)
    assert rms(found[0], expected[0]) < TRUNCATION and rms(found[1], expected[1]) < TRUNCATION
    assert rms(found[0][:20], exact[0]) < TRUNCATION


def test_each_has_its_softening(cloud, backend):
    position, mass = cloud
    eps, targets = np.linspace(0.01, 0.3, 300), np.random.default_rng(8).normal(size=(70, 3))
    tree = hb.Tree(position, mass, eps, backend=backend)
    assert (tree.accelerations() == hb.accelerations(position, mass, eps, backend=backend)).all()
    found = tree.accelerations(targets=targets, target_eps=0.2, theta=0.4)
    expected = hb.accelerations(position, mass, eps, targets=targets, target_eps=0.2, walk="direct", precision="double")
    assert rms(found, expected) < TRUNCATION


@pytest.mark.parametrize("eps", [0.1, np.full(300, 0.1), np.r_[np.full(299, 0.1), 0.1000001]], ids=["one", "equal", "unequal"])
def test_lengths_of_targets_count(cloud, backend, eps):
    """Whether the lengths of the particles are one for all, equal or not. A pair has the root of the mean square."""
    position, mass = cloud
    targets = np.random.default_rng(8).normal(size=(70, 3))
    tree, exact = hb.Tree(position, mass, eps, backend=backend), {"walk": "direct", "precision": "double", "backend": "cpu"}
    for length in (0.2, np.linspace(0.0, 0.3, 70), 0.1):
        joint = np.sqrt((0.1**2 + np.broadcast_to(length, 70) ** 2) / 2)
        right = np.array([hb.accelerations(position, mass, one, targets=[at], **exact)[0] for at, one in zip(targets, joint)])
        assert rms(hb.accelerations(position, mass, eps, targets=targets, target_eps=length, **exact), right) < 1e-6
        found = tree.accelerations(targets=targets, target_eps=length, theta=0.4)
        assert rms(found, right) < TRUNCATION
        assert rms(hb.accelerations(position, mass, eps, targets=targets, target_eps=length, theta=0.4, backend=backend),
                   right) < TRUNCATION
        assert (tree.accelerations() == hb.accelerations(position, mass, eps, backend=backend)).all()


@pytest.mark.parametrize("order", [0, 2])
def test_what_was_asked_before_leaves_no_trace(cloud, backend, order):
    sphere = hb.ic.plummer(2000, seed=8)
    asked = hb.Tree(sphere.position, sphere.mass, 0.02, backend=backend)
    asked.potentials(theta=0.4, order=order)
    fresh = hb.Tree(sphere.position, sphere.mass, 0.02, backend=backend)
    assert (asked.accelerations(theta=0.7, order=order) == fresh.accelerations(theta=0.7, order=order)).all()


def test_target_points_cost_target_points(backend):
    """Ten sources: seconds for 32,000 points are below eight times those for 8,000, not sixteen times."""
    source, options = np.random.default_rng(1).normal(size=(10, 3)), {"threads": 1} if backend == "cpu" else {}
    points = np.random.default_rng(2).normal(size=(32000, 3))
    for how in ({"walk": "direct"}, {"theta": 0}):
        took = {}
        for m in (8000, 32000, 8000, 32000):
            begun = time.process_time()
            found = hb.accelerations(source, 1.0, 0.01, targets=points[:m], backend=backend, **how, **options)
            took.setdefault(m, []).append(time.process_time() - begun)
        assert min(took[32000]) < 8 * min(took[8000]) + 0.05  # the clock's ticks
        assert rms(found[:50], direct(source, np.ones(10), 0.01, points[:50])[0]) < 1e-5  # fp32


@pytest.mark.parametrize("box", [0.0, 1.0])
def test_neighbours_of_other_points(backend, box):
    """Beside all pairs: points on particles, where both count, points outside of the box, and none."""
    random = np.random.default_rng(6)
    position, targets = random.uniform(0, 1, (500, 3)), random.uniform(-0.3, 1.3, (200, 3))
    targets[:20] = position[:20]
    apart = position[None] - targets[:, None]
    distance = np.sqrt(((apart - (box and np.round(apart / box) * box)) ** 2).sum(axis=2))
    tree = hb.Tree(position, box=box, backend=backend)
    offset, index, found = tree.within(0.2, targets=targets)
    inside = distance <= 0.2
    assert (np.diff(offset) == inside.sum(axis=1)).all() and (index == np.nonzero(inside)[1]).all()
    assert np.allclose(found, distance[inside], rtol=0, atol=1e-12)
    assert (tree.count(0.2, targets=targets) == inside.sum(axis=1)).all()
    for k in (1, 20, 500):  # all of them, too
        index, found = tree.nearest(k, targets=targets)
        assert index.shape == (200, k)
        assert np.allclose(found, np.sort(distance, axis=1)[:, :k], rtol=0, atol=1e-12)
        assert np.allclose(found, np.take_along_axis(distance, index, axis=1), rtol=0, atol=1e-12)
    assert (index.sum(axis=1) == 500 * 499 // 2).all() and (found[:20, 0] == 0).all()
    again = hb.neighbours(position, 0.2, targets=targets, box=box, backend=backend)
    assert all((a == b).all() for a, b in zip(again, tree.within(0.2, targets=targets)))
    assert hb.neighbours(position, nearest=3, targets=targets, box=box)[0][-1] == 600
    none = np.zeros((0, 3))
    assert tree.within(0.2, targets=none)[0].tolist() == [0] and tree.nearest(2, targets=none)[0].shape == (0, 2)
    assert hb.Tree(none, backend=backend).count(0.2, targets=targets).tolist() == [0] * 200
    for wrong, words in (({"k": 501}, "k = 501: must be at least 1 and at most"), ({"targets": [[0, np.nan, 0]]}, "target 0: is at"),
                         ({"targets": [[0, 1]]}, "targets: received an array of shape (1, 2)")):
        with pytest.raises(hb.Error) as told:
            tree.nearest(**{"k": 3, "targets": targets, **wrong})
        assert words in str(told.value)


def test_points_far_from_compact_sources(backend):
    """Distances of up to 1e12 times the sources' extent, next to near points, of one source and of many: 1 / r^3 in fp32
    would vanish in units of their cube."""
    random = np.random.default_rng(3)
    far = np.array([[101.0, 0, 0], [0, 1e5, 0], [0, 0, -3e9]])
    for sources in ([[0.3, 0.2, 0.1]], [[1.0, 0, 0]] * 3, random.normal(size=(500, 3)) * 1e-3 + 0.25):
        sources = np.array(sources)
        mass = np.full(len(sources), 2.0 / len(sources))
        targets = np.r_[sources.mean(axis=0) + [[1.0, 0, 0], [0, 0.2, 0]], far]
        right, phi = direct(sources, mass, 0.0, targets)
        tree = hb.Tree(sources, mass, backend=backend)
        for options in ({"walk": "group"}, {"walk": "stackless"}, {"walk": "direct"}, {"theta": 0}):
            for found in (tree.both(targets=targets, **options),
                          hb.both(sources, mass, targets=targets, backend=backend, **options)):
                assert np.abs((found[0] - right) / np.abs(right).max(axis=1, keepdims=True)).max() < 1e-5  # fp32
                assert found[1] == pytest.approx(phi, rel=1e-5)
        near = tree.accelerations(targets=targets[:2])
        assert (near == hb.Tree(sources, mass, backend=backend).accelerations(targets=targets[:2])).all()


def test_in_a_box(backend):
    random = np.random.default_rng(2)
    position, mass = random.uniform(0, 1, (400, 3)), random.uniform(0.5, 1, 400)
    tree = hb.Tree(position, mass, 0.05, box=1.0, backend=backend)
    assert (tree.accelerations() == hb.accelerations(position, mass, 0.05, box=1.0, backend=backend)).all()
    targets = random.uniform(-3, 3, (50, 3))  # taken into the box
    expected = hb.accelerations(position, mass, 0.05, box=1.0, targets=targets, walk="direct", precision="double")
    # errors of 27 boxes, whose attractions nearly cancel where the mean is taken out: twice those of open space
    for walk in ("group", "stackless", "direct"):
        assert rms(tree.accelerations(targets=targets, theta=0.4, walk=walk), expected) < 2 * TRUNCATION
    moved = position + random.normal(size=(400, 3)) * 0.01
    tree.refit(moved)
    expected = hb.accelerations(moved, mass, 0.05, box=1.0, walk="direct", precision="double")
    assert rms(tree.accelerations(theta=0.4), expected) < 2 * TRUNCATION
    offset, index, distance = hb.neighbours(moved, 0.1, box=1.0)
    found = tree.within(0.1)
    assert (found[0] == offset).all() and (found[1] == index).all() and (found[2] == distance).all()


def test_after_a_refit_all_is_that_of_the_new_places(backend):
    """Neighbours are those that the CPU finds in a new tree, bit for bit."""
    sphere = hb.ic.plummer(2000, seed=4)
    position, mass = np.array(sphere.position), np.array(sphere.mass)
    tree = hb.Tree(position, mass, 0.05, backend=backend)
    tree.nearest(5)
    tree.both()
    random = np.random.default_rng(9)
    for way in (1e-3, 1e-3, 0.1, 0.1, 3.0, 3.0):
        position = position + random.normal(size=position.shape) * way
        tree.refit(position)
        fresh = hb.Tree(position, backend="cpu")
        for a, b in zip(tree.within(0.2), fresh.within(0.2)):
            assert (a == b).all()
        for a, b in zip(tree.nearest(20), fresh.nearest(20)):
            assert (a == b).all()
        assert (tree.count(0.3) == fresh.count(0.3)).all()
        some = random.choice(2000, 100, replace=False)
        exact = hb.both(position, mass, 0.05, walk="direct", precision="double", backend="cpu")
        for options in ({"theta": 0.5}, {"theta": 0.4}, {"theta": 0.5, "walk": "stackless"}):
            found = tree.both(**options)
            assert rms(found[0], exact[0]) < TRUNCATION and rms(found[1], exact[1]) < TRUNCATION
            at_targets = tree.both(targets=position[some] + [1e-9, 0, 0], **options)[0]
            assert rms(at_targets, exact[0][some]) < TRUNCATION


def test_a_refit_before_anything_was_asked(cloud):
    position, mass = cloud
    tree = hb.Tree(position, mass, 0.1)
    tree.refit(position[::-1])
    assert (tree.accelerations() == hb.accelerations(position[::-1], mass, 0.1)).all()
    assert (tree.within(0.3)[1] == hb.neighbours(position[::-1], 0.3)[1]).all()


def test_a_tree_keeps_the_places_that_it_was_given(cloud):
    position, mass = cloud
    given = position.copy()
    tree = hb.Tree(given, mass, 0.1)
    given[:] = 0  # before anyone has asked for neighbours
    assert (tree.within(0.3)[1] == hb.neighbours(position, 0.3)[1]).all()
    later = hb.Tree(position, mass, 0.1)
    given = position[::-1].copy()
    later.refit(given)
    given[:] = 0
    assert (later.nearest(3)[0] == hb.Tree(position[::-1]).nearest(3)[0]).all()


@pytest.mark.parametrize("scale, shift", [(1e12, 0.0), (1e-12, 0.0), (1e100, 0.0), (1.0, 1e9)])
def test_a_refit_to_another_scale_is_as_exact(cloud, scale, shift):
    position, mass = cloud
    tree = hb.Tree(position, mass, 0.0)
    tree.accelerations()
    tree.refit(position * scale + shift)
    exact = hb.accelerations(position * scale + shift, mass, walk="direct", precision="double")
    assert rms(tree.accelerations(theta=0.3) * scale**2, exact * scale**2) < TRUNCATION


def test_a_refit_back_from_another_scale_is_as_exact(cloud):
    """Also of softening, which units of the other scale took for none."""
    position, mass = cloud
    tree = hb.Tree(position, mass, 0.1)
    tree.refit(position * 1e13)
    tree.accelerations()
    tree.refit(position)
    exact = hb.accelerations(position, mass, 0.1, walk="direct", precision="double")
    assert rms(tree.accelerations(theta=0.3), exact) < TRUNCATION


WRONG = [
    (lambda tree, alone: alone.both(), "forces: the tree has no masses"),
    (lambda tree, alone: tree.both(eps=1), "eps: is a property of the tree"),
    (lambda tree, alone: tree.both(backend="cpu"), "backend: unknown option"),
    (lambda tree, alone: tree.both(tehta=0.5), "did you mean theta?"),
    (lambda tree, alone: tree.both(theta=7), "theta"),
    (lambda tree, alone: tree.both(target_eps=1), "received no targets"),
    (lambda tree, alone: tree.both(targets=np.zeros((2, 2))), "targets: received an array of shape (2, 2)"),
    (lambda tree, alone: tree.both(targets=[[0, np.nan, 0]]), "target 0: position y = nan"),
    (lambda tree, alone: tree.both(targets=np.zeros((2, 3)), mac="relative", walk="stackless"), "walk group or direct"),
    (lambda tree, alone: tree.refit(np.zeros((4, 3))), "positions: 4 for a tree of 5"),
    (lambda tree, alone: alone.refit(np.zeros((4, 3))), "positions: 4 for a tree of 5"),
    (lambda tree, alone: tree.refit(np.full((5, 3), np.inf)), "inf"),
    (lambda tree, alone: alone.refit(np.full((5, 3), np.inf)), "inf"),
    (lambda tree, alone: hb.Tree(np.zeros((5, 3)), np.ones(4)), "masses: received an array of shape (4,)"),
    (lambda tree, alone: hb.Tree(np.zeros((5, 3)), -1.0), "mass = -1"),
    (lambda tree, alone: hb.Tree(np.zeros((5, 3)), eps=1.0), "eps: received no masses"),
    (lambda tree, alone: hb.Tree(np.zeros((5, 3)), box=[1, 2]), "box: received an array of shape (2,)"),
    (lambda tree, alone: hb.Tree(np.zeros((5, 3)), 1.0, np.arange(5)).both(targets=[[0, 0, 0]]), "target_eps: is missing"),
]


@pytest.mark.parametrize("call, words", WRONG, ids=[str(i) for i in range(len(WRONG))])
def test_what_does_not_fit_is_told(call, words):
    position = np.random.default_rng(1).normal(size=(5, 3))
    with pytest.raises(hb.Error) as told:
        call(hb.Tree(position, 1.0, 0.1), hb.Tree(position))
    assert words in str(told.value)


@pytest.mark.parametrize("act", [pickle.dumps, copy.copy, copy.deepcopy])
def test_trees_are_not_pickled_or_copied(cloud, act):
    with pytest.raises(TypeError, match="hornbeam.Tree cannot be pickled or copied"):
        act(hb.Tree(cloud[0]))
