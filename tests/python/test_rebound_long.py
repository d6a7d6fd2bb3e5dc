# SPDX-License-Identifier: Apache-2.0
"""Rings that REBOUND began go on alike in REBOUND and here: the same statistics, within their scatter from seed to seed."""

import sys
from pathlib import Path

import numpy as np
import pytest

import hornbeam as hb
import hornbeam.rebound

rebound = pytest.importorskip("rebound", reason="rebound is not installed: rings taken over from it are not compared")
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
import rebound_sheet  # noqa: E402

ORBIT = rebound_sheet.ORBIT
MEASURES = ("radial_dispersion", "azimuthal_dispersion", "vertical_dispersion", "filling_factor", "optical_depth",
            "collisions")
# Spheres of 1 m of tau = 0.5 that only collide; and REBOUND's example of Saturn's rings in half its box.
SETS = {"collisions": ({"edge": 60, "surface_density": 0.5 * 4 / 3 * 400, "radius_max": 1.0001, "law": "constant",
                        "height": 3, "ghosts": 1, "self_gravity": False, "eps": 0}, {"law": "constant"}),
        "wakes": ({"edge": 100, "minimum_velocity": 1e-3 * rebound_sheet.OMEGA},
                  {"law": "power", "scale": 0.32, "speed": 0.01, "exponent": -0.234})}
SEEDS, BEFORE, AFTER = (1, 2, 3, 4), 3.0, 3.0  # orbits


def state(snapshot, sheet):
    found = hb.analysis.ring(snapshot, boundary=sheet)
    return [found[name] for name in MEASURES[:-1]]


def theirs_goes_on(sim, sheet):
    rows, before, began = [], sim.collisions_log_n, sim.t
    for k in range(1, 31):
        sim.integrate(began + AFTER * ORBIT * k / 30, exact_finish_time=0)
        mass, radius, place, velocity = rebound_sheet.arrays(sim)
        rows.append(state(hb.Snapshot(place, velocity, mass, radius=radius, units="si", time=sim.t), sheet))
    return [*np.mean(rows, axis=0), (sim.collisions_log_n - before) / sim.N / AFTER]


def ours_goes_on(sim, sheet):
    rows, began = [], sim.time
    sim.run(began + AFTER * ORBIT, lambda s: rows.append(state(s, sheet)), every=AFTER * ORBIT / 30)
    return [*np.mean(rows, axis=0), sim.collisions / len(sim) / AFTER]


@pytest.mark.filterwarnings("ignore:gravity presses", "ignore:the integrator")
@pytest.mark.parametrize("name", SETS)
def test_a_ring_keeps_its_statistics(name):
    changes, law = SETS[name]
    theirs, ours = [], []
    for seed in SEEDS:
        sim = rebound_sheet.sheet(**changes, seed=seed)
        rebound_sheet.fill(sim, **changes, seed=seed)
        sim.integrate(BEFORE * ORBIT, exact_finish_time=0)
        taken = hb.rebound.from_rebound(sim, collisions=law)
        told = taken.options["boundary"]
        sheet = {key: told[key] for key in ("size", "n_ghost_x", "n_ghost_y", "omega")}
        assert len(taken) == sim.N and taken.time == sim.t
        theirs.append(theirs_goes_on(sim, sheet))
        ours.append(ours_goes_on(taken, sheet))
    theirs, ours = np.array(theirs), np.array(ours)
    off = np.mean(ours - theirs, axis=0) / np.mean(theirs, axis=0)
    scatter = np.std(ours - theirs, axis=0, ddof=1) / np.mean(theirs, axis=0) / len(SEEDS) ** 0.5
    print(f"\nREBOUND {rebound.__version__}, {name}: {sim.N} bodies, {len(SEEDS)} seeds")
    for row in zip(MEASURES, theirs.mean(0), ours.mean(0), off, scatter):
        print("  {:22} REBOUND {:.4g}, Hornbeam {:.4g}: {:+.1%}, scatter of the mean {:.1%}".format(*row))
    # four seeds tell their scatter to half of it only, so three of it and at least a half per cent are allowed
    assert (np.abs(off) < 3 * scatter + 0.005).all(), dict(zip(MEASURES, zip(off, scatter)))
