#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the examples of pages, the blocks of Python and of sh of each one after the other, as a reader would type them.

    PYTHONPATH=build/python python3 tools/run_page.py docs/tutorials/rings.md -o output/rings

`<!-- tests: n=20_000 -> n=500; end=40 -> end=1 -->` on the line above a block says how the tests (and --small) shorten it.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
_BLOCK = re.compile(r"(?:^<!-- tests: (?P<short>[^\n]*) -->\n)?^```(?P<language>python|sh)\n(?P<code>.*?)^```$", re.M | re.S)


class Block(NamedTuple):
    language: str
    code: str
    small: str  # as the tests run it
    line: int  # of the page, on which the code begins


def _shortened(code, rules, where):
    for rule in filter(None, (rules or "").split("; ")):
        before, arrow, after = rule.partition(" -> ")
        if not arrow or before not in code:
            raise ValueError(f"{where}: the block has no {before!r} to shorten (write BEFORE -> AFTER)")
        code = code.replace(before, after)
    return code


def blocks(page):
    """The blocks of a page that are run."""
    text = Path(page).read_text(encoding="utf-8")
    for found in _BLOCK.finditer(text):
        line = text.count("\n", 0, found.start("code")) + 1
        yield Block(found["language"], found["code"], _shortened(found["code"], found["short"], f"{page}:{line}"), line)


def run(page, folder, small=False, program=ROOT / "build" / "hornbeam"):
    """Runs them in a folder; returns the names that the Python of the page has made."""
    names, before, path = {"__name__": "__main__"}, Path.cwd(), os.environ["PATH"]
    os.environ["PATH"] = f"{Path(program).absolute().parent}{os.pathsep}{path}"
    os.chdir(folder)
    try:
        for block in blocks(page):
            code = block.small if small else block.code
            if block.language == "sh":
                subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", code], check=True)
            else:
                exec(compile("\n" * (block.line - 1) + code, str(page), "exec"), names)
    finally:
        os.chdir(before)
        os.environ["PATH"] = path
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("-o", dest="folder", type=Path, required=True, help="where they run, and what they write stays")
    parser.add_argument("--small", action="store_true", help="shortened, as the tests run them")
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "hornbeam", help="(default: build/hornbeam)")
    given = parser.parse_args()
    os.environ.setdefault("MPLBACKEND", "Agg")
    given.folder.mkdir(parents=True, exist_ok=True)
    for page in given.pages:
        run(page.resolve(), given.folder, given.small, given.program)


if __name__ == "__main__":
    sys.exit(main())
