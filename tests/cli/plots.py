# SPDX-License-Identifier: Apache-2.0
"""Plots drawn in the Python of the tests: a Python for each would load matplotlib anew, longer than all else takes."""

import functools
import importlib.util
import json
import os
import runpy
import subprocess
import sys

import pytest

from conftest import ROOT

EXAMPLES = ROOT / "examples"
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def needs_matplotlib():
    pytest.importorskip("matplotlib", reason="no matplotlib here: plots are not drawn").use("Agg")


@functools.cache
def loaded_panels():
    spec = importlib.util.spec_from_file_location("panels", ROOT / "python" / "hornbeam" / "panels.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def panels():
    needs_matplotlib()
    yield loaded_panels()
    import matplotlib.pyplot as plt

    plt.close("all")


@pytest.fixture
def plot(hornbeam, program_elsewhere, panels):
    """Runs analyze --plot with a Python that keeps what it is handed; returns this and what is drawn of it here."""
    folder = hornbeam.folder / "bin"
    folder.mkdir()
    handed = hornbeam.folder / "handed.json"
    python = folder / "python3"
    python.write_text(f'#!/bin/sh\n[ "$1" = -c ] && cp "$3" "{handed}" && echo picture > "$4"\n')
    python.chmod(0o755)

    def run(*arguments, in_pixels=False):
        picture = hornbeam.folder / "a.png"
        done = subprocess.run([program_elsewhere, "analyze", *map(str, arguments), "--plot", picture.name], text=True,
                              cwd=hornbeam.folder, env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"},
                              capture_output=True)
        assert done.returncode == 0 and done.stderr == "" and "plot in a.png" in done.stdout, done.stderr
        assert picture.read_text() == "picture\n", "Python's becomes a.png"
        data = json.loads(handed.read_text())
        import matplotlib

        with matplotlib.rc_context({"axes.titley": 1.0}):  # a search for the place of titles is a third of the work
            figure = panels.sheet(data)
        if in_pixels:
            panels.main(handed, picture)
            check_pixels(picture.read_bytes(), figure)
        figure.set_layout_engine("none")  # which would be most of the work
        figure.draw_without_rendering()
        drawn = [axes for axes in figure.axes if axes.get_title()]
        named = {}
        for axes in drawn:  # "energy: relative error": the measure and its quantity; of pictures what they show
            measure, _, quantity = axes.get_title().partition(": ")
            is_measure = quantity and quantity == axes.get_ylabel().split(" [")[0]
            named[f"{measure if is_measure else axes.get_title()}|{axes.get_ylabel()}"] = axes
        return data, named

    return run


def check_pixels(png, figure):
    assert png.startswith(SIGNATURE)
    size = tuple(int.from_bytes(png[at:at + 4], "big") for at in (16, 20))
    assert size == tuple(round(120 * inches) for inches in figure.get_size_inches())


@pytest.fixture
def script(hornbeam, monkeypatch, capsys):
    """Runs a script of examples/ as Python would, and says how it ended. What is no error of its own ends the test."""
    monkeypatch.chdir(hornbeam.folder)
    monkeypatch.setenv("HORNBEAM", hornbeam.program)
    monkeypatch.syspath_prepend(EXAMPLES)

    def run(name, *arguments):
        needs_matplotlib()
        import matplotlib.pyplot as plt

        monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
        capsys.readouterr()
        status, said = 0, ""
        try:
            runpy.run_path(str(EXAMPLES / name), run_name="__main__")
        except SystemExit as end:
            status, said = (1, end.code) if isinstance(end.code, str) else (end.code or 0, "")
        plt.close("all")
        out, error = capsys.readouterr()
        return subprocess.CompletedProcess(name, status, out, error + said)

    return run
