# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/tutorials, as test_docs.py runs those of other pages."""

import re

import numpy as np
import pytest

import hornbeam as hb
from pages import ROOT, run  # noqa: F401: a fixture


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
    "galaxy-in-kpc": lambda names, folder: (
        names["told"]["totals"]["largest_error"] < 0.05 and 200 < names["curve"]["circular_velocity"][-5:].mean() < 330
        and 55 < names["halo"]["m200c"] < 67 and names["bar"]["noise"] > 0),
    "satellite": lambda names, folder: (
        abs(names["rigid"][1][0] - 40) < 1 and abs(names["live"][1][0] - 40) < 4 and names["rigid"][1][-1] < 40
        and 1.5 < names["live"][2][0] < 2.05),
    "rings": lambda names, folder: (
        names["told"]["totals"]["particles"] == 1441 and names["table"]["collisions"][-1] > 1000
        and 0 < names["table"]["vertical_dispersion"][-1] < names["table"]["radial_dispersion"][-1] < 2e-3),
    "gas": lambda names, folder: (
        names["exact"]["density_error"] < 0.0135 and 1.1 < names["blast"].density.max() < 2
        and small(names["last"].total / names["first"].total - 1) and names["last"].thermal > 0),
    "periodic": lambda names, folder: (
        abs(names["rate"] / names["gamma"] - 1) < 0.06 and len(names["densest"]) == 2
        and names["told"]["totals"]["particles"] == 686),
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
