# SPDX-License-Identifier: Apache-2.0
"""Trees, neighbours and contacts of arrays on a GPU: found there, and the same to the bit as of NumPy's arrays. What
needs no GPU is tested on the CPU, whose device takes arrays of its memory in the same way."""

import gc

import numpy as np
import pytest

import hornbeam as hb
from hornbeam import _core, device_trees
from hornbeam.tree import _edges
from cuda_array import CudaArray, Stream, free_bytes, on_host
from test_gpu_arrays import LIBRARIES, Shown, library, needs_gpu


@pytest.fixture
def spheres():
    random = np.random.default_rng(4)
    return random.uniform(0, 1, (2000, 3)), random.uniform(0.002, 0.02, 2000), random.normal(size=(2000, 3))


def forms(position):
    """The same places at other strides and in another type, and what NumPy has for them."""
    wide = np.zeros((len(position), 6))
    wide[:, ::2] = position
    return {"plain": position, "strided": wide[:, ::2], "fortran": np.asfortranarray(position),
            "float32": position.astype(np.float32), "few": position[:3], "one": position[:1], "nobody": position[:0]}


FORMS = list(forms(np.zeros((5, 3))))


class OnCpu:
    """A Tree by the way of arrays on a GPU, on the CPU."""

    def __init__(self, positions, masses=None, eps=None, box=0.0, **options):
        self.there = device_trees.Particles(positions, masses, eps, _edges(box), options, device=("cpu", 0))

    def __getattr__(self, name):
        return lambda *given, **named: tuple(np.from_dlpack(array) for array in getattr(self.there.search(), name)(*given, **named))

    def count(self, radius, targets=None, radii=None):
        return np.from_dlpack(self.there.search().count(radius, targets, radii))

    def refit(self, positions):
        self.there.refit(positions)

    def both(self, targets=None, target_eps=None, G=1.0, dtype=None, **options):
        if self.there.eps is not None:
            options["eps"] = self.there.eps
        return tuple(np.from_dlpack(array) for array in self.there.field(targets, target_eps, G, dtype, options, False))


def contacts_on_cpu(positions, radii, velocities=None, dt=None, box=0.0):
    found = device_trees.collisions(positions, radii, velocities, dt, box, {}, session=_core.DeviceContacts("cpu", 0))
    return [np.from_dlpack(array) for array in found]


def same(found, expected, types):
    assert len(found) == len(expected) == len(types)
    for a, b, dtype in zip(found, expected, types):
        assert a.shape == b.shape and a.dtype == dtype
        assert (a == b.astype(dtype)).all()


def rows_of(real):
    return np.int64, np.int32, real


@pytest.mark.parametrize("box", [0.0, 1.0])
@pytest.mark.parametrize("form", FORMS)
def test_neighbours_are_those_of_the_host(spheres, form, box):
    position = forms(spheres[0])[form]
    if box:
        position = position + position.dtype.type(0.5)  # beyond the box, into which they are taken
    real = position.dtype
    there, here = OnCpu(position, box=box), hb.Tree(position, box=box, backend="cpu")
    same(there.within(0.1), here.within(0.1), rows_of(real))
    same([there.count(0.1)], [here.count(0.1)], [np.int32])
    k = min(7, len(position) - 1)
    if k > 0:
        same(there.table(k), here.nearest(k), (np.int32, real))
        same(there.nearest(k), hb.neighbours(position, nearest=k, box=box, backend="cpu"), rows_of(real))
    moved = position + 0.01 * position[:, ::-1]
    there.refit(moved)
    here.refit(moved)
    same(there.within(0.1), here.within(0.1), rows_of(real))


def options_of_forces(position):
    random = np.random.default_rng(7)
    eps, targets = random.uniform(0.01, 0.3, len(position)), random.normal(size=(77, 3))
    return {
        "plain": (0.1, {}), "points": (None, dict(theta=0.3)), "own softening": (eps, {}),
        "the same softening": (np.full(len(position), 0.25), {}), "relative": (0.1, dict(mac="relative", theta=0.3)),
        "direct": (0.1, dict(walk="direct")), "single": (0.1, dict(precision="single")),
        "targets": (0.1, dict(targets=targets)), "targets that differ": (eps, dict(targets=targets, target_eps=0.1)),
        "targets of their own": (eps, dict(targets=targets, target_eps=eps[:77])), "no targets": (0.1, dict(targets=targets[:0])),
    }


FORCES = list(options_of_forces(np.zeros((5, 3))))


