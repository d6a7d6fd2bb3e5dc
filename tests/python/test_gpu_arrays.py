# SPDX-License-Identifier: Apache-2.0
"""Arrays on a GPU: taken where they lie, and forces that lie there, too, the same to the bit as of NumPy's arrays. What
needs no GPU is tested on the CPU, whose device takes arrays of its memory in the same way."""

import gc
import importlib

import numpy as np
import pytest

import hornbeam as hb
from hornbeam import _core, device_arrays
import cuda_array
from cuda_array import CudaArray, Stream, free_bytes, on_host

BUILT = any(device["backend"] == "cuda" for device in hb.info()["devices"])
needs_gpu = pytest.mark.skipif(cuda_array.absence is not None or not BUILT,
                               reason=cuda_array.absence or "this build lists no CUDA device")


@pytest.fixture
def cloud():
    random = np.random.default_rng(5)
    return random.normal(size=(3000, 3)), random.uniform(0.5, 1.5, 3000)


def cases(position, mass):
    """Arguments of hb.both() in NumPy's arrays."""
    random = np.random.default_rng(7)
    n = len(position)
    eps, targets = random.uniform(0.01, 0.3, n), random.normal(size=(77, 3))
    wide = np.zeros((n, 6))
    wide[:, ::2] = position
    return {
        "plain": (dict(positions=position, masses=mass, eps=0.1), {}),
        "one mass for all": (dict(positions=position, masses=1 / n, eps=0.1), {}),
        "strided": (dict(positions=wide[:, ::2], masses=mass[::-1], eps=0.1), {}),
        "fortran": (dict(positions=np.asfortranarray(position), masses=mass, eps=0.1), {}),
        "float32": (dict(positions=position.astype(np.float32), masses=mass.astype(np.float32), eps=0.1), {}),
        "mixed types": (dict(positions=position, masses=mass.astype(np.float32), eps=0.1), {}),
        "own softening": (dict(positions=position, masses=mass, eps=eps), {}),
        "the same softening": (dict(positions=position, masses=mass, eps=np.full(n, 0.25)), {}),
        "targets": (dict(positions=position, masses=mass, eps=0.1, targets=targets), {}),
        "targets that differ": (dict(positions=position, masses=mass, eps=eps, targets=targets, target_eps=0.1), {}),
        "targets and relative": (dict(positions=position, masses=mass, eps=0.1, targets=targets),
                                 dict(mac="relative", theta=0.3)),
        "box": (dict(positions=position % 1.0 - 0.5, masses=mass, eps=0.1), dict(box=1.0)),
        "units": (dict(positions=position * 1e20, masses=mass * 1e30, eps=1e19), dict(G=6.7e-11)),
        "double": (dict(positions=position, masses=mass, eps=0.1), dict(precision="double")),
        "single": (dict(positions=position, masses=mass, eps=0.1), dict(precision="single")),
        "few": (dict(positions=position[:3], masses=mass[:3]), dict(walk="direct")),
        "nobody": (dict(positions=position[:0], masses=mass[:0]), {}),
        "no targets": (dict(positions=position, masses=mass, eps=0.1, targets=targets[:0]), {}),
        "no sources": (dict(positions=position[:0], masses=mass[:0], targets=targets), {}),
    }


NAMES = list(cases(np.zeros((5, 3)), np.zeros(5)))


def same(found, expected, dtype):
    for a, b in zip(found, expected):
        assert a.shape == b.shape and a.dtype == dtype
        assert (a == b.astype(dtype)).all()


def on_cpu(positions, masses, eps=None, targets=None, target_eps=None, *, G=1.0, box=None, dtype=None, **options):
    """hb.both() by the way of arrays on a GPU, on the CPU."""
    from hornbeam.forces import _boundary

    session = _core.DeviceForces("cpu", 0)
    found = device_arrays.both(positions, masses, eps, targets, target_eps, G, _boundary(box, None), dtype, options,
                               session=session)
    return [np.from_dlpack(array) for array in found]


@pytest.mark.parametrize("name", NAMES)
def test_where_arrays_lie_changes_no_bit(cloud, name):
    arrays, options = cases(*cloud)[name]
    dtype = arrays["positions"].dtype
    same(on_cpu(**arrays, **options), hb.both(**arrays, backend="cpu", **options), dtype)


