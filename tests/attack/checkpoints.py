#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Damaged checkpoints and tables of energies: `--resume` ends with the bits of the undisturbed run, falls back, or fails."""

import json
import os
import re
import shutil
import struct

import h5py
import numpy as np

from common import NO_NUMBER, Attack
from mutations import BYTES, FLOATS, HUGE, damaged_object
from runs import KINDS, configuration, differences, snapshots

MASK = 2**64 - 1
NEWEST, RESERVE = "checkpoint.hdf5", "checkpoint_previous.hdf5"
NUMBERS = [("step", "<Q"), ("dt", "<d"), ("initial_energy", "<d"), ("time", "<d"), ("box_size", "<d"), ("length_cm", "<d"),
           ("mass_g", "<d"), ("velocity_cm_per_s", "<d"), ("G", "<d"), ("physical", "<Q")]
ARRAYS = ["position", "velocity", "mass", "id", "family", "eps", "internal_energy", "density", "smoothing_length",
          "acceleration", "potential", "rung", "rung_before", "acceleration_before", "configuration"]


def words_of(data):
    """Eight bytes at a time, the last few one at a time."""
    whole = len(data) // 8 * 8
    yield from (word for (word,) in struct.iter_unpack("<Q", data[:whole]))
    yield from data[whole:]


def sum_of_file(data):
    """src/io/files/seal.cpp, checksum(): over all that follows the 512 bytes of the seal (layout 4)."""
    total = len(data)
    for word in words_of(data):
        total = ((total ^ word) * 0x9E3779B97F4A7C15) & MASK
        total = (total << 29 | total >> 35) & MASK
    return total


def sum_of_values(group):
    """FNV-1a over numbers and arrays, as layout 3 had it in an attribute."""
    total = 0xCBF29CE484222325
    for name, form in NUMBERS:
        total = ((total ^ struct.unpack("<Q", struct.pack(form, group.attrs[name][()]))[0]) * 0x100000001B3) & MASK
    for name in ARRAYS:
        data = group[name][()].tobytes() if name in group else b""
        for word in (len(data), *words_of(data)):
            total = ((total ^ word) * 0x100000001B3) & MASK
    return total


def sealed(path):
    """The bytes of a checkpoint with the checksum of what it holds now; None where that cannot be told."""
    data = path.read_bytes()
    if data.startswith(b"hornbeam checkpoint, layout "):
        layout = data[:60].split(b"\n")[0]
        text = b"%s\nbytes %d\nchecksum %016x\n" % (layout, len(data), sum_of_file(data[512:]))
        return text.ljust(512, b"\n") + data[512:]
    try:
        with h5py.File(path, "r+") as file:
            group = file["Checkpoint"]
            group.attrs.modify("checksum", np.uint64(sum_of_values(group)))
        return path.read_bytes()
    except (OSError, KeyError, ValueError, TypeError, struct.error, RuntimeError, AttributeError, MemoryError):
        return None


def seal(path):
    """Whether it could be sealed."""
    data = sealed(path)
    if data is not None:
        path.write_bytes(data)
    return data is not None


