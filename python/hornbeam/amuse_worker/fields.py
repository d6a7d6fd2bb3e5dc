# SPDX-License-Identifier: Apache-2.0
"""Gravity at points: the calls that codes share, and a code of nothing else, which takes the place of AMUSE's FastKick."""

import numpy as np

from ..tree import Tree
from .parameters import FIELD_PARAMETERS
from .particles import ParticleTable


class FieldCalls:
    """Part of a worker with particles. The tree of these is built when a field is first requested, and again once they or
    the parameters have changed."""

    tree = None

    def changed(self):
        self.tree = None

    def both(self, **targets):
        """Accelerations and potentials of the particles, or at targets."""
        gravity, device = self.gravity()
        eps = gravity.pop("eps")
        if self.tree is None:
            here = self.particles
            self.tree = Tree(here.position, here.mass, eps, **device)
        return self.tree.both(**targets, **gravity)

    def field(self, eps, x, y, z):
        """A pair's softening is sqrt(epsilon_squared + eps^2), as AMUSE's codes have it. A particle at the point counts."""
        if len(self.particles) == 0:
            return np.zeros((len(x), 3)), np.zeros(len(x))
        lengths = np.sqrt(self.values["eps2"] + 2 * np.asarray(eps) ** 2) if np.any(eps) else None
        return self.both(targets=np.column_stack([x, y, z]), target_eps=lengths)

    def get_gravity_at_point(self, eps, x, y, z, ax, ay, az, npoints):
        ax.value, ay.value, az.value = self.field(eps, x, y, z)[0].T
        return 0

    def get_potential_at_point(self, eps, x, y, z, phi, npoints):
        phi.value = self.field(eps, x, y, z)[1]
        return 0


class FieldWorker(FieldCalls, ParticleTable):
    """Particles that stay where they are put, and their field."""

    parameters = FIELD_PARAMETERS
    fields = {"mass": ("mass",), "position": ("x", "y", "z")}
    settle = FieldCalls.changed

    def __init__(self):
        self.begin()

    def begin(self):
        super().begin()
        self.changed()

    def get_potential_energy(self, potential_energy):
        here = self.particles
        potential_energy.value = 0.5 * (here.mass * self.both()[1]).sum() if len(here) else 0.0
        return 0
