# SPDX-License-Identifier: Apache-2.0
"""The worker behind hornbeam.amuse: AMUSE's calls on a hornbeam.Simulation, in N-body units. It needs no AMUSE itself, but mpi4py, which AMUSE loads.

Calls return 0, or -1 if there is no such particle, or if the quantity is not defined: a centre of no mass. A call for
several particles returns a code of each if some are missing; their values are NaN, and the others are right. Any other error
is an exception, whose text AMUSE hands to the script. Arguments that are handed out are holders with a `value`."""

import collections
import math
import os
import select
import socket
import threading
import time

import mpi4py
import numpy as np

from .errors import UsageError
from .forces import both
from .simulation import Simulation
from .snapshot import Snapshot

Parameter = collections.namedtuple("Parameter", "call dtype unit value help")
PARAMETERS = {
    "epsilon_squared": Parameter("eps2", "float64", "length**2", 0.0, "softening length of all particles, squared"),
    "timestep": Parameter("time_step", "float64", "time", 1 / 128,
                          "longest step; evolve_model takes steps of one length that end where it is to end"),
    "begin_time": Parameter("begin_time", "float64", "time", 0.0, "model time at the start"),
    "opening_angle": Parameter("opening_angle", "float64", "", 0.6, "theta of the tree; 0: all pairs"),
    "softening": Parameter("softening", "string", "", "plummer", "kernel of the softening: plummer or spline"),
    "block_steps": Parameter("block_steps", "bool", "", False, "steps of powers of two for each particle"),
    "eta": Parameter("eta", "float64", "", 0.2, "of block steps: a step is at most eta sqrt(eps / |a|)"),
    "direct": Parameter("direct", "bool", "", False, "sums over all pairs in double precision, for few particles"),
    "backend": Parameter("backend", "string", "", "auto", "what computes: auto, cpu, cuda, opencl"),
    "device": Parameter("device", "int32", "", 0, "which device of the backend"),
    "threads": Parameter("threads", "int32", "", 0, "CPU threads; 0: all cores"),
}
COLLISION, TIMEOUT, NUMBER_OF_STEPS = 0, 3, 4  # as AMUSE numbers stopping conditions
_fields = {"mass": ("mass",), "radius": ("radius",), "position": ("x", "y", "z"), "velocity": ("vx", "vy", "vz")}
_seconds_to_end = 1.0  # a worker that waits for a call ends by itself in less than that


def _end_with_the_script(connection):
    """Waits until the script at the other end has closed the connection or was killed, and then ends this process. A
    worker that waits for a call has ended itself by then. One that computes would not notice before its call returns."""
    watched = select.poll()
    watched.register(connection, select.POLLRDHUP)  # and POLLHUP, POLLERR, POLLNVAL, which are always reported
    watched.poll()
    time.sleep(_seconds_to_end)
    os._exit(1)


def start_worker():
    """What the worker's process begins with. AMUSE answers in several parts, and TCP waits 40 ms before the second of
    them where it is not told otherwise: a bridge of two hundred stars took fifty times as long."""
    connect = socket.create_connection

    def connect_to_the_script(*arguments, **options):
        made = connect(*arguments, **options)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=_end_with_the_script, args=(made,), daemon=True).start()
        return made

    socket.create_connection = connect_to_the_script
    mpi4py.rc.initialize = False  # of a worker without MPI, whom that would take 3 s; with MPI it has begun already
    return Worker()


def _codes(is_there):
    """0 of all, or a code of each."""
    return 0 if is_there.all() else np.where(is_there, 0, -1).astype(np.int32)


