# SPDX-License-Identifier: Apache-2.0
"""A code of gravitational dynamics: AMUSE's calls on a hornbeam.Simulation, in N-body units."""

import math

import numpy as np

from ..errors import UsageError
from ..simulation import Simulation
from .conditions import COLLISION, Conditions
from .fields import FieldCalls
from .parameters import GRAVITY_PARAMETERS
from .particles import ParticleTable, codes


class Worker(Conditions, FieldCalls, ParticleTable):
    """Particles, and the simulation that carries them once they are to move."""

    parameters = GRAVITY_PARAMETERS
    supported = Conditions.supported | {COLLISION}

    def __init__(self):
        self.begin()

    def begin(self):
        super().begin()
        self.begin_conditions()
        self.time, self.simulation = 0.0, None
        self.contacts = []  # pairs that have been reported and overlap still

    # -- the simulation of the particles

    @property
    def particles(self):
        return self.kept if self.simulation is None else self.simulation

    def settle(self):
        """Particles without a simulation: another one begins with them when they are to move."""
        self.changed()
        if self.simulation is not None:
            kept = self.simulation.particles.copy()
            kept.eps = kept.acceleration = kept.potential = None
            self.kept, self.simulation = kept, None

    conditions_changed = settle

    def options(self):
        """Of the simulation, but for its step."""
        gravity, device = self.gravity()
        options = {"gravity": gravity, "device": device}
        if self.values["block_steps"]:
            options["time"] = {"steps": "block", "eta": self.values["eta"]}
        if COLLISION in self.enabled and (self.kept.radius > 0).any():
            options["collisions"] = {"law": "halt", "detection": "swept"}
            if self.values["direct"]:  # those that meet are found in the tree, of which all cells are opened then
                gravity.update(walk="group", theta=0.0)
        return options

    def start(self, dt):
        """The simulation, with steps of this length."""
        if self.simulation is not None and abs(self.dt / dt - 1) > 1e-9:
            self.settle()
        if self.simulation is None:
            self.kept.time = self.time
            self.simulation, self.dt = Simulation(self.kept, dt=dt, **self.options()), dt
        return self.simulation

    def started(self):
        """The simulation, with the steps that it has."""
        return self.start(self.values["time_step"] if self.simulation is None else self.dt)

    def commit_parameters(self):
        self.time = self.values["begin_time"]
        return 0

    # -- calls: time

    def evolve_model(self, time):
        """To `time`, in steps of one length, at most `timestep`; less far where a stopping condition is met."""
        self.met = []
        self.changed()
        longest, span = self.values["time_step"], time - self.time
        if not longest > 0:
            raise UsageError(f"timestep: received {longest!r} (must be above 0)")
        back = span < -1e-9 * longest
        if back and not self.values.get("is_time_reversed_allowed"):
            raise UsageError(f"evolve_model: received {time!r}, and the model is at {self.time!r} already (set "
                             "is_time_reversed_allowed to go back)")
        if abs(span) <= 1e-9 * longest or len(self.particles) == 0:
            self.time = time if back else max(time, self.time)
            return 0
        if back:
            self.turn()
        try:
            self.advance(abs(span), longest, time)
        finally:
            if back:
                self.turn()
        return 0

    def turn(self):
        """Turns all velocities round: steps forwards are then steps back. They are those of a leapfrog either way."""
        self.settle()
        self.kept.velocity *= -1

    def advance(self, span, longest, time):
        count = max(1, math.ceil(span / longest - 1e-6))
        simulation, before = self.start(span / count), self.time
        began = simulation.time
        end, watch = began + (count - 0.5) * self.dt, self.watch() if self.enabled else None
        while simulation.time < end and not self.met:  # it halts for pairs that have been reported, too
            simulation.run(end, watch)
        made = simulation.time - began
        self.time = before + math.copysign(made, time - before) if self.met else time

    def watch(self):
        go_on = super().watch()
        if COLLISION not in self.enabled:
            return go_on
        before = self.simulation.position.copy()

        def with_contacts(simulation):
            nonlocal before
            self.contacts = [pair for pair in self.contacts if self.touch(pair)]
            for pair in simulation.halted:
                if pair not in self.contacts and self.crossed(pair, before):
                    self.meet(COLLISION, pair)
                    self.contacts.append(pair)
            before = simulation.position.copy()
            return go_on(simulation)

        return with_contacts

    def crossed(self, pair, before):
        """Whether two bodies touched on their straight ways since they were there. What the simulation reports goes by their
        velocities at the end of the step: those of a third body that another one has just thrown off reach far."""
        if self.values["block_steps"]:
            return True
        place, here = self.places(np.array(pair))[0], self.particles
        apart, moved = np.subtract(*before[place]), np.subtract(*here.position[place]) - np.subtract(*before[place])
        way = moved @ moved
        nearest = apart + moved * (min(max(-(apart @ moved) / way, 0.0), 1.0) if way > 0 else 0.0)
        return np.linalg.norm(nearest) <= here.radius[place].sum() * (1 + 1e-3)  # those just outside touch in the next step

    def touch(self, pair):
        """Whether two bodies overlap that have been reported. They are reported again once they have been apart."""
        place, is_there = self.places(np.array(pair))
        here = self.particles
        apart = np.subtract(*here.position[place])
        return bool(is_there.all()) and np.linalg.norm(apart) < here.radius[place].sum()

    def get_time(self, time):
        time.value = self.time
        return 0

    # -- calls: what forces find

    def found_by_forces(self, field, index, holders):
        if len(self.particles):
            self.started()
        return self.read(field, index, holders)

    def get_acceleration(self, index_of_the_particle, ax, ay, az):
        return self.found_by_forces("acceleration", index_of_the_particle, [ax, ay, az])

    def skip_acceleration(self, index_of_the_particle, **values):
        """Copies of all attributes from another set set what is computed here, too."""
        return codes(self.places(index_of_the_particle)[1])

    skip_potential = skip_acceleration

    def get_potential(self, index_of_the_particle, potential):
        return self.found_by_forces("potential", index_of_the_particle, [potential])

    # -- calls: energies

    def energy(self, kind):
        return getattr(self.started().energy(), kind) if len(self.particles) else 0.0

    def get_kinetic_energy(self, kinetic_energy):
        kinetic_energy.value = self.energy("kinetic")
        return 0

    def get_potential_energy(self, potential_energy):
        potential_energy.value = self.energy("potential")
        return 0
