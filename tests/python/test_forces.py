# SPDX-License-Identifier: Apache-2.0
"""Forces and neighbours of arrays, against all pairs."""

import threading

import numpy as np
import pytest

import hornbeam as hb
from conftest import direct, python

TRUNCATION = 2e-3  # rms at theta = 0.5, not rounding


def rms(a, b):
    return np.sqrt(((a - b) ** 2).sum() / (b**2).sum())


def test_forces_are_those_of_all_pairs(cloud):
    position, mass = cloud
    acceleration, potential = hb.both(position, mass, 0.1, theta=0.5)
    expected, phi = direct(position, mass, 0.1)
    assert acceleration.shape == (300, 3) and potential.shape == (300,) and acceleration.dtype == np.float64
    assert rms(acceleration, expected) < TRUNCATION and rms(potential, phi) < TRUNCATION
    assert (hb.accelerations(position, mass, 0.1, theta=0.5) == acceleration).all()
    assert (hb.potentials(position, mass, 0.1, theta=0.5) == potential).all()
    exact = hb.accelerations(position, mass, 0.1, walk="direct", precision="double", G=2.5)
    assert rms(exact, 2.5 * expected) < 1e-12  # rounding


def test_each_has_its_softening(cloud):
    position, mass = cloud
    eps = np.linspace(0.01, 0.3, 300)
    pair = np.sqrt((eps[None] ** 2 + eps[:, None] ** 2) / 2)
    way = position[None] - position[:, None]
    inverse = 1 / np.sqrt((way**2).sum(-1) + pair**2)
    expected = ((mass * inverse**3)[..., None] * way).sum(1)
    assert rms(hb.accelerations(position, mass, eps, walk="direct", precision="double"), expected) < 1e-12
    assert rms(hb.accelerations(position, mass, eps, theta=0.5), expected) < TRUNCATION


@pytest.mark.parametrize("options", [{}, {"walk": "stackless"}, {"walk": "direct"}, {"mac": "relative", "theta": 0.3}])
def test_forces_at_places_of_their_own(cloud, options):
    position, mass = cloud
    random = np.random.default_rng(8)
    targets = random.normal(size=(70, 3)) * 3
    targets[0] = position[7]  # on a source, which counts there
    options = {"theta": 0.5, **options}
    acceleration, potential = hb.both(position, mass, 0.1, targets=targets, **options)
    expected, phi = direct(position, mass, 0.1, targets)
    assert acceleration.shape == (70, 3)
    assert rms(acceleration, expected) < TRUNCATION and rms(potential, phi) < TRUNCATION
    with_own = hb.accelerations(position, mass, np.full(300, 0.1), targets=targets, target_eps=0.1, **options)
    assert rms(with_own, expected) < TRUNCATION
    assert hb.accelerations(position, mass, targets=np.zeros((0, 3))).shape == (0, 3)


def test_targets_alone_are_evaluated():
    """A hundred places among many sources cost little beside the tree."""
    sphere = hb.ic.plummer(20000)
    alone = hb.both(sphere.position, sphere.mass, 0.05, targets=sphere.position[:100] + 1e-3)[0]
    everywhere = hb.both(sphere.position + 0, sphere.mass, 0.05)[0][:100]
    assert rms(alone, everywhere) < 0.05  # 1e-3 beside them


def test_any_layout_and_kind_of_numbers(cloud):
    position, mass = cloud
    expected = hb.accelerations(position, mass, 0.1)
    wide = np.zeros((300, 6))
    wide[:, ::2] = position
    for other in (wide[:, ::2], np.asfortranarray(position), position[::-1][::-1], position.tolist(),
                  [tuple(row) for row in position]):
        assert (hb.accelerations(other, mass, 0.1) == expected).all()
    single = hb.accelerations(position.astype(np.float32), mass.astype(np.float32), 0.1, dtype=np.float32)
    assert single.dtype == np.float32 and rms(single, expected) < 1e-5
    assert (hb.accelerations(position, mass, np.float32(0.5)) == hb.accelerations(position, mass, 0.5)).all()
    whole = np.array([[0, 0, 0], [2, 0, 0]])
    assert hb.accelerations(whole, 1, walk="direct").tolist() == [[0.25, 0, 0], [-0.25, 0, 0]]
    assert hb.accelerations([], []).shape == (0, 3) and hb.accelerations([[1, 2, 3]], [1]).tolist() == [[0, 0, 0]]


def test_arguments_stay_as_they_are(cloud):
    position, mass = cloud
    before = position.copy()
    position.flags.writeable = mass.flags.writeable = False
    found = hb.accelerations(position, mass, box=4.0)
    assert (position == before).all() and found.flags.writeable and found.flags.owndata is not None
    found[:] = 0  # ours