@pytest.mark.parametrize("box", [0.0, 1.5])
@pytest.mark.parametrize("name", FORCES)
def test_forces_are_those_of_the_host(spheres, name, box):
    position, mass = spheres[0][:1000], spheres[1][:1000]
    eps, options = options_of_forces(position)[name]
    tree_options = {"precision": options.pop("precision")} if "precision" in options else {}
    there = OnCpu(position, mass, eps, box, **tree_options)
    here = hb.Tree(position, mass, eps, box=box, backend="cpu", **tree_options)
    reals = (np.float64, np.float64)
    same(there.both(**options), here.both(**options), reals)
    if "targets" not in options:
        same(there.both(theta=0.4), here.both(theta=0.4), reals)
        same(there.within(0.1), here.within(0.1), rows_of(float))  # of the places that the forces' tree holds
        for step in (0.001, 100.0):  # beyond what the tree's units serve it is built anew
            there.refit(position * (1 + step))
            here.refit(position * (1 + step))
            same(there.both(**options), here.both(**options), reals)
            same(there.within(0.1), here.within(0.1), rows_of(float))


def test_single_precision_in_and_out(spheres):
    position, mass, _ = (array.astype(np.float32) for array in spheres)
    there, here = OnCpu(position, mass, 0.1), hb.Tree(position, mass, 0.1, backend="cpu")
    same(there.both(), here.both(), (np.float32, np.float32))
    same(there.both(dtype=float), here.both(), (float, float))
    assert [a.shape for a in OnCpu(position[:0], mass[:0], 0.1).both()] == [(0, 3), (0,)]
    assert all((a == 0).all() for a in OnCpu(position[:0], mass[:0], 0.1).both(targets=position))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("box", [0.0, 1.0])
def test_contacts_are_those_of_the_host(spheres, form, box):
    position, radius, velocity = spheres
    position = forms(position)[form]
    n, real = len(position), position.dtype
    radius, velocity = radius[:n].astype(real), velocity[:n].astype(real)
    if box:
        position = position + real.type(0.5)
    for more in ((), (velocity,), (velocity, 0.01)):
        expected = hb.collisions(position, radius, *more, box=box, backend="cpu")
        same(contacts_on_cpu(position, radius, *more, box=box), expected, (np.int32, real, real))
        assert n < 100 or len(expected.pairs) > 10
    same(contacts_on_cpu(position, 0.01, box=box), hb.collisions(position, 0.01, box=box, backend="cpu"),
         (np.int32, real, real))


@pytest.mark.parametrize("box", [0.0, 1.0])
@pytest.mark.parametrize("form", FORMS)
def test_neighbours_of_other_points_are_those_of_the_host(spheres, form, box):
    position, _, _ = spheres
    targets = forms(np.random.default_rng(5).uniform(-0.2, 1.2, (300, 3)))[form]
    there, here = OnCpu(position, box=box), hb.Tree(position, box=box)
    same(there.within(0.1, targets), here.within(0.1, targets=targets), ["int64", "int32", "float64"])
    same(there.table(7, targets), here.nearest(7, targets=targets), ["int32", "float64"])
    assert (there.count(0.1, targets) == here.count(0.1, targets=targets)).all()


def test_far_points_of_a_device_are_those_of_the_host(spheres):
    position, mass, _ = spheres
    targets = np.array([[0.5, 0.5, 2.0], [1e7, 0, 0], [0, -1e15, 0]])
    for dtype in (np.float64, np.float32):
        at = targets.astype(dtype)
        there = OnCpu(position.astype(dtype), mass.astype(dtype), 0.01).both(targets=at)
        here = hb.Tree(position.astype(dtype), mass.astype(dtype), 0.01, backend="cpu").both(targets=at)
        for a, b in zip(there, here):  # walks are in fp32, which takes what is below 1e-38 for 0
            assert np.allclose(a, b, rtol=1e-6, atol=1e-38)
        assert there[0][1, 0] == pytest.approx(-mass.sum() / 1e14, rel=1e-5)


