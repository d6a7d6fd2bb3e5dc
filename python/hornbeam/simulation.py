# SPDX-License-Identifier: Apache-2.0
"""Simulations in memory. Options, steps and files are the library's."""

import contextlib
import html
import os
import tempfile
import threading
import warnings
from pathlib import Path

import numpy as np

from . import _core
from .arrays import numbers
from .dimensions import TIME
from .errors import Error, HornbeamWarning, UsageError
from .options import overrides_of, read_text, text_of, toml_of
from .progress import Progress, image_of
from .quantities import System
from .snapshot import Snapshot, _fields, _write


def _whole(value, name):
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0:
        raise UsageError(f"{name}: received {value!r} (must be a whole number, 0 or above)")
    return int(value)


def _number(value, name, system=None, dimension=None):
    array = numbers(value, name, system, dimension)
    if array.ndim or not np.isfinite(array):
        raise UsageError(f"{name}: received {value!r} (must be a finite number)")
    return float(array)


class Simulation:
    """Particles carried through time.

        Simulation(particles, dt=1/64, eps=0.02, backend="auto", ...)
        Simulation(model="plummer", n=10_000, dt=1/64)

    particles  a Snapshot, a dict of arrays or the path of a snapshot; none where [ic] says which
    options    those of the configuration (docs/configuration.md), by their names: dt=, theta=, eps=; a name that
               several sections have stands in a dict of its section, watchdog={...}, boundary={"kind": "periodic",
               "size": [1, 1, 1]}; potential=[{...}, {...}]; units="galactic"

    Particles' arrays (position, velocity, mass, ...) are attributes. They are those of the present time and may be
    written to: the next step, and whatever else is asked, goes by what stands there. Once a step has been made they
    are of the past and can be read only; ask for them again.
    """

    def __init__(self, particles=None, **options):
        for section in ("output", "watchdog"):
            if options.get(section) is not None:
                raise UsageError(f"{section}: is for runs into a folder (hornbeam.run(); a Simulation in memory writes "
                                 "what you ask for)")
        given = None
        if isinstance(particles, (str, os.PathLike)):
            options = {"input": {"file": os.path.abspath(particles)}, **options}
        elif particles is not None:
            given = Snapshot.from_any(particles)._core
        text = text_of(lambda system: _core.Text(toml_of(options, "Simulation", system), [], "Simulation", os.getcwd()),
                       given)
        self._begin(lambda: _core.Simulation(text, given))

    def _begin(self, make, level=3):
        self._lock = threading.Lock()
        self._shown = self._pristine = None
        self._core = make()
        for note in self._core.notes:
            if note.startswith("WARNING: "):
                warnings.warn(note.removeprefix("WARNING: "), HornbeamWarning, stacklevel=level)

    @classmethod
    def _of(cls, make):
        simulation = cls.__new__(cls)
        simulation._begin(make, 4)
        return simulation

    @classmethod
    def from_toml(cls, toml, folder=".", **options):
        """Of a configuration's text; `options` go before what it says. Files that it names are relative to `folder`.
        What it says of [output] and [watchdog] is for runs into a folder."""
        text = text_of(lambda system: _core.Text(toml, overrides_of(options, "Simulation", system), "toml",
                                                 os.fspath(folder)))
        return cls._of(lambda: _core.Simulation(text, None))

    @classmethod
    def from_file(cls, path, **options):
        """The same of a file."""
        toml = read_text(path)
        text = text_of(lambda system: _core.Text(toml, overrides_of(options, "Simulation", system), os.fspath(path),
                                                 str(Path(path).parent)))
        return cls._of(lambda: _core.Simulation(text, None))

    @classmethod
    def resume(cls, path):
        """Goes on from a checkpoint with the same bits: one of checkpoint(), or of a run (its file or folder)."""
        path = Path(path)
        file = os.fspath(path / "checkpoint.hdf5" if path.is_dir() else path)
        return cls._of(lambda: _core.Simulation(file))

    @contextlib.contextmanager
    def _work(self):
        """The library's simulation, with the particles as they were written to, for one thread at a time."""
        if not self._lock.acquire(blocking=False):
            raise Error("Simulation: is at work in another thread (wait for it, or use a copy)")
        try:
            if self._core is None:
                raise Error("Simulation: is closed (make another one)")
            if self._shown is not None and not self._shown._core == self._pristine:
                self._core.replace(self._shown._core)
                self._pristine = self._shown._core.copy()
            yield self._core
        finally:
            self._lock.release()

    def _forget(self):
        if self._shown is not None:
            self._shown._freeze()
        self._shown = self._pristine = None

    def close(self):
        """Gives its memory back, on the device, too."""
        with self._work():
            self._forget()
            self._core = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._core is not None:
            self.close()

    def __len__(self):
        with self._work() as core:
            return core.size

    def __repr__(self):
        if self._core is None:
            return "<hornbeam.Simulation, closed>"
        return (f"<hornbeam.Simulation of {self._core.size} particles at t = {self._core.time:.6g} after "
                f"{self._core.steps} steps on {self._core.backend}, {self._core.softening}>")

    def _repr_html_(self):
        return f"<code>{html.escape(repr(self))}</code><br>" + ("" if self._core is None else image_of(self, 600, 450))

    def _repr_png_(self):
        return None if self._core is None else self.particles._repr_png_()

    # -- steps

    def step(self, n=1):
        """n steps; of block steps, the longest ones."""
        count = _whole(n, "step")
        with self._work() as core:
            try:
                core.step(count)
            finally:
                self._forget()

    def _run(self, until, most=2**63):
        with self._work() as core:
            try:
                return core.run(until, most)
            finally:
                self._forget()

    def run(self, until=None, callback=None, every=None, progress=False):
        """Steps until the time has come, or the end of the configuration. Steps are not cut short: time may be up to
        dt beyond it (of gas, which chooses its steps, it is met).

        callback  called with this simulation after each step, or with `every` at the first step at or after each
                  multiple of it; where it returns False, the run stops
        progress  shows how far it has come: a bar on the standard error stream, in notebooks with the newest picture
        Ctrl-C stops after the present step with KeyboardInterrupt, and the simulation can go on; a long block step is
        given up for its beginning.
        """
        end = self._end() if until is None else self._time_of(until, "until")
        if every is not None:
            every = self._time_of(every, "every")
        if every is not None and (callback is None or not every > 0):
            raise UsageError(f"every: received {every!r} (must be above 0, and goes with a callback)")
        shown = Progress(self, end) if progress else None
        try:
            if callback is None:
                self._advance(end, shown)
            elif every is None:
                while self._advance(end, shown, 1) and callback(self) is not False:
                    pass
            else:
                self._run_with(end, callback, every, shown)
        finally:
            if shown:
                shown.tell(self, last=True)

    def _advance(self, until, shown, most=2**63):
        """As _run(), step by step where progress is shown."""
        if shown is None:
            return self._run(until, most)
        made = 0
        while made < most and self._run(until, 1):
            made += 1
            shown.tell(self)
            if self.halted:
                break
        return made

    def _run_with(self, end, callback, every, shown):
        start, k, time = self.time, 0, self.time
        while time < end:
            k += 1
            time = min(_core.nth_time(start, every, k), end)
            if self._advance(time, shown) and callback(self) is False:
                return

    def _time_of(self, value, name):
        return _number(value, name, System(lambda: self.particles._core), TIME)

    def _end(self):
        with self._work() as core:
            if core.end is None:
                raise UsageError("until: is missing (give run(until=...), or the option end)")
            return core.end

    # -- what is there

    @property
    def time(self):
        with self._work() as core:
            return core.time

    @property
    def steps(self):
        """How many were made, since the start."""
        with self._work() as core:
            return core.steps

    @property
    def backend(self):
        """What "auto" chose."""
        with self._work() as core:
            return core.backend

    @property
    def notes(self):
        """What there was to say about particles and options: one sentence each."""
        with self._work() as core:
            return core.notes

    @property
    def softening(self):
        """The softening in use, in words."""
        with self._work() as core:
            return core.softening

    @property
    def options(self):
        """The configuration as understood, defaults included: {section: {key: value}}."""
        with self._work() as core:
            return core.options()

    @property
    def collisions(self):
        """How many there were."""
        with self._work() as core:
            return core.collisions

    @property
    def halted(self):
        """The ids of two bodies that met, where collisions.law is halt."""
        with self._work() as core:
            return core.halted

    @property
    def particles(self):
        """All particles at the present time, with accelerations and potentials, as a Snapshot. Its arrays may be
        written to until the next step."""
        with self._work() as core:
            if self._shown is None:
                shown = core.snapshot()
                self._pristine = shown.copy()
                self._shown = Snapshot._of(shown)
            return self._shown

    @particles.setter
    def particles(self, value):
        anew = Snapshot.from_any(value)
        with self._work() as core:
            core.replace(anew._core)
            self._forget()

    @property
    def units(self):
        """Of all numbers: "kpc, 1e10 Msun, km/s (G = 43007.1)", or "G = 1"."""
        return self.particles.units

    @property
    def G(self):
        """The gravitational constant in these units."""
        return self.particles.G

    def quantity(self, name):
        """A field, "time" or "G" as a Quantity of astropy.units: sim.quantity("position"). Refused for G = 1."""
        return self.particles.quantity(name)

    def at(self, time):
        """A copy of the particles drifted to `time` within the present step; the simulation stays."""
        when = self._time_of(time, "time")
        with self._work() as core:
            return Snapshot._of(core.snapshot_at(when))

    def energy(self):
        """kinetic, potential, thermal, total, momentum and angular_momentum."""
        with self._work() as core:
            return core.energies()

    def add(self, particles):
        """More particles, from the present time on. Ids that are there already are numbered anew; those without a
        softening get that of all others."""
        more, here = Snapshot.from_any(particles), self.particles
        if more.eps is None and here.eps is not None and len(here):
            if np.ptp(here.eps) > 0:
                raise UsageError("add: the new particles have no eps, and those that are there differ in it (give eps)")
            more = more.copy()
            more.eps = here.eps[0]
        self.particles = here + more

    def remove(self, which):
        """Takes particles out, by a mask of bools or by places."""
        gone = np.asarray(which)
        keep = np.ones(len(self), bool)
        try:
            keep[gone if gone.size else []] = False
        except IndexError as error:
            raise UsageError(f"remove: {error}") from error
        self.particles = self.particles.select(keep)

    # -- files

    def _record(self):
        with self._work() as core:
            return core.record()

    def write(self, path, format=None):
        """A snapshot of the present time, with the configuration that made it."""
        shown = self.particles
        with self._work() as core:
            _write(path, shown._core, format, core.record())

    def checkpoint(self, path):
        """All that resume() needs to go on with the same bits."""
        with self._work() as core:
            core.checkpoint(os.fspath(path))

    def __reduce__(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "checkpoint.hdf5"
            self.checkpoint(file)
            return _from_bytes, (file.read_bytes(),)

    def __copy__(self):
        make, arguments = self.__reduce__()
        return make(*arguments)

    copy = __copy__


def _from_bytes(data):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "checkpoint.hdf5"
        file.write_bytes(data)
        return Simulation.resume(file)


def _particle_property(name):
    def read(self):
        return getattr(self.particles, name)

    def assign(self, value):
        setattr(self.particles, name, value)

    return property(read, assign, doc=getattr(Snapshot, name).__doc__)


for _name in _fields:
    setattr(Simulation, _name, _particle_property(_name))
