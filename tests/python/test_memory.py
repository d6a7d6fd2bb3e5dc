# SPDX-License-Identifier: Apache-2.0
"""What is made and dropped leaves nothing: the memory of this process before and after. Under AddressSanitizer, which
keeps what is freed, there is nothing to measure."""

import copy
import ctypes
import gc
import os
import pickle
import threading
import weakref

import numpy as np
import pytest

import hornbeam as hb

sanitized = pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer keeps what is freed")
PAGE = os.sysconf("SC_PAGE_SIZE")
N = 200  # a simulation of so many, with its tree, is 200 kB and more


class Heaps(ctypes.Structure):
    """What mallinfo2 of glibc tells of all heaps: bytes in use are those of blocks and those mapped for large ones."""
    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "free", "small", "maps", "mapped", "most", "fast", "used",
                                                     "unused", "top")]


def held():
    """Bytes of heaps in use, which count each array, and those of the process, which count all that heaps do not."""
    gc.collect()
    with open("/proc/self/statm") as file:
        resident = int(file.read().split()[1]) * PAGE
    told = getattr(ctypes.CDLL(None), "mallinfo2", None)  # of glibc alone
    if told is None:
        return np.array([0, resident])
    told.restype = Heaps
    heaps = told()
    return np.array([heaps.used + heaps.mapped, resident])


def leaks(work, times, before, in_use=1_000, resident=10_000, tries=4):
    """Whether each of so many `times` leaves that many bytes behind, once heaps, threads and caches are warm after `before`.
    A thread's heap may grow once more: a leak is there at each of the tries, and the first without one ends them."""
    for _ in range(before):
        work()
    for _ in range(tries):
        start = held()
        for _ in range(times):
            work()
        if (held() - start < times * np.array([in_use, resident])).all():
            return False
    return True


SPHERE = hb.ic.plummer(N, seed=1)


def made(**options):
    return hb.Simulation(SPHERE, **{"dt": 1 / 32, "eps": 0.05, **options})


def one_simulation():
    simulation = made()
    simulation.step()
    simulation.position.sum()


def views_kept_and_written_to():
    simulation = made()
    position, velocity = simulation.position, simulation.velocity[:, 0]
    velocity += 1.0
    simulation.step()
    del simulation
    assert position.shape == (N, 3) and velocity.sum() > 0


def given_up_midway():
    for wrong in ({"theta": -1}, {"backend": "none"}, {"dt": -1}):
        with pytest.raises(hb.Error):
            made(**wrong)
    with pytest.raises(ZeroDivisionError):
        made().run(1.0, lambda simulation: 1 / 0)
    with pytest.raises(hb.Error):
        hb.Simulation({"position": np.full((N, 3), np.nan)}, dt=1)
    with pytest.raises(hb.Error):
        hb.both(SPHERE.position, -SPHERE.mass)


def pickled():
    simulation = made()
    simulation.step()
    pickle.loads(pickle.dumps(simulation))
    pickle.loads(pickle.dumps(copy.deepcopy(SPHERE)))


def forces():
    hb.both(SPHERE.position, SPHERE.mass, 0.05, targets=SPHERE.position[:9])
    hb.accelerations(SPHERE.position.tolist(), 1.0, 0.05, dtype=np.float32)


def trees():
    tree = hb.Tree(SPHERE.position)
    tree.within(0.5), tree.nearest(4), tree.count(0.5)
    hb.neighbours(SPHERE.position % 1.0, nearest=3, box=1.0)


def snapshots():
    one = hb.Snapshot(SPHERE.position, SPHERE.velocity, SPHERE.mass, internal_energy=1.0)
    (one + SPHERE).select(np.arange(9)).copy()
    one.internal_energy = None
    hb.ic.hernquist(N)
    hb.analysis.profile(one), hb.analysis.groups(one, 0.5), hb.analysis.energy(one)


def in_a_circle():
    """The simulation knows a function that knows the simulation: the garbage collector takes both."""
    simulation = made()
    simulation._callback = lambda *_: simulation
    simulation.run(1 / 32, simulation._callback)
    del simulation
    gc.collect()


def in_threads():
    def work():
        made(threads=1).step()

    workers = [threading.Thread(target=work) for _ in range(2)]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]


@sanitized
def test_hundreds_of_simulations():
    """Some 50 MB made and dropped; what is left is below 1 kB of arrays each, and 2 kB of all."""
    assert not leaks(one_simulation, 200, 50, resident=2_000)


@sanitized
@pytest.mark.parametrize("work", [views_kept_and_written_to, given_up_midway, pickled, forces, trees, snapshots,
                                  in_a_circle, in_threads], ids=lambda work: work.__name__)
def test_nothing_is_left(work):
    assert not leaks(work, 20, 10)  # masses of one are 1.6 kB, positions and velocities 9.6 kB


@sanitized
def test_on_opencl():
    """Driver and kernels stay, of which a simulation's arrays are not part."""
    if "opencl" not in [device["backend"] for device in hb.info()["devices"]]:
        pytest.skip("no OpenCL device is here")
    some = hb.ic.plummer(4096)

    def work():
        hb.Simulation(some, dt=1 / 32, eps=0.05, theta=0.8, backend="opencl", walk="stackless", expansion=0).step()

    # positions of one are 64 kB on the device; the heaps of PoCL's threads grow once, at any time
    assert not leaks(work, 2, 3, in_use=48_000, resident=150_000, tries=8)


def test_what_is_dropped_is_gone_at_once():
    """But for circles, which the garbage collector takes."""
    simulation = made()
    snapshot, tree = simulation.particles, hb.Tree(SPHERE.position)
    gone = [weakref.ref(one) for one in (simulation, snapshot, tree)]
    position = snapshot.position
    del simulation, snapshot, tree
    assert [one() for one in gone] == [None, None, None] and position.shape == (N, 3)
    circle = made()
    circle._callback = lambda: circle
    gone = weakref.ref(circle)
    del circle
    gc.collect()
    assert gone() is None


def test_a_run_gives_its_listener_back(tmp_path):
    class Listener:
        def __call__(self, kind, what):
            self.heard = kind

    listener = Listener()
    gone = weakref.ref(listener)
    hb.run(model="plummer", n=16, dt=1 / 16, end=0.25, eps=0.1, output={"directory": str(tmp_path / "out")}, tell=listener)
    assert listener.heard
    del listener
    assert gone() is None