def test_results_in_the_type_asked_for(cloud):
    position, mass = cloud
    expected = hb.both(position, mass, 0.1, backend="cpu")
    for dtype in (np.float32, "float32", np.dtype("f4")):
        same(on_cpu(position, mass, 0.1, dtype=dtype), expected, np.float32)
    with pytest.raises(hb.UsageError, match="dtype: received"):
        on_cpu(position, mass, 0.1, dtype=np.int32)
    array = device_arrays.DeviceArray(_core.DeviceForces("cpu", 0).evaluate(
        *(_core.LentArray(a.__dlpack__()) for a in (position, mass)), None, None, None, 1.0, {"eps": 0.1}, {}, True)[0])
    assert array.shape == (3000, 3) and len(array) == 3000 and array.__dlpack_device__() == (1, 0)
    for wrong in (dict(copy=True), dict(dl_device=(2, 0))):
        with pytest.raises(BufferError):
            array.__dlpack__(**wrong)
    assert not hasattr(array, "__cuda_array_interface__")  # it is no array of CUDA's


WRONG = [
    (dict(positions=np.zeros((5, 2))), "positions: received numpy.ndarray of shape (5, 2) and type float64 (must be of"),
    (dict(positions=np.zeros((5, 3), np.float16)), "type float16 (on a GPU numbers must be float64 or float32)"),
    (dict(positions=np.zeros((5, 3), int)), "type int64 (on a GPU"), (dict(masses=np.zeros(4)), "(must be of shape (5,)"),
    (dict(masses=np.array(1.0)), "one number for all is given as Python's"),
    (dict(masses=np.array([1, 2, 3, 4, np.nan])), "particle 4 (id 4): mass = nan"),
    (dict(masses=np.array([1, 2, -3.0, 4, 5])), "particle 2 (id 2): mass = -3: must be 0 or more"),
    (dict(masses=-1), "mass = -1: must be"), (dict(eps=np.array([1, 2, 3, 4, -5.0])), "eps = -5"),
    (dict(positions=np.array([[0, 0, 0]] * 4 + [[0, np.inf, 0]])), "particle 4 (id 4): position y = inf"),
    (dict(targets=np.full((2, 3), np.nan)), "target 0: position x = nan"),
    (dict(eps=np.ones(5), targets=np.zeros((2, 3))), "target_eps: is missing"),
    (dict(target_eps=1), "target_eps: received no targets"), (dict(theta=7), "theta"), (dict(tetha=1), "theta?"),
    (dict(masses=np.full(5, 1e308)), "the sum of all masses is beyond double precision"),
]


@pytest.mark.parametrize("wrong, words", WRONG, ids=[str(i) for i in range(len(WRONG))])
def test_what_does_not_fit_is_told(wrong, words):
    arguments = {"positions": np.random.default_rng(1).normal(size=(5, 3)), "masses": np.ones(5), **wrong}
    with pytest.raises(hb.Error) as told:
        on_cpu(**arguments)
    assert words in str(told.value)


class Pointed:
    """An array of the host as __cuda_array_interface__ shows those of a GPU."""

    def __init__(self, array, **shown):
        self._array = array
        self.__cuda_array_interface__ = {"shape": array.shape, "typestr": array.dtype.str, "strides": array.strides,
                                         "data": (array.ctypes.data, False), "version": 3, **shown}


@pytest.mark.parametrize("shown, words", [
    ({}, None), ({"strides": None}, None), ({"strides": ()}, "strides: are 0 for 2 axes"),
    ({"strides": (24,)}, "strides: are 1 for 2 axes"), ({"strides": (24, 7)}, "not multiples"),
    ({"typestr": ">f8"}, "must be little-endian"), ({"typestr": "<i8"}, "type i8"),
    ({"data": (0, False)}, "whose pointer is 0"), ({"mask": 1}, "a masked array")])
def test_what_the_interface_shows_is_looked_at(cloud, shown, words):
    position, mass = cloud
    if words is None:
        same(on_cpu(Pointed(position, **shown), Pointed(mass), 0.1), hb.both(position, mass, 0.1, backend="cpu"), float)
        return
    with pytest.raises(hb.UsageError) as told:
        on_cpu(Pointed(position, **shown), mass, 0.1)
    assert words in str(told.value)