class Checkpoints(Attack):
    name, about, count = "checkpoints", __doc__, 2000

    def prepare(self):
        self.runs = {}
        for kind in KINDS:
            folder = self.ground / kind
            folder.mkdir()
            (folder / "run.toml").write_text(configuration(kind, 60))
            (folder / "other.toml").write_text(configuration(kind, 60, seed=9))
            out = self.must("run", "run.toml", *self.device(), folder=folder)
            self.must("run", "run.toml", *self.device(), "--set", "output.directory=half", "--set", "time.end=0.25",
                      folder=folder)
            self.runs[kind] = folder, out
        whole = self.ground / "shared" / "half" / NEWEST
        self.can_seal = sealed(whole) == whole.read_bytes()

    def device(self):
        return ["--backend", self.options.backend, "--threads", 1]

    def more(self):
        return {"checksums of changed contents could be made": self.can_seal}

    def attempt(self, case):
        rng = case.rng
        kind = rng.choice(list(KINDS))
        self.ground_of, self.whole_out = self.runs[kind]
        shutil.copy(self.ground_of / "run.toml", case.folder)
        out = case.folder / "out"
        shutil.copytree(self.ground_of / "half", out)
        damage = rng.choice([self.bytes_of_newest] * 4 + [self.bytes_of_reserve, self.bytes_of_both, self.bytes_of_both,
                            self.objects, self.objects, self.sealed_contents, self.sealed_contents, self.sealed_settings,
                            self.sealed_settings, self.exchanged, self.lost, self.table_of_energies,
                            self.table_of_energies, self.odd_file])
        case.fallback, case.exact, case.energies = True, True, False
        case.kind = f"{kind}: {damage.__name__}"
        damage(case, out)
        self.keep_damage(case, out)
        self.resume(case, out)

    def keep_damage(self, case, out):
        """A copy of what the run found, for a look at a failure."""
        (case.folder / "found").mkdir()
        for name in (NEWEST, RESERVE, "energy.csv"):
            if (out / name).is_file() and not (out / name).is_symlink():
                shutil.copy(out / name, case.folder / "found")

    def resume(self, case, out):
        done = case.run("run", "run.toml", "--resume", *self.device(), statuses=(0, 1, 2, 3, 4), seconds=20)
        if done.hung or done.status not in (0, 1, 2, 3, 4):
            return
        if done.status != 0:
            if case.fallback:
                case.complain("could have gone on, and did not: " + done.err.strip())
            return self.follow_advice(case, done)
        self.check_finite(case, out)
        if not case.exact:
            return
        for text in differences(out, self.ground_of / "out", done.out, self.whole_out):
            said = re.sub(r"energy\.csv and run\.json are in", "", done.out)
            if not (case.energies and "energy.csv" in said and not text.startswith("snapshot")):
                form = re.sub(r"snapshot_.* differ|\d[\d.e+-]*", "...", text)
                case.complain("status 0, but " + text, f"{case.kind.split(': ')[1]}: status 0, but {form}")

    def follow_advice(self, case, done):
        """Advice must lead on."""
        if "run without --resume" in done.err:
            again = case.run("run", "run.toml", *self.device(), statuses=(0, 1, 2, 3, 4), seconds=20)
            if again.status != 0:
                case.complain("advice that is refused: run without --resume: " + again.err.strip())

    def check_finite(self, case, out):
        table = out / "energy.csv"
        if table.is_file() and not case.energies and NO_NUMBER.search(table.read_text(errors="replace")):
            case.complain("energy.csv holds what is no number")
        for path in out.glob("snapshot_*.hdf5"):
            with h5py.File(path) as file:
                for part in (name for name in file if name.startswith("PartType")):
                    for key, data in file[part].items():
                        if not np.isfinite(data[()]).all():
                            case.complain(f"status 0 and a number that is none in {path.name}: {key}")

    def damage_bytes(self, path, rng):
        data = path.read_bytes()
        if rng.random() < 0.3:  # what disks do: pages of nothing, or of another place
            page = rng.choice([512, 4096])
            first = rng.randrange(max(1, len(data) // page)) * page
            other = rng.randrange(max(1, len(data) // page)) * page
            fill = rng.choice([bytes(page), b"\xff" * page, data[other:other + page]])
            data = (data[:first] + fill + data[first + page:])[:len(data)]
        else:
            data = rng.choice(BYTES)(data, rng, ".hdf5")
        path.write_bytes(data)

    def bytes_of_newest(self, case, out):
        self.damage_bytes(out / NEWEST, case.rng)

    def bytes_of_reserve(self, case, out):
        self.damage_bytes(out / RESERVE, case.rng)

    def bytes_of_both(self, case, out):
        for name in (NEWEST, RESERVE):
            self.damage_bytes(out / name, case.rng)
        case.fallback = False

    def objects(self, case, out):
        """By HDF5's own means, the checksum as it was."""
        damaged_object(out / NEWEST, case.rng)

    def sealed_contents(self, case, out):
        """With a checksum that agrees: nothing can know what was, but nothing may break."""
        damaged_object(out / NEWEST, case.rng)
        case.exact = case.fallback = not self.can_seal or not seal(out / NEWEST)

    def sealed_settings(self, case, out):
        path, rng = out / NEWEST, case.rng
        with h5py.File(path, "r+") as file:
            group = file["Checkpoint"]
            text = group["configuration"][()].tobytes().decode()
            if rng.random() < 0.3 and "rung" in group:
                rungs = group["rung"][()]
                rungs[rng.randrange(len(rungs))] = rng.choice([17, 31, 32, 40, 63, 64, 200, 255])
                group["rung"][...] = rungs
            else:
                text = damaged_json(text, rng)
            del group["configuration"]
            group["configuration"] = np.frombuffer(text.encode(), np.uint8)
        case.exact = case.fallback = not self.can_seal or not seal(path)

    def exchanged(self, case, out):
        """Newest and reserve exchanged, one in the other's place, or those of another run."""
        pick = case.rng.randrange(4)
        newest, reserve, other = out / NEWEST, out / RESERVE, self.ground_of / "other" / NEWEST
        if not other.exists():
            self.must("run", "other.toml", *self.device(), "--set", "output.directory=other", folder=self.ground_of)
        if pick == 0:
            first, second = newest.read_bytes(), reserve.read_bytes()
            newest.write_bytes(second)
            reserve.write_bytes(first)
        elif pick == 1:
            shutil.copy(reserve, newest)
        elif pick == 2:
            shutil.copy(newest, reserve)
        else:
            case.fallback = False
            shutil.copy(other, newest)
            if case.rng.random() < 0.5:
                shutil.copy(other, reserve)

    def lost(self, case, out):
        names = case.rng.choice([[NEWEST], [RESERVE], [NEWEST, RESERVE], ["run.json"], ["snapshot_0000.hdf5", NEWEST]])
        for name in names:
            (out / name).unlink()
        case.fallback = not {NEWEST, RESERVE} <= set(names)
        case.exact = "snapshot_0000.hdf5" not in names

    def table_of_energies(self, case, out):
        path, rng = out / "energy.csv", case.rng
        case.energies, case.fallback = True, False
        lines = path.read_bytes().splitlines(keepends=True)
        at = rng.randrange(1, len(lines))
        pick = rng.randrange(8)
        new = [lines[:at], lines[:at] + lines[at + 1:], lines[:at] + lines[at - 1:], lines[1:], [], lines[:1],
               [b"".join(lines)[:-rng.randrange(1, 30)]], lines + [lines[-1].replace(b",", b";")]][pick]
        path.write_bytes(b"".join(new))
        if rng.random() < 0.2:
            path.unlink()

    def odd_file(self, case, out):
        """Something that is no file in the place of one."""
        path = out / case.rng.choice([NEWEST, NEWEST, RESERVE, "energy.csv", "run.json"])
        path.unlink()
        case.energies, case.fallback = path.suffix == ".csv", False
        case.exact = path.name in (NEWEST, RESERVE)
        pick = case.rng.randrange(5)
        if pick == 0:
            path.mkdir()
        elif pick == 1:
            os.mkfifo(path)
        elif pick == 2:
            path.symlink_to("/dev/zero")
        elif pick == 3:
            path.symlink_to(path.name)
        else:
            path.write_bytes(b"")


def damaged_json(text, rng):
    """One key lost, or given another value; or no JSON."""
    if rng.random() < 0.1:
        return rng.choice(["", "{}", "[]", "null", "{", "7", text[:len(text) // 2], "[" * 100000, text + "}"])
    root = json.loads(text)
    at = root
    while True:
        key = rng.choice(list(at) if isinstance(at, dict) else range(len(at)))
        if isinstance(at[key], (dict, list)) and at[key] and rng.random() < 0.7:
            at = at[key]
            continue
        if rng.random() < 0.5:
            del at[key]
        else:
            at[key] = rng.choice([None, "x", -1, 1e300, 10**18, [], {}, True, 0, 0.5, *HUGE[:4], *FLOATS[3:7]])
        return json.dumps(root)


if __name__ == "__main__":
    Checkpoints().main()
