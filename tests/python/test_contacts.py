# SPDX-License-Identifier: Apache-2.0
"""Spheres that touch or will, against a loop over all pairs."""

import numpy as np
import pytest

import hornbeam as hb

pytestmark = pytest.mark.usefixtures("open_device")

BACKENDS = sorted({device["backend"] for device in hb.info()["devices"]})


def all_pairs(position, radius, velocity=None, dt=0.0, box=0.0):
    """{(i, j): (overlap, time)} by all pairs, from the quadratic equation of their distance."""
    i, j = np.triu_indices(len(position), 1)
    way = position[j] - position[i]
    if box:
        way = way - box * np.round(way / box)
    touch = np.broadcast_to(radius, len(position))[[i, j]].sum(axis=0)
    outside = (way**2).sum(axis=1) - touch**2
    if velocity is None:
        time, counts = np.zeros(len(way)), outside <= 0
    else:
        v = velocity[j] - velocity[i]
        along, speed2 = (v * way).sum(axis=1), (v**2).sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):  # not a number: they miss one another
            meet = outside / (-along + np.sqrt(along**2 - speed2 * outside))
        time = np.where(outside > 0, meet, 0.0)
        counts = (along < 0) & (time <= dt)
    overlap = touch - np.sqrt((way**2).sum(axis=1))
    return {(i[k], j[k]): (overlap[k], time[k]) for k in np.flatnonzero(counts)}


def check(found, expected):
    pairs = [tuple(pair) for pair in found.pairs.tolist()]
    assert pairs == sorted(expected)
    assert found.pairs.shape == (len(expected), 2) and found.overlap.shape == found.time.shape == (len(expected),)
    for pair, overlap, time in zip(pairs, found.overlap, found.time):
        assert np.allclose((overlap, time), expected[pair], rtol=1e-9, atol=1e-12), pair


@pytest.fixture(scope="module")
def spheres():
    random = np.random.default_rng(4)
    return random.uniform(0, 1, (200, 3)), random.uniform(0.01, 0.06, 200), random.normal(size=(200, 3))


@pytest.fixture(scope="module", params=[0.0, 1.0])
def boxed(request, spheres):
    """An edge, and what touches, meets, and meets within a time in a box of it: found once for all backends."""
    position, radius, velocity = spheres
    return request.param, [all_pairs(position, radius, *moving, box=request.param)
                           for moving in ((), (velocity,), (velocity, 0.03))]


@pytest.mark.parametrize("backend", BACKENDS)
def test_pairs_are_those_of_all_pairs(spheres, boxed, backend):
    position, radius, velocity = spheres
    box, expected = boxed
    touching = hb.collisions(position, radius, box=box, backend=backend)
    meeting = hb.collisions(position, radius, velocity, box=box, backend=backend)
    swept = hb.collisions(position, radius, velocity, 0.03, box=box, backend=backend)
    for found, pairs in zip((touching, meeting, swept), expected, strict=True):
        check(found, pairs)
    assert 0 < len(meeting.pairs) < min(len(touching.pairs), len(swept.pairs))
    assert (swept.time > 0).any() and (swept.overlap < 0).any()


def test_the_motion_of_all_together_changes_nothing(spheres):
    position, radius, velocity = spheres
    beside = hb.collisions(position, radius, velocity, 0.03)
    moving = hb.collisions(position, radius, velocity + [50.0, -20.0, 10.0], 0.03)
    assert (moving.pairs == beside.pairs).all() and np.allclose(moving.time, beside.time, atol=1e-9)
    # in a box as well, where their common way is many times its edge
    in_box = hb.collisions(position, radius, velocity + [50.0, -20.0, 10.0], 0.03, box=1.0)
    assert (in_box.pairs == hb.collisions(position, radius, velocity, 0.03, box=1.0).pairs).all()


def test_few_and_coincident_and_unequal_spheres():
    assert hb.collisions([], 1.0).pairs.shape == (0, 2) and hb.collisions([[1, 2, 3]], 1.0).pairs.shape == (0, 2)
    assert hb.collisions([], 1.0, [], 0.5).pairs.shape == (0, 2)
    two = hb.collisions([[0, 0, 0], [3, 0, 0]], 1.0, [[1, 0, 0], [-1, 0, 0]], 0.75)
    assert two.pairs.tolist() == [[0, 1]] and two.overlap.tolist() == [-1.0] and abs(two.time[0] - 0.5) < 1e-12
    assert len(hb.collisions([[0, 0, 0], [3, 0, 0]], 1.0, [[1, 0, 0], [-1, 0, 0]], 0.49).pairs) == 0
    assert len(hb.collisions([[0, 0, 0], [2, 0, 0]], 1.0).pairs) == 1  # at exactly the distance
    same = hb.collisions(np.full((40, 3), 0.25), 0.0)
    assert len(same.pairs) == 40 * 39 / 2 and (same.overlap == 0).all()
    random = np.random.default_rng(6)
    position = random.normal(size=(300, 3))
    radius = 10.0 ** random.uniform(-9, 0, 300)
    check(hb.collisions(position, radius), all_pairs(position, radius))
    velocity = random.normal(size=(300, 3)) * 10.0 ** random.uniform(-3, 1, (300, 1))
    check(hb.collisions(position, radius, velocity, 0.1), all_pairs(position, radius, velocity, 0.1))


def test_through_the_faces_of_a_box():
    line = [[0.05, 0.5, 0.5], [0.95, 0.5, 0.5]]
    assert len(hb.collisions(line, 0.02, box=1.0).pairs) == 0
    met = hb.collisions(line, 0.02, [[-1, 0, 0], [1, 0, 0]], 0.05, box=1.0)
    assert met.pairs.tolist() == [[0, 1]] and abs(met.time[0] - 0.03) < 1e-12 and abs(met.overlap[0] + 0.06) < 1e-12


WRONG = [
    (dict(radii=-1), "radius = -1"), (dict(radii=[1, 2]), "radii: received an array of shape (2,)"),
    (dict(radii=np.nan), "radius = nan"), (dict(dt=1), "dt: received no velocities"),
    (dict(velocities=np.zeros((4, 3))), "velocities: received 4 for 5"), (dict(velocities=np.zeros(3)), "velocities: "),
    (dict(velocities=np.full((5, 3), np.inf)), "velocity = inf"), (dict(velocities=np.zeros((5, 3)), dt=-1), "dt = -1"),
    (dict(velocities=np.zeros((5, 3)), dt=[1, 2]), "dt: received [1, 2]"), (dict(box=-1), "box: received -1"),
    (dict(box=0.3), "box = 0.3"), (dict(velocities=np.arange(15.0).reshape(5, 3), dt=1, box=4.0), "box = 4"),
    (dict(threads=-1), "threads"), (dict(treads=1), "did you mean threads?"), (dict(positions=[[0, 0, np.inf]] * 5), "inf"),
]


@pytest.mark.parametrize("wrong, words", WRONG, ids=[str(i) for i in range(len(WRONG))])
def test_what_does_not_fit_is_told(wrong, words):
    arguments = {"positions": np.zeros((5, 3)), "radii": 0.1, **wrong}
    with pytest.raises(hb.Error) as told:
        hb.collisions(**arguments)
    assert words in str(told.value)
