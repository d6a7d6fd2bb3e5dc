# SPDX-License-Identifier: Apache-2.0
"""Arrays of a GPU (PyTorch, CuPy, JAX, Numba, ...): taken where they lie, through DLPack or __cuda_array_interface__, and
what is found as arrays that lie there, too, of the library that the positions are of. Forces of one call; trees and
searches: device_trees.py."""

from __future__ import annotations

import contextlib
import operator
import sys
from typing import Any

import numpy as np

from . import _core
from .errors import Error, UsageError

_CPU = (1, 3, 11)  # DLPack's numbers: the CPU, memory of the host that CUDA or ROCm has pinned
_CUDA = (2, 13)  # CUDA, and its managed memory
_KINDS = {"float64": True, "float32": False}


def is_on_device(value: Any) -> bool:
    """Whether it lies elsewhere than on the host. Throws UsageError for an array that does not say where it lies."""
    if isinstance(value, (np.ndarray, np.generic, int, float, list, tuple, type(None))):
        return False
    try:
        is_dlpack = hasattr(value, "__dlpack_device__")
        is_cuda = not is_dlpack and hasattr(value, "__cuda_array_interface__")
    except Exception as error:  # of a library's property, which may do anything
        raise _not_readable(value, "array", error) from error
    return _dlpack_device(value, "array")[0] not in _CPU if is_dlpack else is_cuda


def _named(value: Any) -> str:
    return f"{type(value).__module__.split('.')[0]}.{type(value).__name__}"


def _not_readable(value: Any, name: str, error: Exception) -> UsageError:
    return UsageError(f"{name}: received {_named(value)}, and its library reports: {error} (give one that is on "
                      "one device)")


def _dlpack_device(value: Any, name: str) -> tuple[int, int]:
    """Its kind of device and the device's number, as DLPack counts them."""
    try:
        found = value.__dlpack_device__()
    except Exception as error:  # of an array on several devices, for example
        raise _not_readable(value, name, error) from error
    try:
        kind, number = (operator.index(part) for part in found)
        if not 0 <= number < 2**31:
            raise ValueError
    except (TypeError, ValueError):
        raise UsageError(f"{name}: received {_named(value)}, whose __dlpack_device__ returns {found!r} (must be a pair "
                         "of whole numbers, the kind of device and its number)") from None
    return kind, number


def without_flags(value: Any, name: str) -> Any:
    """Returns the array with the signs that its library shows. PyTorch stores minus and complex conjugate as flags next to
    the memory, which readers of the memory do not see."""
    for flag, resolve in (("is_conj", "resolve_conj"), ("is_neg", "resolve_neg")):
        try:
            is_set = getattr(value, flag, None)
            if callable(is_set) and not isinstance(value, type) and is_set():
                value = getattr(value, resolve)()
        except Exception as error:
            raise UsageError(f"{name}: received {_named(value)}, and {flag}() of it reports: {error} (give "
                             f".{resolve}() of it)") from error
    return value


def _cuda_device(value: Any, name: str) -> int:
    """The number of the CUDA device that stores it."""
    if hasattr(value, "__dlpack_device__"):
        kind, number = _dlpack_device(value, name)
        if kind in _CUDA:
            return number
        raise UsageError(f"{name}: received {_named(value)} on a device of DLPack's kind {kind} (must be on a "
                         "CUDA device, 2, or the host)")
    try:
        pointer = value.__cuda_array_interface__["data"][0]
        found = _core.device_of_memory(operator.index(pointer)) if pointer else 0
    except (KeyError, TypeError, IndexError, OverflowError) as error:
        raise UsageError(f"{name}: received {_named(value)}, whose __cuda_array_interface__ has no data (must contain a "
                         "pointer as a whole number)") from error
    if found is None:
        raise UsageError(f"{name}: received {_named(value)}, whose data is not in the memory of a CUDA device")
    return int(found)


