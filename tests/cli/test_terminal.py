# SPDX-License-Identifier: Apache-2.0
"""What a run shows on terminals of any width: every number whole, every line on one row."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

import pytest

NUMBER = r"-?\d+(\.\d+)?(e[+-]\d+)?"
FIELD = re.compile(rf"\[[#.]{{8}}\]|\d+ %|t = {NUMBER} of {NUMBER}|step \d+|{NUMBER} steps/s|ETA (\d+:)?\d+:\d\d"
                   rf"|dE/E = -?\d\.\d\de[+-]\d+|snapshot \d+")


def shown_by(hornbeam, columns, *arguments):
    """What the command writes to a terminal of that many columns."""
    own, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen([hornbeam.program, *arguments], cwd=hornbeam.folder, stdin=subprocess.DEVNULL, stdout=theirs,
                          stderr=subprocess.STDOUT) as process:
        os.close(theirs)
        text = b""
        while True:
            try:
                part = os.read(own, 65536)
            except OSError:  # the other side is closed
                break
            text += part
            if not part:
                break
    os.close(own)
    assert process.returncode == 0, text
    return text.decode()


@pytest.mark.parametrize("columns", [1, 18, 40, 61, 80, 200])
def test_lines_fit_and_no_number_is_cut(hornbeam, config, columns):
    # numbers of many digits; 6,000 steps take some 0.3 s, and the bar is drawn every 0.2 s
    steps = 12000 if columns == 200 else 6000
    file = config(n=100, dt=2**-16, end=steps / 2**16, every=steps / 3 / 2**16)
    shown = shown_by(hornbeam, columns, "run", file, "--threads", "1")
    drawn = re.split(r"\r\x1b\[K|\r\n|\r", shown[shown.index(" into out"):shown.index("finished")])[1:]
    for line in drawn:
        assert len(line) < columns, drawn
        assert line == "" or all(FIELD.fullmatch(field) for field in line.split("  ") if field), line
    assert columns < 20 or len([line for line in drawn if line.startswith("snapshot")]) == 4, drawn
    if columns == 200:
        assert any(line.startswith("[") and "steps/s" in line and "ETA" in line and "dE/E" in line for line in drawn)


@pytest.mark.parametrize("columns", [40, 80, 130])
@pytest.mark.parametrize("command", [[], ["run"], ["analyze"], ["ic"], ["ic", "galaxy"]])
def test_help_fits(hornbeam, columns, command):
    """Lines break between words, texts go on below where they began, and the words are those that a pipe gets."""
    shown = shown_by(hornbeam, columns, *command, "--help").replace("\r\n", "\n")
    lines = shown.split("\n")
    assert all(len(line) < columns or " " not in line.strip() for line in lines), [line for line in lines if len(line) >= columns]
    whole = hornbeam.ok(*command, "--help")
    assert shown.split() == whole.split()
    if columns == 80 and command == ["analyze"]:
        at = next(k for k, line in enumerate(lines) if line.startswith("  --bar "))
        assert lines[at][30] != " " and lines[at + 1].startswith(" " * 30) and lines[at + 1][30] != " "