def test_radii_of_their_own_and_another_tree():
    random, box = np.random.default_rng(9), (1.0, 0.4, 0.0)
    position, points = random.uniform(0, 1, (500, 3)) * (1, 0.4, 2), random.uniform(0, 1, (80, 3)) * (1, 0.4, 2)
    one, other, expected = OnCpu(position, box=box), OnCpu(points, box=box), hb.Tree(position, box=box)
    for targets, count in ((None, 500), (points, 80)):
        radii = random.uniform(0, 0.4, count)
        right = expected.within(radii, targets=targets)
        assert all((a == b).all() for a, b in zip(one.within(0.0, targets, radii=radii), right))
        assert (one.count(0.0, targets, radii=radii.astype(np.float32).astype(float)) ==
                expected.count(radii.astype(np.float32), targets=targets)).all()
    for tree, at in ((other, points), (one, position)):
        assert all((a == b).all() for a, b in zip(one.within(0.3, tree.there.search()), expected.within(0.3, targets=at)))
        assert (one.table(5, tree.there.search())[0] == expected.nearest(5, targets=at)[0]).all()
        assert (one.count(0.3, tree.there.search()) == expected.count(0.3, targets=at)).all()
    with pytest.raises(hb.UsageError, match="targets: received a tree with another box"):
        one.within(0.3, OnCpu(points).there.search())
    with pytest.raises(hb.UsageError, match="radius 3 = -1: must be positive"):
        one.count(0.0, points, radii=np.where(np.arange(80) == 3, -1.0, 0.1))


BAD = np.random.default_rng(1).normal(size=(5, 3))
WITH_NAN = np.array([[0, 0, 0]] * 4 + [[0, np.nan, 0]])


@pytest.mark.parametrize("call, words", [
    (lambda: OnCpu(BAD[:, :2]), "positions: received numpy.ndarray of shape (5, 2)"),
    (lambda: OnCpu(BAD.astype(int)), "type int64 (on a GPU numbers must be"),
    (lambda: OnCpu(WITH_NAN), "particle 4: is at (0, nan, 0)"), (lambda: OnCpu(WITH_NAN, box=1.0), "particle 4: is at"),
    (lambda: OnCpu(BAD * 1e160), "within 1e150 of 0"), (lambda: OnCpu(BAD, threads=-1), "threads"),
    (lambda: OnCpu(BAD).within(-1.0), "radius = -1"), (lambda: OnCpu(BAD).within(0.0, radii=np.ones(3)), "radius: 3 values for"),
    (lambda: OnCpu(BAD).table(5), "k = 5"), (lambda: OnCpu(BAD).refit(BAD[:4]), "4 for a tree of 5"),
    (lambda: OnCpu(BAD).refit(WITH_NAN), "particle 4: is at"),
    (lambda: OnCpu(BAD).within(1.0, WITH_NAN), "target 4: is at"), (lambda: OnCpu(BAD).table(6, BAD), "k = 6"),
    (lambda: OnCpu(BAD, np.ones(4)), "masses: received numpy.ndarray of shape (4,)"),
    (lambda: OnCpu(BAD, -np.ones(5)), "particle 0 (id 0): mass = -1"), (lambda: OnCpu(WITH_NAN, 1.0), "position y = nan"),
    (lambda: OnCpu(BAD, 1.0, -1.0).both(), "eps: received -1"), (lambda: OnCpu(BAD, 1.0).both(tetha=1), "theta?"),
    (lambda: OnCpu(BAD, 1.0).both(targets=WITH_NAN), "target 4: position y = nan"),
    (lambda: OnCpu(BAD, 1.0).both(target_eps=1.0), "received no targets"),
    (lambda: OnCpu(BAD, 1.0, np.arange(5.0)).both(targets=BAD), "target_eps: is missing"),
    (lambda: OnCpu(BAD, 1.0, 0.1).both(targets=BAD, target_eps=-0.1), "target 0: target_eps = -0.1"),
    (lambda: OnCpu(BAD, 1.0).refit(BAD[:4]), "4 for a tree of 5"),
    (lambda: OnCpu(BAD, 1.0).refit(WITH_NAN), "position y = nan"), (lambda: OnCpu(BAD, 1.0).both(dtype=int), "dtype"),
    (lambda: contacts_on_cpu(WITH_NAN, 1.0), "particle 4: is at"),
    (lambda: contacts_on_cpu(BAD, -1.0), "particle 0: radius = -1"),
    (lambda: contacts_on_cpu(BAD, np.ones(4)), "radii: received numpy.ndarray of shape (4,)"),
    (lambda: contacts_on_cpu(BAD, 0.1, WITH_NAN, 1.0), "particle 4: velocity = nan"),
    (lambda: contacts_on_cpu(BAD, 0.1, BAD[:4], 1.0), "received 4 for 5 positions"),
    (lambda: contacts_on_cpu(BAD, 0.1, BAD, -1.0), "dt = -1"), (lambda: contacts_on_cpu(BAD, 0.1, dt=1.0), "dt: received no velocities"),
    (lambda: contacts_on_cpu(BAD, 0.3, box=1.0), "box = 1"),
    (lambda: contacts_on_cpu(BAD, 0.1, BAD, 10.0, box=1.0), "path within dt"),
])
def test_what_does_not_fit_is_told(call, words):
    with pytest.raises(hb.Error) as told:
        call()
    assert words in str(told.value)


