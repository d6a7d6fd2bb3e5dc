# SPDX-License-Identifier: Apache-2.0
"""The state of gas at points, as sums over the kernels of its particles (SPH), for AMUSE's get_hydro_state_at_point."""

import numpy as np

from .. import _core
from ..snapshot import Family
from ..tree import Tree

_points_at_once = 100_000  # bounds the memory of pairs


def gas_at(particles, points, velocity, kernel, device):
    """Density (n), momentum density (n, 3) and energy density (n) at points (n, 3), in the frame that moves with velocity
    (n, 3): sum_j m_j W(|x - x_j|, H_j) of 1, v_j - v and u_j + |v_j - v|^2 / 2. They are 0 where no kernel reaches."""
    gas = particles.family == Family.gas
    columns = [getattr(particles, name)[gas] for name in ("position", "velocity", "mass", "internal_energy", "smoothing_length")]
    parts = [_sums(points[k:k + _points_at_once], velocity[k:k + _points_at_once], columns, kernel, device)
             for k in range(0, len(points), _points_at_once)]
    return tuple(np.concatenate(one) for one in zip(*parts))


def _sums(points, velocity, columns, kernel, device):
    place, speed, mass, energy, support = columns
    found = np.zeros((len(points), 5))
    tree = Tree(points, **device)
    octave = np.frexp(support)[1]  # gas of like H together: each finds few points beyond its kernel
    for one in np.unique(octave):
        of_it = np.flatnonzero(octave == one)
        offset, at, distance = tree.within(support[of_it].max(), targets=place[of_it])
        source = np.repeat(of_it, np.diff(offset))
        near = distance < support[source]
        at, source, distance = at[near], source[near], distance[near]
        weight = mass[source] * _core.kernel_values(kernel, distance / support[source]) / support[source] ** 3
        relative = speed[source] - velocity[at]
        terms = np.column_stack([np.ones(len(at)), relative, energy[source] + 0.5 * (relative**2).sum(axis=1)])
        for k in range(5):
            found[:, k] += np.bincount(at, weight * terms[:, k], minlength=len(points))
    return found[:, 0], found[:, 1:4], found[:, 4]
