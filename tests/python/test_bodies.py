# SPDX-License-Identifier: Apache-2.0
"""Simulations of bodies that collide, merge, halt or leave: events, and centres that coincide."""

import warnings

import numpy as np
import pytest

import hornbeam as hb
from backends import BACKENDS

pytestmark = pytest.mark.usefixtures("open_device")


def test_a_run_that_halts_halts_with_a_callback_too():
    ends = []
    for options in ({}, {"callback": ends.append}, {"callback": ends.append, "every": 0.5}):
        pair = hb.Simulation(hb.Snapshot([[-1, 0, 0], [1, 0, 0]], [[1, 0, 0], [-1, 0, 0]], 1e-3, radius=0.1), dt=0.02,
                             eps=0, collisions={"law": "halt"})
        pair.run(3.0, **options)
        assert pair.halted == [(0, 1)] and pair.steps == 45
    assert len(ends) == 45 + 2  # at 0.5 and where they met


def test_all_pairs_halt_a_run_and_each_once():
    position, velocity = np.zeros((6, 3)), np.zeros((6, 3))
    position[:, 0], velocity[:, 0] = [0, 1, 100, 101, 200, 201], [1, -1] * 3
    sim = hb.Simulation(hb.Snapshot(position, velocity, np.full(6, 1e-12), radius=np.full(6, 0.01)), dt=0.07, eps=0,
                        collisions={"law": "halt", "detection": "swept"})
    sim.step(100)
    assert sim.halted == [(0, 1), (2, 3), (4, 5)] and sim.steps == 7 and sim.collisions == 3
    sim.position[0, 1] += 1e-4  # what is written to begins with the same pairs in contact
    sim.run(3.0)
    assert sim.halted == [] and sim.time >= 3.0 and sim.collisions == 3


def _merging():
    """A cloud of bodies that merge, and of which some leave the box."""
    return hb.Simulation(ic={"model": "uniform-sphere", "n": 300, "omega": 0.6, "body_radius": 0.03, "virial": 0.3}, dt=0.01,
                         gravity={"eps": 0.002}, threads=1, collisions={"law": "merge"},
                         boundary={"kind": "open", "size": [2.4, 2.4, 2.4]})


def test_events_account_for_every_body_and_go_with_checkpoints(tmp_path):
    sim = _merging()
    start = dict(zip(sim.id.tolist(), sim.mass.tolist()))
    sim.run(0.8)
    sim.checkpoint(tmp_path / "c.hdf5")
    resumed = hb.Simulation.resume(tmp_path / "c.hdf5")
    assert len(sim.events) > 20 and (resumed.events == sim.events).all()
    sim.run(1.2)
    resumed.run(1.2)
    events = sim.events
    assert (resumed.events == events).all() and (sim.copy().events == events).all()
    assert events.dtype.names == ("time", "step", "kind", "id_1", "id_2", "mass_1", "mass_2", "speed", "angle", "contact_time")
    assert set(events["kind"]) == {"merged", "left"} and (np.diff(events["step"].astype(int)) >= 0).all()
    assert (events["kind"] == "merged").sum() == sim.collisions
    gone = set(events["id_2"].tolist())
    assert len(gone) == len(events) and set(sim.id.tolist()) == start.keys() - gone
    left = events["mass_1"][events["kind"] == "left"].sum()
    assert sim.mass.sum() + left == pytest.approx(sum(start.values()), rel=1e-12)


