# SPDX-License-Identifier: Apache-2.0
"""The k nearest of arrays that lie on a GPU: ms of hb.neighbours(x, nearest=k), tree included, and of a tree asked
again, for uniform particles, Plummer spheres, and 60 % in haloes. python bench/nearest_gpu.py [N ...] [--k 8 16 32]
[--models uniform plummer haloes] [--check]; needs PyTorch and a CUDA device."""

import argparse
import time

import numpy as np
import torch

import hornbeam as hb


def plummer(n, rng):
    """Of scale 1, cut at the mass fraction 0.999."""
    radius = 1 / np.sqrt((rng.random(n) * 0.999) ** (-2 / 3) - 1)
    direction = rng.normal(size=(n, 3))
    return direction * (radius / np.linalg.norm(direction, axis=1))[:, None]


def haloes(n, rng):
    """60 % in Plummer spheres of n^(1/3) / 2 haloes of unequal mass, the rest uniform."""
    inside = int(0.6 * n)
    weights = rng.random(max(1, int(n ** (1 / 3) / 2))) ** -0.9
    of = rng.choice(len(weights), inside, p=weights / weights.sum())
    centres, scale = rng.random((len(weights), 3)), 2e-3 * (weights / weights.min()) ** (1 / 3)
    return np.concatenate([rng.random((n - inside, 3)), centres[of] + scale[of][:, None] * plummer(inside, rng)])


MODELS = {"uniform": lambda n, rng: rng.random((n, 3)), "plummer": plummer, "haloes": haloes}


def median(act, times):
    """ms of the median call, after two that are not counted."""
    taken = []
    for n in range(times + 2):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        act()
        torch.cuda.synchronize()
        if n > 1:
            taken.append(time.perf_counter() - begin)
    return 1e3 * sorted(taken)[len(taken) // 2]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("n", nargs="*", type=float, default=[1e6, 8e6])
    parser.add_argument("--k", nargs="+", type=int, default=[8, 16, 32])
    parser.add_argument("--models", nargs="+", default=list(MODELS))
    parser.add_argument("--check", action="store_true", help="compare rows of a sample with all pairs")
    chosen = parser.parse_args()
    print(torch.cuda.get_device_name(0), "ms: with the tree, asked again")
    for model in chosen.models:
        for n in map(int, chosen.n):
            x = torch.from_numpy(MODELS[model](n, np.random.default_rng(1)).astype(np.float32)).cuda()
            tree = hb.Tree(x)
            for k in chosen.k:
                row = [median(lambda: hb.neighbours(x, nearest=k), 7), median(lambda: tree.nearest(k), 7)]
                print(f"{model:8} {n:9} k {k:3} " + " ".join(f"{ms:8.2f}" for ms in row), flush=True)
                if chosen.check:
                    check(x, tree, k)


def check(x, tree, k):
    """Distances of 2,000 rows against all pairs in fp64."""
    index, distance = tree.nearest(k)
    some = torch.randint(len(x), (2000,), generator=torch.Generator().manual_seed(1)).cuda()
    wide = x.double()
    for i in some.split(20):
        # by differences: products would lose the last digits
        d2 = sum((wide[i, a][:, None] - wide[None, :, a]) ** 2 for a in range(3))
        d2.scatter_(1, i[:, None], float("inf"))
        near = d2.topk(k, largest=False).values.sqrt().float()
        assert torch.equal(near, distance[i]), "other distances"
        assert (index[i] != i[:, None]).all(), "its own neighbour"
    print("         rows as of all pairs", flush=True)


if __name__ == "__main__":
    main()
