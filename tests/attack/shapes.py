# SPDX-License-Identifier: Apache-2.0
"""Particles as nobody draws them for science: lattices, lines, clumps within clumps, pairs, outliers, far from the origin."""

import numpy as np


class Shape:
    def __init__(self, x, name, smooth=False):
        self.x, self.name, self.smooth = np.asarray(x, float).reshape(-1, 3), name, smooth
        self.far = np.zeros(len(self.x), bool)  # outliers, whose own forces are at the end of fp32's range


def ten(rng, low, high):
    """A number between 10^low and 10^high, all decades alike."""
    return 10.0 ** rng.uniform(low, high)


def directions(rng, n):
    v = rng.normal(size=(n, 3))
    return v / np.linalg.norm(v, axis=1)[:, None]


def lattice(rng, n):
    k = max(1, round(n ** (1 / 3)))
    grid = np.stack(np.meshgrid(*[np.arange(k)] * 3, indexing="ij"), -1).reshape(-1, 3) / k
    return Shape(grid - rng.choice([0.0, 0.5, 0.5 - 0.5 / k]), f"lattice {k}^3", smooth=True)


def uniform(rng, n):
    return Shape(rng.uniform(-0.5, 0.5, (n, 3)), "uniform", smooth=True)


def plummer(rng, n):
    r = 1 / np.sqrt(rng.uniform(0.001, 0.999, n) ** (-2 / 3) - 1)
    return Shape(directions(rng, n) * r[:, None], "plummer", smooth=True)


def line(rng, n):
    t = np.linspace(-1, 1, n)
    axis = [np.eye(3)[rng.integers(3)], np.ones(3), directions(rng, 1)[0]][rng.integers(3)]
    return Shape(t[:, None] * axis, "line")


def geometric_line(rng, n):
    ratio = rng.choice([0.5, 0.9, 0.1, 1 / 200, 1 / 300])
    most = int(min(n, 12 / -np.log10(ratio)))
    t = ratio ** np.arange(most)
    axis = [np.eye(3)[rng.integers(3)], directions(rng, 1)[0]][rng.integers(2)]
    x = t[:, None] * axis
    if rng.random() < 0.5:
        x = np.concatenate([x, -x[:: rng.integers(1, 4)]])
    return Shape(x, f"geometric line, ratio {ratio:.3g}")


def spiral(rng, n):
    """Every decade holds as many as the next."""
    r = 10 ** np.linspace(-rng.integers(3, 13), 0, n)
    return Shape(directions(rng, n) * r[:, None], "spiral over decades")