def test_a_session_is_for_one_call(cloud):
    session = _core.DeviceForces("cpu", 0)
    arrays = [_core.LentArray(a.__dlpack__()) for a in cloud]
    session.evaluate(*arrays, None, None, None, 1.0, {}, {}, True)
    with pytest.raises(hb.UsageError, match="already computed the forces"):
        session.evaluate(*arrays, None, None, None, 1.0, {}, {}, True)


class Shown:
    """An array of which nothing but its device is known."""

    def __init__(self, device):
        self._device = device

    def __dlpack_device__(self):
        if self._device is None:
            raise BufferError("it is sharded")
        return self._device

    def __dlpack__(self, **_):
        raise BufferError("nobody may look")


class Interface:
    __cuda_array_interface__ = {}


@pytest.mark.parametrize("arguments, words", [
    (dict(positions=Shown((2, 0)), masses=np.ones(3)), "masses: received ndarray in the host's memory together with arrays on a GPU"),
    (dict(positions=np.ones((3, 3)), masses=Shown((2, 0))), "positions: received ndarray in the host's memory together with arrays"),
    (dict(positions=[[1, 2, 3]], masses=Shown((2, 0))), "positions: received list in the host's memory"),
    (dict(positions=Shown((2, 0)), masses=Shown((2, 1))), "masses: is on CUDA device 1, and positions on device 0"),
    (dict(positions=Shown((10, 0)), masses=1.0), "positions: received test_gpu_arrays.Shown on a device of DLPack"),
    (dict(positions=Shown(None), masses=1.0), "it is sharded"),
    (dict(positions=Shown((2, 0)), masses=1.0, backend="cpu"), "backend = cpu: the arrays are on a CUDA device"),
    (dict(positions=Shown((2, 0)), masses=1.0, backend="opencl"), "backend = opencl: the arrays are"),
    (dict(positions=Shown((2, 0)), masses=1.0, device=1), "device = 1: the arrays are on CUDA device 0"),
    (dict(positions=Shown((2, 0)), masses=1.0, G="one"), "G: received 'one'"),
    (dict(positions=Interface(), masses=1.0), "whose __cuda_array_interface__ has no data"),
    (dict(positions=Pointed(np.ones((3, 3)), data=("x", False)), masses=1.0), "has no data (must contain a pointer"),
    (dict(positions=Pointed(np.ones((3, 3)), data=None), masses=1.0), "has no data (must contain a pointer"),
])
def test_devices_that_do_not_fit_together(arguments, words):
    with pytest.raises(hb.UsageError) as told:
        hb.both(**arguments)
    assert words in str(told.value)


@pytest.mark.skipif(BUILT, reason="a CUDA device is here")
def test_without_cuda_arrays_of_it_are_refused():
    with pytest.raises(hb.NoDevice, match="cuda"):
        hb.accelerations(Shown((2, 0)), 1.0)


def test_opencl_has_no_memory_in_common():
    if not any(device["backend"] == "opencl" for device in hb.info()["devices"]):
        pytest.skip("no OpenCL device is here")
    with pytest.raises(hb.UsageError, match="cannot use pointers to device memory"):
        _core.DeviceForces("opencl", 0).stream


def test_elsewhere_arrays_come_from_the_host():
    for call in (hb.Snapshot, lambda a: hb.Snapshot(np.ones((3, 3)), mass=a)):
        with pytest.raises(hb.UsageError, match="on a GPU, but must be in the host's memory"):
            call(Shown((2, 0)))


# ---- on a GPU


def library(name):
    """An array of that library on the GPU, and how its results come to the host."""
    if name.startswith("double"):
        doors = {"double": ("dlpack", "interface"), "double by dlpack": ("dlpack",),
                 "double by interface": ("interface",)}[name]
        return lambda a: CudaArray(a, doors), on_host
    module = pytest.importorskip(name)
    if name == "torch":
        return lambda a: module.from_numpy(a.copy()).cuda(), lambda t: t.cpu().numpy()
    if name == "cupy":
        return module.asarray, module.asnumpy
    if name == "numba":
        return lambda a: importlib.import_module("numba.cuda").to_device(np.ascontiguousarray(a)), on_host
    return lambda a: module.device_put(a, module.devices("gpu")[0]), np.asarray


