# SPDX-License-Identifier: Apache-2.0
"""Damage to files: bytes, sizes, numbers, blocks and HDF5's objects. What reads them next is files.py's business."""

import math
import os
import re
import struct

import h5py
import numpy as np

HUGE = [0, 1, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**61, 2**62 // 3, 6148914691236517206, 2**63 - 1, 2**63, 2**64 - 1,
        384307168202282326, 768614336404564651, 10**9, 10**12]
FLOATS = [math.nan, math.inf, -math.inf, 5e-324, 1e-310, -1e-310, 1e300, -1e300, 1.7e308, 1e38, 3e38, -1e30, -0.0, 1e-40,
          1e19, -1.0]
TEXTS = ["nan", "inf", "-inf", "1e300", "1e400", "-1e400", "1e-400", "0x1p3", "", "--1", "1e", "1,2", "\"1\"", "NaN",
         "+5", " 5", "5 5", "\u0661", "1e+-3", ".", "-", "99999999999999999999", "-1", "1.5", "halo", "#", "\x00", "1e308"]


def boundaries(data, suffix):
    """Places where one structure ends and the next begins."""
    places = {0, len(data)}
    if suffix == ".hdf5":
        for mark in (b"TREE", b"HEAP", b"SNOD", b"OHDR", b"FRHP", b"OCHK", b"GCOL", b"\x89HDF"):
            places.update(found.start() for found in re.finditer(re.escape(mark), data))
    elif suffix in (".csv", ".param"):
        places.update(i + 1 for i, byte in enumerate(data) if byte in b"\n,")
    elif suffix == ".gadget":
        places.update(gadget_records(data))
    else:
        places.update({8, 12, 16, 20, 24, 28, 32, *range(32, len(data), 36), *range(32, len(data), 44)})
    return sorted(place for place in places if place <= len(data))


def gadget_records(data):
    for order in "<>":
        places, at = [], 0
        while at + 8 <= len(data):
            (size,) = struct.unpack_from(order + "I", data, at)
            if at + 8 + size > len(data):
                break
            places += [at, at + 4, at + 4 + size]
            at += 8 + size
        if len(places) > 3:
            return places
    return []


def flip(data, rng, suffix):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 5, 20])):
        if data:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def flip_structure(data, rng, suffix):
    """Bits near boundaries, where sizes, addresses and types stand."""
    data = bytearray(data)
    places = boundaries(data, suffix)
    for _ in range(rng.choice([1, 2, 4])):
        at = rng.choice(places) + rng.randrange(0, 64)
        if at < len(data):
            data[at] ^= 1 << rng.randrange(8)
    return bytes(data)


def set_bytes(data, rng, suffix):
    if not data:
        return data
    data = bytearray(data)
    at = rng.randrange(len(data))
    fill = rng.choice([b"\x00", b"\xff", b"\x80", b"\x7f", b" ", b"\n", bytes([rng.randrange(256)])])
    length = min(rng.choice([1, 2, 4, 8, 64, 512, 4096]), len(data) - at)
    data[at:at + length] = fill * length
    return bytes(data)


def cut(data, rng, suffix):
    places = boundaries(data, suffix)
    at = rng.choice(places) + rng.choice([0, 0, 0, -1, 1, -4, 4]) if rng.random() < 0.7 else rng.randrange(len(data) + 1)
    return data[:max(0, min(at, len(data)))]


def double_or_remove(data, rng, suffix):
    places = boundaries(data, suffix)
    first, last = sorted((rng.choice(places), rng.choice(places)))
    block = data[first:last]
    if rng.random() < 0.5:
        return data[:first] + data[last:]
    return data[:last] + block * rng.choice([1, 1, 3]) + data[last:]


def grow(data, rng, suffix):
    tail = rng.choice([b"\x00", b"\n", b"1,2,3\n", b"\xff" * 8, bytes(100), data[-50:], rng.randbytes(30)])
    return data + tail


