# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/python.md, one after the other, as a reader would type them."""

import re
from pathlib import Path

import hornbeam as hb

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "python.md").read_text()


def test_the_examples_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    assert len(blocks) >= 5
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in said[:2]] == ["0.125", "0.25"]
    first, last = (float(line.split()[1]) for line in said[:2])
    assert abs(last / first - 1) < 1e-3 and said[2].startswith("kpc km/s 43")
    assert len(hb.read("sphere.hdf5")) == 10_000


def test_a_first_simulation_is_five_lines():
    first = re.search(r"## A first simulation\n\n```python\n(.*?)```", PAGE, re.S).group(1)
    assert len([line for line in first.splitlines() if line]) <= 5


def test_every_name_has_a_docstring():
    for name in hb.__all__:
        assert name.startswith("__") or getattr(hb, name).__doc__, name
    for name in ("position", "velocity", "density"):
        assert "(N" in getattr(hb.Snapshot, name).__doc__
