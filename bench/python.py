#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long hb.accelerations takes beside `hornbeam force`, which times the evaluation alone; with --pytreegrav also
beside pytreegrav, with the errors of both against direct sums.

    PYTHONPATH=build/python .venv/bin/python3 bench/python.py build/hornbeam [--pytreegrav] [N ...]
"""

import argparse
import json
import subprocess
import time

import numpy as np

import hornbeam as hb


def median_seconds(call, times):
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        taken.append(time.perf_counter() - began)
    return sorted(taken)[times // 2]


def error(acceleration, exact):
    """Median and 99th percentile of |a - a_direct| / |a_direct|."""
    each = np.linalg.norm(acceleration - exact, axis=1) / np.linalg.norm(exact, axis=1)
    return f"error median {np.median(each):.1e}, 99 % {np.percentile(each, 99):.1e}"


def beside_pytreegrav(position, mass, eps):
    import pytreegrav

    sample = np.random.default_rng(1).choice(len(mass), min(len(mass), 2000), replace=False)
    exact = hb.accelerations(position, mass, eps, targets=position[sample], walk="direct", precision="double",
                             softening="spline")
    for theta in (0.7, 0.5, 0.3):
        def theirs():
            return pytreegrav.Accel(position, mass, np.full(len(mass), 2.8 * eps), theta=theta, parallel=True,
                                    method="tree", quadrupole=True)

        found = theirs()
        print(f"  pytreegrav theta {theta}: {1e3 * median_seconds(theirs, 3):.4g} ms, {error(found[sample], exact)}")
    for theta in (0.9, 0.6, 0.4):
        def ours():
            return hb.accelerations(position, mass, eps, theta=theta, softening="spline", backend="cpu")

        found = ours()
        print(f"  hornbeam theta {theta}: {1e3 * median_seconds(ours, 5):.4g} ms, {error(found[sample], exact)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("n", nargs="*", type=int, default=[1000, 100_000])
    parser.add_argument("--pytreegrav", action="store_true")
    asked = parser.parse_args()
    for n in asked.n:
        sphere = hb.ic.plummer(n, seed=1)
        position, mass, eps = sphere.position.copy(), sphere.mass.copy(), float(sphere.eps[0])
        times = 200 if n <= 10_000 else 9
        hb.accelerations(position, mass, eps, backend="cpu")
        here = median_seconds(lambda: hb.accelerations(position, mass, eps, backend="cpu"), times)
        command = [asked.program, "force", "--ic", "plummer", "-n", n, "--seed", 1, "--eps", eps, "--repeat", times,
                   "--backend", "cpu", "--json"]
        told = json.loads(subprocess.run([str(word) for word in command], capture_output=True, check=True).stdout)
        there = told["seconds"]["total"]
        print(f"N = {n}: hb.accelerations {1e3 * here:.4g} ms, hornbeam force {1e3 * there:.4g} ms, "
              f"more: {1e3 * (here - there):.3g} ms, {100 * (here / there - 1):.2g} %")
        if asked.pytreegrav:
            beside_pytreegrav(position, mass, eps)


if __name__ == "__main__":
    main()
