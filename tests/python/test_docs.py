# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/python.md, README.md and docs/tutorials, one after the other, as a reader would type them; long ones
shortened as the page itself says (tools/run_page.py)."""

import os
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import hornbeam as hb

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import run_page  # noqa: E402

PYTHON = ROOT / "docs" / "python.md"


@pytest.fixture
def run(tmp_path, monkeypatch, program):
    """Runs a page in a folder of its own; there is no ffmpeg."""
    pytest.importorskip("matplotlib").use("Agg")
    for path in ("ffmpeg", "imageio_ffmpeg"):
        monkeypatch.setitem(sys.modules, path, None)
    monkeypatch.chdir(tmp_path)
    return lambda page: run_page.run(page, tmp_path, small=True, program=program)


def test_the_examples_of_python_run(run, capsys):
    assert len([*run_page.blocks(PYTHON)]) >= 5
    run(PYTHON)
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in said[:2]] == ["0.125", "0.25"]
    first, last = (float(line.split()[1]) for line in said[:2])
    assert abs(last / first - 1) < 1e-3 and said[2].startswith("kpc km/s 43")
    assert len(hb.read("sphere.hdf5")) == 10_000


def small(name):
    return abs(name) < 1e-2


# What a page must have come to: its names, and the folder it ran in. Shortened runs are coarse, which tolerances allow for.
CHECKS = {
    "first-simulation": lambda names, folder: (
        len(names["sim"]) == 1000 and names["sim"].time == 1 and len(hb.read("cluster/snapshot_0002.hdf5")) == 500
        and small(names["trial"].energy().total / names["before"] - 1)),
    "galaxy-collision": lambda names, folder: (
        names["told"]["totals"]["largest_error"] < 0.1 and 5 < names["distance"][0] < 12
        and names["distance"][-1] < names["distance"][0] and (folder / "collision_sheet.png").exists()),
    "rings": lambda names, folder: (
        names["told"]["totals"]["particles"] == 1441 and names["table"]["collisions"][-1] > 1000
        and 0 < names["table"]["c_z"][-1] < names["table"]["c_x"][-1] < 2e-3),
    "gas": lambda names, folder: (
        names["exact"]["density_error"] < 0.0135 and 1.1 < names["blast"].density.max() < 2
        and small(names["last"].total / names["first"].total - 1) and names["last"].thermal > 0),
    "forces": lambda names, folder: (
        names["middle"][0] < 1e-4 and names["tail"][3] < 3e-3 and np.abs(names["drift"]).max() < 1e-2
        and 0.9 < np.sqrt(names["radius"] * names["inwards"])[3] < 1.3 and 0.05 < names["density"].max() < 0.3),
    "gpu": lambda names, folder: (
        names["sim"].backend in ("cpu", "cuda") and len(names["seconds"]) == 2
        and np.abs(names["here"] - names["cpu"]).max() < 0.05 * np.abs(names["exact"]).max()),
}


def test_each_tutorial_has_its_check():
    assert {page.stem for page in (ROOT / "docs" / "tutorials").glob("*.md")} == set(CHECKS)


@pytest.mark.parametrize("tutorial", CHECKS)
@pytest.mark.filterwarnings("ignore::hornbeam.HornbeamWarning")  # of coarse runs, and movies that become sheets
def test_tutorials(run, tutorial, tmp_path):
    page = ROOT / "docs" / "tutorials" / f"{tutorial}.md"
    assert CHECKS[tutorial](run(page), tmp_path)
    drawn = re.findall(r"!\[[^]]*\]\(([\w-]+\.png)\)", page.read_text(encoding="utf-8"))
    assert drawn and all((tmp_path / name).exists() for name in drawn), drawn  # by the page's own code
    assert all((page.parent / name).stat().st_size < 300_000 for name in drawn)


@pytest.mark.filterwarnings("ignore::hornbeam.HornbeamWarning")
def test_the_first_screen_of_the_readme(run, tmp_path, capsys):
    """Five lines simulate, ten draw a movie of two galaxies, as README.md promises."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    first, collision = run_page.blocks(ROOT / "README.md")
    assert len(code_lines(first)) <= 5 and len(code_lines(collision)) <= 10
    assert collision.line + len(collision.code.splitlines()) < 60, lines[60]
    run(ROOT / "README.md")
    assert len(hb.read("sphere.hdf5")) == 10_000
    assert (tmp_path / "collision_sheet.png").exists() and "collision_sheet.png" in capsys.readouterr().out


def code_lines(block):
    return [line for line in block.code.splitlines() if line]


def test_a_first_simulation_is_five_lines():
    first = next(run_page.blocks(PYTHON))
    assert len(code_lines(first)) <= 5


def test_what_a_page_says_of_its_shortening_is_in_the_block(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- tests: 100 -> 3 -->\n```python\nn = 100\n```\n\n```sh\necho $n > said\n```\n\n```\nno block\n```\n")
    assert [(b.language, b.code, b.small, b.line) for b in run_page.blocks(page)] == [
        ("python", "n = 100\n", "n = 3\n", 3), ("sh", "echo $n > said\n", "echo $n > said\n", 7)]
    page.write_text("<!-- tests: 200 -> 3 -->\n```python\nn = 100\n```\n")
    with pytest.raises(ValueError, match="page.md:3: the block has no '200'"):
        list(run_page.blocks(page))


@pytest.mark.parametrize("code, error", [("```sh\nfalse; echo on\n```\n", "non-zero exit status"),
                                         ("\n```python\n1 / 0\n```\n", "division by zero")])
def test_a_block_that_fails_fails_its_page(tmp_path, code, error):
    page = tmp_path / "page.md"
    page.write_text(code)
    path = os.environ["PATH"]
    with pytest.raises(Exception, match=error):
        run_page.run(page, tmp_path)
    assert os.environ["PATH"] == path


def test_every_name_has_a_docstring():
    for name in hb.__all__:
        assert name.startswith("__") or getattr(hb, name).__doc__, name
    for name in ("position", "velocity", "density"):
        assert "(N" in getattr(hb.Snapshot, name).__doc__