def whole_numbers(data, rng, suffix):
    """Huge numbers where whole ones stand that count something."""
    data = bytearray(data)
    if suffix == ".csv":
        return text_number(bytes(data), rng, suffix)
    small = [(width, order, at) for width in (4, 8) for order in ("<", ">")
             for at in range(0, min(len(data) - width + 1, 8192), 4)
             if 2 <= int.from_bytes(data[at:at + width], "little" if order == "<" else "big") <= 4096]
    for _ in range(rng.choice([1, 1, 2])):
        if not small:
            break
        width, order, at = rng.choice(small)
        value = int.from_bytes(data[at:at + width], "little" if order == "<" else "big")
        new = rng.choice([*HUGE, value + 1, value - 1, 2 * value]) & (2**(8 * width) - 1)
        data[at:at + width] = new.to_bytes(width, "little" if order == "<" else "big")
    return bytes(data)


def float_places(data, suffix):
    """(offset, width) of numbers with a fraction."""
    if suffix == ".gadget":
        first = boundaries(data, suffix)
        begin = next((place for place in first if place >= 256), 264)
        return [(at, width) for width in (4, 8) for at in range(begin, len(data) - 8, 4)]
    if suffix == ".tipsy":
        return [(at, 4) for at in range(28, len(data) - 4, 4)] + [(0, 8)]
    return [(at, 8) for at in range(0, len(data) - 8, 8) if data[at:at + 8] != bytes(8)]


def floats(data, rng, suffix):
    if suffix in (".csv", ".param"):
        return text_number(data, rng, suffix)
    data = bytearray(data)
    places = float_places(bytes(data), suffix)
    for _ in range(rng.choice([1, 1, 3])):
        if not places:
            break
        at, width = rng.choice(places)
        value = rng.choice(FLOATS)
        if width == 4:
            with np.errstate(over="ignore"):
                data[at:at + 4] = np.array(value).astype(rng.choice("<<>") + "f4").tobytes()
        else:
            data[at:at + 8] = struct.pack(rng.choice(["<d", "<d", ">d"]), value)
    return bytes(data)


def text_number(data, rng, suffix):
    """One field of a text replaced."""
    fields = list(re.finditer(rb"[^,\s;]+", data))
    if not fields:
        return data
    field = rng.choice(fields)
    new = rng.choice([*TEXTS, *map(str, HUGE)]).encode()
    return data[:field.start()] + new + data[field.end():]


def text_line(data, rng, suffix):
    """Lines of a text exchanged, joined, quoted, ended otherwise."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    kind = rng.randrange(7)
    if kind == 0:
        lines[at] = lines[at] + b"," + rng.choice([b"", b"7", b"x"])
    elif kind == 1:
        lines[at] = lines[at].replace(b",", rng.choice([b";", b" ", b"\t", b",,", b", "]))
    elif kind == 2:
        return data.replace(b"\n", rng.choice([b"\r\n", b"\r", b"\n\n"]))
    elif kind == 3:
        lines[at] = rng.choice([b"#" + lines[at], b'"' + lines[at], b"\xef\xbb\xbf" + lines[at], b"\x00", b"", b"   "])
    elif kind == 4:
        lines[0], lines[at] = lines[at], lines[0]
    elif kind == 5:
        lines[0] = lines[0].replace(rng.choice([b"x", b"vx", b"mass", b"id"]), rng.choice([b"", b"y", b"X", b"foo"]), 1)
    else:
        return data.rstrip(b"\n")[:-rng.randrange(0, 6) or None]
    return b"\n".join(lines)


BYTES = [flip, flip, flip_structure, flip_structure, set_bytes, cut, cut, double_or_remove, grow, whole_numbers,
         whole_numbers, floats, floats]


def damaged_bytes(path, rng):
    """Changes the file; the name of what was done."""
    data = path.read_bytes()
    choices = BYTES + ([text_line] * 5 + [text_number] * 3 if path.suffix in (".csv", ".param") else [])
    done = rng.choice(choices)
    path.write_bytes(done(data, rng, path.suffix))
    return done.__name__


def objects_of(file):
    """Names of groups and datasets, of attributes with their owners."""
    items, attributes = [], []

    def visit(name, item):
        items.append(name)
        attributes.extend((name, key) for key in item.attrs)

    file.visititems(visit)
    return items, attributes


def damaged_object(path, rng):
    """Changes an HDF5 file by HDF5's own means, so that the library finds nothing amiss; the name of what was done."""
    done = rng.choice([drop, drop, attribute, attribute, attribute, shape, kind_of_number, huge_shape, link, values, values,
                       values, packed, swap])
    try:
        with h5py.File(path, "r+") as file:
            done(file, rng, path)
    except (OSError, ValueError, TypeError, KeyError, RuntimeError, OverflowError, MemoryError) as error:
        return f"{done.__name__} (not possible: {type(error).__name__})"
    return done.__name__


