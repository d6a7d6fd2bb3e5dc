# SPDX-License-Identifier: Apache-2.0
"""Pages of the documentation that run, in folders of their own."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import run_page  # noqa: E402


@pytest.fixture
def run(tmp_path, monkeypatch, program):
    """Runs a page in a folder of its own; there is no ffmpeg, and figures are saved before matplotlib arranges their axes,
    which takes as long as drawing them."""
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.setattr("matplotlib.layout_engine.ConstrainedLayoutEngine.execute", lambda engine, figure: None)
    for path in ("ffmpeg", "imageio_ffmpeg"):
        monkeypatch.setitem(sys.modules, path, None)
    monkeypatch.chdir(tmp_path)
    return lambda page: run_page.run(page, tmp_path, small=True, program=program)
