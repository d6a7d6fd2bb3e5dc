# SPDX-License-Identifier: Apache-2.0
"""hb.run() that is resumed: started where no run is, and left alone where it has finished."""

import pytest

import hornbeam as hb

OPTIONS = {"model": "plummer", "n": 64, "seed": 1, "dt": 0.125, "eps": 0.1, "threads": 1, "backend": "cpu"}


def test_resume_or_start(tmp_path):
    folder = {"directory": str(tmp_path / "out"), "every": 0.25}
    first = hb.run(**OPTIONS, end=0.25, output=folder, resume_or_start=True)
    assert first["totals"]["finished"] and first["totals"]["steps"] == 2
    assert hb.run(**OPTIONS, end=0.5, output=folder, resume_or_start=True)["totals"]["steps"] == 4
    state = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()}
    said = []
    again = hb.run(**OPTIONS, end=0.5, output=folder, resume=True, tell=lambda kind, what: said.append((kind, what)))
    assert again["totals"]["steps"] == 4 and [kind for kind, _ in said] == ["note"] and "nothing is left" in said[0][1]
    assert {path.name: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()} == state
    with pytest.raises(hb.UsageError, match="resume_or_start: cannot be combined with overwrite"):
        hb.run(**OPTIONS, end=0.5, output=folder, resume_or_start=True, overwrite=True)
