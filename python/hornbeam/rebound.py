# SPDX-License-Identifier: Apache-2.0
"""Taking simulations of REBOUND over (tried with its version 5.2)."""

from __future__ import annotations

import copy
import ctypes
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import table
from .errors import HornbeamWarning, UsageError
from .own_forces import constant_of
from .simulation import Simulation
from .snapshot import Snapshot

_systems = ("si", "cgs", "solar", "galactic", "saturn", "AU, Msun, AU/yr")
_same = 1e-3  # programs differ in what they take G for
_rounding = 1e-14


def _with_exact(G, units):
    """`units` with a unit of mass in which the gravitational constant is G to rounding, or None if it is far from G."""
    usual = Snapshot([[0, 0, 0]], units=units)
    ratio = float(G / usual.G)
    if abs(ratio - 1) < _rounding:
        return units
    if not abs(ratio - 1) < _same or not usual.unit("mass"):
        return None
    return f"{usual.unit('position')}, {ratio!r} {usual.unit('mass')}, {usual.unit('velocity')}"


def _units(G, units, attracts):
    """Those in which the gravitational constant is REBOUND's; without gravity it may be any, and gives units if it can."""
    if not attracts:
        found = [near for near in (_with_exact(G, text) for text in _systems if G > 0) if near]
        return units or (found[0] if found else None)
    if not G > 0:
        raise UsageError(f"G: received {G:.6g} (must be above 0; masses of 0 attract nothing)")
    for text in _systems if units is None else (units,):
        if G == 1 and units is None:
            return None
        found = _with_exact(G, text)
        if found:
            return found
    wrong = (f"is {Snapshot([[0, 0, 0]], units=units).G:.6g} in {units}" if units else
             f"is the value in none of {'; '.join(_systems)}")
    raise UsageError(f"G: received {G:.6g}, which {wrong} (give units= that fit, such as \"pc, Msun, km/s\", or scale "
                     "the masses so that G = 1)")


