#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole force evaluations on a GPU against what Bonsai and Ryoanji reach on an H200 (peers' figures: million particles a
second of sort, build, moments and forces, with fp32 positions, on the same kind of card).

Usage: bench/gpu_forces.py PROGRAM [--backend cuda|opencl] [--largest LOG2_N] [--json FILE]
"""
import argparse
import json
import subprocess
import sys

# model, log2 n, theta, theta_c, expansion, leaf_size, 99 % error allowed, asked million particles a second
ROWS = [
    ("plummer", 20, 1.6, 0.9, 4, 24, 2.5e-3, 2.5 * 182),
    ("plummer", 22, 1.6, 0.9, 4, 24, 3.2e-3, 3.4 * 205),
    ("plummer", 24, 1.6, 0.9, 4, 24, 3.6e-3, 700),
    ("plummer", 24, 1.8, 0.9, 4, 32, 3.6e-3, 700),
    ("plummer", 26, 1.6, 0.9, 4, 24, 3.3e-3, 3.4 * 199),
    ("plummer", 20, 0.8, 0.45, 4, 24, 3.6e-4, 2.5 * 102),
    ("plummer", 22, 0.8, 0.47, 4, 24, 4.3e-4, 3.4 * 108),
    ("plummer", 24, 0.7, 0.5, 4, 24, 5.2e-4, 350),
    ("plummer", 24, 0.8, 0.48, 4, 24, 5.2e-4, 350),
    ("plummer", 26, 0.8, 0.48, 4, 24, 5.7e-4, 3.4 * 102),
    ("plummer", 24, 0.95, 0.95, 0, 24, 3.6e-3, 320),
    ("plummer", 24, 0.6, 0.6, 0, 24, 5.2e-4, 155),
    ("uniform-cube", 24, 1.2, 0.8, 4, 24, 3.1e-3, 1.8 * 372),
    ("uniform-cube", 24, 0.7, 0.5, 4, 24, 7.5e-4, 1.8 * 196),
    ("hernquist", 24, 1.6, 0.9, 4, 24, None, None),
    ("lattice", 24, 1.6, 0.9, 4, 24, None, None),
    ("plummer", 24, 0.6, 0.6, 4, 24, None, None),
]


def evaluate(program, backend, row, repeat=5, sampled=10000):
    model, log2_n, theta, theta_c, expansion, leaf, _, _ = row
    command = [program, "force", "--ic", model, "-n", str(2**log2_n), "--backend", backend, "--eps", "1e-4", "--theta",
               str(theta), "--theta-c", str(theta_c), "--expansion", str(expansion), "--leaf-size", str(leaf),
               "--repeat", str(repeat), "--check", str(sampled), "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def line(row, answer):
    model, log2_n, theta, theta_c, expansion, leaf, allowed, asked = row
    speed, p99 = answer["particles_per_second"] / 1e6, answer["error"]["acc_p99"]
    seconds = {stage: round(1e3 * value, 2) for stage, value in answer["seconds"].items() if stage != "transfer"}
    verdict = ""
    if asked:
        verdict = f"asked {asked:.0f} at {allowed:.1e}: " + ("met" if speed >= asked and p99 <= allowed else "missed")
    return (f"{model} 2^{log2_n} theta {theta} theta_c {theta_c} expansion {expansion} leaf {leaf}: {speed:.0f} M/s, "
            f"median {answer['error']['acc_median']:.2e}, 99 % {p99:.2e} {verdict} | ms {seconds}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--backend", default="cuda")
    parser.add_argument("--largest", type=int, default=26)
    parser.add_argument("--json")
    options = parser.parse_args()
    answers = []
    for row in ROWS:
        if row[1] > options.largest:
            continue
        try:
            answers.append(evaluate(options.program, options.backend, row))
        except subprocess.CalledProcessError as error:
            print(f"{row}: {error.stderr.strip()}", file=sys.stderr)
            continue
        print(line(row, answers[-1]), flush=True)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(answers, file, indent=1)


if __name__ == "__main__":
    main()
