#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
r"""Checksums of forces and short runs over the matrix of walks, softenings, criteria, orders, expansions, precisions,
steps and external potentials: what must stay the same, bit for bit, while the code is moved about.

README: one record a backend, and on the CPU one an instruction set. From the top of the repository:

    .venv/bin/python3 tests/checksums/checksums.py --backend cpu --write FILE.json     # with build/hornbeam
    .venv/bin/python3 tests/checksums/checksums.py --compare tests/checksums/cpu-avx512.json     # a minute
    HORNBEAM_ISA=avx2 .venv/bin/python3 tests/checksums/checksums.py --compare tests/checksums/cpu-avx2.json
    .venv/bin/python3 tests/checksums/checksums.py --backend opencl \
        --compare tests/checksums/opencl-pocl-skylake-avx512.json                                # four minutes
    python3 tests/checksums/checksums.py --backend cuda --compare tests/checksums/cuda-h200.json  # on an H200, 75 s

--compare names every case that differs and exits with 1. Bits depend on the device, on the CPU's instruction set
(HORNBEAM_ISA) and maybe on the compiler: a record says which it was made with, and is compared with nothing else (exit
status 2) unless --unlike says so. --only PATTERN takes the cases whose name contains the pattern, --list names them.

A checksum is the first 16 hexadecimal digits of the SHA-256 of an array's bytes (of energy.csv: of its text, without
the column wall_seconds). A case that the program refuses holds the message instead.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy

ROOT = Path(__file__).resolve().parents[2]
FORMAT = 1

SOFTENINGS = {  # what `force` is asked for; `each`: the eps of the file, another for each particle
    "plummer": ["--eps", "0.02"],
    "each": [],
    "spline": ["--softening", "spline", "--eps", "0.05"],
    "spline-each": ["--softening", "spline"],
}
MACS = ["bh", "offset", "offset-box", "min-distance", "relative"]
PRECISIONS = ["mixed", "single", "double"]
FORCE_COUNT, RUN_COUNT = 8000, 5000
# Devices sum directly for fewer than 5e8 pairs of those due with all (few_pairs in device_direct.cpp): of so many
# particles nearly half must be due for them to walk.
WALK_COUNT = 33000

POTENTIALS = """
[[potential]]
kind = "nfw"
mass = 2.0
scale = 3.0
[[potential]]
kind = "miyamoto-nagai"
mass = 0.7
scale = 0.5
height = 0.1
centre = [0.1, 0, 0]
velocity = [0.2, 0.1, 0]
[[potential]]
kind = "logarithmic"
speed = 0.5
scale = 0.4
flattening = 0.8
[[potential]]
kind = "point"
mass = 0.02
scale = 0.05
"""
STEPS = {
    "shared": 'steps = "shared"\ndt = 0.03125\nend = 0.125',
    "block": 'steps = "block"\ndt = 0.125\neta = 0.2\nend = 0.25',
    "block-change": 'steps = "block"\ndt = 0.125\neta = 0.25\neta_change = 0.1\nend = 0.25',
    # nearly all on two rungs: half of the particles or more are due at each sub-step
    "block-walk": 'steps = "block"\ndt = 0.0625\neta = 0.14\nmax_rung = 2\nend = 0.0625',
    "symmetrised": 'steps = "symmetrised"\ndt = 0.03125\neta = 0.1\nend = 0.09375',
}


def walks_of(backend):
    return ["group", "stackless", "direct"] + ([] if backend == "cpu" else ["vote"])


def force_cases(backend):
    """Name and arguments of every evaluation."""
    for walk in walks_of(backend):
        for precision in PRECISIONS:
            for softening, arguments in SOFTENINGS.items():
                yield f"force {walk} {precision} {softening}", ["--walk", walk, "--precision", precision, *arguments]
        if walk == "direct":
            continue
        for mac in MACS:
            if mac == "offset":
                continue  # the default, above
            for softening in ("plummer", "spline-each"):
                for precision in ("mixed", "double"):
                    yield (f"force {walk} {mac} {precision} {softening}",
                           ["--walk", walk, "--mac", mac, "--precision", precision, *SOFTENINGS[softening]])
        for curve in ("morton", "none") if walk != "group" else ("morton",):
            yield f"force {walk} {curve}", ["--walk", walk, "--curve", curve, "--eps", "0.02"]
        for theta in ("0", "0.15", "1.2"):
            yield f"force {walk} theta {theta}", ["--walk", walk, "--theta", theta, "--eps", "0.02"]
        yield f"force {walk} order 0", ["--walk", walk, "--order", "0", "--eps", "0.02"]
        yield f"force {walk} leaf 5", ["--walk", walk, "--leaf-size", "5", "--eps", "0.02"]
        yield f"force {walk} eps 0", ["--walk", walk, "--eps", "0"]
    for order in ("0", "2"):
        for expansion in ("0", "2", "4", "6"):
            for precision in PRECISIONS:
                yield (f"force group order {order} expansion {expansion} {precision}",
                       ["--order", order, "--expansion", expansion, "--precision", precision, *SOFTENINGS["each"]])
    yield "force group relative expansion 0", ["--mac", "relative", "--expansion", "0", "--eps", "0.02"]
    yield "force group theta-c 0.3", ["--theta-c", "0.3", "--eps", "0.02"]
    yield "force group size 33", ["--group-size", "33", "--eps", "0.02"]


def gravity_of(walk, mac):
    return f'walk = "{walk}"\nmac = "{mac}"\neps = 0.02'


def run_cases(backend):
    """Name, number of particles, steps, potentials or none, and the lines of [gravity] and [device] of every run."""
    eps = {"plummer": "eps = 0.02", "each": "", "spline": 'eps = 0.04\nsoftening = "spline"'}
    for steps in ("shared", "block", "symmetrised"):
        for walk in walks_of(backend):
            for mac in ("offset", "relative") if walk != "direct" else ("offset",):
                yield f"run {steps} {walk} {mac}", RUN_COUNT, steps, "", gravity_of(walk, mac), "mixed"
        for precision in ("single", "double"):
            yield f"run {steps} {precision}", RUN_COUNT, steps, POTENTIALS, eps["each"], precision
        for softening in ("each", "spline"):
            yield f"run {steps} {softening}", RUN_COUNT, steps, "", eps[softening], "mixed"
        yield f"run {steps} potentials", RUN_COUNT, steps, POTENTIALS, eps["plummer"], "mixed"
        yield (f"run {steps} order 0 expansion 6", RUN_COUNT, steps, POTENTIALS,
               eps["plummer"] + "\norder = 0\nexpansion = 6", "mixed")
    for mac in ("bh", "offset-box", "min-distance"):
        yield f"run block {mac}", RUN_COUNT, "block", "", f'mac = "{mac}"\n' + eps["plummer"], "mixed"
    yield "run block change", RUN_COUNT, "block-change", POTENTIALS, eps["each"], "mixed"
    for walk in ("group", "stackless"):
        for mac in ("offset", "relative"):
            yield f"run walk {walk} {mac}", WALK_COUNT, "block-walk", "", gravity_of(walk, mac), "mixed"
    yield "run walk each potentials", WALK_COUNT, "block-walk", POTENTIALS, eps["each"], "mixed"
    yield "run walk double", WALK_COUNT, "block-walk", "", eps["plummer"], "double"


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


def digests(path, names):
    """Of each dataset, over all types of particles."""
    with h5py.File(path) as file:
        parts = [file[key] for key in sorted(file) if key.startswith("PartType")]
        return {name.lower(): digest(b"".join(numpy.ascontiguousarray(part[name][...]).tobytes() for part in parts))
                for name in names}


class Program:
    """The program under test, in a folder with its inputs."""

    def __init__(self, path, folder, backend, device, threads):
        self.path, self.folder, self.backend = str(Path(path).resolve()), Path(folder), backend
        self.where = ["--backend", backend, "--device", str(device), "--threads", str(threads)]
        self.counted = str(device)

    def call(self, *arguments):
        """Output, or None and the program's message."""
        done = subprocess.run([self.path, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              timeout=600, check=False)
        return (done.stdout, None) if done.returncode == 0 else (None, done.stderr.strip().splitlines()[-1:])

    def ok(self, *arguments):
        output, complaint = self.call(*arguments)
        if output is None:
            sys.exit(f"{self.path} {' '.join(map(str, arguments))}: {complaint}")
        return output

    def draw(self, count):
        """A cuspy model with another eps for each particle; its file."""
        name = f"input_{count}.hdf5"
        if not (self.folder / name).exists():
            self.ok("ic", "hernquist", "-n", count, "--seed", 11, "-o", name)
            with h5py.File(self.folder / name, "r+") as file:
                part = next(file[key] for key in sorted(file) if key.startswith("PartType"))
                eps = 0.01 * (1 + numpy.arange(count) % 3)
                if "Softening" in part:
                    del part["Softening"]
                part["Softening"] = eps
        return name

    def force(self, arguments):
        """By opening angles, which most of these cases name."""
        output, complaint = self.call("force", self.draw(FORCE_COUNT), "--accuracy", "0", *arguments, *self.where, "-o",
                                      "out.hdf5")
        if output is None:
            return {"refused": complaint}
        return digests(self.folder / "out.hdf5", ["Acceleration", "Potential"])

    def run(self, count, steps, potentials, gravity, precision):
        config = (f'[input]\nfile = "{self.draw(count)}"\n[gravity]\naccuracy = 0\n{gravity}\n{potentials}\n'
                  f'[time]\n{STEPS[steps]}\n'
                  f'[watchdog]\nenergy = 0\nrunaway = 0\ncollapse = false\n'
                  f'[output]\ndirectory = "run"\nevery = 0.03125\nenergy_every = 0.03125\n'
                  f'[device]\nprecision = "{precision}"\n')
        (self.folder / "run.toml").write_text(config)
        output, complaint = self.call("run", "run.toml", "--overwrite", *self.where)
        if output is None:
            return {"refused": complaint}
        last = sorted((self.folder / "run").glob("snapshot_*.hdf5"))[-1]
        rows = [line.rsplit(",", 1)[0] for line in (self.folder / "run" / "energy.csv").read_text().splitlines()]
        return {**digests(last, ["Coordinates", "Velocities"]), "energy": digest("\n".join(rows).encode())}


def made_with(program):
    """What bits may depend on."""
    info = json.loads(program.ok("info", "--json"))
    devices = [d["device"] for d in info["devices"] if d["backend"] == program.backend]
    if int(program.counted) >= len(devices):
        sys.exit(f"checksums: {program.backend}: has no device {program.counted} here")
    compiler = re.search(rb"(?:GCC: \([^)]*\) [\d.]+|clang version [\d.]+)", Path(program.path).read_bytes())
    return {"backend": program.backend, "device": devices[int(program.counted)],
            "compiler": compiler.group().decode() if compiler else "unknown"}, info["commit"]


def measured(program, only):
    """The checksums of every case, by name."""
    drawn = ["Coordinates", "Velocities", "Masses"]
    cases = {f"input {count}": lambda c=count: digests(program.folder / program.draw(c), drawn)
             for count in (FORCE_COUNT, RUN_COUNT, WALK_COUNT)}
    cases |= {name: lambda a=arguments: program.force(a) for name, arguments in force_cases(program.backend)}
    cases |= {name: lambda c=rest: program.run(*c) for name, *rest in run_cases(program.backend)}
    return {name: case() for name, case in cases.items() if only in name}


def names_of_differences(now, before, only):
    """One line a case that is not what it was."""
    before = {name: sums for name, sums in before.items() if only in name}
    for name in sorted(now.keys() | before.keys()):
        if name not in before:
            yield f"{name}: is not in the record"
        elif name not in now:
            yield f"{name}: is not tried any more"
        elif now[name] != before[name]:
            what = [key for key in before[name] | now[name] if before[name].get(key) != now[name].get(key)]
            yield f"{name}: {', '.join(what)}"


def compare(path, made, cases, options):
    record = json.loads(Path(path).read_text())
    recorded = record["made_with"]
    unlike = [f"{key}: {recorded.get(key)}; here: {made[key]}" for key in made if recorded.get(key) != made[key]]
    for line in unlike:
        print(f"not alike: {line}")
    if unlike and not options.unlike:
        print(f"checksums: {path}: was made with another device or compiler, whose bits may differ (make a record of "
              "the build before, or compare nevertheless with --unlike)", file=sys.stderr)
        return 2
    now = cases()
    lines = list(names_of_differences(now, record["cases"], options.only))
    for line in lines:
        print(f"differs: {line}")
    print(f"{len(now)} cases, {len(lines)} differ from {path} (commit {record['commit']})")
    return 1 if lines else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--program", default=str(ROOT / "build" / "hornbeam"))
    parser.add_argument("--backend", default="cpu", choices=["cpu", "opencl", "cuda"])
    parser.add_argument("--device", type=int, default=0)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="the cases whose name contains this")
    parser.add_argument("--list", action="store_true", help="name the cases")
    parser.add_argument("--unlike", action="store_true", help="compare with a record of another device or compiler")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--write", metavar="FILE.json")
    what.add_argument("--compare", metavar="FILE.json")
    options = parser.parse_args()
    if options.list:
        names = [name for name, *_ in [*force_cases(options.backend), *run_cases(options.backend)]]
        print("\n".join(name for name in names if options.only in name))
        return 0
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="checksums-") as folder:
        program = Program(options.program, folder, options.backend, options.device, options.threads)
        made, commit = made_with(program)
        if options.compare:
            status = compare(options.compare, made, lambda: measured(program, options.only), options)
        else:
            cases, status = measured(program, options.only), 0
            text = json.dumps({"format": FORMAT, "commit": commit, "made_with": made, "cases": cases}, indent=1)
            if options.write:
                Path(options.write).write_text(text + "\n")
            else:
                print(text)
    print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
