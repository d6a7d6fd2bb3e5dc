# SPDX-License-Identifier: Apache-2.0
"""What a call with arrays that lie on a GPU takes beside one with NumPy's, and beside the evaluation itself as
`hornbeam force` times it. python bench/gpu_arrays.py [N ...]; needs PyTorch and a CUDA device."""

import json
import os
import subprocess
import sys
import time

import numpy as np
import torch

import hornbeam as hb


def median(act, times):
    """Seconds: of the median call, its results let go."""
    act()
    taken = []
    for _ in range(times):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        act()
        torch.cuda.synchronize()
        taken.append(time.perf_counter() - begin)
    return sorted(taken)[len(taken) // 2]


def bare(n):
    """Seconds of the device in one evaluation after others."""
    program = os.environ.get("HORNBEAM", "hornbeam")
    report = subprocess.run([program, "force", "--ic", "plummer", "-n", str(n), "--seed", "1", "--eps", "0.01",
                             "--backend", "cuda", "--repeat", "9", "--json"], capture_output=True, text=True,
                            check=True).stdout
    return json.loads(report)["seconds"]["total"]


def main(sizes):
    print(torch.cuda.get_device_name(0), "medians in ms")
    print(f"{'N':>10} {'NumPy':>9} {'fp64 there':>11} {'fp32 there':>11} {'transfer':>9} {'bare':>9}")
    for n in sizes:
        sphere = hb.ic.plummer(n, seed=1)
        position, mass = np.array(sphere.position), np.array(sphere.mass)
        there = torch.from_numpy(position).cuda(), torch.from_numpy(mass).cuda()
        single = tuple(a.float() for a in there)
        times = 15 if n <= 2_000_000 else 5

        def transfer():
            torch.from_numpy(position).cuda()
            torch.from_numpy(mass).cuda()
            torch.empty((n, 4), dtype=torch.float64, device="cuda").cpu()

        row = [median(lambda: hb.both(position, mass, 0.01, backend="cuda"), times),
               median(lambda: hb.both(*there, 0.01), times), median(lambda: hb.both(*single, 0.01), times),
               median(transfer, times), bare(n)]
        print(f"{n:>10} {row[0] * 1e3:9.2f} {row[1] * 1e3:11.2f} {row[2] * 1e3:11.2f} {row[3] * 1e3:9.2f} "
              f"{row[4] * 1e3:9.2f}")


if __name__ == "__main__":
    main([int(float(word)) for word in sys.argv[1:]] or [1_000, 100_000, 1_000_000, 10_000_000])
