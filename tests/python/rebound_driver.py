# SPDX-License-Identifier: Apache-2.0
"""REBOUND's Simulation, whose steps Hornbeam makes: what REBOUND's own tests are run against.

`driven()` replaces the methods of rebound.Simulation that make steps. Each call carries the simulation over by
hb.rebound.from_rebound(), runs it, and writes its particles back."""

import contextlib
import ctypes
import math
import warnings

import numpy as np
import rebound

import hornbeam as hb
import hornbeam.rebound

_plain = rebound.Simulation
_set = {}  # by the address of a simulation, whose class has room for its own members only: what a test has set


def _of(sim):
    return _set.setdefault(ctypes.addressof(sim), {})


def _kept(name, plain_value):
    """A property that keeps what is set, while REBOUND itself sees a value that makes it build no tree."""
    original = getattr(_plain, name)

    def get(sim):
        return _of(sim).get(name, original.fget(sim))

    def set_to(sim, value):
        if isinstance(value, str):  # REBOUND's own setter comes here once more with the number behind it
            _of(sim)[name] = value
        original.fset(sim, plain_value.get(value, value))

    return property(get, set_to)


def _resolve_property():
    original = _plain.collision_resolve

    def set_to(sim, function):
        _of(sim)["resolve"] = function
        original.fset(sim, function)

    return property(lambda sim: _of(sim).get("resolve"), set_to)


def _law(sim):
    if sim.collision == "none":
        return None
    resolve = sim.collision_resolve
    return {"law": {"merge": "merge", "hardsphere": "table"}.get(resolve, "halt") if not callable(resolve) else "halt"}


def _carried(sim, dt):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="the integrator is")
        return hb.rebound.from_rebound(sim, collisions=_law(sim), dt=dt, threads=1)


def _write_back(sim, ours, counted):
    """Particles and time as they are now; those that are gone are removed. Returns the ids that are left."""
    ids = ours.id.tolist()
    for index in reversed(sorted(set(range(sim.N)) - set(ids))):
        sim.remove(index)
    sim.set_serialized_particle_data(xyz=np.ascontiguousarray(ours.position), vxvyvz=np.ascontiguousarray(ours.velocity),
                                     m=np.ascontiguousarray(ours.mass if counted else [p.m for p in sim.particles]))
    sim.t = ours.time
    return ids


def _resolve_by_its_own(sim, pairs):
    """REBOUND's outcomes: 1, 2 or 3 removes the first, the second or both."""
    gone = set()
    for first, second in pairs:
        if first in gone or second in gone:
            continue
        outcome = sim.collision_resolve(ctypes.pointer(sim), rebound.CollisionS(p1=first, p2=second))
        gone |= {first} if outcome & 1 else set()
        gone |= {second} if outcome & 2 else set()
    for index in sorted(gone, reverse=True):
        sim.remove(index)


def _advance(sim, until, steps=None):
    if sim.N == 0:
        raise rebound.NoParticles("No particles found.")
    span = until - sim.t
    free = str(sim.integrator) == "ias15" and sim.collision == "none" and not any(p.m for p in sim.particles)
    dt = span if free else span / (steps or math.ceil(span / sim.dt - 1e-9))  # IAS15 makes one step of free motion
    while until - sim.t > 0.5 * dt:
        ours = _carried(sim, dt)
        keeps_masses = not 0 <= sim.N_active < sim.N
        ours.run(until)
        _write_back(sim, ours, keeps_masses)
        if not callable(sim.collision_resolve):
            sim.collisions_log_n += ours.collisions
        if ours.halted and not callable(sim.collision_resolve):
            raise rebound.Collision("Two particles collided (d < r1+r2)")
        if ours.halted:
            _resolve_by_its_own(sim, ours.halted)
        if sim.N == 0:
            raise rebound.NoParticles("No more particles left in simulation.")
    if str(sim.integrator) == "sei":
        sim.integrator.lastdt = dt


def _integrate(sim, tmax, exact_finish_time=1):
    if tmax > sim.t:
        _advance(sim, tmax)


def _steps(sim, count):
    _advance(sim, sim.t + count * sim.dt, count)


@contextlib.contextmanager
def driven():
    """Within it rebound.Simulation makes its steps by Hornbeam."""
    changed = {"integrate": _integrate, "steps": _steps, "collision_resolve": _resolve_property(),
               "gravity": _kept("gravity", {"tree": "basic"}),
               "collision": _kept("collision", {"tree": "direct", "linetree": "line"})}
    before = {name: _plain.__dict__[name] for name in changed}
    _set.clear()
    try:
        for name, value in changed.items():
            setattr(_plain, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(_plain, name, value)
