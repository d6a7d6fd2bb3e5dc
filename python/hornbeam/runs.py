# SPDX-License-Identifier: Apache-2.0
"""Runs into a folder, which the library makes as `hornbeam run` does."""

import json
import os
from pathlib import Path

from . import _core
from .errors import UsageError
from .options import overrides_of, read_text, text_of, toml_of


def run(config=None, *, resume=False, overwrite=False, allow_changes=False, tell=None, **options):
    """A whole run into its folder, as `hornbeam run`: snapshots, energy.csv, checkpoints and run.json, which is
    returned as a dict.

    config    the path of a TOML file; none: `options` say all, in particular end= and output={"directory": ...}
    options   over what the file says, as of Simulation
    tell      called as tell(kind, what) with "note" and "remark" (texts) and "output" (a dict of index, time, step
              and relative_error)
    Ctrl-C ends the run in peace, with a checkpoint, and raises KeyboardInterrupt.
    """
    if resume and overwrite:
        raise UsageError("resume: cannot be combined with overwrite (give one of them)")
    if allow_changes and not resume:
        raise UsageError("allow_changes: is for resume (give both, or neither)")
    if config is None:
        text = text_of(lambda system: _core.Text(toml_of(options, "run", system), [], "run", os.getcwd()))
    else:
        toml, folder = read_text(config), str(Path(config).parent)
        text = text_of(lambda system: _core.Text(toml, overrides_of(options, "run", system), os.fspath(config), folder))
    mode = "resume" if resume else "overwrite" if overwrite else "fresh"
    folder = Path(_core.run_in_folder(text, mode, allow_changes, tell))
    return json.loads((folder / "run.json").read_text())
