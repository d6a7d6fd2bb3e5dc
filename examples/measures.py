# SPDX-License-Identifier: Apache-2.0
"""What the plots of this folder share: measures of snapshots, from `hornbeam analyze --json`."""

import json
import pathlib
import shutil
import subprocess

BUILT = pathlib.Path(__file__).resolve().parent.parent / "build" / "hornbeam"


def analyze(files, *options):
    """A list of measures, one for each file. The program is that of build/, else the one on PATH."""
    program = BUILT if BUILT.exists() else shutil.which("hornbeam")
    if program is None:
        raise SystemExit("hornbeam is neither in build/ nor on PATH: run make build")
    command = [str(program), "analyze", *map(str, files), *map(str, options), "--json"]
    measured = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return measured if isinstance(measured, list) else [measured]


def snapshots(folder):
    files = sorted(pathlib.Path(folder).glob("snapshot_*.hdf5"))
    if not files:
        raise SystemExit(f"{folder} holds no snapshot_*.hdf5")
    return files
