# SPDX-License-Identifier: Apache-2.0
"""Measures of snapshots and simulations, as arrays: those of `hornbeam analyze` (docs/analysis.md, docs/groups.md).

Each takes a Snapshot, a Simulation, a dict of arrays or the path of a file. Profiles are dicts of arrays, one value a shell or ring. eps:
softening of the potential; None: the particles' own.
"""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from .arrays import numbers
from .checks import number, path as _path, table, text, truth, whole
from .dimensions import DENSITY, LENGTH
from .errors import UsageError, warn_of
from .options import refuse_unknown
from .quantities import System
from .snapshot import Family, family_mask, family_names, snapshot_of


def _core_of(what):
    return snapshot_of(what)._core


def _record_of(what):
    """What the run has recorded in its file, or would: a text; empty of particles alone."""
    if isinstance(what, (str, os.PathLike)):
        return _core.read_record(_path(what))
    return what._record() if hasattr(what, "_record") else ""


def _arrays(found):
    return {key: np.array(value, float) if isinstance(value, list) else value for key, value in found.items()}


def _bins(bins, edges, core):
    return (whole(bins, "bins", 1, 1_000_000),
            [] if edges is None else numbers(edges, "edges", System(lambda: core), LENGTH).ravel().tolist())


def _eps(eps, core):
    if eps is None:
        return -1.0
    return number(eps, "eps", 0, System(lambda: core), LENGTH)


def _threads(threads):
    return whole(threads, "threads", 0, 2**31 - 1)


def _softening(softening):
    return None if softening is None else text(softening, "softening")


def _tell_of_images(core, what):
    images = [core.boundary.get(f"n_ghost_{axis}") for axis in "xyz"]
    is_lattice = core.boundary.get("kind") == "periodic" and images == [None] * 3
    if is_lattice or any(images):
        warn_of([f"WARNING: {_core.without_images(what)}"])


def _tell_of_own_forces(record):
    """Their functions are known only to the simulation itself."""
    if "own_forces" not in record:
        return
    names = [force["name"] for force in json.loads(record).get("own_forces", []) if force["in_energies"]]
    if names:
        warn_of([f"WARNING: energies do not include the potential of the force {', '.join(names)}, which was added by "
                 "add_force() (take energy() of the simulation)"])


def _radial(what):
    core = _core_of(what)
    warn_of([core.within_walls])
    return core


def energy(what: Any, eps: Any = None, softening: str | None = None, threads: int = 0) -> Any:
    """Energies with the potential by direct summation in double precision (N <= 100,000), else by a tree at theta 0.3:
    kinetic, potential, thermal, total, momentum, angular_momentum. Of a simulation or a file with its softening and its
    external potentials; of particles alone without these, and with the Plummer softening. Potentials of forces of your own
    (Simulation.add_force) are not in it, which is a warning; those are in energy() of the simulation."""
    core, record = _core_of(what), _record_of(what)
    _tell_of_images(core, "energies")
    _tell_of_own_forces(record)
    return _core.energies(core, _eps(eps, core), _softening(softening), _threads(threads), record)


def virial_ratio(what: Any, eps: Any = None, softening: str | None = None, threads: int = 0) -> float:
    """2 K / |W|: 1 in equilibrium without external potentials. W is the potential energy of energy(), in which external
    potentials count as sum m phi_ext: with them equilibria have other ratios."""
    return _core.virial_ratio(energy(what, eps, softening, threads))


def centre_of_density(what: Any) -> NDArray[np.float64]:
    """The densest place, by shrinking spheres: (3)."""
    return np.array(_core.centre_of_density(_radial(what)))


def lagrangian_radii(what: Any, fractions: ArrayLike = (0.1, 0.5, 0.9)) -> NDArray[np.float64]:
    """Radii about the centre of density that hold these fractions of the mass."""
    return _core.lagrangian_radii(_radial(what), numbers(fractions, "fractions").ravel().tolist())


def profile(what: Any, bins: int = 32, edges: ArrayLike | None = None) -> dict[str, Any]:
    """radius, density, mass (within) and circular_velocity in spherical shells about the centre of density."""
    core = _radial(what)
    return _core.profile(core, *_bins(bins, edges, core))


def anisotropy(what: Any, bins: int = 32, edges: ArrayLike | None = None) -> dict[str, Any]:
    """radius, radial_dispersion, tangential_dispersion and anisotropy (beta) in these shells."""
    core = _radial(what)
    return _core.anisotropy(core, *_bins(bins, edges, core))


def disc(what: Any, bins: int = 20, edges: ArrayLike | None = None, eps: Any = None,
         softening: str | None = None) -> dict[str, Any]:
    """radius, count, surface_density, scale_height, rotation, radial_, azimuthal_ and vertical_dispersion,
    circular_velocity and toomre_q in rings about the disc's axis."""
    core = _core_of(what)
    _tell_of_images(core, "circular velocities")
    return _core.disc(core, _eps(eps, core), _softening(softening), *_bins(bins, edges, core), _record_of(what))