def test_events_are_the_rows_of_events_csv(tmp_path):
    options = dict(ic={"model": "uniform-sphere", "n": 200, "omega": 0.6, "body_radius": 0.08}, dt=1 / 64,
                   gravity={"eps": 0.01}, threads=1,
                   collisions={"law": "constant", "restitution": 0.8, "record_above": 0.2})
    sim = hb.Simulation(**options)
    sim.run(0.5)
    hb.run(**options, end=0.5, output={"directory": str(tmp_path / "out")})
    table = np.genfromtxt(tmp_path / "out" / "events.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
    assert 0 < len(table) < sim.collisions and (sim.events["speed"] > 0.2).all()
    for name in sim.events.dtype.names:
        assert (sim.events[name] == table["angle_deg" if name == "angle" else name]).all(), name


def test_momentum_flux_is_that_of_the_table(tmp_path):
    options = dict(ic={"model": "ring", "surface_density": 300, "particle_density": 400, "radius_min": 1, "radius_max": 2},
                   units="si", dt=48.0, threads=1, boundary={"kind": "shear", "size": [40, 40, 0], "omega": 1.3143527e-4, "self_gravity": False},
                   collisions={"law": "constant", "restitution": 0.5})
    sim = hb.Simulation(**options)
    assert sim.momentum_flux == 0
    sim.run(48 * 300)
    hb.run(**options, end=48 * 300, output={"directory": str(tmp_path / "out"), "ring_every": 48 * 100})
    last = (tmp_path / "out" / "ring.csv").read_text().splitlines()[-1].split(",")
    assert sim.collisions == int(last[-2]) > 100 and sim.momentum_flux == float(last[-1]) > 0


def test_losing_what_holds_the_system_is_a_warning_and_losing_all_ends_the_run():
    position, velocity = [[4.9, 0, 0], [1, 0, 0]], [[1, 0, 0], [0, 20, 0]]
    sim = hb.Simulation(hb.Snapshot(position, velocity, [1000, 1e-3], id=[7, 8]), dt=1 / 64, eps=0.1,
                        boundary={"kind": "open", "size": [10, 10, 10], "self_gravity": False})
    with pytest.warns(hb.HornbeamWarning, match=r"particle 7 \(id\) has left the box at t = 0.109375 with 100 % of the mass"):
        sim.run(0.125)
    with pytest.warns(hb.HornbeamWarning, match="no particle is left at t = 0.265625: the run ends"):
        sim.run(2.0)
    assert len(sim) == 0 and sim.time == 0.265625 and sim.events["id_1"].tolist() == [7, 8]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sim.run(2.0)
        sim.step(3)
    assert sim.time == 0.265625


@pytest.mark.filterwarnings("ignore:gravity presses")
@pytest.mark.parametrize("precision", ["mixed", "double"])
@pytest.mark.parametrize("law", ["constant", "merge"])
def test_centres_that_coincide_without_softening_do_not_stop_a_run(law, precision):
    """Three equal elastic balls in a row: with steps of 2 a bounce puts the second one onto the first, less a rounding."""
    position, velocity = [[0, 0, 0], [3, 0, 0], [7, 0, 0]], [[0, 0, 0], [0, 0, 0], [-1, 0, 0]]
    options = {"restitution": 1} if law == "constant" else {}
    for dt in (10, 2, 1, 0.5, 0.1):
        sim = hb.Simulation(hb.Snapshot(position, velocity, [1e-17] * 3, radius=0.5), dt=dt, eps=0, precision=precision,
                            collisions={"law": law, "detection": "swept", **options})
        sim.run(10)
        if law == "merge":
            assert (sim.mass * sim.velocity[:, 0]).sum() == pytest.approx(-1e-17, rel=1e-6)  # an impulse, however many
        elif dt < 10:  # in one step, the second one passes through the first
            assert sim.position[:, 0] == pytest.approx([-5, 1, 4], abs=1e-6) and sim.collisions == 2
            assert sim.velocity[:, 0] == pytest.approx([-1, 0, 0], abs=1e-6)  # gravity of 1e-17


@pytest.mark.filterwarnings("ignore:gravity presses")
def test_a_close_passage_of_small_bodies_is_left_alone():
    """Nothing that gravity of bodies outside of one another does is taken for centres that coincide."""
    pair = hb.Snapshot([[-0.5, 0, 0], [0.5, 1e-7, 0]], [[0, 0, 0], [0, 0, 0]], [1, 1e-6], radius=[1e-3, 1e-5])
    one = hb.Simulation(pair, dt=1e-3, eps=0, precision="double", theta=0.1, collisions={"law": "constant"})
    two = hb.Simulation(pair, dt=1e-3, eps=0, precision="double", walk="group", theta=0.1)
    one.run(1.1)
    two.run(1.1)
    assert 0.01 < two.position[1, 0] - two.position[0, 0] < 0.1  # small beside 0.5, large beside the radii
    assert one.collisions == 0 and (one.position == two.position).all() and (one.velocity == two.velocity).all()


@pytest.mark.parametrize("dt", [1 / 1024, 1 / 64, 1 / 4])
@pytest.mark.parametrize("backend", BACKENDS)
def test_pairs_that_come_to_coincide_name_no_others(backend, dt):
    """Unsoftened bodies meet pair by pair, 100 apart, at t = 0.25 in one place each; each step ends there for one dt."""
    x, v = np.zeros((7, 3)), np.zeros((7, 3))
    x[:, 0], v[:, 0] = [-101, -100, -0.5, 0.5, 100, 101, 104], [2, -2, 2, -2, 2, -2, -4]
    sim = hb.Simulation(hb.Snapshot(x, v, np.full(7, 1e-8), radius=np.full(7, 1e-4)), dt=dt, eps=0, backend=backend,
                        collisions={"law": "halt", "detection": "swept"})
    sim.run(1.0)
    assert sim.halted == [(0, 1), (2, 3), (4, 5)] and sim.time == 0.25
    sim.run(1.0)  # 4 and 6 are 2.5 apart then, and approach at 6
    assert sim.halted == [(4, 6)] and 2 / 3 <= sim.time < 2 / 3 + dt


IN_ONE_PLACE = [([[-1, 0, 0], [1, 0, 0]], [[1, 0, 0], [-1, 0, 0]])]  # at the end of the step, if nothing else attracts them
BESIDE = [([[-0.05, 0, 0], [0.05, 0, 0]], [[0, 0, 0], [0, 0, 0]]),
          ([[-0.05, -1, 0], [0.05, 0, 0]], [[0, 1, 0], [0, 0, 0]]),  # side by side at the end of the step
          ([[-0.05, 0, 0], [0.05, 0, 0]], [[-0.01, 0, 0], [0.01, 0, 0]])]  # they part


@pytest.mark.parametrize("pairs, collide", [(IN_ONE_PLACE, [(0, 1)]), (BESIDE, [(0, 1), (2, 3)])], ids=["in one place", "beside"])
@pytest.mark.parametrize("law", ["merge", "halt"])
@pytest.mark.parametrize("backend", BACKENDS)
def test_bodies_that_overlap_and_do_not_part_collide(backend, law, pairs, collide):
    """As in REBOUND: also those at rest beside one another, which no longer approach. Pairs are 100 apart."""
    x, v = (np.concatenate([pair[k] for pair in pairs]).astype(float) for k in (0, 1))
    x[:, 1] += 100 * np.repeat(np.arange(len(pairs)), 2)
    sim = hb.Simulation(hb.Snapshot(x, v, np.full(len(x), 1e-17), radius=0.1), dt=1, eps=0, backend=backend,
                        collisions={"law": law})
    sim.step()
    if law == "halt":
        assert sim.halted == collide
    else:
        assert set(sim.id.tolist()) == set(range(len(x))) - {second for _, second in collide}