LIBRARIES = ["double", "double by dlpack", "double by interface", "torch", "cupy", "jax", "numba"]


@needs_gpu
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("module", LIBRARIES)
def test_forces_on_the_gpu_are_those_of_the_host(cloud, module, name):
    arrays, options = cases(*cloud)[name]
    put, get = library(module)
    if module == "jax":
        arrays = {key: a.astype(np.float32) if isinstance(a, np.ndarray) else a for key, a in arrays.items()}
        if name == "units":
            pytest.skip("beyond float32, which is what JAX takes by default")
    if module == "numba" and not np.asarray(arrays["positions"]).size:
        pytest.skip("numba has no empty arrays on the device")
    there = {key: put(a) if isinstance(a, np.ndarray) else a for key, a in arrays.items()}
    found = hb.both(**there, **options)
    same([get(array) for array in found], hb.both(**arrays, backend="cuda", **options), arrays["positions"].dtype)
    if module in ("torch", "cupy"):
        assert type(found[0]) is type(there["positions"])


@needs_gpu
@pytest.mark.parametrize("doors", [("dlpack",), ("interface",)])
def test_the_callers_stream_comes_first(cloud, doors):
    """Positions are written after work of half a second on a stream of the caller's."""
    position, mass = cloud
    expected = hb.both(position, mass, 0.1, backend="cuda")
    weight = CudaArray(mass, doors)
    hb.both(CudaArray(position, doors), weight, 0.1)  # all that is new is done
    late = CudaArray(np.full_like(position, np.nan), doors, Stream())
    busy = late.stream.keep_busy(0.5)
    source = late.fill_later(position)
    found = hb.both(late, weight, 0.1)
    same([on_host(a) for a in found], expected, np.float64)
    assert all(stream > 2 for stream in late.asked) and (doors == ("interface",)) == (not late.asked)
    del busy, source


@needs_gpu
def test_torch_streams_are_kept_to(cloud):
    torch = pytest.importorskip("torch")
    position, mass = cloud
    expected = hb.both(position, mass, 0.1, backend="cuda")
    good, weight = torch.from_numpy(position).cuda(), torch.from_numpy(mass).cuda()
    late = torch.full_like(good, float("nan"))
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        torch.cuda._sleep(10**9)
        late.copy_(good)
        found = hb.both(late, weight, 0.1)
        doubled = found[0] * 2  # of the side stream, after which the memory may go back
        del found
        again = hb.both(late * 0.5, weight, 0.1)
    side.synchronize()
    assert (doubled.cpu().numpy() == 2 * expected[0]).all() and again[0].is_cuda
    with pytest.raises(hb.UsageError, match="positions: received torch.Tensor, and its library reports"):
        hb.both(good.clone().requires_grad_(), weight, 0.1)


@needs_gpu
def test_wrong_numbers_on_the_gpu_are_told(cloud):
    position, mass = cloud
    for wrong, words in WRONG:
        arguments = {"positions": np.random.default_rng(1).normal(size=(5, 3)), "masses": np.ones(5), **wrong}
        there = {key: CudaArray(a) if isinstance(a, np.ndarray) and a.dtype.kind == "f" else a
                 for key, a in arguments.items()}
        if any(isinstance(a, np.ndarray) for a in there.values()):
            continue  # the double has floats alone
        with pytest.raises(hb.Error) as told:
            hb.both(**there)
        assert words.replace("numpy.ndarray", "cuda_array.CudaArray") in str(told.value)


@needs_gpu
def test_nothing_is_left_behind(cloud):
    position, mass = (CudaArray(a) for a in cloud)

    def some_calls():
        for _ in range(20):
            hb.both(position, mass, 0.1)
            with pytest.raises(hb.Error):
                hb.both(position, -1.0, 0.1)
        gc.collect()
        hb.close_devices()
        return free_bytes()

    before = some_calls()
    assert all(some_calls() >= before - (2 << 20) for _ in range(3))  # the driver's own pages