def test_a_periodic_box_pulls_from_all_sides():
    """Of 27 boxes, or of 5 in a row; all images where no number is given."""
    random = np.random.default_rng(2)
    position, mass = random.uniform(-0.5, 0.5, (40, 3)), np.ones(40)
    cube = {"kind": "periodic", "size": [1, 1, 1], "n_ghost_x": 1, "n_ghost_y": 1, "n_ghost_z": 1}
    for options, steps in (({"boundary": cube}, (1, 1, 1)),
                           ({"boundary": {"kind": "periodic", "size": [1, 1, 0], "n_ghost_x": 2}}, (2, 0, 0))):
        shifts = [np.array([i, j, k]) for i in range(-steps[0], steps[0] + 1) for j in range(-steps[1], steps[1] + 1)
                  for k in range(-steps[2], steps[2] + 1)]
        expected = sum(direct(position + shift, mass, 0.05, position)[0] for shift in shifts)
        assert rms(hb.accelerations(position, mass, 0.05, theta=0, **options), expected) < 1e-5  # rounding in fp32
    everywhere = hb.accelerations(position, mass, 0.05, theta=0, box=1.0)
    for box in ([1.0, 1.0, 1.0], np.ones(3)):
        assert (hb.accelerations(position, mass, 0.05, theta=0, box=box) == everywhere).all()
    everywhere, shifted = (hb.accelerations(position + shift, mass, 0.0, theta=0, box=1.0)
                           for shift in ([0, 0, 0], [0.3, -0.7, 0.1]))
    assert rms(shifted, everywhere) < 2e-5  # a lattice has no edge; expansions of order 10


def test_all_images_of_one_particle():
    """docs/periodic.md eq. 2, at the particle and, of a tree, at a point of the lattice."""
    place = [[0.2, 0.3, -0.4]]
    assert hb.potentials(place, 2.0, box=4.0)[0] == pytest.approx(2.837297479 * 2 / 4, rel=1e-6)  # fp32
    tree = hb.Tree(np.array(place), 2.0, 0.0, box=4.0)
    acceleration, potential = tree.both()
    assert potential[0] == pytest.approx(2.837297479 * 2 / 4, rel=1e-6) and abs(acceleration).max() < 1e-5
    # cubic symmetry and the mean density, 4 pi G rho in all: a third of it along each axis
    assert np.allclose(tree.tidal_tensors()[0], np.eye(3) * 4 * np.pi * 2 / 64 / 3, atol=1e-6)


def test_accuracy_in_place_of_angles():
    random = np.random.default_rng(11)
    position, mass = random.normal(size=(3000, 3)), np.full(3000, 1 / 3000)
    some = slice(0, 100)  # of direct sums, which take long
    expected, _ = direct(position, mass, 0.05, position[some])
    for accuracy in (1e-2, 1e-4):
        assert rms(hb.accelerations(position, mass, 0.05, accuracy=accuracy, backend="cpu")[some], expected) < accuracy
    tree = hb.Tree(position, mass, 0.05, backend="cpu")
    assert (tree.accelerations(accuracy=1e-3) == tree.accelerations(accuracy=1e-3)).all()
    points = position[:50] + 0.01
    at_points, _ = direct(position, mass, 0.05, points)
    for found in (hb.accelerations(position, mass, 0.05, targets=points, accuracy=1e-4, backend="cpu"),
                  tree.accelerations(targets=points, accuracy=1e-4)):
        assert rms(found, at_points) < 1e-4
    shifted = [direct(position + 20.0 * np.array([i, j, k]), mass, 0.05, position[some])[0]
               for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)]
    finite = {"kind": "periodic", "size": [20, 20, 20], "n_ghost_x": 1, "n_ghost_y": 1, "n_ghost_z": 1}
    with_images = hb.accelerations(position, mass, 0.05, boundary=finite, accuracy=1e-4, backend="cpu")
    assert rms(with_images[some], sum(shifted)) < 1e-4
    everywhere = hb.accelerations(position, mass, 0.05, box=20.0, walk="direct", backend="cpu", targets=position[some])
    found = hb.accelerations(position, mass, 0.05, box=20.0, accuracy=1e-4, backend="cpu")
    assert rms(found[some], everywhere) < 1e-4
    for wrong, words in ((dict(theta=0.5), "replaces theta"), (dict(order=2), "replaces theta")):
        with pytest.raises(hb.UsageError, match=words):
            hb.accelerations(position, mass, 0.05, **{"accuracy": 1e-3, "backend": "cpu", **wrong})


