# SPDX-License-Identifier: Apache-2.0
"""What callbacks, threads and forked processes do to a simulation that is at work: an exception or the right numbers."""

import multiprocessing
import os
import threading

import numpy as np
import pytest

import hornbeam as hb
from conftest import python


def made(**options):
    return hb.Simulation(hb.ic.plummer(60, seed=2), **{"dt": 1 / 32, "eps": 0.1, **options})


def after(time):
    simulation = made()
    simulation.run(time)
    return simulation


def test_callbacks_that_step():
    """Steps within steps are steps."""
    simulation = made()
    simulation.run(0.5, lambda s: s.step())
    assert simulation.time == 0.5 and simulation.steps == 16 and (simulation.position == after(0.5).position).all()
    simulation.run(1.0, lambda s: s.run(s.time + 0.1, lambda inner: inner.step()))
    assert simulation.steps == round(simulation.time * 32)
    assert (simulation.position == after(simulation.time).position).all()


@pytest.mark.parametrize("every", [None, 0.1])
def test_callbacks_that_close(every):
    simulation = made()
    with pytest.raises(hb.Error, match="is closed"):
        simulation.run(0.5, lambda s: s.close(), every)
    assert "closed" in repr(simulation)
    with made() as simulation:
        simulation.run(0.5, lambda s: False)
        simulation.close()
    with pytest.raises(hb.Error, match="is closed"):
        simulation.close()


@pytest.mark.parametrize("kind", [ZeroDivisionError, KeyboardInterrupt, SystemExit, StopIteration, hb.Error])
def test_callbacks_that_raise(kind):
    """The exception comes through, and the simulation goes on where it was."""
    simulation = made()

    def at_a_quarter(s):
        if s.time == 0.25:
            raise kind("enough")

    with pytest.raises(kind, match="enough"):
        simulation.run(1.0, at_a_quarter)
    assert simulation.time == 0.25
    simulation.run(0.5)
    assert (simulation.position == after(0.5).position).all()


def test_callbacks_that_change_particles():
    simulation = made()
    simulation.run(0.25, lambda s: s.remove([0]))
    assert len(simulation) == 60 - 8 and simulation.steps == 8
    simulation.run(0.5, lambda s: s.add({"position": [[9, 9, 9]], "mass": [0.0]}))
    assert len(simulation) == 60 and simulation.steps == 16


def test_listeners_of_runs_that_raise(tmp_path):
    """The exception ends the run, which goes on from its last checkpoint; its folder is free again."""
    options = dict(model="plummer", n=32, dt=1 / 32, end=1.0, eps=0.1,
                   output={"directory": str(tmp_path / "out"), "every": 0.25, "checkpoint_every": 0.25})

    def tell(kind, what):
        if kind == "output" and what["time"] == 0.5:
            raise KeyError("from the listener")

    with pytest.raises(KeyError, match="from the listener"):
        hb.run(tell=tell, **options)
    assert hb.run(resume=True, **options)["totals"]["finished"]
    assert (tmp_path / "out" / "snapshot_0004.hdf5").exists()

    def again(kind, what):
        hb.run(overwrite=True, **options)

    with pytest.raises(hb.Error, match="is in use by process"):
        hb.run(overwrite=True, tell=again, **options)


def test_threads_that_use_one_simulation():
    """Each call is refused or right; arrays stay readable."""
    simulation, wrong = hb.Simulation(hb.ic.plummer(3000), dt=1 / 64, eps=0.05, threads=1), []

    def ask():
        for use in (lambda: simulation.energy().total, lambda: simulation.position.sum(), lambda: simulation.step(),
                    lambda: repr(simulation), lambda: simulation.copy(), lambda: simulation.add({"position": [[1, 2, 3]]}),
                    lambda: simulation.remove([0]), lambda: simulation.options) * 4:
            try:
                use()
            except hb.Error as error:
                if "another thread" not in str(error):
                    wrong.append(error)
            except BaseException as error:
                wrong.append(error)

    workers = [threading.Thread(target=ask) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong
    before = simulation.steps
    simulation.step()
    assert simulation.steps == before + 1 and np.isfinite(simulation.position).all()


def test_closing_while_another_thread_steps():
    simulation = hb.Simulation(hb.ic.plummer(5000), dt=1 / 64, eps=0.05)
    worker = threading.Thread(target=simulation.step, args=(20,))
    worker.start()
    refused = 0
    while worker.is_alive():
        try:
            simulation.close()
            break
        except hb.Error as error:
            refused += "another thread" in str(error)
    worker.join()
    assert refused > 0


FORKED = """
import multiprocessing, numpy, hornbeam as hb
position = numpy.random.default_rng(1).normal(size=(3000, 3))
expected = hb.accelerations(position, 1.0, 0.1)
simulation = hb.Simulation(hb.ic.plummer(2000), dt=1/64, eps=0.1)
simulation.step()

def child(k):
    same = (hb.accelerations(position, 1.0, 0.1) == expected).all()
    simulation.step()
    return bool(same), simulation.position[0].tolist(), int(hb.Tree(position).nearest(2)[0].sum())

with multiprocessing.get_context("fork").Pool(2) as pool:
    found = pool.map(child, range(4))
simulation.step()
print(found[0][0], found[0][1] == simulation.position[0].tolist(), all(one[2] == found[0][2] for one in found))
"""


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
def test_forked_processes_compute():
    """The threads of the parent are not theirs: they make their own, and find the same bits."""
    done = python(FORKED)
    assert done.stdout == "True True True\n", done.stderr


def test_drivers_are_not_used_in_forked_processes():
    if "opencl" not in [device["backend"] for device in hb.info()["devices"]]:
        pytest.skip("no OpenCL device is here")
    code = """
import os, hornbeam as hb
options = dict(backend="opencl", walk="stackless", expansion=0)
few = hb.ic.plummer(64)
simulation = hb.Simulation(few, dt=1/32, eps=0.05, **options)
hb.accelerations(few.position, few.mass, 0.05, **options)
child = os.fork()
if child == 0:
    for use in (simulation.step, lambda: hb.accelerations(few.position, few.mass, 0.05, **options)):
        try:
            use()
            print("no error", flush=True)
        except hb.Error as error:
            print(str(error)[:16], "fork" in str(error), flush=True)
    print(hb.accelerations(few.position, few.mass, 0.05, backend="cpu").shape, flush=True)
    os._exit(0)
os.waitpid(child, 0)
simulation.step()
print("parent goes on")
"""
    done = python(code)
    assert done.stdout == "Simulation: is o True\nbackend = opencl True\n(64, 3)\nparent goes on\n", done.stderr


def test_processes_that_end_while_threads_work():
    """No crash at the end of the interpreter: simulations alive, views alive, a thread at work."""
    code = """
import threading, hornbeam as hb
simulation = hb.Simulation(hb.ic.plummer(3000), dt=1/64, eps=0.1)
position, tree = simulation.position, hb.Tree(simulation.position)
threading.Thread(target=simulation.step, args=(10**6,), daemon=True).start()
"""
    done = python(code, env={**os.environ, "PYTHONFAULTHANDLER": "1"})
    assert (done.returncode, done.stderr) == (0, "")
