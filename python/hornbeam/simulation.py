# SPDX-License-Identifier: Apache-2.0
"""Simulations in memory. Options, steps and files are the library's."""

from __future__ import annotations

import contextlib
import html
import math
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import _core
from .carried_units import as_quantity, carries_unit
from .checks import function, is_false, number, path as _path, text, truth, whole
from .contents import Contents
from .errors import Error, UsageError, warn_of
from .options import of_file, overrides_of, sections_of, text_of, toml_of
from .own_forces import adapted, bound, named, names_in, notes_of_another
from .past import Past
from .progress import Progress, image_of
from .snapshot import Snapshot, _write
from .view import View

_models = {name for name, _, _ in _core.models()}


def _with_eps(options, particles):
    """An eps of each particle is theirs, not the configuration's. particles: a Snapshot, or None."""
    eps = options.get("eps")
    if carries_unit(eps):
        eps = as_quantity(eps, "eps")
    if getattr(eps, "ndim", 1 if isinstance(eps, (list, tuple)) else 0) == 0:
        return options, particles
    if particles is None:
        raise UsageError("eps: received one for each particle, but no particles (give these, from hb.read() "
                         "or hb.ic, or one number)")
    particles = particles.copy()
    particles.eps = eps
    return {name: value for name, value in options.items() if name != "eps"}, particles


def _named_units(options):
    """As Snapshot takes them; None where they are given otherwise, or not."""
    units = options.get("units")
    if isinstance(units, dict):
        units = units.get("system") or ", ".join(str(units[key]) for key in ("length", "mass", "velocity") if key in units)
    return units if isinstance(units, str) and units else None


def _refuse_models(particles, options):
    drawn = sections_of(options, "Simulation")[0].get("ic")
    if particles is not None and drawn:
        raise UsageError(f"Simulation: has both [ic] and particles: {', '.join(drawn)} would make a model, and particles "
                         "are given (leave one of them out)")


