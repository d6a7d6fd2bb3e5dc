# SPDX-License-Identifier: Apache-2.0
"""The particles of a worker: a table of rows with indices, which calls fill, read, change and shorten, and its parameters.

Calls return 0, or -1 if there is no such particle, or if the quantity is not defined: a centre of no mass. A call for
several particles returns a code of each if some are missing; their values are NaN, and the others are right. Any other error
is an exception, whose text AMUSE hands to the script. Arguments that are handed out are holders with a `value`."""

import math

import numpy as np

from ..errors import UsageError
from ..snapshot import Snapshot
from .conditions import LIMITS

FIELDS = {"mass": ("mass",), "position": ("x", "y", "z"), "velocity": ("vx", "vy", "vz"), "radius": ("radius",)}


def codes(is_there):
    """0 of all, or a code of each."""
    return 0 if is_there.all() else np.where(is_there, 0, -1).astype(np.int32)


class ParticleTable:
    """Parameters and particles. What moves or attracts is added by the workers."""

    parameters = {}  # of this worker, by their names in AMUSE
    fields = FIELDS  # of the particles: the names of their numbers in AMUSE's calls
    first_index = 0

    def begin(self):
        self.values = {parameter.call: parameter.value for parameter in self.parameters.values()}
        self.kept, self.next_index = Snapshot(np.zeros((0, 3))), self.first_index

    @property
    def particles(self):
        """Where they are now; arrays may be written to, and what cannot be (NaN) is mended there."""
        return self.kept

    def settle(self):
        """Called before `kept` is exchanged, and when parameters have changed."""

    def changed(self):
        """Called when arrays were written to."""

    def gravity(self):
        """Options of forces, and of the device that computes them."""
        value = self.values
        if not value["eps2"] >= 0:
            raise UsageError(f"epsilon_squared: received {value['eps2']!r} (must be 0 or above)")
        options = {"eps": math.sqrt(value["eps2"]), "theta": value["opening_angle"], "softening": value["softening"],
                   "walk": "direct" if value["direct"] else "group"}
        device = {key: value[key] for key in ("backend", "device", "threads")}
        return options, {**device, "precision": "double" if value["direct"] else "mixed"}

    def places(self, index):
        """Positions of particles in the arrays, by their indices, and which of them are there."""
        ids, index = self.particles.id, np.atleast_1d(index)
        if len(ids) == 0:
            return np.zeros(len(index), int), np.zeros(len(index), bool)
        place = np.minimum(np.searchsorted(ids, index), len(ids) - 1)
        return place, ids[place] == index

    # -- calls: the code

    def initialize_code(self):
        self.begin()
        return 0

    def cleanup_code(self):
        self.begin()
        return 0

    def commit_parameters(self):
        return 0

    def recommit_parameters(self):
        self.settle()
        return 0

    def commit_particles(self):
        return 0

    recommit_particles = synchronize_model = commit_particles

    # -- calls: particles

    def add(self, holder, state, **more):
        """Particles of these numbers, by AMUSE's names; more: fields as they are. Their indices go into the holder."""
        n = len(state["mass"])
        index = np.arange(self.next_index, self.next_index + n)
        columns = {field: np.column_stack([state[name] for name in names]).reshape(n, *(3,) * (len(names) == 3))
                   for field, names in self.fields.items() if names[0] in state}
        added = Snapshot(**{"radius": 0.0, **columns, **more}, id=index.astype(np.uint64))
        self.settle()
        self.kept = self.kept + added if len(self.kept) else added
        self.next_index += n
        holder.value = index
        return 0

    def new_particle(self, index_of_the_particle, **state):
        return self.add(index_of_the_particle, state)

    def delete_particle(self, index_of_the_particle, npoints=None):
        place, is_there = self.places(index_of_the_particle)
        if is_there.any():
            self.settle()
            self.kept = self.kept.select(np.setdiff1d(np.arange(len(self.kept)), place[is_there]))
        return codes(is_there)

    def read(self, field, index, holders):
        place, is_there = self.places(index)
        found = np.full((len(place), len(holders)), np.nan)
        if is_there.any():
            found[is_there] = getattr(self.particles, field)[place[is_there]].reshape(-1, len(holders))
        for k, holder in enumerate(holders):
            holder.value = found[:, k]
        return codes(is_there)

    def assign(self, field, index, columns):
        place, is_there = self.places(index)
        if is_there.any():
            array = getattr(self.particles, field)
            given = np.column_stack([np.broadcast_to(column, len(place)) for column in columns])
            array[place[is_there]] = given[is_there].reshape(array[place[is_there]].shape)
            self.changed()
        return codes(is_there)

    def get_state(self, index_of_the_particle, **holders):
        return [self.read(field, index_of_the_particle, [holders[name] for name in names])
                for field, names in self.fields.items() if names[0] in holders][0]

    def set_state(self, index_of_the_particle, **state):
        return [self.assign(field, index_of_the_particle, [state[name] for name in names])
                for field, names in self.fields.items() if names[0] in state][0]

    def get_number_of_particles(self, number_of_particles):
        number_of_particles.value = len(self.particles)
        return 0

    def get_index_of_first_particle(self, index_of_the_particle):
        index_of_the_particle.value = -1  # AMUSE takes None for no whole number
        if len(self.particles) == 0:
            return -1
        index_of_the_particle.value = int(self.particles.id[0])
        return 0

    def get_index_of_next_particle(self, index_of_the_particle, index_of_the_next_particle):
        place, is_there = self.places(index_of_the_particle)
        index_of_the_next_particle.value = -1
        if not is_there.all():
            return -1
        if place[0] + 1 == len(self.particles):
            return 1
        index_of_the_next_particle.value = int(self.particles.id[place[0] + 1])
        return 0

    # -- calls: sums

    def get_total_mass(self, mass):
        mass.value = self.particles.mass.sum()
        return 0

    def centre(self, field):
        """The mean by mass; None of no mass, which has none."""
        mass = self.particles.mass
        total = mass.sum()
        return mass @ getattr(self.particles, field) / total if total > 0 else None

    def put_centre(self, field, holders):
        centre = self.centre(field)
        if centre is None:
            return -1
        for holder, value in zip(holders, centre):
            holder.value = value
        return 0

    def get_center_of_mass_position(self, x, y, z):
        return self.put_centre("position", [x, y, z])

    def get_center_of_mass_velocity(self, vx, vy, vz):
        return self.put_centre("velocity", [vx, vy, vz])

    def get_total_radius(self, radius):
        """Of the farthest particle from the centre of mass; 0 of no particles, as in AMUSE's codes."""
        if len(self.particles) == 0:
            radius.value = 0.0
            return 0
        centre = self.centre("position")
        if centre is None:
            return -1
        radius.value = np.linalg.norm(self.particles.position - centre, axis=1).max()
        return 0

    # -- calls that are alike: parameters, limits of conditions, fields of particles

    def __getattr__(self, name):
        way, _, what = name.partition("_")
        if way not in ("get", "set"):
            raise AttributeError(name)
        if what in self.fields:
            if way == "get":
                return lambda index_of_the_particle, npoints=None, **holders: self.read(
                    what, index_of_the_particle, list(holders.values()))
            return lambda index_of_the_particle, npoints=None, **given: self.assign(
                what, index_of_the_particle, list(given.values()))
        condition = what.removeprefix("stopping_condition_").removesuffix("_parameter")
        if condition in LIMITS:
            return access(way, self.limits, condition)
        if what in (parameter.call for parameter in self.parameters.values()):
            return access(way, self.values, what)
        raise AttributeError(name)


def access(way, values, key):
    """A call that reads or writes values[key], whatever its one argument is called."""

    def get(*holder, **named):
        (holder,) = [*holder, *named.values()]
        holder.value = values[key]
        return 0

    def put(*value, **named):
        (value,) = [*value, *named.values()]
        found = value[0] if isinstance(value, (list, np.ndarray)) else value
        values[key] = type(values[key])(found)
        return 0

    return get if way == "get" else put
