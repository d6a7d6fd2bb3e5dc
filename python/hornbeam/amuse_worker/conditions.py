# SPDX-License-Identifier: Apache-2.0
"""AMUSE's stopping conditions: which a worker supports, which are enabled, their limits, and what met them."""

import math
import time

import numpy as np

# as AMUSE numbers them
COLLISION, TIMEOUT, NUMBER_OF_STEPS, OUT_OF_BOX, DENSITY, INTERNAL_ENERGY = 0, 3, 4, 5, 6, 7
LIMITS = {"timeout": 4.0, "number_of_steps": 1, "out_of_box": 0.0, "out_of_box_use_center_of_mass": False,
          "minimum_density": -1.0, "maximum_density": -1.0, "minimum_internal_energy": -1.0,
          "maximum_internal_energy": -1.0}
_ranges = {DENSITY: "density", INTERNAL_ENERGY: "internal_energy"}


class Conditions:
    """Part of a worker: `met` has a pair (condition, ids of its particles) for each event."""

    supported = frozenset({TIMEOUT, NUMBER_OF_STEPS, OUT_OF_BOX})

    def begin_conditions(self):
        self.enabled, self.met, self.limits = set(), [], dict(LIMITS)

    def meet(self, condition, ids=()):
        self.met.append((condition, tuple(int(one) for one in ids)))

    def watch(self):
        """Called after each step: False where a condition is met."""
        start, first = time.monotonic(), self.simulation.steps

        def go_on(simulation):
            if NUMBER_OF_STEPS in self.enabled and simulation.steps - first >= self.limits["number_of_steps"]:
                self.meet(NUMBER_OF_STEPS)
            if TIMEOUT in self.enabled and time.monotonic() - start > self.limits["timeout"]:
                self.meet(TIMEOUT)
            for condition in (OUT_OF_BOX, DENSITY, INTERNAL_ENERGY):
                if condition in self.enabled:
                    for one in simulation.id[self.beyond(condition, simulation)]:
                        self.meet(condition, (one,))
            return not self.met

        return go_on

    def beyond(self, condition, simulation):
        """A mask of the particles that are beyond a condition's limits."""
        if condition == OUT_OF_BOX:
            centre = self.centre("position") if self.limits["out_of_box_use_center_of_mass"] else None
            apart = simulation.position - (0.0 if centre is None else centre)
            return (apart**2).sum(axis=1) > self.limits["out_of_box"] ** 2
        name = _ranges[condition]
        least, most = self.limits[f"minimum_{name}"], self.limits[f"maximum_{name}"]
        value = getattr(simulation, name)
        return self.is_gas() & ((value < least) | (value > (most if most >= 0 else math.inf)))

    # -- calls

    def has_stopping_condition(self, type, result):
        result.value = int(type in self.supported)
        return 0

    def enable_stopping_condition(self, type):
        if type not in self.supported:
            return -1
        self.enabled.add(int(type))
        self.conditions_changed()
        return 0

    def disable_stopping_condition(self, type):
        self.enabled.discard(int(type))
        self.conditions_changed()
        return 0

    def conditions_changed(self):
        """Called when a condition was enabled or disabled."""

    def is_stopping_condition_enabled(self, type, result):
        result.value = int(type in self.enabled)
        return 0

    def is_stopping_condition_set(self, type, result):
        result.value = int(any(kind == type for kind, _ in self.met))
        return 0

    def get_number_of_stopping_conditions_set(self, result):
        result.value = len(self.met)
        return 0

    def get_stopping_condition_info(self, index, type, number_of_particles):
        type.value = number_of_particles.value = -1
        if not 0 <= index < len(self.met):
            return -1
        type.value, number_of_particles.value = self.met[index][0], len(self.met[index][1])
        return 0

    def get_stopping_condition_particle_index(self, index, index_of_the_column, index_of_particle):
        index_of_particle.value = -1
        if not 0 <= index < len(self.met) or not 0 <= index_of_the_column < len(self.met[index][1]):
            return -1
        index_of_particle.value = self.met[index][1][index_of_the_column]
        return 0
