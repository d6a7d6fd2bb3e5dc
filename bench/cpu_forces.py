#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole force evaluations on the CPU beside what other codes need at the same errors.

`bench/cpu_forces.py [PROGRAM]` prints a table and writes bench/results/cpu-forces.json: median seconds of bound, key,
sort, reorder, build, moments and walk, by the program's own clock, and the errors on 2,000 particles.
Peers: N = 1e6 Plummer, 2 cores of an AMD EPYC with AVX-512, the fastest settings found of each (figures of the codes at
the commits named in docs/performance.md).
"""
import json
import pathlib
import subprocess
import sys

MILLION = ["--ic", "plummer", "-n", "1000000"]
# what it shows, options, seconds that the best peer needs at this error, its median and 99 % error, who
CASES = [
    ("FDPS's quadrupoles at 0.75", [*MILLION, "--theta", "0.9", "--theta-c", "0.9", "--leaf-size", "24"],
     0.585, 7.5e-4, 2.9e-3, "FDPS + PIKG"),
    ("FDPS's monopoles at 0.5", [*MILLION, "--theta", "0.8", "--theta-c", "0.59", "--leaf-size", "24"],
     0.55, 2.0e-4, 9.9e-4, "FDPS + PIKG"),
    ("FDPS's quadrupoles at 0.5", [*MILLION, "--theta", "0.5"], 1.14, 1.1e-4, 3.9e-4, "FDPS + PIKG"),
    ("FDPS's quadrupoles at 0.4", [*MILLION, "--theta", "0.4"], 1.58, 5.7e-5, 1.9e-4, "FDPS + PIKG"),
    ("exafmm-t, fp32, P 6", [*MILLION, "--theta", "0.35", "--expansion", "5"], 1.69, 3.3e-5, 3.6e-4, "exafmm-t"),
    ("FDPS's monopoles at 0.75", [*MILLION, "--theta", "1", "--theta-c", "1"], 0.36, 1.2e-3, 4.8e-3, "FDPS + PIKG"),
    ("the defaults", MILLION, None, None, None, None),
    ("the defaults, one thread", [*MILLION, "--threads", "1"], None, None, None, None),
    ("N = 1e4", ["--ic", "plummer", "-n", "10000"], None, None, None, None),
    ("N = 1e5", ["--ic", "plummer", "-n", "100000"], None, None, None, None),
    ("N = 1e7", ["--ic", "plummer", "-n", "10000000"], None, None, None, None),
]


def measure(program, options):
    run = subprocess.run([program, "force", *options, "--backend", "cpu", "--eps", "0", "--repeat", "5", "--check", "2000", "--json"],
                         check=True, capture_output=True, text=True)
    return json.loads(run.stdout)


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    program = sys.argv[1] if len(sys.argv) > 1 else str(root / "build" / "hornbeam")
    results = []
    print(f"{'case':28} {'seconds':>8} {'median':>9} {'99 %':>9} | {'peer s':>7} {'median':>9} {'99 %':>9} {'ratio':>6}")
    for what, options, seconds, median, p99, peer in CASES:
        ours = measure(program, options)
        total, error = ours["seconds"]["total"], ours["error"]
        line = f"{what:28} {total:8.4f} {error['acc_median']:9.2e} {error['acc_p99']:9.2e} |"
        if peer:
            line += f" {seconds:7.3f} {median:9.2e} {p99:9.2e} {seconds / total:6.2f}  {peer}"
        print(line, flush=True)
        results.append({"case": what, "options": options, "ours": ours,
                        "peer": peer and {"name": peer, "seconds": seconds, "median": median, "p99": p99}})
    path = root / "bench" / "results" / "cpu-forces.json"
    path.write_text(json.dumps(results, indent=1) + "\n")
    print(f"wrote {path.relative_to(root)}")


if __name__ == "__main__":
    main()