def cross(rng, n):
    t = np.linspace(-1, 1, max(2, n // 3) | 1)
    return Shape(np.concatenate([t[:, None] * axis for axis in np.eye(3)]), "cross")


def plane(rng, n):
    k = max(1, int(np.sqrt(n)))
    grid = np.stack(np.meshgrid(np.arange(k), np.arange(k), indexing="ij"), -1).reshape(-1, 2) / k - 0.5
    if rng.random() < 0.5:
        grid = rng.uniform(-0.5, 0.5, grid.shape)
    flat = np.insert(grid, rng.integers(3), rng.choice([0.0, 0.3]), axis=1)
    return Shape(flat, "plane")


def ring(rng, n):
    angle = 2 * np.pi * np.arange(n) / n
    z = np.zeros(n) if rng.random() < 0.5 else 1e-6 * rng.normal(size=n)
    return Shape(np.stack([np.cos(angle), np.sin(angle), z], 1), "ring")


def shell(rng, n):
    return Shape(directions(rng, n), "shell")


def clumps(rng, n):
    count, size = int(rng.integers(2, 6)), ten(rng, -12, -1)
    centres = directions(rng, count) * rng.uniform(0.3, 1, (count, 1))
    which = np.arange(n) % count
    return Shape(centres[which] + size * rng.normal(size=(n, 3)), f"{count} clumps of {size:.1e}")


def nested(rng, n):
    """Clumps within clumps over up to twelve decades."""
    levels = int(rng.integers(2, 7))
    ratio = 10 ** (-rng.uniform(2, 12) / levels)
    x = np.zeros((n, 3))
    for level in range(levels):
        places = directions(rng, 3) * ratio**level
        deep = np.arange(n) % (levels + 1) >= level
        x += np.where(deep[:, None], places[rng.integers(3, size=n)], 0.0)
    return Shape(x + ratio**levels * rng.normal(size=(n, 3)), f"clumps within clumps, {levels} times {ratio:.1e}")


def pairs(rng, n):
    half = max(1, n // 2)
    centres = rng.uniform(-0.5, 0.5, (half, 3))
    apart = 10 ** rng.uniform(-12, 0, half) if rng.random() < 0.5 else np.full(half, ten(rng, -12, 0))
    return Shape(np.concatenate([centres, centres + directions(rng, half) * apart[:, None]]), "pairs")


def coincident(rng, n):
    places = rng.uniform(-0.5, 0.5, (int(rng.choice([1, 2, 5, max(1, n // 3)])), 3))
    return Shape(places[rng.integers(len(places), size=n)], f"{len(places)} points that all share")


def companions(rng, n):
    """A lattice, some of whose particles have another very near."""
    x = lattice(rng, n).x
    some = rng.integers(len(x), size=max(1, len(x) // 20))
    return Shape(np.concatenate([x, x[some] + directions(rng, len(some)) * ten(rng, -12, -3)]), "lattice with companions")


def symmetric(rng, n):
    """Groups whose centre is a particle, or nearly."""
    half = rng.uniform(-0.5, 0.5, (max(1, n // 2), 3))
    middle = directions(rng, 1) * rng.choice([0.0, 1e-9, 1e-11, 1e-12, 1e-15])
    return Shape(np.concatenate([half, -half, middle]), "symmetric about a particle")


SHAPES = [lattice, lattice, uniform, plummer, line, geometric_line, spiral, cross, plane, ring, shell, clumps, clumps, nested,
          nested, pairs, coincident, companions, symmetric]


def with_outlier(rng, shape):
    """One more, far away."""
    distance = ten(rng, 1, 12)
    x = np.concatenate([shape.x, directions(rng, 1) * distance])
    new = Shape(x, f"{shape.name}, one at {distance:.0e}")
    new.far[-1] = distance > 1e9
    return new


def draw_shape(rng, n):
    """A shape of size near 1 and the offset and scale it is then given: positions as stored, and what was done."""
    shape = SHAPES[rng.integers(len(SHAPES))](rng, n)
    if rng.random() < 0.15:
        shape = with_outlier(rng, shape)
    shape.offset = ten(rng, 0, 8) if rng.random() < 0.25 else 0.0
    shape.scale = ten(rng, -20, 20) if rng.random() < 0.15 else 1.0
    if shape.offset:
        shape.name += f", {shape.offset:.0e} from the origin"
        shape.smooth = shape.smooth and shape.offset < 1e6
        shape.x = shape.x + shape.offset * directions(rng, 1)
    if shape.scale != 1:
        shape.name += f", times {shape.scale:.0e}"
        shape.x = shape.x * shape.scale
    shape.x = shape.x[rng.permutation(len(shape.x))] if rng.random() < 0.5 and not shape.far.any() else shape.x
    return shape


def draw_masses(rng, n):
    """Masses, their name and whether they are alike."""
    pick = rng.integers(8)
    if pick < 3:
        return np.full(n, 1.0 / n), "equal masses", True
    if pick == 3:
        return rng.uniform(0.5, 1.5, n) * ten(rng, -30, 30), "masses alike", True
    if pick == 4:
        return 10 ** rng.uniform(-30, 30, n), "masses over 60 decades", False
    if pick == 5:
        return 10 ** rng.uniform(-6, 0, n), "masses over 6 decades", False
    if pick == 6:
        m = np.where(rng.random(n) < rng.choice([0.1, 0.5, 1.0]), 0.0, 1.0)
        return m, f"{int((m == 0).sum())} without mass", False
    m = np.full(n, 1e-6)
    m[rng.integers(n)] = 1.0
    return m, "one mass rules", False
