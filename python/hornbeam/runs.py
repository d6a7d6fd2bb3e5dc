# SPDX-License-Identifier: Apache-2.0
"""Runs into a folder, which the library makes."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from . import _core
from .checks import function, truth
from .errors import UsageError, warn_of
from .options import of_file, text_of, toml_of


STOPPED = 4  # the status with which the command exits where a run was stopped before its end


@contextmanager
def kept_signals() -> Iterator[list[int]]:
    """Keeps those of the command's signals that nobody else handles, in the list that it gives, for the run to look at:
    an exception could come up within a callback, and the run would end without a checkpoint. A second one has its
    usual effect."""
    seen: list[int] = []
    before = {}
    if threading.current_thread() is threading.main_thread():
        usual = (signal.SIG_DFL, signal.default_int_handler)
        before = {number: signal.getsignal(number)
                  for number in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGHUP)
                  if signal.getsignal(number) in usual}

    def keep(number, _):
        signal.signal(number, before[number])
        seen.append(number)

    for number in before:
        signal.signal(number, keep)
    try:
        yield seen
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run(config: str | os.PathLike[str] | None = None, *, resume: bool = False,
        resume_or_start: bool = False, overwrite: bool = False, allow_changes: bool = False,
        tell: Callable[[str, Any], object] | None = None, **options: Any) -> dict[str, Any]:
    """A whole run into its folder, as `hornbeam run`: snapshots, energy.csv, checkpoints and run.json, which is
    returned as a dict.

    config    the path of a TOML file; none: `options` say all, in particular end= and output={"directory": ...}
    options   over what the file says, as of Simulation
    resume_or_start   starts if the folder holds no run, and resumes that run otherwise
    tell      called as tell(kind, what) with "note" and "remark" (texts) and "output" (a dict of index, time, step
              and relative_error)
    What looks wrong is a HornbeamWarning, too.
    Ctrl-C ends the run in peace, with a checkpoint, and raises KeyboardInterrupt, which says how to go on. SIGTERM, SIGUSR1
    and SIGHUP do the same with SystemExit (status 4), and say it on the standard error stream.
    """
    modes = {"resume": truth(resume, "resume"), "resume_or_start": truth(resume_or_start, "resume_or_start"),
             "overwrite": truth(overwrite, "overwrite")}
    chosen = [name for name, given in modes.items() if given]
    if len(chosen) > 1:
        raise UsageError(f"{chosen[0]}: cannot be combined with {chosen[1]} (give one of them)")
    if allow_changes and chosen not in (["resume"], ["resume_or_start"]):
        raise UsageError("allow_changes: is an option of resume (give both, or neither)")
    if config is None:
        configuration = text_of(lambda system: _core.Text(toml_of(options, "run", system), [], "run", os.getcwd()))
    else:
        configuration = of_file(config, options, "run")
    told = function(tell, "tell")

    stopped = []

    def hear(kind, what):
        if kind == "stopped":
            stopped.append(what)
            kind = "remark"
        if kind != "output":
            warn_of([what])
        if told is not None:
            told(kind, what)

    mode = chosen[0].replace("_", "-") if chosen else "fresh"
    with kept_signals() as seen:
        folder = Path(_core.run_in_folder(configuration, mode, truth(allow_changes, "allow_changes"), hear,
                                          lambda: len(seen) > 0))
    if seen and not stopped:
        signal.raise_signal(seen[0])  # it came at the end
    elif signal.SIGINT in seen:
        raise KeyboardInterrupt(*stopped)
    elif seen:
        print(*stopped, file=sys.stderr)
        raise SystemExit(STOPPED)
    return json.loads((folder / "run.json").read_text())
