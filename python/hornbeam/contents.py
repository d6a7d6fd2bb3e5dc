# SPDX-License-Identifier: Apache-2.0
"""What is in a simulation at the present time: particles, which may be written to, and measures of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import places
from .checks import KnownNames, number
from .dimensions import TIME
from .errors import UsageError, warn_of
from .quantities import System
from .snapshot import Snapshot, _fields

_event = np.dtype([("time", "f8"), ("step", "u8"), ("kind", "U7"), ("id_1", "u8"), ("id_2", "u8"), ("mass_1", "f8"),
                   ("mass_2", "f8"), ("speed", "f8"), ("angle", "f8"), ("contact_time", "f8")])


class Contents(KnownNames):
    """Of a Simulation, which says how its library's one is come by: _work()."""

    if TYPE_CHECKING:  # particles' fields: properties, made below

        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def _time_of(self, value, name):
        return number(value, name, None, System(lambda: self.particles._core), TIME)

    @property
    def time(self) -> float:
        with self._work() as core:
            return core.time

    @property
    def dt(self) -> float:
        """The length of a step, where lengths differ the longest."""
        return self.options["time"]["dt"]

    @dt.setter
    def dt(self, value: Any) -> None:
        raise UsageError(f"dt: received {value!r}, and the step length of a simulation cannot change (make another simulation of these "
                         "particles: hb.Simulation(sim.particles, dt=...) with its other options)")

    @property
    def steps(self) -> int:
        """How many were made, since the start."""
        with self._work() as core:
            return core.steps

    @property
    def backend(self) -> str:
        """What "auto" chose."""
        with self._work() as core:
            return core.backend

    @property
    def notes(self) -> list[str]:
        """What there was to say about particles and options: one sentence each."""
        with self._work() as core:
            return core.notes

    @property
    def softening(self) -> str:
        """The softening in use, in words."""
        with self._work() as core:
            return core.softening

    @property
    def options(self) -> dict[str, Any]:
        """The configuration as understood, defaults included: {section: {key: value}}."""
        with self._work() as core:
            return core.options()

    @property
    def collisions(self) -> int:
        """How many there were."""
        with self._work() as core:
            return core.collisions

    @property
    def momentum_flux(self) -> float:
        """What collisions have carried since the start: the sum of the separation along x times the momentum along y that
        the second body received, as in ring.csv."""
        with self._work() as core:
            return core.momentum_flux

    @property
    def events(self) -> NDArray[Any]:
        """What happened to single bodies since the start, in its order: a structured array with the columns of
        events.csv, which are time, step, kind, id_1, id_2, mass_1, mass_2, speed, angle and contact_time
        (docs/collisions.md). Bounces are in it if collisions.record_above is given."""
        with self._work() as core:
            rows = core.events()
        return np.array([tuple(row) for row in rows], dtype=_event)

    @property
    def halted(self) -> list[tuple[int, int]]:
        """The pairs of bodies (ids) that came into contact in the last step, where collisions.law is halt: steps end
        there. The next step looks for pairs again, and does not report a pair twice that stays in contact."""
        with self._work() as core:
            return core.halted

    @property
    def particles(self) -> Snapshot:
        """All particles at the present time, with accelerations and potentials, as a Snapshot. Its arrays may be
        written to until the next step, but for what is computed: accelerations, potentials, of gas density, ..."""
        return self._arrays(takes_up=True)

    def _arrays(self, takes_up):
        with self._work(takes_up) as core:
            if self._shown is None:
                shown = core.snapshot()
                self._pristine = shown.copy()
                self._shown = Snapshot._of(shown, self._computed)
            return self._shown

    @particles.setter
    def particles(self, value: Any) -> None:
        anew = Snapshot.from_any(value)
        if anew is self._shown:  # its own, written to
            with self._work():
                pass
            return
        with self._work(takes_up=False) as core:
            core.replace(anew._core, True)
            self._forget()
            said = core.said()
        warn_of(said)

    @property
    def units(self) -> str:
        """Of all numbers: "kpc, 1e10 Msun, km/s (G = 43009.2)", or "G = 1"."""
        return self.particles.units

    @property
    def G(self) -> float:
        """The gravitational constant in these units."""
        return self.particles.G

    def unit(self, name: str) -> str:
        """The unit of a field, of "time", "energy", "momentum", "angular_momentum" or "G": "kpc"; empty where G = 1."""
        return self.particles.unit(name)

    def quantity(self, name: str) -> Any:
        """A field, "time" or "G" as a Quantity of astropy.units: sim.quantity("position"). Refused for G = 1."""
        return self.particles.quantity(name)

    def at(self, time: Any) -> Snapshot:
        """A copy of the particles drifted to `time` within the present step; the simulation stays."""
        when = self._time_of(time, "time")
        with self._work() as core:
            step = core.options()["time"]["dt"]
            if abs(when - core.time) > (1 + 1e-9) * step:  # drifts know no forces but the present ones
                raise UsageError(f"time: received {time!r}, more than a step of {step:g} from the present one, "
                                 f"{core.time:g} (use run(until=...) first)")
            return Snapshot._of(core.snapshot_at(when))

    def energy(self) -> dict[str, Any]:
        """kinetic, potential, thermal, total, momentum and angular_momentum."""
        with self._work() as core:
            return core.energies()

    def add(self, particles: Any) -> None:
        """More particles, from the present time on. Ids that are there already are renumbered; those without a
        softening get that of all others."""
        here = self.particles
        more = here._like(particles)
        if more.eps is None and here.eps is not None and len(here):
            if np.ptp(here.eps) > 0:
                raise UsageError("add: the new particles have no eps, and the eps of the others differ (give eps)")
            more.eps = here.eps[0]
        self.particles = here + more

    def remove(self, which: ArrayLike) -> None:
        """Takes particles out, by a mask of bools or by places."""
        keep = np.ones(len(self), bool)
        keep[places(which, "remove", len(keep))] = False
        self.particles = self.particles.select(keep)


def _particle_property(name):
    """Only what is computed from other fields needs these to be right: what cannot be is mended where it stands."""

    def read(self):
        return getattr(self._arrays(name in self._computed), name)

    def assign(self, value):
        setattr(self._arrays(takes_up=False), name, value)

    return property(read, assign, doc=getattr(Snapshot, name).__doc__)


for _name in _fields:
    setattr(Contents, _name, _particle_property(_name))
