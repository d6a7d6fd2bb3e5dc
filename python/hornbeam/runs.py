# SPDX-License-Identifier: Apache-2.0
"""Runs into a folder, which the library makes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import _core
from .checks import function, truth
from .errors import UsageError, warn_of
from .options import of_file, text_of, toml_of


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
    Ctrl-C ends the run in peace, with a checkpoint, and raises KeyboardInterrupt.
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

    def hear(kind, what):
        if kind != "output":
            warn_of([what])
        if told is not None:
            told(kind, what)

    mode = chosen[0].replace("_", "-") if chosen else "fresh"
    folder = Path(_core.run_in_folder(configuration, mode, truth(allow_changes, "allow_changes"), hear))
    return json.loads((folder / "run.json").read_text())
