# SPDX-License-Identifier: Apache-2.0
"""Two GPUs of one process: simulations on both, arrays of libraries on the one that is not present. Skipped where there
are not two."""

import importlib
import threading

import numpy as np
import pytest

import hornbeam as hb

GPUS = sum(device["backend"] == "cuda" for device in hb.info()["devices"])
pytestmark = pytest.mark.skipif(GPUS < 2, reason=f"two CUDA devices are needed, and {GPUS} are here")


@pytest.mark.parametrize("steps", ["shared", "block"])
def test_simulations_side_by_side(steps):
    """The same bits on either, alone and while the other steps in another thread."""
    found = {}

    def run(seed, device):
        with hb.Simulation(hb.ic.plummer(20000, seed=seed), dt=1 / 64, eps=0.02, backend="cuda", device=device,
                           steps=steps) as simulation:
            simulation.step(10)
            found[seed, device] = np.array(simulation.position)

    run(1, 0)
    run(2, 1)
    alone = dict(found)
    threads = [threading.Thread(target=run, args=which) for which in ((1, 1), (2, 0), (1, 0), (2, 1))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed, device in ((1, 0), (2, 1)):
        assert (found[seed, 0] == alone[seed, device]).all() and (found[seed, 1] == alone[seed, device]).all()


def torch_on(device, values):
    return importlib.import_module("torch").from_numpy(values).to(f"cuda:{device}")


def cupy_on(device, values):
    cupy = importlib.import_module("cupy")
    with cupy.cuda.Device(device):
        return cupy.asarray(values)


def on_host(array):
    """By the array's own library: cudaMemcpy() of another copy of the runtime refuses what lies on the second device."""
    return array.cpu().numpy() if hasattr(array, "cpu") else array.get()


@pytest.mark.parametrize("library, placed", [("torch", torch_on), ("cupy", cupy_on)])
def test_arrays_stay_on_the_device_that_is_not_present(library, placed):
    pytest.importorskip(library)
    random = np.random.default_rng(3)
    position, mass = random.normal(size=(5000, 3)), random.uniform(size=5000)
    found = {}
    for device in (1, 0, 1):
        x, m = placed(device, position), placed(device, mass)
        for got in (hb.accelerations(x, m, 0.1), hb.Tree(x, m, 0.1).both()[0]):
            assert got.__dlpack_device__() == (2, device)
            found.setdefault("forces", on_host(got))
            assert (on_host(got) == found["forces"]).all()
        assert hb.neighbours(x, 0.2)[1].__dlpack_device__() == (2, device)
    with pytest.raises(hb.Error, match="device"):
        hb.accelerations(placed(0, position), placed(1, mass), 0.1)