@pytest.mark.parametrize("call, words", [
    (lambda: hb.Tree(np.ones((3, 3)), Shown((2, 0))), "positions: received ndarray in the host's memory together with arrays on a GPU"),
    (lambda: hb.Tree(Shown((2, 0)), np.ones(3)), "masses: received ndarray in the host's memory"),
    (lambda: hb.Tree(Shown((2, 0)), 1.0, Shown((2, 1))), "eps: is on CUDA device 1"),
    (lambda: hb.Tree(Shown((2, 0)), eps=1.0), "eps: received no masses"),
    (lambda: hb.neighbours(Shown((2, 0)), 1.0, backend="opencl"), "backend = opencl: the arrays are"),
    (lambda: hb.neighbours(Shown((10, 0)), 1.0), "on a device of DLPack"),
    (lambda: hb.neighbours(Shown((2, 0))), "neighbours: needs either a radius"),
    (lambda: hb.collisions(Shown((2, 0)), np.ones(3)), "radii: received ndarray in the host's memory"),
    (lambda: hb.collisions(np.ones((3, 3)), 1.0, Shown((2, 0))), "positions: received ndarray in the host's memory"),
])
def test_devices_that_do_not_fit_together(call, words):
    with pytest.raises(hb.UsageError) as told:
        call()
    assert words in str(told.value)


def test_a_tree_of_the_host_takes_targets_of_the_host():
    with pytest.raises(hb.UsageError, match="on a GPU, but must be in the host's memory"):
        hb.Tree(BAD, 1.0).both(targets=Shown((2, 0)))


# ---- on a GPU


@needs_gpu
@pytest.mark.parametrize("module", LIBRARIES)
def test_on_the_gpu_as_on_the_host(spheres, module):
    put, get = library(module)
    position, radius, velocity = (a.astype(np.float32) if module == "jax" else a for a in spheres)
    real = position.dtype
    there, here = hb.Tree(put(position), put(radius), 0.1, box=1.0), hb.Tree(position, radius, 0.1, box=1.0, backend="cuda")
    assert len(there) == len(position) and there.backend == "cuda"
    reals, rows = (real, real), (np.int32, real) if module == "jax" else rows_of(real)  # JAX has 32 bits alone by default

    def got(arrays):
        return [get(array) for array in arrays][-len(rows):]

    for moved in (position, position + real.type(0.003) * velocity):
        there.refit(put(moved))
        here.refit(moved)
        same([get(a) for a in there.both(theta=0.5)], here.both(theta=0.5), reals)
        same([get(a) for a in there.both(targets=put(velocity))], here.both(targets=velocity), reals)
        same(got(there.within(0.1)), here.within(0.1)[-len(rows):], rows)
        same([get(a) for a in there.nearest(9)], here.nearest(9), (np.int32, real))
        same([get(there.count(0.1))], [here.count(0.1)], [np.int32])
    same(got(hb.neighbours(put(position), nearest=5)), hb.neighbours(position, nearest=5, backend="cuda")[-len(rows):], rows)
    for more in ((), (velocity,), (velocity, 0.01)):
        found = hb.collisions(put(position), put(radius), *map(lambda a: put(a) if isinstance(a, np.ndarray) else a, more),
                              box=1.0)
        same([get(a) for a in found], hb.collisions(position, radius, *more, box=1.0, backend="cuda"), (np.int32, real, real))
    if module in ("torch", "cupy"):
        assert type(found.pairs) is type(put(position))


@needs_gpu
@pytest.mark.parametrize("doors", [("dlpack",), ("interface",)])
def test_the_callers_stream_comes_first(spheres, doors):
    position = spheres[0]
    late = CudaArray(np.full_like(position, np.nan), doors, Stream())
    busy = late.stream.keep_busy(0.5)
    source = late.fill_later(position)
    tree = hb.Tree(late)
    same([on_host(a) for a in tree.within(0.1)], hb.neighbours(position, 0.1, backend="cuda"), rows_of(float))
    del busy, source


@needs_gpu
def test_nothing_is_left_behind(spheres):
    position, radius, velocity = (CudaArray(a) for a in spheres)

    def some_calls():
        for _ in range(10):
            tree = hb.Tree(position, radius, 0.1)
            tree.both(), tree.within(0.1), tree.nearest(5)
            hb.collisions(position, radius, velocity, 0.01)
            with pytest.raises(hb.Error):
                hb.collisions(position, -1.0)
        del tree
        gc.collect()
        return free_bytes()

    before = some_calls()
    assert all(some_calls() >= before - (2 << 20) for _ in range(3))  # the driver's own pages
