# SPDX-License-Identifier: Apache-2.0
"""Forces summed pair by pair in 80-bit numbers, by the formulas of docs/theory.md and by no code of Hornbeam's."""

import numpy as np

LONG = np.longdouble


class Sums:
    """For each target: acceleration, potential, the sum of the pulls' sizes, and how far rounded positions may move them."""

    def __init__(self, n):
        self.acceleration, self.potential = np.zeros((n, 3), LONG), np.zeros(n, LONG)
        self.pull = np.zeros(n, LONG)
        self.spread = np.zeros((n, 2), LONG)  # of acceleration and potential


def spline(r, h):
    """Factor of d in the acceleration and the potential, per mass (Springel, Yoshida & White 2001), for r < h."""
    u = r / h
    third = LONG(1) / 3
    inner = 32 * third + u * u * (32 * u - LONG(192) / 5)
    with np.errstate(divide="ignore", invalid="ignore"):
        outer = 64 * third - 48 * u + LONG(192) / 5 * u**2 - 32 * third * u**3 - LONG(1) / 15 / u**3
        outer_potential = -LONG(16) / 5 + LONG(1) / 15 / u + u**2 * (32 * third + u * (-16 + u * (LONG(48) / 5
                                                                                      - LONG(32) / 15 * u)))
    inner_potential = -LONG(14) / 5 + u**2 * (16 * third + u**2 * (LONG(32) / 5 * u - LONG(48) / 5))
    near = u < 0.5
    return np.where(near, inner, outer) / h**3, np.where(near, inner_potential, outer_potential) / h


def factors(r2, eps2, softening):
    """Acceleration per d and potential, per mass, of pairs; 0 where r2 + eps2 is."""
    with np.errstate(divide="ignore", invalid="ignore"):
        if softening == "plummer":
            inverse = 1 / np.sqrt(r2 + eps2)
            acceleration, potential = inverse**3, -inverse
        else:
            r, h = np.sqrt(r2), LONG(14) / 5 * np.sqrt(eps2)
            acceleration, potential = 1 / r**3, -1 / r
            near = r < h
            acceleration[near], potential[near] = spline(r[near], h[near])
    nothing = r2 + eps2 == 0
    return np.where(nothing, 0, acceleration), np.where(nothing, 0, potential)


def sum_directly(x, mass, eps, softening, targets, rounding=0.0, block=64):
    """Sums over all of x (n, 3) at x[targets]; `rounding` is the length by which a position may be off (for .spread)."""
    x, mass, eps = x.astype(LONG), mass.astype(LONG), eps.astype(LONG)
    sums = Sums(len(targets))
    for first in range(0, len(targets), block):
        some = targets[first:first + block]
        rows = slice(first, first + len(some))
        d = x[None, :, :] - x[some][:, None, :]
        r2 = (d * d).sum(axis=2)
        eps2 = (eps[None, :] ** 2 + eps[some][:, None] ** 2) / 2
        acceleration, potential = factors(r2, eps2, softening)
        itself = (np.arange(len(some)), some)
        acceleration[itself], potential[itself] = 0, 0
        weight = mass[None, :] * acceleration
        sums.acceleration[rows] = (weight[:, :, None] * d).sum(axis=1)
        sums.potential[rows] = (mass[None, :] * potential).sum(axis=1)
        sums.pull[rows] = (weight * np.sqrt(r2)).sum(axis=1)
        if rounding:
            sums.spread[rows] = spread(mass, r2, eps2, itself, LONG(rounding))
    return sums


def spread(mass, r2, eps2, itself, rounding):
    """By how much pull and potential of each may change where positions are off by `rounding`: 3 times the tide; where
    rounding reaches the distance, all of it, and what it is at the least distance that numbers tell apart."""
    soft2, least2 = np.maximum(r2 + eps2, LONG("1e-3000")), (rounding / 4) ** 2 + eps2
    is_far, is_apart = r2 + eps2 > (8 * rounding) ** 2, r2 + eps2 > 0
    found = []
    for power, tide in ((1.0, 6), (0.5, 3)):  # 1 / r^2, 1 / r
        close = 2 / soft2**power + 2 / least2**power
        change = np.where(is_far, tide * rounding / soft2 ** (power + 0.5), np.where(is_apart, close, 0))
        change[itself] = 0
        found.append((mass[None, :] * change).sum(axis=1))
    return np.stack(found, axis=1)