def _where_it_lies(value: Any) -> Any:
    """A context in which its library shows it: PyTorch shows what lies on its present device alone."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(value, torch.Tensor) or not value.is_cuda:
        return contextlib.nullcontext()
    return torch.cuda.device(value.device)


def _demand_no_capture(value: Any, name: str) -> None:
    """A stream that waits for one that is being captured is captured, too: its work is recorded and not done. So this is
    asked before a device is taken."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(value, torch.Tensor) or not value.is_cuda:
        return
    with _where_it_lies(value):
        if torch.cuda.is_current_stream_capturing():
            raise UsageError(f"{name}: received {_named(value)} while its stream is being captured into a CUDA graph (call "
                             "outside of the capture)")


def _lent(value: Any, session: Any) -> Any:
    """What its owner shows of it, once the device's stream waits for the owner's work."""
    if hasattr(value, "__dlpack__"):
        with _where_it_lies(value):
            return _core.LentArray(value.__dlpack__(stream=session.stream) if session.stream else value.__dlpack__())
    shown = value.__cuda_array_interface__
    if shown.get("mask") is not None:
        raise BufferError("a masked array")
    stream = shown.get("stream") if shown["version"] >= 3 else 1  # before 3 it is not stated: the default stream
    if stream is not None:
        session.wait_for(stream)
    shape, order, kind = tuple(shown["shape"]), shown["typestr"][:1], shown["typestr"][1:]
    if order == ">":
        raise BufferError(f"{shown['typestr']} (numbers must be little-endian)")
    strides = shown.get("strides")
    if strides is None:
        ends = np.cumprod((np.dtype(kind).itemsize, *shape[:0:-1]))
        strides = tuple(int(end) for end in ends[::-1])
    return _core.LentArray(shown["data"][0], shape, strides, kind, value)


def taken(value: Any, name: str, session: Any, shape: tuple[int | None, ...]) -> Any:
    value = without_flags(value, name)
    try:
        array = _lent(value, session)
    except Error:
        raise
    except Exception as error:  # of another library, which may do anything
        raise UsageError(f"{name}: received {_named(value)}, and its library reports: {error}") from error
    found = f"{name}: received {_named(value)} of shape {array.shape} and type {array.kind}"
    if array.kind not in _KINDS:
        raise UsageError(f"{found} (on a GPU numbers must be float64 or float32)")
    if len(array.shape) != len(shape) or any(want not in (None, is_) for want, is_ in zip(shape, array.shape)):
        wanted = ", ".join("N" if want is None else str(want) for want in shape) + ("," if len(shape) == 1 else "")
        more = "; one number for all is given as Python's, .item()" if not array.shape else ""
        raise UsageError(f"{found} (must be of shape ({wanted}){more})")
    if any(length < 0 for length in array.shape):
        raise UsageError(f"{found} (lengths must be 0 or more)")
    if array.lies_nowhere:
        raise UsageError(f"{found}, whose pointer is 0 (must point to memory)")
    return array


class DeviceArray:
    """Values in a GPU's memory. Other libraries take them without a copy: torch.from_dlpack(a), cupy.from_dlpack(a),
    jax.dlpack.from_dlpack(a), numba.cuda.as_cuda_array(a). All work on them is done. Their memory is freed when no one
holds them any more, once the device has done all work that was requested before."""

    def __init__(self, result: Any) -> None:
        self._result = result

    @property
    def shape(self) -> tuple[int, ...]:
        return self._result.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(self._result.kind)

    @property
    def device(self) -> int:
        """The number of the CUDA device."""
        return self._result.device[1]

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<hornbeam.DeviceArray of shape {self.shape} and type {self.dtype} on device {self.device}>"

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self._result.device[0] not in _CUDA:
            raise AttributeError("__cuda_array_interface__: this array is in the host's memory")
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self._result.pointer, False), "version": 3,
                "strides": None, "stream": None}  # nothing is left to wait for

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._result.device

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None,
                   copy: bool | None = None) -> Any:
        if copy:
            raise BufferError("__dlpack__: copies are not made (copy=None or False)")
        if dl_device is not None and dl_device != self._result.device:
            raise BufferError(f"__dlpack__: the array is on device {self._result.device} of DLPack, not {dl_device}")
        return self._result.capsule()