def bar(what: Any, bins: int = 20, edges: ArrayLike | None = None) -> dict[str, Any]:
    """radius and amplitude of the disc's second harmonic in rings; strength of the inner disc, the noise that as many
    stars have without a bar, and the bar's angle."""
    core = _core_of(what)
    return _core.bar(core, *_bins(bins, edges, core))


def rotation_curve(what: Any, bins: int = 20, edges: ArrayLike | None = None, eps: Any = None,
                   softening: str | None = None) -> dict[str, Any]:
    """radius, circular_velocity and rotation of a disc, in rings; without a disc radius and circular_velocity of the
    mass within spheres."""
    snapshot = snapshot_of(what)
    if np.count_nonzero(snapshot.family == Family.disc) < 100:
        found = profile(what, bins, edges)
        return {key: found[key] for key in ("radius", "circular_velocity")}
    found = disc(what, bins, edges, eps, softening)
    return {key: found[key] for key in ("radius", "circular_velocity", "rotation")}


def bound(what: Any, family: Any = None, centre: ArrayLike | None = None, eps: Any = None,
          softening: str | None = None, threads: int = 0) -> dict[str, Any]:
    """The part of the particles that is bound to itself, as a satellite in the field of its host: bound (a truth for
    each particle), mass, centre, velocity, half_mass_radius. External fields and other particles do not count.

    family  of these particles alone: "star", or several
    centre  where the search begins, as the centre of the snapshot before; None: the centre of density
    """
    snapshot = snapshot_of(what)
    places = np.arange(len(snapshot)) if family is None else np.flatnonzero(family_mask(snapshot, family))
    core = snapshot._core if family is None else snapshot._core.select(places.tolist())
    system = System(lambda: core)
    about = None if centre is None else numbers(centre, "centre", system, LENGTH).ravel().tolist()
    if about is not None and len(about) != 3:
        raise UsageError(f"centre: received {len(about)} numbers (give x, y and z)")
    found = _core.bound(core, _eps(eps, core), _softening(softening), about, _threads(threads))
    mask = np.zeros(len(snapshot), bool)
    mask[places] = found["bound"].astype(bool)
    return {"bound": mask, "mass": found["mass"], "centre": np.array(found["centre"]),
            "velocity": np.array(found["velocity"]), "half_mass_radius": found["half_mass_radius"]}


def halo(what: Any, centre: ArrayLike | None = None, hubble: float = 70.0, omega_m: float = 0.3) -> dict[str, Any]:
    """Masses within which all particles have 200 and 500 times the critical density of today (m200c, m500c), and Bryan
    and Norman's (mvir), with their radii (r200c, r500c, rvir); the largest circular velocity v_max, at r_max; centre.
    Masses are 0 where units are not physical.

    centre  None: the centre of density
    hubble  km/s/Mpc; omega_m: matter over critical density
    """
    core = _core_of(what)
    about = None if centre is None else numbers(centre, "centre", System(lambda: core), LENGTH).ravel().tolist()
    if about is not None and len(about) != 3:
        raise UsageError(f"centre: received {len(about)} numbers (give x, y and z)")
    hubble, omega_m = number(hubble, "hubble", 0), number(omega_m, "omega_m", 0)
    found = _core.halo(core, about, hubble, omega_m)
    return {**found, "centre": np.array(found["centre"])}


def groups(what: Any, linking_length: float | None = None, linking_fraction: float | None = None,
           linking_density: float | None = None, min_members: int = 32, unbind: bool = False, eps: float | None = None,
           threads: int = 0, backend: str = "cpu", family: Any = None, box: Any = None, primary: Any = None,
           halos: bool = True, hubble: float = 70.0, omega_m: float = 0.3) -> dict[str, NDArray[Any]]:
    """Friends of friends. group: the number of each particle's group, or -1; and of each group, the largest first,
    size, mass, position, velocity, dispersion, half_mass_radius, radius_200 (0: none), spans_box and most_bound (a
    particle; -1 without unbind). With the halo about the centre of density of each group's members, of all particles
    as halo() measures it: centre, m200c, r200c, m500c, r500c, mvir, rvir, v_max and r_max.

    family  of these particles alone: "star", or several; all others have no group
    box     edge of a periodic cube; 0: none; None: that of the particles
    primary  only these families are linked: "halo", or several. Each other particle joins the group of the nearest of
            them within the linking length. None: all are linked
    halos   False: without haloes, which take time where groups are many; hubble, omega_m: see halo()
    """
    snapshot, places = snapshot_of(what), None
    if family is not None:
        places = np.flatnonzero(family_mask(snapshot, family))
    core = snapshot._core if places is None else snapshot._core.select(places.tolist())
    edge = None if box is None else number(box, "box", 0, System(lambda: core), LENGTH)
    warn_of([_core.wrapped_note(core, edge)])
    lengths = [None if one is None else number(one, name, None, System(lambda: core), dimension) for name, one, dimension in
               (("linking_length", linking_length, LENGTH), ("linking_fraction", linking_fraction, None),
                ("linking_density", linking_density, DENSITY))]
    found = _core.groups(core, *lengths, whole(min_members, "min_members"), truth(unbind, "unbind"), _eps(eps, core),
                         edge, _threads(threads), text(backend, "backend"),
                         [int(Family[name]) for name in family_names(primary, "primary")],
                         (number(hubble, "hubble", 0), number(omega_m, "omega_m", 0)) if truth(halos, "halos") else None)
    if places is not None:
        found["group"], of_some = np.full(len(snapshot), -1), found["group"]
        found["group"][places] = of_some
        found["most_bound"] = np.append(places, -1)[found["most_bound"]]
    return {**found, "spans_box": found["spans_box"].astype(bool)}