class Worker:
    """One code: particles, and the simulation that carries them once they are to move."""

    def __init__(self):
        self.begin()

    def begin(self):
        self.values = {parameter.call: parameter.value for parameter in PARAMETERS.values()}
        self.time, self.next_index = 0.0, 0
        self.simulation, self.kept = None, Snapshot(np.zeros((0, 3)))
        self.supported, self.enabled, self.met = {COLLISION, TIMEOUT, NUMBER_OF_STEPS}, set(), []
        self.contacts = []  # pairs that have been reported and overlap still
        self.limits = {"timeout": 4.0, "number_of_steps": 1}

    # -- particles and the simulation of them

    @property
    def particles(self):
        """Where they are now; arrays may be written to, and what cannot be (NaN) is mended there."""
        return self.kept if self.simulation is None else self.simulation

    def settle(self):
        """Particles without a simulation: another one begins with them when they are to move."""
        if self.simulation is not None:
            kept = self.simulation.particles.copy()
            kept.eps = kept.acceleration = kept.potential = None
            self.kept, self.simulation = kept, None

    def gravity(self):
        value = self.values
        if not value["eps2"] >= 0:
            raise UsageError(f"epsilon_squared: received {value['eps2']!r} (must be 0 or above)")
        options = {"eps": math.sqrt(value["eps2"]), "theta": value["opening_angle"], "softening": value["softening"],
                   "walk": "direct" if value["direct"] else "group"}
        device = {key: value[key] for key in ("backend", "device", "threads")}
        return options, {**device, "precision": "double" if value["direct"] else "mixed"}

    def start(self, dt):
        """The simulation, with steps of this length."""
        if self.simulation is not None and abs(self.dt / dt - 1) > 1e-9:
            self.settle()
        if self.simulation is None:
            gravity, device = self.gravity()
            options = {"gravity": gravity, "device": device}
            if self.values["block_steps"]:
                options["time"] = {"steps": "block", "eta": self.values["eta"]}
            if COLLISION in self.enabled and (self.kept.radius > 0).any():
                options["collisions"] = {"law": "halt", "detection": "swept"}
                if self.values["direct"]:  # those that meet are found in the tree, of which all cells are opened then
                    gravity.update(walk="group", theta=0.0)
            self.kept.time = self.time
            self.simulation, self.dt = Simulation(self.kept, dt=dt, **options), dt
        return self.simulation

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
        self.time = self.values["begin_time"]
        return 0

    def recommit_parameters(self):
        self.settle()
        return 0

    def commit_particles(self):
        return 0

    recommit_particles = synchronize_model = commit_particles

    def evolve_model(self, time):
        """To `time`, in steps of one length, at most `timestep`; less far where a stopping condition is met."""
        self.met = []
        longest, span = self.values["time_step"], time - self.time
        if not longest > 0:
            raise UsageError(f"timestep: received {longest!r} (must be above 0)")
        if span < -1e-9 * longest:
            raise UsageError(f"evolve_model: received {time!r}, and the model is at {self.time!r} already")
        if span <= 1e-9 * longest or len(self.particles) == 0:
            self.time = max(time, self.time)
            return 0
        steps = max(1, math.ceil(span / longest - 1e-6))
        simulation, before = self.start(span / steps), self.time
        began = simulation.time
        end, watch = began + (steps - 0.5) * self.dt, self.watch() if self.enabled else None
        while simulation.time < end and not self.met:  # it halts for pairs that have been reported, too
            simulation.run(end, watch)
        self.time = before + simulation.time - began if self.met else time
        return 0

    def watch(self):
        """Called after each step: False where a condition is met."""
        start, first = time.monotonic(), self.simulation.steps

        def go_on(simulation):
            self.contacts = [pair for pair in self.contacts if self.touch(pair)]
            for pair in simulation.halted if COLLISION in self.enabled else ():
                if pair not in self.contacts:
                    self.met.append((COLLISION, pair))
                    self.contacts.append(pair)
            if NUMBER_OF_STEPS in self.enabled and simulation.steps - first >= self.limits["number_of_steps"]:
                self.met.append((NUMBER_OF_STEPS, ()))
            if TIMEOUT in self.enabled and time.monotonic() - start > self.limits["timeout"]:
                self.met.append((TIMEOUT, ()))
            return not self.met

        return go_on

    def touch(self, pair):
        """Whether two bodies overlap that have been reported. They are reported again once they have been apart."""
        place, is_there = self.places(np.array(pair))
        here = self.particles
        apart = np.subtract(*here.position[place])
        return bool(is_there.all()) and np.linalg.norm(apart) < here.radius[place].sum()

    # -- calls: particles

    def new_particle(self, index_of_the_particle, **state):
        n = len(state["mass"])
        index = np.arange(self.next_index, self.next_index + n)
        columns = {field: np.column_stack([state[name] for name in names]) for field, names in _fields.items()}
        more = Snapshot(columns["position"], columns["velocity"], state["mass"], radius=state["radius"],
                        id=index.astype(np.uint64))
        self.settle()
        self.kept = self.kept + more if len(self.kept) else more
        self.next_index += n
        index_of_the_particle.value = index
        return 0

    def delete_particle(self, index_of_the_particle):
        place, is_there = self.places(index_of_the_particle)
        if is_there.any():
            self.settle()
            self.kept = self.kept.select(np.setdiff1d(np.arange(len(self.kept)), place[is_there]))
        return _codes(is_there)

    def read(self, field, index, holders):
        place, is_there = self.places(index)
        found = np.full((len(place), len(holders)), np.nan)
        if is_there.any():
            found[is_there] = getattr(self.particles, field)[place[is_there]].reshape(-1, len(holders))
        for k, holder in enumerate(holders):
            holder.value = found[:, k]
        return _codes(is_there)

    def assign(self, field, index, columns):
        place, is_there = self.places(index)
        if is_there.any():
            array = getattr(self.particles, field)
            given = np.column_stack([np.broadcast_to(column, len(place)) for column in columns])
            array[place[is_there]] = given[is_there].reshape(array[place[is_there]].shape)
        return _codes(is_there)

    def get_state(self, index_of_the_particle, **holders):
        return [self.read(field, index_of_the_particle, [holders[name] for name in names])
                for field, names in _fields.items()][0]

    def set_state(self, index_of_the_particle, **state):
        return [self.assign(field, index_of_the_particle, [state[name] for name in names])
                for field, names in _fields.items() if names[0] in state][0]

    def found_by_forces(self, field, index, holders):
        if len(self.particles):
            self.start(self.values["time_step"] if self.simulation is None else self.dt)
        return self.read(field, index, holders)

    def get_acceleration(self, index_of_the_particle, ax, ay, az):
        return self.found_by_forces("acceleration", index_of_the_particle, [ax, ay, az])

    def skip_acceleration(self, index_of_the_particle, **values):
        """Copies of all attributes from another set set what is computed here, too."""
        return _codes(self.places(index_of_the_particle)[1])

    skip_potential = skip_acceleration

    def get_potential(self, index_of_the_particle, value):
        return self.found_by_forces("potential", index_of_the_particle, [value])

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

    # -- calls: the field elsewhere

    def field(self, eps, x, y, z):
        """A pair's softening is sqrt(epsilon_squared + eps^2), as AMUSE's codes have it. What stands at a place counts."""
        here = self.particles
        gravity, device = self.gravity()
        own = gravity.pop("eps")
        if len(here) == 0:
            return np.zeros((len(x), 3)), np.zeros(len(x))
        return both(here.position, here.mass, own, targets=np.column_stack([x, y, z]),
                    target_eps=np.sqrt(own**2 + 2 * np.asarray(eps) ** 2), **gravity, **device)

    def get_gravity_at_point(self, eps, x, y, z, ax, ay, az, npoints):
        ax.value, ay.value, az.value = self.field(eps, x, y, z)[0].T
        return 0

    def get_potential_at_point(self, eps, x, y, z, phi, npoints):
        phi.value = self.field(eps, x, y, z)[1]
        return 0

    # -- calls: sums

    def get_time(self, time):
        time.value = self.time
        return 0

    def energies(self):
        return self.start(self.values["time_step"] if self.simulation is None else self.dt).energy()

    def get_kinetic_energy(self, kinetic_energy):
        kinetic_energy.value = self.energies().kinetic if len(self.particles) else 0.0
        return 0

    def get_potential_energy(self, potential_energy):
        potential_energy.value = self.energies().potential if len(self.particles) else 0.0
        return 0

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
        centre = self.centre("position")
        if centre is None:
            return -1
        radius.value = np.linalg.norm(self.particles.position - centre, axis=1).max()
        return 0

    # -- calls: stopping conditions

    def has_stopping_condition(self, type, result):
        result.value = int(type in self.supported)
        return 0

    def enable_stopping_condition(self, type):
        if type not in self.supported:
            return -1
        self.enabled.add(type)
        self.settle()
        return 0

    def disable_stopping_condition(self, type):
        self.enabled.discard(type)
        self.settle()
        return 0

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

    # -- calls that are alike: parameters, limits of conditions, fields of particles

    def __getattr__(self, name):
        way, _, what = name.partition("_")
        if way not in ("get", "set"):
            raise AttributeError(name)
        if what in _fields:
            if way == "get":
                return lambda index_of_the_particle, **holders: self.read(what, index_of_the_particle,
                                                                         list(holders.values()))
            return lambda index_of_the_particle, **given: self.assign(what, index_of_the_particle, list(given.values()))
        if what.startswith("stopping_condition_") and what.endswith("_parameter"):
            return self.access(way, self.limits, what.removeprefix("stopping_condition_").removesuffix("_parameter"), 0)
        if what in (parameter.call for parameter in PARAMETERS.values()):
            return self.access(way, self.values, what, None)
        raise AttributeError(name)

    def access(self, way, values, key, otherwise):
        def get(value):
            value.value = values.get(key, otherwise)
            return 0

        def put(value):
            found = value[0] if isinstance(value, (list, np.ndarray)) else value
            values[key] = found.item() if hasattr(found, "item") else found
            return 0

        return get if way == "get" else put