def a_dataset(file, rng):
    return rng.choice([name for name in objects_of(file)[0] if isinstance(file[name], h5py.Dataset)])


def replace(file, name, **how):
    attributes = dict(file[name].attrs)
    del file[name]
    new = file.create_dataset(name, **how)
    for key, value in attributes.items():
        new.attrs[key] = value


def drop(file, rng, path):
    items, attributes = objects_of(file)
    if rng.random() < 0.5:
        owner, key = rng.choice(attributes)
        del file[owner].attrs[key]
    else:
        del file[rng.choice(items)]


def attribute(file, rng, path):
    owner, key = rng.choice(objects_of(file)[1])
    old = np.asarray(file[owner].attrs[key])
    pick = rng.randrange(6)
    if pick == 0:
        new = np.array(rng.choice(FLOATS))
    elif pick == 1:
        new = np.array(rng.choice(HUGE), dtype=np.uint64)
    elif pick == 2:
        new = np.full(rng.choice([0, 1, 5, 6, 7, 1000]), 3)
    elif pick == 3:
        new = np.bytes_(b"text")
    elif pick == 4:
        new = np.array(-1, dtype=np.int64)
    else:
        new = np.array(old)
        flat = new.reshape(-1)
        at = rng.randrange(flat.size)
        flat[at] = rng.choice(FLOATS) if new.dtype.kind == "f" else rng.choice([0, 1, 5, 13, 10**9, 2**31 - 1])
    del file[owner].attrs[key]
    file[owner].attrs.create(key, new)


def shape(file, rng, path):
    name = a_dataset(file, rng)
    data = file[name][()]
    new = rng.choice([data[:-1], data[:0], np.concatenate([data, data]), data.reshape(-1), data.reshape(1, -1),
                      data.reshape(-1, 1), data[None], data.reshape(-1)[0]])
    replace(file, name, data=new)


def kind_of_number(file, rng, path):
    name = a_dataset(file, rng)
    data = file[name][()]
    to = rng.choice(["<f4", ">f8", ">f4", "<f2", "<i4", ">i8", "<u1", "S4", "compound", "<c16", "string"])
    if to == "compound":
        new = np.zeros(data.shape, dtype=[("a", "f8"), ("b", "i4")])
    elif to == "string":
        new = np.array(["1.5"] * data.shape[0], dtype=h5py.string_dtype())
    else:
        with np.errstate(all="ignore"):
            new = data.astype(to)
    replace(file, name, data=new)


def huge_shape(file, rng, path):
    """Sizes whose product wraps, or that nothing in the file stands for."""
    name = a_dataset(file, rng)
    columns = file[name].shape[1:]
    rows = rng.choice([6148914691236517206, 2**63 - 1, 2**61, 2**40, 10**9, 3 * 10**7, 384307168202282326])
    replace(file, name, shape=(rows, *columns), dtype=file[name].dtype, chunks=(1024, *columns), maxshape=(None, *columns),
            compression=rng.choice([None, "gzip"]))
    if rng.random() < 0.8 and "Header" in file:
        counts = np.array(file["Header"].attrs["NumPart_ThisFile"], dtype=np.uint64)
        counts[np.nonzero(counts)[0][0] if counts.any() else 1] = rows
        del file["Header"].attrs["NumPart_ThisFile"]
        file["Header"].attrs["NumPart_ThisFile"] = counts
    if rng.random() < 0.8 and "Checkpoint" in file:
        file["Checkpoint"].attrs["particles"] = np.uint64(rows)