def surface_density(what: Any, axis: str = "z", extent: Any = None, bins: int | None = None,
                    family: Any = None) -> dict[str, Any]:
    """Mass per area as seen along an axis, in squares about the centre of density: surface_density (bins, bins), the lowest
    row first, centre and extent. Gas, whose particles are wide, hb.plot.picture() and hb.render() draw smoothly.

    axis    "z" shows x to the right and y up, "y" x and z, "x" y and z
    extent  width in length units, as everywhere; None: 2.1 times the radius that holds 95 % of the particles
    bins    squares along either side; None: so that some 10 particles are in one, 16 to 256
    family  of these particles alone: "star", or several
    """
    if axis not in ("x", "y", "z"):
        raise UsageError(f"axis: received {axis!r} (must be \"x\", \"y\" or \"z\")")
    core = _core_of(what)
    width = None if extent is None else number(extent, "extent", None, System(lambda: core), LENGTH)
    return _core.surface_density(core, "xyz".index(axis), [int(Family[name]) for name in family_names(family)],
                                 None if bins is None else whole(bins, "bins", 1, 8192), width)


def half_mass_radius(what):
    """The radius about the centre of density that holds half of the mass."""
    return float(lagrangian_radii(what, [0.5])[0])


def black_holes(what):
    """count, distance and speed of two particles of the family black_hole to one another; of one, to the centre of
    density of all others and to the mean velocity of the innermost tenth of their mass."""
    return _core.black_holes(_core_of(what))


def ring(what, boundary=None, self_gravity=None):
    """Of a patch of a planetary ring: bodies, optical_depth, photometric_depth (None if no light comes through), radial_,
    azimuthal_ and vertical_dispersion, filling_factor, translational_ and gravitational_viscosity, toomre_q, wake_pitch
    (None where none trail), wake_contrast, overlapping_pairs, mean_overlap and largest_overlap (docs/collisions.md).

    boundary      its sheet, a dict of the keys of [boundary]; None: that of the simulation, or of the file it is from
    self_gravity  whether bodies attracted one another; None: as the simulation or the file says, else True
    """
    snapshot = _core_of(what)
    if self_gravity is None:
        self_gravity = _core.recorded(_record_of(what), snapshot)["self_gravity"]
    if boundary is not None:
        boundary = {"kind": "shear", **table(boundary, "boundary")}
    return _core.ring(snapshot, boundary, truth(self_gravity, "self_gravity"))


def exact(what, model=None, gamma=None, **options):
    """Gas compared with the exact or reference flow of the model that it was drawn from: its errors as numbers, and the exact
    curve itself as arrays (docs/analysis.md, docs/gas-tests.md).

    model    sod, sedov, noh, ...; with its options as hb.ic.sod() has them. None: as the simulation or the
             file says, where these were made with model=..., not of given particles
    gamma    of its gas; None: as the simulation, the file or the particles say, else 5/3
    """
    core = _core_of(what)
    record = _core.recorded(_record_of(what), core)
    model = None if model is None else text(model, "model").replace("_", "-")
    if model and record["model"] and model != record["model"]:
        warn_of([f"WARNING: these particles are of the model {record['model']}, and are measured as {model}"])
    numbers_of = dict(record["numbers"]) if model in (None, record["model"]) else {}
    refuse_unknown(model or record["model"], options, "exact")
    numbers_of.update({key.replace("_", "-"): number(value, key) for key, value in options.items()})
    if model is None:
        model = record["model"]
    if not model:
        raise UsageError("exact: received particles without a record of their model (give model= with the options of "
                         "hb.ic; simulations that were made with model=... and the files of their runs have the record, "
                         "particles have none)")
    gamma = record["gamma"] if gamma is None else number(gamma, "gamma")
    return _arrays(_core.exact(core, model, numbers_of, gamma, record["eos"], "exact"))


def disc_mass(what, planet_density=None):
    """After an impact: planet_, disc_ and escaping_mass, _particles and _angular_momentum, disc_radius, planet_density,
    planet_radius, equatorial_radius, spin, ... and their masses by material (docs/analysis.md).

    planet_density  its mean; None: that of its particles
    """
    core = _core_of(what)
    density = 0.0 if planet_density is None else number(planet_density, "planet_density", 0, System(lambda: core), DENSITY)
    if planet_density is not None and density == 0:
        raise UsageError(f"planet_density: received {planet_density!r} (must be above 0)")
    return _arrays(_core.disc_mass(core, density))


_public = [name for name, value in globals().items() if getattr(value, "__module__", "") == __name__ and name[0] != "_"]


def __dir__() -> list[str]:
    """What TAB offers: the measures."""
    return _public