def library_of(value: Any) -> str:
    return type(value).__module__.split(".")[0]


def converted(result: Any, library: str) -> Any:
    """As an array of that library, where it is one that we know."""
    array = DeviceArray(result)
    if library in ("torch", "cupy"):
        return sys.modules[library].from_dlpack(array)
    if library in ("jax", "jaxlib"):
        import jax.dlpack

        return jax.dlpack.from_dlpack(array)
    return array


def one_device(arrays: dict[str, Any], options: dict[str, Any]) -> int:
    """The device that all arrays are on, and that the options do not deny."""
    devices = {}
    for name, value in arrays.items():
        if not is_on_device(value):
            raise UsageError(f"{name}: received {type(value).__name__} in the host's memory together with arrays on a GPU (give all on "
                             "one device, and single numbers as Python's)")
        _demand_no_capture(value, name)
        devices[name] = _cuda_device(value, name)
    number = next(iter(devices.values()))
    for name, other in devices.items():
        if other != number:
            raise UsageError(f"{name}: is on CUDA device {other}, and {next(iter(devices))} on device {number} (must be "
                             "on one)")
    backend = options.pop("backend", "auto")
    if backend not in ("auto", "cuda"):
        raise UsageError(f"backend = {backend}: the arrays are on a CUDA device (must be auto or cuda, or give arrays of the "
                         "host: .get(), .cpu() or numpy.asarray() of them)")
    asked = options.pop("device", number)
    if asked != number:
        raise UsageError(f"device = {asked}: the arrays are on CUDA device {number} (leave device out)")
    return number


def result_type(dtype: Any, position: Any) -> bool:
    """Whether results are float64."""
    name = position.kind if dtype is None else str(dtype).split(".")[-1].strip("'<> ")
    if name not in _KINDS:
        try:
            name = np.dtype(dtype).name
        except TypeError:
            pass
    if name not in _KINDS:
        raise UsageError(f"dtype: received {dtype!r} (on a GPU results are float64 or float32)")
    return _KINDS[name]


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def column(value: Any, name: str, session: Any, count: int) -> Any:
    """(count), or one number for all."""
    if is_number(value):
        return _core.LentArray.of_all(float(value), count)
    return taken(value, name, session, (count,))


def close_devices() -> None:
    """Gives back the memory of devices that calls with arrays keep open for the next one."""
    _core.close_devices()


def both(positions: Any, masses: Any, eps: Any, targets: Any, target_eps: Any, G: float, boundary: dict[str, Any],
         dtype: Any, options: dict[str, Any], *, session: Any = None) -> tuple[Any, Any]:
    """hb.both() of arrays on a GPU."""
    given = {"positions": positions, "masses": masses, "eps": eps, "targets": targets, "target_eps": target_eps}
    arrays = {name: value for name, value in given.items() if value is not None and not is_number(value)}
    if session is None:
        session = _core.DeviceForces("cuda", one_device(arrays, options))
    place = taken(positions, "positions", session, (None, 3))
    n = place.shape[0]
    spot = None if targets is None else taken(targets, "targets", session, (None, 3))

    mass = column(masses, "masses", session, n)
    if target_eps is not None and targets is None:
        raise UsageError("target_eps: received no targets (give both, or neither)")
    lengths = goals = None
    if target_eps is None and (eps is None or is_number(eps)):
        options["eps"] = 0.0 if eps is None else float(eps)
    elif targets is not None and target_eps is None:
        raise UsageError("target_eps: is missing, and the sources have different softenings (give a number, or one of each "
                         "target; a pair has the root mean square of both)")
    else:
        lengths = column(0.0 if eps is None else eps, "eps", session, n)
        goals = None if spot is None else column(target_eps, "target_eps", session, spot.shape[0])
    wide = result_type(dtype, place)
    acceleration, potential = session.evaluate(place, mass, lengths, spot, goals, float(G), options, boundary, wide)
    library = library_of(positions)
    return converted(acceleration, library), converted(potential, library)
