# SPDX-License-Identifier: Apache-2.0
"""Attacks one after the other in one process, which loads what they share once: several.py FOLDER PROGRAM NAME=COUNT,SEED...

FOLDER gets NAME.status and NAME.out of each; it goes on where one fails."""

import contextlib
import runpy
import sys
import traceback
from pathlib import Path

HERE = Path(__file__).resolve().parent


def attacked(name, arguments, out):
    """The exit status of one attack, whose output goes to a file."""
    sys.argv = [str(HERE / f"{name}.py"), *arguments]
    with open(out, "w") as file, contextlib.redirect_stdout(file), contextlib.redirect_stderr(file):
        try:
            runpy.run_path(sys.argv[0], run_name="__main__")
        except SystemExit as end:
            return end.code
        except Exception:
            traceback.print_exc()
    return "broken"


def main(folder, program, *attacks):
    for attack in attacks:
        name, numbers = attack.split("=")
        count, seed = numbers.split(",")
        status = attacked(name, ["--program", program, "--count", count, "--seed", seed, "--keep", f"{folder}/{name}"],
                          f"{folder}/{name}.out")
        Path(folder, f"{name}.status").write_text(f"{status}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