def link(file, rng, path):
    name = rng.choice(objects_of(file)[0])
    pick = rng.randrange(5)
    if pick == 0:
        file[name + "_moved"] = file[name]
        del file[name]
        file[name] = h5py.SoftLink("/" + name + "_moved")
    elif pick == 1:
        del file[name]
        file[name] = h5py.SoftLink("/" + name)
    elif pick == 2:
        del file[name]
        file[name] = h5py.ExternalLink(rng.choice(["other.hdf5", path.name, "/dev/zero", "."]), "/" + name)
    elif pick == 3:
        other = rng.choice(objects_of(file)[0])
        taken = file[other]
        del file[name]
        file[name] = taken
    else:
        layout = h5py.VirtualLayout(shape=(12,), dtype="f8")
        layout[:] = h5py.VirtualSource("other.hdf5", name, shape=(12,))
        del file[name]
        file.create_virtual_dataset(name, layout)


def values(file, rng, path):
    name = a_dataset(file, rng)
    data = file[name]
    if data.size == 0:
        return
    flat = data[()]
    place = tuple(rng.randrange(n) for n in data.shape)
    with np.errstate(all="ignore"):
        if data.dtype.kind == "f":
            flat[place] = rng.choice(FLOATS)
        else:
            flat[place] = np.uint64(rng.choice(HUGE)).astype(data.dtype)
    data[...] = flat


def packed(file, rng, path):
    """What readers must take: chunks, filters, another byte order, an empty chunk."""
    name = a_dataset(file, rng)
    data = file[name][()]
    replace(file, name, data=data, chunks=tuple(max(1, n // 2) for n in data.shape),
            compression=rng.choice([None, "gzip", "lzf"]), shuffle=rng.random() < 0.5, fletcher32=rng.random() < 0.5)


def swap(file, rng, path):
    items = objects_of(file)[0]
    one, other = rng.choice(items), rng.choice(items)
    first, second = file[one], file[other]
    del file[one]
    file[one] = second
    if other in file:
        del file[other]
    file[other] = first


def foreign(path, rng, others):
    """Something else under this name; the name of what."""
    what = rng.choice(["empty", "directory", "fifo", "zero", "full", "loop", "dangling", "other", "other", "random", "text",
                       "hdf5", "png", "null", "gone"])
    path.unlink()
    if what == "empty":
        path.touch()
    elif what == "directory":
        path.mkdir()
    elif what == "fifo":
        os.mkfifo(path)
    elif what in ("zero", "full", "null"):
        path.symlink_to("/dev/" + what)
    elif what == "loop":
        path.symlink_to(path.name)
    elif what == "dangling":
        path.symlink_to("nowhere")
    elif what == "other":
        path.write_bytes(rng.choice(others).read_bytes())
    elif what == "random":
        path.write_bytes(rng.randbytes(rng.choice([1, 7, 28, 32, 100, 256, 264, 1000, 5000])))
    elif what == "text":
        path.write_text(rng.choice(["hello\n", "x,y,z\n", "x y z vx vy vz mass\n", "1 2 3 4 5 6 7\n" * 3, "\n\n\n",
                                    "12\n1 2 3 4 5 6 7\n"]))
    elif what == "hdf5":
        with h5py.File(path, "w") as file:
            file["a/b"] = np.arange(3)
    elif what == "png":
        path.write_bytes(b"\x89PNG\r\n\x1a\n" + rng.randbytes(200))
    return "foreign " + what
