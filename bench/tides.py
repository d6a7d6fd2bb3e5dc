# SPDX-License-Identifier: Apache-2.0
"""What hb.tidal_tensors costs next to hb.accelerations of the same particles at the same theta: both in turn, seconds of the
processors (which others that use the machine do not lengthen), median ratio with its quartiles.

    PYTHONPATH=build/python .venv/bin/python3 bench/tides.py [--theta 0.6] [--repeat 9] [--json FILE] [N ...]
"""

import argparse
import json
import time

import numpy as np

import hornbeam as hb


def seconds(call):
    begun = time.process_time()
    call()
    return time.process_time() - begun


def row(n, theta, repeat, backend):
    ball = hb.ic.plummer(n, seed=1)
    arguments, options = (ball.position, ball.mass, 0.01), {"theta": theta, "backend": backend}
    hb.tidal_tensors(*arguments, **options)  # the first call of a process has costs of its own
    pairs = np.array([[seconds(lambda: hb.accelerations(*arguments, **options)),
                       seconds(lambda: hb.tidal_tensors(*arguments, **options))] for _ in range(repeat)])
    quarter, ratio, three = np.percentile(pairs[:, 1] / pairs[:, 0], [25, 50, 75])
    forces, tides = np.median(pairs, axis=0)
    print(f"{n} particles, theta {theta}: accelerations {forces:.4g} s, tidal tensors {tides:.4g} s, ratio {ratio:.2f} "
          f"({quarter:.2f} to {three:.2f})", flush=True)
    return {"n": n, "theta": theta, "accelerations": forces, "tidal_tensors": tides, "ratio": ratio, "quartiles": [quarter, three]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("n", type=int, nargs="*", default=[100_000, 1_000_000])
    parser.add_argument("--theta", type=float, default=0.6)
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--json")
    asked = parser.parse_args()
    rows = [row(n, asked.theta, asked.repeat, asked.backend) for n in asked.n]
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
