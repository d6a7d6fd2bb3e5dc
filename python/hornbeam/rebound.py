# SPDX-License-Identifier: Apache-2.0
"""Taking simulations of REBOUND over (tried with its version 5.2)."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from .checks import table
from .errors import HornbeamWarning, UsageError
from .simulation import Simulation
from .snapshot import Snapshot

_systems = ("si", "cgs", "solar", "galactic", "saturn", "AU, Msun, AU/yr")
_same = 1e-3  # programs differ in what they take G for


def _units(G, units):
    """Those in which the gravitational constant is REBOUND's."""
    if not G > 0:
        raise UsageError(f"G: received {G:.6g} (must be above 0; masses of 0 attract nothing)")
    for text in _systems if units is None else (units,):
        if G == 1 and units is None:
            return None
        here = Snapshot([[0, 0, 0]], units=text).G
        if abs(here / G - 1) < _same:
            return text
    wrong = f"is {here:.6g} in {units}" if units else f"is that of none of {'; '.join(_systems)}"
    raise UsageError(f"G: received {G:.6g}, which {wrong} (give units= in which it is, as \"pc, Msun, km/s\", or scale "
                     "the masses so that G = 1)")


def _particles(sim, units, bounce_or_merge):
    n = sim.N  # without the variational ones, which REBOUND 5 keeps apart
    position, velocity = np.zeros((n, 3)), np.zeros((n, 3))
    mass, radius = np.zeros(n), np.zeros(n)
    sim.serialize_particle_data(xyz=position, vxvyvz=velocity, m=mass, r=radius)
    if 0 <= sim.N_active < n:
        if sim.testparticle_type != 0:
            raise UsageError("testparticle_type: received 1, and test particles that pull massive ones, not one another, "
                             "are not known here (make them active, or of type 0)")
        if bounce_or_merge and mass[sim.N_active:].any():
            raise UsageError(f"N_active: received {sim.N_active} of {n}, and test particles that have masses, which count in "
                             "collisions, and do not pull, are not known here (make them active, or set their masses to 0)")
        if mass[sim.N_active:].any():
            warnings.warn(f"the masses of the {n - sim.N_active} test particles are 0 here, so that they do not pull",
                          HornbeamWarning, stacklevel=3)
        mass[sim.N_active:] = 0
    fields = {"radius": radius} if radius.any() else {}
    return Snapshot(position, velocity, mass, time=sim.t, units=_units(sim.G, units), **fields)


def _boundary(sim):
    if sim.boundary == "none":
        return None
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


def _collisions(sim, asked):
    table(asked, "collisions")
    if sim.collision == "none":
        return asked
    if asked is None:
        raise UsageError(f"collisions: REBOUND's simulation finds them ({sim.collision}), and what happens then cannot be "
                         "read off it (give collisions={\"law\": \"constant\", \"restitution\": 0.5}, or {\"law\": "
                         "\"merge\"}, ...; docs/collisions.md)")
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


def _warn_of_what_stays(sim):
    """Goes by REBOUND's own list of members, so that one which is new there is not silent."""
    usual = type(sim)()
    for member, *_ in getattr(type(sim), "_fields_", ()):
        name = member.lstrip("_")
        if name in _taken or name in _own_business or not _is_set(getattr(sim, member), getattr(usual, member)):
            continue
        warnings.warn(f"{name} of the simulation is not taken over", HornbeamWarning, stacklevel=3)


def from_rebound(sim: Any, *, collisions: dict[str, Any] | None = None, units: str | None = None,
                 boundary: dict[str, Any] | None = None, **options: Any) -> Simulation:
    """A Simulation of the particles of `sim`, a rebound.Simulation, as it stands: positions, velocities, masses and
    radii, time, G, dt, softening, box, shear, ghost boxes and how collisions are found. `sim` stays as it is.

    collisions  what becomes of bodies that meet, which cannot be read off `sim`
    units       in which G is that of `sim`; found by itself for G = 1, SI, cgs, and AU, Msun, yr
    options     of Simulation, over what `sim` says

    The integrator is Hornbeam's leapfrog, whatever that of `sim` is.
    """
    if not hasattr(sim, "serialize_particle_data"):
        raise UsageError(f"from_rebound: received {type(sim).__name__} (must be a rebound.Simulation)")
    _warn_of_what_stays(sim)
    met = _collisions(sim, collisions)
    particles = _particles(sim, units, met is not None and met.get("law") not in (None, "halt", "none"))
    space = _boundary(sim) if boundary is None else boundary
    options.setdefault("dt", sim.dt)
    options.setdefault("eps", sim.softening)
    if sim.gravity == "none":
        if not space or space["kind"] != "shear":
            raise UsageError("gravity: received \"none\", which is for shearing sheets (set masses to 0 instead)")
        space.setdefault("self_gravity", False)
    elif sim.gravity in ("basic", "compensated", "jacobi") and met is None:
        options.setdefault("walk", "direct")
        options.setdefault("precision", "double")
    integrator = getattr(sim.integrator, "name", sim.integrator)
    integrator = integrator.decode() if isinstance(integrator, bytes) else str(integrator)
    if integrator not in ("leapfrog", "sei"):
        warnings.warn(f"the integrator is a leapfrog of steps of {options['dt']:.6g}, and not {integrator}",
                      HornbeamWarning, stacklevel=2)
    return Simulation(particles, boundary=space, collisions=met, **options)
