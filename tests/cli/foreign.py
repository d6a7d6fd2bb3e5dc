# SPDX-License-Identifier: Apache-2.0
"""Small files as other programs write them, for tests of what is read: distinct numbers in every field."""

import struct

import h5py
import numpy as np

N = 60
f4 = np.float32


def truth(n=N):
    r = np.random.default_rng(1)
    return {"pos": r.normal(size=(n, 3)), "vel": 0.1 * r.normal(size=(n, 3)), "mass": (1 + r.random(n)) / n,
            "id": np.arange(1000, 1000 + n, dtype=np.uint64), "u": 1 + r.random(n), "rho": 10 + r.random(n),
            "hsml": 0.2 + 0.1 * r.random(n), "ne": 1.15 + 0.01 * r.random(n), "pot": -5 - r.random(n)}


def particles(t, rows=slice(None), without=(), **more):
    """The datasets of a type in Gadget's layout."""
    usual = {"Coordinates": t["pos"][rows], "Velocities": t["vel"][rows], "Masses": t["mass"][rows], "ParticleIDs": t["id"][rows]}
    return {name: array for name, array in {**usual, **more}.items() if name not in without}


def write_hdf5(path, types, drop=(), groups=None, n_types=6, options=None, **header):
    counts = [len(next(iter(types.get(k, {"": ()}).values()))) for k in range(n_types)]
    usual = {"NumPart_ThisFile": np.array(counts, np.int32), "NumPart_Total": np.array(counts, np.uint32),
             "NumPart_Total_HighWord": np.zeros(n_types, np.uint32), "MassTable": np.zeros(n_types), "Time": 0.5, "Redshift": 0.0,
             "BoxSize": 0.0, "NumFilesPerSnapshot": np.int32(1), "Flag_Entropy_ICs": np.int32(0)}
    with h5py.File(path, "w") as file:
        for name, value in {**usual, **header}.items():
            if name not in drop:
                file.require_group("Header").attrs[name] = value
        for k, arrays in types.items():
            for name, array in arrays.items():
                file.require_group(f"PartType{k}").create_dataset(name, data=array, **(options or {}))
        for name, attributes in (groups or {}).items():
            file.require_group(name).attrs.update(attributes)


def record(file, data, name=None):
    if name is not None:
        record(file, struct.pack("<4sI", name.ljust(4, b" "), len(data) + 8))
    file.write(struct.pack("<I", len(data)) + data + struct.pack("<I", len(data)))


def gadget_header(counts, mass=(0,) * 6, time=0.0, redshift=0.0, cooling=0, files=1, total=None, omega=0.0, h=0.0, entropy=0):
    data = struct.pack("<6i6ddd2i6I2i4d2i6Ii", *counts, *mass, time, redshift, 0, 0, *(total or counts), cooling, files,
                       0.0, omega, 1 - omega if omega else 0.0, h, 0, 0, *([0] * 6), entropy)
    return data + bytes(256 - len(data))


def write_gadget(path, counts, blocks, version=1, **header):
    """blocks: [(b"POS", array)] in the order of the file."""
    with open(path, "wb") as file:
        record(file, gadget_header(counts, **header), b"HEAD" if version == 2 else None)
        for name, array in blocks:
            record(file, np.ascontiguousarray(array).tobytes(), name if version == 2 else None)


def write_tipsy(path, gas=None, dark=None, star=None, time=0.0, double=False):
    counts = [0 if rows is None else len(rows) for rows in (gas, dark, star)]
    with open(path, "wb") as file:
        file.write(struct.pack(">d6i", time, sum(counts), 3, *counts, 0))
        for rows in (gas, dark, star):
            for row in [] if rows is None else np.asarray(rows, float):
                file.write(row[:1].astype(">f4").tobytes() + row[1:4].astype(">f8" if double else ">f4").tobytes() +
                           row[4:].astype(">f4").tobytes())


def write_nemo(path, frames):
    """frames: [(time, {name: (type, array)})] of structured binary."""
    def item(file, kind, tag, array=None):
        shape = () if array is None else np.shape(array)
        file.write(struct.pack("<h", 0x0B92 if shape else 0x0992) + kind.encode() + b"\0")
        if kind != ")":
            file.write(tag.encode() + b"\0")
        if shape:
            file.write(struct.pack(f"<{len(shape) + 1}i", *shape, 0))
        if array is not None:
            file.write(np.asarray(array, {"d": "<f8", "f": "<f4", "i": "<i4"}[kind]).tobytes())

    with open(path, "wb") as file:
        for time, arrays in frames:
            item(file, "(", "SnapShot")
            item(file, "(", "Parameters")
            item(file, "d", "Time", np.float64(time))
            item(file, ")", "")
            item(file, "(", "Particles")
            for name, (kind, array) in arrays.items():
                item(file, kind, name, array)
            item(file, ")", "")
            item(file, ")", "")
