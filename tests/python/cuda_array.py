# SPDX-License-Identifier: Apache-2.0
"""The smallest array on a CUDA device that shows __cuda_array_interface__ and __dlpack__: tests of arrays on a GPU need
neither CuPy nor PyTorch. Everything goes through the CUDA runtime's C interface."""

import ctypes
import ctypes.util
import glob
import os
import sys

import numpy as np


def _runtime():
    """The CUDA runtime's library, or why there is none."""
    places = [os.path.join(folder, "nvidia", "*", "lib", "libcudart.so.*") for folder in sys.path]
    places += ["/usr/local/cuda*/lib64/libcudart.so.*", "/usr/local/cuda*/targets/*/lib/libcudart.so.*"]
    names = [ctypes.util.find_library("cudart")] + [path for place in places for path in sorted(glob.glob(place))]
    for name in names:
        if name is None:
            continue
        try:
            library = ctypes.CDLL(name)
        except OSError:
            continue
        count = ctypes.c_int(0)
        error = library.cudaGetDeviceCount(ctypes.byref(count))
        return (library, None) if error == 0 and count.value > 0 else (None, f"no CUDA device (error {error})")
    return None, "no CUDA runtime library (libcudart.so) is here"


runtime, absence = _runtime()


def call(name, *arguments):
    error = getattr(runtime, name)(*arguments)
    assert error == 0, f"{name}: error {error}"


class Stream:
    """One that does not wait for the default stream, nor that for it."""

    def __init__(self):
        self.handle = ctypes.c_void_p()
        call("cudaStreamCreateWithFlags", ctypes.byref(self.handle), ctypes.c_uint(1))

    @property
    def number(self):
        return self.handle.value

    def precedes(self, other):
        """What is asked of stream number `other` from now on comes after all that is asked of this one."""
        event = ctypes.c_void_p()
        call("cudaEventCreateWithFlags", ctypes.byref(event), ctypes.c_uint(2))
        call("cudaEventRecord", event, self.handle)
        call("cudaStreamWaitEvent", ctypes.c_void_p(other), event, ctypes.c_uint(0))
        call("cudaEventDestroy", event)

    def keep_busy(self, seconds):
        """Fills memory again and again, for about so long on a GPU that writes 3 TB/s."""
        size = 1 << 30
        room = Memory(size)
        for _ in range(int(seconds * 3e12 / size)):
            call("cudaMemsetAsync", room.pointer, ctypes.c_int(1), ctypes.c_size_t(size), self.handle)
        return room


class Memory:
    def __init__(self, size):
        self.pointer = ctypes.c_void_p()
        call("cudaMalloc", ctypes.byref(self.pointer), ctypes.c_size_t(max(size, 1)))

    def __del__(self):
        runtime.cudaFree(self.pointer)


class _Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class _Type(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", _Device), ("ndim", ctypes.c_int32), ("type", _Type),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("offset", ctypes.c_uint64)]


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


_lent = {}  # what capsules refer to, until whoever took them calls their deleter


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _give_back(address):
    del _lent[address]


class CudaArray:
    """A copy of a NumPy array's memory, strides and all. doors: what others see of it."""

    def __init__(self, values, doors=("dlpack", "interface"), stream=None):
        base = values if values.base is None else values.base
        self.shape, self.strides, self.dtype, self.stream = values.shape, values.strides, values.dtype, stream
        self._offset = values.ctypes.data - base.ctypes.data
        self._memory, self._size = Memory(base.nbytes), base.nbytes
        call("cudaMemcpy", self._memory.pointer, base.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(base.nbytes),
             ctypes.c_int(1))
        self.asked = []  # streams that have been told of
        if "dlpack" in doors:
            self.__class__ = type("CudaArray", (CudaArray,), {"__dlpack__": CudaArray._dlpack,
                                                              "__dlpack_device__": lambda self: (2, 0)})
        if "interface" in doors:
            self.__class__ = type("CudaArray", (self.__class__,),
                                  {"__cuda_array_interface__": property(CudaArray._interface)})

    @property
    def pointer(self):
        return self._memory.pointer.value + self._offset

    def _interface(self):
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.pointer, False), "version": 3,
                "strides": self.strides, "stream": self.stream.number if self.stream else None}

    def _dlpack(self, stream=None):
        self.asked.append(stream)
        if self.stream is not None:
            self.stream.precedes(stream)
        n = len(self.shape)
        numbers = ctypes.c_int64 * n
        shape, strides = numbers(*self.shape), numbers(*(s // self.dtype.itemsize for s in self.strides))
        managed = _Managed(_Tensor(self.pointer, _Device(2, 0), n, _Type(2, 8 * self.dtype.itemsize, 1), shape, strides, 0),
                           None, ctypes.cast(_give_back, ctypes.c_void_p))
        address = ctypes.addressof(managed)
        _lent[address] = managed, shape, strides, self
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(address, b"dltensor", None)

    def fill_later(self, values):
        """Puts others there, once what its stream is busy with is done."""
        source = CudaArray(values)
        call("cudaMemcpyAsync", self._memory.pointer, source._memory.pointer, ctypes.c_size_t(self._size), ctypes.c_int(3),
             self.stream.handle)
        return source


def on_host(array):
    """A NumPy copy of anything that shows __cuda_array_interface__ in C order."""
    shown = array.__cuda_array_interface__
    values = np.empty(shown["shape"], shown["typestr"])
    call("cudaMemcpy", values.ctypes.data_as(ctypes.c_void_p), ctypes.c_void_p(shown["data"][0]),
         ctypes.c_size_t(values.nbytes), ctypes.c_int(2))
    return values


def free_bytes():
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    call("cudaDeviceSynchronize")
    call("cudaMemGetInfo", ctypes.byref(free), ctypes.byref(total))
    return free.value
