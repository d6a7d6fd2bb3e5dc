# SPDX-License-Identifier: Apache-2.0
"""`python -m hornbeam` is the command `hornbeam` of this installation."""

from __future__ import annotations

import os
import sys
import sysconfig
from importlib import metadata
from pathlib import Path


def program() -> Path:
    """The path of the command: of the installed distribution, or of the build folder with the module."""
    try:
        for file in metadata.files("hornbeam-nbody") or ():
            if file.name == "hornbeam" and os.access(file.locate(), os.X_OK):
                return Path(file.locate()).resolve()
    except metadata.PackageNotFoundError:
        pass
    build = Path(__file__).absolute().parents[2] / "hornbeam"
    for path in (build, Path(sysconfig.get_path("scripts")) / "hornbeam"):
        if path.is_file() and os.access(path, os.X_OK):
            return path
    sys.exit("hornbeam: error: hornbeam: the command is not installed beside the module (pip install hornbeam-nbody)")


def main() -> None:
    path = str(program())
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
