# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/python.md and README.md, one after the other, as a reader would type them; long ones shortened as
the page itself says (tools/run_page.py). Tutorials: test_tutorials.py."""

import os

import pytest

import hornbeam as hb
from pages import ROOT, run, run_page  # noqa: F401: a fixture

PYTHON = ROOT / "docs" / "python.md"


def test_the_examples_of_python_run(run, capsys):
    assert len([*run_page.blocks(PYTHON)]) >= 5
    run(PYTHON)
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in said[:2]] == ["0.125", "0.25"]
    first, last = (float(line.split()[1]) for line in said[:2])
    assert abs(last / first - 1) < 1e-3 and said[2].startswith("kpc km/s 43")
    assert len(hb.read("sphere.hdf5")) == 10_000


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
