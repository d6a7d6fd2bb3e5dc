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


def run(config: str | os.PathLike[str] | None = None, *, resume: bool = False, overwrite: bool = False,
        allow_changes: bool = False, tell: Callable[[str, Any], object] | None = None,
        **options: Any) -> dict[str, Any]:
    """A whole run into its folder, as `hornbeam run`: snapshots, energy.csv, checkpoints and run.json, which is
    returned as a dict.

    config    the path of a TOML file; none: `options` say all, in particular end= and output={"directory": ...}
    options   over what the file says, as of Simulation
    tell      called as tell(kind, what) with "note" and "remark" (texts) and "output" (a dict of index, time, step
              and relative_error)
    What looks wrong is a HornbeamWarning, too.
    Ctrl-C ends the run in peace, with a checkpoint, and raises KeyboardInterrupt.
    """
    resume, overwrite = truth(resume, "resume"), truth(overwrite, "overwrite")
    if resume and overwrite:
        raise UsageError("resume: cannot be combined with overwrite (give one of them)")
    if allow_changes and not resume:
        raise UsageError("allow_changes: is for resume (give both, or neither)")
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

    mode = "resume" if resume else "overwrite" if overwrite else "fresh"
    folder = Path(_core.run_in_folder(configuration, mode, truth(allow_changes, "allow_changes"), hear))
    return json.loads((folder / "run.json").read_text())