class Simulation(Contents):
    """Particles carried through time.

        Simulation(particles, dt=1/64, eps=0.02, backend="auto", ...)
        Simulation(model="plummer", n=10_000, dt=1/64)

    particles  a Snapshot, a dict of arrays or the path of a snapshot; none where [ic] says which
    eps        softening length, also an array of one of each where particles are given
    options    those of the configuration (docs/configuration.md), by their names: dt=, theta=, eps=; a name that
               several sections have stands in a dict of its section, watchdog={...}, boundary={"kind": "periodic",
               "size": [1, 1, 1]}; potential=[{...}, "bovy14"]; units="galactic"

    Particles' arrays (position, velocity, mass, ...) are attributes. They are those of the present time and may be
    written to: the next step, and whatever else is asked, goes by what stands there. Only read can be what is computed
    from them: acceleration, potential, pressure, temperature, of gas that flows density and smoothing_length, and
    internal_energy where eos makes it. Once a step has been made they
    are of the past and can be read only; ask for them again. Parts cut out of them before, `v = sim.velocity[:, 0]`, cannot
    be closed so: where one is written to then, whatever is asked next is an Error.
    """

    def __init__(self, particles: Any = None, **options: Any) -> None:
        for section in ("output", "watchdog"):
            if options.get(section) is not None:
                raise UsageError(f"{section}: is an option of hornbeam.run(), which writes into a folder (a Simulation in memory writes "
                                 "only on request)")
        given = None
        if particles is None and not any(options.get(name) is not None for name in ("model", "ic", "input", "file")) and (
                not any(name.startswith(("ic.", "input.")) for name in options)):
            raise UsageError("Simulation: received no particles (give a Snapshot, from hb.ic or hb.read(), a dict of arrays, "
                             "the path of a snapshot, or model=\"plummer\", n=1000)")
        if isinstance(particles, str) and particles in _models and not os.path.exists(particles):
            raise UsageError(f"particles: {particles!r} is a model, not the path of a snapshot (write "
                             f"model={particles!r}, n=..., or hb.ic.{particles.replace('-', '_')}(n))")
        if isinstance(particles, (str, os.PathLike)):
            options = {"input": {"file": os.path.abspath(_path(particles, "particles"))}, **options}
        elif particles is not None:
            has_quantities = isinstance(particles, dict) and any(carries_unit(one) for one in particles.values())
            given = Snapshot.from_any(particles, _named_units(options) if has_quantities else None)
        options, given = _with_eps(options, given)
        _refuse_models(particles, options)
        given = None if given is None else given._core
        configuration = text_of(lambda system: _core.Text(toml_of(options, "Simulation", system), [], "Simulation",
                                                          os.getcwd()), given)
        self._begin(lambda: _core.Simulation(configuration, given))

    def _begin(self, make):
        self._lock = threading.Lock()
        self._shown = self._pristine = self._core = None
        self._past = Past()
        self._forces: list[Any] = []
        self._process = os.getpid()
        self._core = make()
        self._forces_before = names_in(self._core.record())  # of a checkpoint
        self._computed = frozenset(self._core.computed)
        self._core.watch_gas()
        warn_of(self._core.said())

    @classmethod
    def _of(cls, make):
        simulation = cls.__new__(cls)
        simulation._begin(make)
        return simulation

    @classmethod
    def from_toml(cls, toml: str, folder: str | os.PathLike[str] = ".", **options: Any) -> Simulation:
        """Of a configuration's text; `options` go before what it says. Files that it names are relative to `folder`.
        What it says of [output] and [watchdog] is for runs into a folder."""
        toml, folder = text(toml, "toml"), _path(folder, "folder")
        configuration = text_of(lambda system: _core.Text(toml, overrides_of(options, "Simulation", system), "toml", folder))
        return cls._of(lambda: _core.Simulation(configuration, None))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], **options: Any) -> Simulation:
        """The same of a file."""
        configuration = of_file(path, options, "Simulation")
        return cls._of(lambda: _core.Simulation(configuration, None))

    @classmethod
    def resume(cls, path: str | os.PathLike[str]) -> Simulation:
        """Goes on from a checkpoint with the same bits: one of checkpoint(), or of a run (its file or folder)."""
        file = _path(path)
        return cls._of(lambda: _core.Simulation(file))

    @contextlib.contextmanager
    def _work(self, takes_up=True, closes=False):
        """The library's simulation, with the particles as they were written to, for one thread at a time. takes_up=False:
        as they were before."""
        if not self._lock.acquire(blocking=False):
            raise Error("Simulation: is in use by another thread (wait for it, or use a copy)")
        try:
            if self._core is None:
                raise Error("Simulation: is closed (make another one)")
            if self._process != os.getpid() and not self._core.on_host:
                raise Error(f"Simulation: is on {self._core.backend} of process {self._process}, of which this one is a "
                            "fork, and its driver does not survive a fork (use multiprocessing's spawn or forkserver)")
            if not closes:
                self._past.look()
            if takes_up and self._shown is not None and not self._shown._core == self._pristine:
                self._core.replace(self._shown._core, False)
                self._shown._core.renew(self._core.snapshot())  # forces and what else follows from what was written
                self._pristine = self._shown._core.copy()
                warn_of(self._core.said())
            yield self._core
        finally:
            self._lock.release()

    def _forget(self):
        if self._shown is not None:
            self._past.remember(self._shown._freeze(), self._shown.time)
        self._shown = self._pristine = None

    def close(self) -> None:
        """Gives its memory back, on the device, too."""
        with self._work(takes_up=False, closes=True):
            self._forget()
            self._core = None

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_: Any) -> None:
        if self._core is not None:
            self.close()

    def __len__(self) -> int:
        with self._work() as core:
            return core.size

    def __repr__(self) -> str:
        core = self._core
        if core is None:
            return "<hornbeam.Simulation, closed>"
        if self._lock.locked():
            return "<hornbeam.Simulation, at work>"
        return (f"<hornbeam.Simulation of {core.size} particles at t = {core.time:.6g} after {core.steps} steps on "
                f"{core.backend}, {core.softening}>")

    def _repr_html_(self):
        return f"<code>{html.escape(repr(self))}</code><br>" + ("" if self._core is None else image_of(self, 600, 450))

    def _repr_png_(self):
        return None if self._core is None else self.particles._repr_png_()

    # -- steps

    @property
    def particle_steps(self) -> Any:
        """How long the next step of each particle will be, (N): dt / 2^rung with block steps, otherwise one for all."""
        with self._work() as core:
            return core.particle_steps()

    @property
    def internal_energy_rate(self) -> Any:
        """du/dt of gas, (N), 0 of other particles; None without hydrodynamics."""
        with self._work() as core:
            return core.internal_energy_rate()

    def step(self, n: int = 1) -> None:
        """n steps, fewer where bodies that meet halt them; of block steps, the longest ones."""
        count = whole(n, "step")
        with self._work() as core:
            try:
                core.run(math.inf, count)
            finally:
                self._forget()
            core.watch_gas()
            said = core.said()
        warn_of(said)

    def _run(self, until, most=2**63):
        with self._work() as core:
            try:
                return core.run(until, most)
            finally:
                self._forget()

    def run(self, until: Any = None, callback: Callable[[Simulation], object] | None = None, every: Any = None,
            progress: bool = False) -> None:
        """Steps until the time has come, or the end of the configuration. Steps are not cut short: time may be up to
        dt beyond it (gas in shared steps, which chooses their length, meets it).

        callback  called with this simulation after each step, or with `every` at the first step at or after each
                  multiple of it; where it returns False, also NumPy's, the run stops
        progress  shows how far it has come: a bar on the standard error stream, in notebooks with the newest picture
        Ctrl-C stops after the present step with KeyboardInterrupt, and the simulation can go on; a long block step is
        given up for its beginning.

        A HornbeamWarning tells, where energy is conserved, that it has changed by more than 1 % since the first run() (or
        since particles were written to), and by more than 10 %; and that particles that were given are far from equilibrium.
        """
        end = self._end() if until is None else self._time_of(until, "until")
        if until is not None and end < self.time - 1.001 * self.dt:  # a step goes beyond an end by less
            raise UsageError(f"until: received {until!r}, and the time is {self.time:g} already")
        every = None if every is None else self._time_of(every, "every")
        if every is not None and (callback is None or not every > 0):
            raise UsageError(f"every: received {every!r} (must be above 0, and goes with a callback)")
        shown = Progress(self, end) if truth(progress, "progress") else None
        steps = self.steps
        self._watch("prepare")
        try:
            if function(callback, "callback") is None:
                self._advance(end, shown)
            elif every is None:
                while self._advance(end, shown, 1) and not is_false(callback(self)) and not self.halted:
                    pass
            else:
                self._run_with(end, callback, every, shown)
            self._watch("watch")
        finally:
            if shown:
                shown.tell(self, last=True)
        if self.steps == steps and end - self.time > 1e-9 * self.dt and not self.halted and len(self):
            warn_of([f"WARNING: no step was made: {end:g} is less than a thousandth of a step of {self.dt:g} after the "
                     f"time, {self.time:g} (steps are not cut short: give a shorter dt)"])

    def _watch(self, what):
        with self._work() as core:
            getattr(core, what)()
            said = core.said()
        warn_of(said)

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
        start, k, idle, countable = self.time, 0, 0, 2**62
        while True:
            # multiples that a step has left behind are passed over, and ever more of those less than a rounding apart
            k = min(max(k, int(min((self.time - start) / every, countable))) + 1 + 2**idle // 4, countable)
            due = end if k == countable else min(_core.nth_time(start, every, k), end)
            made = self._advance(due, shown, 1 if k == countable else 2**63)
            idle = 0 if made else idle + 1
            self._watch("watch")
            if is_false(callback(self)) or self.halted if made else due == end:
                return

    def _end(self):
        with self._work() as core:
            if core.end is None:
                raise UsageError("until: is missing (give run(until=...), or the option end)")
            return core.end

    # -- forces

    def add_force(self, force: Callable[..., Any], potential: Callable[..., Any] | None = None,
                  step: Callable[..., Any] | None = None) -> None:
        """Adds a force of your own to all others, at each kick from now on (docs/python.md, "Forces of your own").

        force      f(time, positions, velocities) that returns accelerations (n, 3): NumPy arrays in the simulation's
                   units. In block steps it is called with the active particles only. If it has a parameter `ids`, it
                   gets their ids, too. An object with a method for_simulation(sim) is replaced by what that returns
        potential  g(time, positions) that returns potentials per unit mass (n): energies count them. Without it they do
                   not count this force
        step       h(time, positions, velocities) that returns the longest steps allowed: (n), or one number

        A simulation that was resumed asks for the same forces again, in the same order, before its next step. What a
        function raises reaches the caller; the simulation is then as it was before the step.
        """
        self._add_force(*bound(self, force, potential, step))

    def _add_force(self, force, potential, step):
        with self._work() as core:
            core.add_force(named(force), adapted(force, "force", 3, (3,)),
                           None if potential is None else adapted(potential, "potential", 2, ()),
                           None if step is None else adapted(step, "step", 3, ()))
            said = [*core.said(), *notes_of_another(self, force)]
            self._forces.append((force, potential, step))
            self._forget()
        warn_of(said)

    # -- files

    def write(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """A snapshot of the present time, with the configuration that made it."""
        shown = self.particles
        with self._work() as core:
            _write(path, shown._core, format, core.record())

    def _record(self):
        with self._work() as core:
            return core.record()

    def checkpoint(self, path: str | os.PathLike[str]) -> None:
        """All that resume() needs to go on with the same bits."""
        with self._work() as core:
            core.checkpoint(_path(path))

    # -- in a browser

    def serve(self, port: int = 0, host: str = "127.0.0.1", token: str | None = None, every: float = 1 / 30,
              most: int = 1_000_000) -> View:
        """Shows this simulation in a browser, at `.url` of the View that is returned at once (docs/view.md).

        port   0: any that is free
        host   "0.0.0.0": other machines can look, too
        token  what the address ends in, and all who look need: 8 to 128 letters, digits, - and _ (default: that of the
               environment variable HORNBEAM_VIEW_TOKEN, otherwise a random one)
        every  seconds between two pictures at least; they take a sixth of the time at most, and none if no page is open
        most   particles that are drawn at most; of more, a part
        """
        port, most, seconds = whole(port, "port", 0, 65535), whole(most, "most", 1), number(every, "every", 0)
        given = None if token is None else text(token, "token")
        title = os.path.basename(sys.argv[0] if sys.argv else "") or "Simulation"
        with self._work() as core:
            return View(core.serve(title, text(host, "host"), port, given, seconds, most))

    def __reduce__(self) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "checkpoint.hdf5"
            self.checkpoint(file)
            return _from_bytes, (file.read_bytes(),)

    def __copy__(self) -> Simulation:
        make, arguments = self.__reduce__()
        other = make(*arguments)
        for force in self._forces:
            other._add_force(*force)
        return other

    copy = __copy__


def _from_bytes(data):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "checkpoint.hdf5"
        file.write_bytes(data)
        return Simulation.resume(file)