WRONG = [
    (dict(positions=np.zeros((5, 2))), "positions: received an array of shape (5, 2) and type float64 (must be of shape"),
    (dict(positions=np.zeros(6)), "positions: received an array of shape (6,)"),
    (dict(positions=[[1, 2, 3], [4, 5]]), "positions: received list, and NumPy reports"),
    (dict(positions=np.zeros((5, 3), complex)), "type complex128 (give real numbers"),
    (dict(positions=np.full((5, 3), "a")), "(give real numbers"),
    (dict(masses=np.zeros(4)), "masses: received an array of shape (4,) and type float64 for 5 positions"),
    (dict(masses=[1, 2, 3, 4, np.nan]), "particle 4 (id 4): mass = nan"),
    (dict(masses=-1), "mass = -1: must be"),
    (dict(positions=[[0, 0, 0]] * 4 + [[0, np.inf, 0]]), "particle 4 (id 4): position y = inf"),
    (dict(eps=-1), "eps: received -1"),
    (dict(eps=np.zeros(3)), "eps: received an array of shape (3,)"),
    (dict(theta=7), "theta"),
    (dict(theta="wide"), "theta: received 'wide' (str) (give FLOAT)"),
    (dict(order=1.5), "order: received 1.5 (float) (give INT)"),
    (dict(tetha=0.5), "tetha: unknown option (did you mean theta?)"),
    (dict(backend="gpu"), "backend"),
    (dict(softening="cubic"), "softening = cubic: is not one of plummer, spline"),
    (dict(G="one"), "G: received 'one'"),
    (dict(G=float("nan")), "G"),
    (dict(box=-1), "boundary.size"),
    (dict(box=[1, 2]), "box"),
    (dict(boundary={"sice": [1, 1, 1]}), "boundary.sice: unknown option (did you mean size?)"),
    (dict(target_eps=1), "target_eps: received no targets"),
    (dict(eps=np.ones(5), targets=np.zeros((2, 3))), "target_eps: is missing"),
    (dict(targets=np.zeros((2, 4))), "targets: received an array of shape (2, 4)"),
]


@pytest.mark.parametrize("wrong, words", WRONG, ids=[str(i) for i in range(len(WRONG))])
def test_what_does_not_fit_is_told(wrong, words):
    arguments = {"positions": np.random.default_rng(1).normal(size=(5, 3)), "masses": np.ones(5), **wrong}
    with pytest.raises(hb.Error) as told:
        hb.both(**arguments)
    assert words in str(told.value)


def test_threads_of_python_work_side_by_side(cloud):
    position, mass = cloud
    expected, found = hb.accelerations(position, mass, 0.1), {}

    def work(k):
        for _ in range(10):
            found[k] = hb.accelerations(position, mass, 0.1, threads=1)

    workers = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all((found[k] == expected).all() for k in range(4))


def test_threads_may_be_the_first_to_ask_opencl():
    """PoCL sets itself up at the first question: other threads were told that there is no device, or crashed."""
    if not any(device["backend"] == "opencl" for device in hb.info()["devices"]):
        pytest.skip("no OpenCL device here")
    done = python("""
import threading, numpy as np, hornbeam as hb
found = []
ask = lambda: found.append(hb.accelerations(np.eye(3), 1.0, 0.1, backend="opencl").tobytes())
threads = [threading.Thread(target=ask) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(found), len(set(found)))""")
    assert (done.returncode, done.stdout) == (0, "4 1\n"), done.stderr


def test_neighbours_are_those_of_all_pairs(cloud):
    position, _ = cloud
    distance = np.sqrt(((position[None] - position[:, None]) ** 2).sum(-1))
    offset, index, found = hb.neighbours(position, 0.5)
    for i in range(300):
        row = slice(int(offset[i]), int(offset[i + 1]))
        expected = [j for j in np.flatnonzero(distance[i] <= 0.5) if j != i]
        assert index[row].tolist() == expected
        assert np.allclose(found[row], distance[i, expected], rtol=1e-14)
    tree = hb.Tree(position, backend="cpu")
    assert (tree.count(0.5) == np.diff(offset)).all() and len(tree) == 300 and tree.backend == "cpu"
    near, far = tree.nearest(7)
    np.fill_diagonal(distance, np.inf)
    assert (near == np.argsort(distance, axis=1)[:, :7]).all() and (np.diff(far) >= 0).all()
    offset, index, _ = hb.neighbours(position, nearest=7)
    assert (index.reshape(-1, 7) == near).all() and offset[-1] == 2100


def test_neighbours_in_a_box():
    line = [[0.05, 0, 0], [0.95, 0, 0], [0.5, 0, 0]]
    assert hb.neighbours(line, 0.2, box=1.0)[1].tolist() == [1, 0] and len(hb.neighbours(line, 0.2)[1]) == 0
    offset, index, distance = hb.neighbours(line, 0.7, box=1.0)  # beyond half of the box: a pair counts once
    assert offset.tolist() == [0, 2, 4, 6] and distance.tolist() == pytest.approx([0.1, 0.45, 0.1, 0.45, 0.45, 0.45])


@pytest.mark.parametrize("arguments, words", [
    (dict(), "needs either a radius"), (dict(radius=1, nearest=2), "needs either a radius"), (dict(radius=-1), "radius"),
    (dict(nearest=0), "k = 0"), (dict(nearest=300), "k = 300"), (dict(nearest=2.5), "whole number"),
    (dict(radius=1, thread=1), "did you mean threads?")])
def test_neighbours_that_cannot_be(cloud, arguments, words):
    with pytest.raises(hb.UsageError, match=words):
        hb.neighbours(cloud[0], **arguments)
