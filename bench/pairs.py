# SPDX-License-Identifier: Apache-2.0
"""Two builds of the Python package side by side: hb.accelerations at 1e3 and 1e6 particles and a ring's step, in pairs in turn,
each build in a process of its own. Prints the median ratio (second over first) with its quartiles, of seconds of the
processors, which others that use the machine lengthen least.

    .venv/bin/python3 bench/pairs.py OLD/build/python build/python [--pairs 15] [--threads 1] [--json FILE]
"""

import argparse
import json
import os
import subprocess
import sys
import time

import numpy as np

CASES = ("accelerations of 1e3, 200 times", "accelerations of 1e6", "20 steps of a ring of 1e4")


def prepared(threads):
    """A call of each case."""
    import hornbeam as hb

    few, many = (hb.ic.plummer(n, seed=1) for n in (1000, 1_000_000))
    ring = hb.Simulation(model="ring", ic={"size_x": 520.0, "size_y": 520.0, "surface_density": 400.0, "seed": 1},
                         units="si", dt=47.8, collisions={"law": "bridges", "scale": 0.32}, threads=threads, backend="cpu",
                         boundary={"kind": "shear", "size": [520, 520, 0], "omega": 1.3143527e-4, "n_ghost_x": 2, "n_ghost_y": 2})

    def forces(ball, times):
        for _ in range(times):
            hb.accelerations(ball.position, ball.mass, 0.01, backend="cpu", threads=threads)

    return (lambda: forces(few, 200)), (lambda: forces(many, 1)), (lambda: ring.step(20))


def serve(threads):
    """Child: does the case whose number comes, and answers with its seconds."""
    calls = prepared(threads)
    for call in calls:
        call()
    print("ready", flush=True)
    for line in sys.stdin:
        begun = time.process_time()
        calls[int(line)]()
        print(time.process_time() - begun, flush=True)


def child(folder, threads):
    environment = {**os.environ, "PYTHONPATH": os.path.abspath(folder)}
    made = subprocess.Popen([sys.executable, __file__, "--serve", "--threads", str(threads)], env=environment, text=True,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    while made.stdout.readline().strip() != "ready":
        if made.poll() is not None:
            raise SystemExit(f"{folder}: ended with {made.returncode}")
    return made


def asked(process, case):
    process.stdin.write(f"{case}\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return serve(options.threads)
    if len(options.folders) != 2:
        parser.error("give the folders of two builds")
    both, rows = [child(folder, options.threads) for folder in options.folders], []
    for case, name in enumerate(CASES):
        pairs = []
        for k in range(options.pairs):  # either goes first in turn
            order = (0, 1) if k % 2 == 0 else (1, 0)
            taken = {which: asked(both[which], case) for which in order}
            pairs.append([taken[0], taken[1]])
        pairs = np.array(pairs)
        quarter, ratio, three = np.percentile(pairs[:, 1] / pairs[:, 0], [25, 50, 75])
        first, second = np.median(pairs, axis=0)
        print(f"{name}: {first:.4g} s and {second:.4g} s, ratio {ratio:.4f} ({quarter:.4f} to {three:.4f})", flush=True)
        rows.append({"case": name, "seconds": [first, second], "ratio": ratio, "quartiles": [quarter, three]})
    for process in both:
        process.stdin.close()
        process.wait()
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"load": os.getloadavg(), "pairs": options.pairs, "rows": rows}, file, indent=1)
    return None


if __name__ == "__main__":
    sys.exit(main())
