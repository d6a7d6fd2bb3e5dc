# SPDX-License-Identifier: Apache-2.0
"""What is made and dropped leaves nothing: the memory of this process before and after. Under AddressSanitizer, which
keeps what is freed, there is nothing to measure."""

import copy
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


def resident():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * PAGE


def growth(work, times, before):
    """Bytes that `times` leave behind after `before`, when heaps, pools of threads and caches are warm: the fewer of twice
    so many, as a thread's heap may grow once more, and a leak is there each time."""
    for _ in range(before):
        work()
    held = [resident()]
    for _ in range(2):
        for _ in range(times):
            work()
        held.append(resident())
    return min(held[1] - held[0], held[2] - held[1])


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
def test_a_thousand_simulations():
    """Some 300 MB made and dropped; what is left is below 2 kB each, which no array of one of them would fit in."""
    assert growth(one_simulation, 500, 100) < 1_000_000


@sanitized
@pytest.mark.parametrize("work", [views_kept_and_written_to, given_up_midway, pickled, forces, trees, snapshots,
                                  in_a_circle, in_threads], ids=lambda work: work.__name__)
def test_nothing_is_left(work):
    assert growth(work, 100, 20) < 1_000_000  # 10 kB each: positions and velocities of one are 9.6 kB


@sanitized
def test_on_opencl():
    """Driver and kernels stay, of which a simulation's arrays are not part."""
    if "opencl" not in [device["backend"] for device in hb.info()["devices"]]:
        pytest.skip("no OpenCL device is here")
    few = hb.ic.plummer(64)

    def work():
        hb.Simulation(few, dt=1 / 32, eps=0.05, backend="opencl", walk="stackless", expansion=0).step()

    # 150 kB each; the heaps of PoCL's threads grow once, at any time, and what is never given back grows every time
    assert min(growth(work, 20, before) for before in (5, 0, 0)) < 3_000_000


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
