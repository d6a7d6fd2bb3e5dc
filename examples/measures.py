# SPDX-License-Identifier: Apache-2.0
"""What the plots of this folder share: measures of snapshots, from `hornbeam analyze --json`."""

import json
import os
import pathlib
import shutil
import subprocess

import numpy as np


class NotMeasured(SystemExit):
    """Ends a script with the program's own words where it is not caught."""


BUILT = pathlib.Path(__file__).resolve().parent.parent / "build" / "hornbeam"


def program():
    """That which HORNBEAM names, that of build/, or the one on PATH."""
    found = os.environ.get("HORNBEAM") or (BUILT if BUILT.exists() else shutil.which("hornbeam"))
    if found is None:
        raise SystemExit("hornbeam is neither in build/ nor on PATH: run make build")
    return str(found)


def analyze(files, *options):
    """A list of measures, one for each file; those that a file does not allow are missing, and why stands in "errors" of
    its entry."""
    command = [program(), "analyze", *map(str, files), *map(str, options), "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if not done.stdout:  # nothing could be measured
        raise NotMeasured(done.stderr.strip())
    measured = json.loads(done.stdout)
    return measured if isinstance(measured, list) else [measured]


def table(path):
    """The columns of a run's table by their names, and the unit that stands behind some of these in brackets."""
    with open(path, encoding="utf-8") as file:
        headings = [heading.strip() for heading in file.readline().split(",")]
    rows = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
    names = [heading.split(" [")[0] for heading in headings]
    units = {name: f" [{heading.split(' [')[1]}" if " [" in heading else "" for name, heading in zip(names, headings)}
    return dict(zip(names, rows.T)), units


def snapshots(folder):
    files = sorted(pathlib.Path(folder).glob("snapshot_*.hdf5"))
    if not files:
        raise SystemExit(f"{folder} holds no snapshot_*.hdf5")
    return files