class TestParticleGravity:
    """Gravity among active particles and test particles, which have masses and do not attract one another, for
    Simulation.add_force(): sums over all pairs, as REBOUND's with N_active. Gravity of the simulation itself must be off
    (boundary={"self_gravity": False}).

    mass    of all particles, by their ids
    active  how many are active, those of the first ids
    G       the gravitational constant. None: that of the simulation to which add_force() adds it, else 1
    eps     Plummer's softening length
    kind    0: test particles attract nothing; 1: they attract active particles
    """

    __test__ = False  # pytest collects classes by this name

    def __init__(self, mass: ArrayLike, active: int, G: float | None = None, eps: float = 0.0,
                 kind: int = 0) -> None:
        self.mass, self.active, self.G, self.eps, self.kind = np.asarray(mass, dtype=np.float64), active, G, eps, kind

    def for_simulation(self, simulation: Simulation) -> TestParticleGravity:
        """The same gravity with the simulation's G, unless one was given. add_force() calls this."""
        found = copy.copy(self)
        found.G = simulation.G if self.G is None else self.G
        return found

    def _sum(self, positions, ids, act):
        """Adds act(rows of targets, displacements, masses, 1 / distance) over all pairs, some sources at a time."""
        active = np.nonzero(ids < self.active)[0]
        parts = [(np.arange(len(ids)), active)]
        if self.kind == 1:
            parts.append((active, np.nonzero(ids >= self.active)[0]))
        for targets, sources in parts:
            some = max(1, 2**20 // max(1, len(targets)))
            for first in range(0, len(sources), some):
                rows = sources[first:first + some]
                way = positions[rows][None, :] - positions[targets][:, None]
                square = (way**2).sum(axis=2)
                square[targets[:, None] == rows[None, :]] = np.inf
                act(targets, way, self.mass[ids[rows]], 1 / np.sqrt(square + self.eps**2))

    def __call__(self, time: float, positions: NDArray[Any], velocities: NDArray[Any],
                 ids: NDArray[Any] | None = None) -> NDArray[Any]:
        G, found = constant_of(self), np.zeros_like(positions)

        def act(targets, way, mass, inverse):
            found[targets] += G * np.einsum("ijk,ij->ik", way, mass * inverse**3)

        self._sum(positions, np.arange(len(positions)) if ids is None else np.asarray(ids, dtype=np.int64), act)
        return found

    def potential(self, time: float, positions: NDArray[Any], ids: NDArray[Any] | None = None) -> NDArray[Any]:
        """Of each particle per unit mass, so that sums over mass count each pair once."""
        rows = np.arange(len(positions)) if ids is None else np.asarray(ids, dtype=np.int64)
        G, found = constant_of(self), np.zeros(len(positions))

        def act(targets, way, mass, inverse):
            found[targets] -= 0.5 * G * (mass * inverse).sum(axis=1)

        self._sum(positions, rows, act)
        if self.kind == 0:  # the attraction of a test particle has no energy there
            found[rows >= self.active] = 0
        return found


def _test_particles(sim, mass, met, options):
    """Their masses, and the gravity that takes the place of that of the simulation; None: nothing does."""
    n, active = sim.N, sim.N_active
    if not 0 <= active < n or not mass[active:].any() or sim.gravity == "none":
        return mass, None
    law = None if met is None else met.get("law")
    if law == "merge":
        raise UsageError(f"N_active: received {active} of {n} with collisions.law = merge, but test particles with masses "
                         "cannot merge (make them active, or set their masses to 0)")
    if sim.testparticle_type == 0 and law in (None, "halt", "none"):
        warnings.warn(f"the masses of the {n - active} test particles are set to 0, so that they attract nothing",
                      HornbeamWarning, stacklevel=3)
        return np.where(np.arange(n) < active, mass, 0), None
    if any(getattr(sim, f"N_ghost_{axis}") for axis in "xyz"):
        raise UsageError(f"N_active: received {active} of {n} with ghost boxes, which test particles with masses cannot have "
                         "(make them active, set their masses to 0, or leave out the ghost boxes)")
    if options.get("steps", "shared") != "shared":
        raise UsageError(f"steps: received {options['steps']!r}, and test particles with masses need shared steps (leave it "
                         "out, make them active, or set their masses to 0)")
    return mass, TestParticleGravity(mass, active, eps=options["eps"], kind=sim.testparticle_type)


def _particles(sim, units, met, options):
    n = sim.N  # without the variational ones, which REBOUND 5 keeps apart
    position, velocity = np.zeros((n, 3)), np.zeros((n, 3))
    mass, radius = np.zeros(n), np.zeros(n)
    sim.serialize_particle_data(xyz=position, vxvyvz=velocity, m=mass, r=radius)
    mass, gravity = _test_particles(sim, mass, met, options)
    fields = {"radius": radius} if radius.any() else {}
    units = _units(sim.G, units, sim.gravity != "none")
    return Snapshot(position, velocity, mass, time=sim.t, units=units, **fields), gravity


def _boundary(sim, asked):
    """REBOUND's box with the further keys that were given; a box of another kind replaces it."""
    found = {} if sim.boundary == "none" else _box(sim)
    if asked is not None and "kind" in table(asked, "boundary") and asked["kind"] != found.get("kind"):
        found = {}
    return {**found, **(asked or {})}


def _box(sim):
    size = [sim.root_size * cells for cells in (sim.N_root_x, sim.N_root_y, sim.N_root_z)]
    if sim.boundary == "open":
        return {"kind": "open", "size": size}
    found = {"kind": sim.boundary, "size": size,
             **{f"n_ghost_{axis}": getattr(sim, f"N_ghost_{axis}") for axis in "xyz"}}
    if sim.boundary == "shear":
        found["size"][2] = 0.0 if sim.N_ghost_z == 0 else found["size"][2]
        found["omega"] = sim.OMEGA
        if sim.OMEGAZ > 0:
            found["omega_z"] = sim.OMEGAZ
    return found


def _speed(sim, position, velocity, radius):
    """About that at which bodies meet."""
    flow = np.zeros_like(velocity)
    flow[:, 1] = -1.5 * sim.OMEGA * position[:, 0] if sim.boundary == "shear" else 0
    spread = float(np.std(velocity - flow, axis=0).max()) if len(velocity) else 0.0
    return max(spread, sim.OMEGA * float(np.median(radius))) or 1.0


def restitution_table(sim: Any) -> dict[str, Any]:
    """The function coefficient_of_restitution of a rebound.Simulation as keys of `collisions`: a constant where it is one,
    else a table of 32 points a doubling from 2^-16 to 2^16 times the velocity dispersion of its bodies. A power law is in
    it to 2e-5; values above 1 count as 1."""
    function = sim._coefficient_of_restitution
    if not function:
        return {"law": "constant", "restitution": 1.0}
    n = sim.N
    position, velocity, radius = np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(n)
    sim.serialize_particle_data(xyz=position, vxvyvz=velocity, r=radius)
    speeds = _speed(sim, position, velocity, radius) * np.exp2(np.arange(-16 * 32, 16 * 32 + 1) / 32)
    found = np.array([function(ctypes.pointer(sim), -speed) for speed in speeds])  # bodies that approach have one below 0
    if not (found >= 0).all():
        worst = int(np.argmin(found >= 0))
        raise UsageError(f"coefficient_of_restitution: returned {found[worst]:g} at a speed of {speeds[worst]:.6g} (must be 0 "
                         "or above)")
    found = np.minimum(found, 1)
    if (found == found[0]).all():
        return {"law": "constant", "restitution": float(found[0])}
    return {"law": "table", "speeds": speeds.tolist(), "coefficients": found.tolist()}


def _collisions(sim, asked):
    table(asked, "collisions")
    if sim.collision == "none":
        return asked
    if asked is None:
        raise UsageError(f"collisions: received a REBOUND simulation with collision = {sim.collision}, whose outcome of a collision cannot be "
                         "read from it (give collisions={\"law\": \"constant\", \"restitution\": 0.5}, or {\"law\": "
                         "\"merge\"}, ...; docs/collisions.md)")
    if "law" not in asked and "restitution" in asked:
        asked = {"law": "constant", **asked}
    if asked.get("law") == "table" and not {"speeds", "coefficients"} & asked.keys():
        asked = {**asked, **restitution_table(sim)}
    found = {"detection": "swept" if sim.collision.startswith("line") else "overlap"}
    if asked.get("law") not in ("merge", "halt", "none") and sim.minimum_collision_velocity > 0:
        found["minimum_velocity"] = _speed_of_rate(sim)
    return {**found, **asked}


def _speed_of_rate(sim):
    """REBOUND's minimum_collision_velocity is a rate: times the smaller radius of two bodies it is a speed."""
    radius = np.array([p.r for p in sim.particles])
    radius = radius[radius > 0]
    if len(radius) == 0:
        return 0.0
    if np.ptp(radius) > _same * radius.max():
        warnings.warn("minimum_collision_velocity of the simulation is a rate times the smaller radius of each pair; here it is "
                      "one speed, that of the median radius", HornbeamWarning, stacklevel=4)
    return sim.minimum_collision_velocity * float(np.median(radius))


# Members of REBOUND's simulation that are taken over, or that another argument replaces.
_taken = frozenset("""t G softening OMEGA OMEGAZ dt N N_active testparticle_type root_size N_root_x N_root_y N_root_z N_ghost_x
    N_ghost_y N_ghost_z minimum_collision_velocity collision boundary gravity integrator coefficient_of_restitution
    collision_resolve python_unit_t python_unit_l python_unit_m""".split())
# Members that say how far it has come, or where its memory is: nothing that a user sets to change the motion.
_own_business = frozenset("""dt_last_done steps_done is_synchronized did_modify_particles N_allocated particles N_map map
    particles_var N_var_config var_config name_list N_name_list name_hash_table gravity_cs N_allocated_gravity_cs tree_root
    status exact_finish_time output_timing_last save_messages messages messages_var_rescale_warning
    messages_timestep_warning usleep display_view display_data server_data walltime walltime_last_step walltime_last_steps
    walltime_last_steps_sum walltime_last_steps_N collisions N_allocated_collisions N_collisions collisions_plog
    collisions_log_n rand_seed simulationarchive_version simulationarchive_next simulationarchive_next_step
    simulationarchive_filename testparticle_hidewarnings force_is_velocity_dependent N_allocated_odes odes energy_offset
    megno_Ys megno_Yss megno_cov_Yt megno_var_t megno_mean_t megno_mean_Y megno_initial_t megno_n key_callback
    free_particle_ap extras_cleanup extras""".split())


def _is_set(value, usual):
    """Whether a member has another value than a new simulation's; of pointers, whether it is one."""
    if isinstance(value, (int, float, str, bytes)):
        return value != usual
    return bool(value) and not bool(usual)


# What takes the place of those that are not.
_instead = {
    "exit_max_distance": "run(end, callback=lambda s: abs(s.position).max() < 50) stops so, and boundary={\"kind\": \"open\", "
                         "\"size\": [100, 100, 100]} removes particles that leave",
    "exit_min_distance": "collisions={\"law\": \"halt\"} with radii of half this distance stop a run, too",
    "heartbeat": "give it to run() as callback",
    "additional_forces": "add_force() takes a force of your own",
    "opening_angle2": "give theta, its square root",
    "gravity_ignore": "all pairs attract one another"}


def _warn_of_what_stays(sim):
    """Goes by REBOUND's own list of members, so that one which is new there is not silent."""
    usual = type(sim)()
    for member, *_ in getattr(type(sim), "_fields_", ()):
        name = member.lstrip("_")
        if name in _taken or name in _own_business or not _is_set(getattr(sim, member), getattr(usual, member)):
            continue
        remedy = f" ({_instead[name]})" if name in _instead else ""
        warnings.warn(f"{name} of the simulation is ignored{remedy}", HornbeamWarning, stacklevel=3)


def _warn_of_the_integrator(sim, dt):
    """Both leapfrogs and the symplectic integrator of a sheet are of second order."""
    name = getattr(sim.integrator, "name", sim.integrator)
    name = name.decode() if isinstance(name, bytes) else str(name)
    order = getattr(sim.integrator, "order", 2) if name == "leapfrog" else 2
    if order not in (2, 4, 6, 8):
        raise UsageError(f"integrator.order: received {order} (REBOUND's leapfrog has the orders 2, 4, 6 and 8)")
    if name not in ("leapfrog", "sei"):
        warnings.warn(f"the integrator is a leapfrog of steps of {dt:.6g}, and not {name}", HornbeamWarning, stacklevel=3)
    elif order != 2:
        warnings.warn(f"the integrator is a leapfrog of order 2 with steps of {dt:.6g}, and not one of order {order} (take a "
                      "shorter dt for the same error)", HornbeamWarning, stacklevel=3)


def from_rebound(sim: Any, *, collisions: dict[str, Any] | None = None, units: str | None = None,
                 boundary: dict[str, Any] | None = None, **options: Any) -> Simulation:
    """A Simulation of the particles of `sim`, a rebound.Simulation, as it stands: positions, velocities, masses and
    radii, time, G, dt, softening, box, shear, ghost boxes, test particles and how collisions are found. `sim` stays as it is.

    collisions  what becomes of bodies that meet, which cannot be read off `sim`. {"law": "table"} alone takes the
                function coefficient_of_restitution of `sim` (restitution_table())
    units       in which G is that of `sim` within a thousandth; found by itself for G = 1, SI, cgs, and AU, Msun, yr.
                Without gravity any
    boundary    keys of [boundary] beside those of `sim`
    options     of Simulation, over what `sim` says

    G is exactly that of `sim`, and all numbers stay as they are. Programs differ in what they take a solar mass for: the
    unit of mass follows from G. G = 4 pi^2 gives AU, 1.98848e33 g and AU/yr, where the solar mass is 1.98841e33 g.

    The integrator is Hornbeam's leapfrog, whatever that of `sim` is.
    """
    if not hasattr(sim, "serialize_particle_data"):
        raise UsageError(f"from_rebound: received {type(sim).__name__} (must be a rebound.Simulation)")
    _warn_of_what_stays(sim)
    met = _collisions(sim, collisions)
    options.setdefault("dt", sim.dt)
    options.setdefault("eps", sim.softening)
    particles, gravity = _particles(sim, units, met, options)
    space = _boundary(sim, boundary)
    sums_pairs = sim.gravity in ("basic", "compensated", "jacobi")
    if sim.gravity == "none" or gravity is not None:
        space.setdefault("self_gravity", False)
    elif sums_pairs and met is None:
        options.setdefault("walk", "direct")
    if sums_pairs and (met is None or gravity is not None):
        options.setdefault("precision", "double")
    _warn_of_the_integrator(sim, options["dt"])
    made = Simulation(particles, boundary=space or None, collisions=met, **options)
    if gravity is not None:
        made.add_force(gravity, potential=gravity.potential)
    return made
