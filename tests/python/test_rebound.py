# SPDX-License-Identifier: Apache-2.0
"""REBOUND's simulations taken over: both go on alike."""

import warnings
from pathlib import Path

import numpy as np
import pytest

import hornbeam as hb
import hornbeam.rebound

rebound = pytest.importorskip("rebound", reason="rebound is not installed")


def test_planets_go_on_alike():
    sim = rebound.Simulation()
    sim.add(m=1)
    sim.add(m=1e-3, a=1)
    sim.add(m=1e-4, a=2.5, e=0.1)
    sim.add(a=4)  # a test particle
    sim.move_to_com()
    sim.integrator, sim.dt = "leapfrog", 1e-3
    sim.integrate(1.0)
    ours = hb.rebound.from_rebound(sim)
    assert ours.time == pytest.approx(1.0) and len(ours) == 4
    sim.integrate(3.0)
    ours.run(3.0 - 1e-9)
    theirs = np.array([p.xyz for p in sim.particles])
    assert np.abs(ours.at(3.0).position - theirs).max() < 1e-6  # leapfrogs of 1e-3, one drifts first
    assert ours.options["gravity"]["walk"] == "direct" and ours.options["device"]["precision"] == "double"


def test_units_are_those_of_g():
    for names, G in ((("m", "s", "kg"), 6.67e-11), (("AU", "yr", "Msun"), 39.47)):
        sim = rebound.Simulation()
        sim.units = names
        sim.integrator = "leapfrog"
        sim.add(m=1)
        sim.add(m=1, a=1.0)
        assert hb.rebound.from_rebound(sim).G == pytest.approx(G, rel=2e-3)
    sim = rebound.Simulation()
    sim.integrator, sim.G = "leapfrog", 7.0
    sim.add(m=1)
    with pytest.raises(hb.UsageError, match="G: received 7"):
        hb.rebound.from_rebound(sim)


@pytest.mark.parametrize("G", [4 * np.pi**2, 43007.1, 6.67408e-11, 1.0])
def test_g_is_exactly_theirs_and_orbits_stay(G):
    sim = rebound.Simulation()
    sim.G, sim.integrator = G, "leapfrog"
    sim.add(m=1)
    sim.add(m=1e-3, a=1, e=0.1)
    sim.move_to_com()
    period = 2 * np.pi / (G * 1.001)**0.5
    sim.dt = period / 1000
    ours = hb.rebound.from_rebound(sim)
    assert ours.G == pytest.approx(G, rel=1e-15) and ours.mass.tolist() == [1, 1e-3]
    ours.run(20 * period)
    sim.steps(20000)
    difference = np.abs(ours.at(20 * period).position - [p.xyz for p in sim.particles]).max()
    assert sim.t == pytest.approx(20 * period) and difference < 1e-3  # 2e-3 where G is off by 4e-5


@pytest.mark.filterwarnings("ignore:gravity presses")
def test_a_ring_goes_on_with_its_sheet():
    sim = rebound.Simulation()
    sim.integrator, sim.boundary, sim.gravity, sim.collision = "sei", "shear", "tree", "tree"
    sim.OMEGA, sim.dt, sim.softening = 1.0, 1e-3, 0.1
    sim.root_size, sim.N_root_x, sim.N_root_y, sim.N_root_z = 20.0, 2, 2, 1
    sim.N_ghost_x = sim.N_ghost_y = 2
    random = np.random.default_rng(3)
    for place in random.uniform(-20, 20, (200, 2)):
        sim.add(x=place[0], y=place[1], z=random.normal() * 0.1, vy=-1.5 * place[0], m=1e-4, r=0.2)
    with pytest.raises(hb.UsageError, match="collisions"):
        hb.rebound.from_rebound(sim)
    ring = hb.rebound.from_rebound(sim, collisions={"law": "constant", "restitution": 0.5})
    told = ring.options["boundary"]
    assert told["kind"] == "shear" and told["size"] == [40, 40, 0] and told["n_ghost_x"] == 2 and told["omega"] == 1
    ring.run(0.2)
    assert len(ring) == 200 and np.abs(ring.position[:, :2]).max() <= 20 + 1e-9 and (ring.radius == 0.2).all()


def test_what_cannot_be_taken_over():
    with pytest.raises(hb.UsageError, match="rebound.Simulation"):
        hb.rebound.from_rebound(3)
    sim = rebound.Simulation()
    sim.add(m=1)
    sim.add(m=1e-3, a=1)
    with pytest.warns(hb.HornbeamWarning, match="leapfrog"):
        hb.rebound.from_rebound(sim, dt=1e-2)
    sim.N_active, sim.testparticle_type, sim.N_ghost_x = 1, 1, 1
    with pytest.raises(hb.UsageError, match="N_active: received 1 of 2 with ghost boxes"):
        hb.rebound.from_rebound(sim)
    sim.N_ghost_x, sim.integrator = 0, "leapfrog"
    with pytest.raises(hb.UsageError, match="steps: received 'block', and test particles with masses need shared steps"):
        hb.rebound.from_rebound(sim, steps="block")
    sim.integrator.order = 42
    with pytest.raises(hb.UsageError, match="integrator.order: received 42"):
        hb.rebound.from_rebound(sim)
    sim.N_active, sim.testparticle_type, sim.integrator = -1, 0, "leapfrog"
    with pytest.raises(hb.UsageError, match="collisions: received 'merge'"):
        hb.rebound.from_rebound(sim, collisions="merge")
    for G in (0.0, -1.0):
        sim.G = G
        with pytest.raises(hb.UsageError, match="must be above 0"):
            hb.rebound.from_rebound(sim)


def test_what_stays_behind():
    sim = rebound.Simulation()
    sim.integrator = "leapfrog"
    sim.add(m=1)
    sim.add(m=1e-3, a=1)
    sim.add_variation()
    with pytest.warns(hb.HornbeamWarning, match="N_var of the simulation is ignored"):
        ours = hb.rebound.from_rebound(sim)
    assert len(ours) == 2 and ours.position[1] == pytest.approx([1, 0, 0]) and ours.mass.tolist() == [1, 1e-3]
    for name in ("additional_forces", "post_timestep_modifications"):
        sim = rebound.Simulation()
        sim.integrator = "leapfrog"
        sim.add(m=1)
        setattr(sim, name, lambda reference: None)
        with pytest.warns(hb.HornbeamWarning, match=f"{name} of the simulation is ignored"):
            hb.rebound.from_rebound(sim)


def test_the_example_of_the_page():
    page = (Path(__file__).resolve().parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
    code = page.split("## From REBOUND")[1].split("```")[1]
    names = {"hb": hb}
    exec(code, names)
    theirs, sim = names["theirs"], names["sim"]
    assert theirs.t == 0 and sim.time == pytest.approx(10)
    theirs.integrate(10, exact_finish_time=0)
    assert np.abs(sim.position - [p.xyz for p in theirs.particles]).max() < 1e-4


def test_what_is_set_and_not_taken_over_is_a_warning_each():
    """By REBOUND's list of members: numbers, functions and switches alike; a plain simulation is silent."""
    def taken_over(**members):
        sim = rebound.Simulation()
        sim.integrator, sim.dt = "leapfrog", 1e-3
        sim.add(m=1)
        sim.add(m=1e-3, x=1, vy=1)
        for name, value in members.items():
            setattr(sim, name, value)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            hb.rebound.from_rebound(sim)
        return [str(w.message) for w in said]

    assert taken_over() == []
    for members in (dict(exit_max_distance=50.0), dict(exit_min_distance=0.1), dict(heartbeat=lambda s: None),
                    dict(additional_forces=lambda s: None), dict(post_timestep_modifications=lambda s: None),
                    dict(gravity_ignore=1), dict(track_energy_offset=1), dict(opening_angle2=0.1)):
        name, = members
        said, = taken_over(**members)
        assert said.startswith(f"{name} of the simulation is ignored")
    for name, remedy in (("exit_max_distance", "callback"), ("exit_min_distance", "halt"), ("additional_forces", "add_force")):
        value = 50.0 if name.startswith("exit") else lambda s: None
        assert remedy in taken_over(**{name: value})[0]


def test_test_particles_with_masses_are_not_made_massless_in_collisions():
    sim = rebound.Simulation()
    sim.integrator, sim.dt, sim.collision = "leapfrog", 1e-3, "direct"
    sim.add(m=1)
    sim.add(m=8e-4, r=0.02, x=1, vy=1)
    sim.add(m=1e-4, r=0.01, x=1.03, vy=1, vx=-0.3)
    sim.N_active = 1
    with pytest.raises(hb.UsageError, match="N_active"):
        hb.rebound.from_rebound(sim, collisions={"law": "merge"})
    ours = hb.rebound.from_rebound(sim, collisions={"law": "constant", "restitution": 0.5})
    assert ours.mass.tolist() == [1, 8e-4, 1e-4]
    ours.run(0.1)
    assert ours.collisions == 1 and (ours.position[0] == 0).all()  # test particles of type 0 do not attract the star
    gained = ours.velocity - [[0, 0, 0], [0, 1, 0], [-0.3, 1, 0]]
    assert 8e-4 * gained[1, 0] + 1e-4 * gained[2, 0] == pytest.approx(-9e-5, rel=0.1)  # gravity of the star, 0.1 long
    with pytest.warns(hb.HornbeamWarning, match="masses of the 2 test particles are set to 0"):
        hb.rebound.from_rebound(sim, collisions={"law": "halt"})


def test_minimum_collision_velocity_is_a_rate():
    """Two bodies that rest on one another stay so at any size: REBOUND's number times the radius is the speed."""
    for radius in (1.0, 1000.0):
        sim = rebound.Simulation()
        sim.integrator, sim.dt, sim.collision, sim.G = "leapfrog", 10.0, "direct", 6.6743e-11
        sim.minimum_collision_velocity = 1e-3
        sim.add(m=4.19e3 * radius**3, r=radius, x=-1.001 * radius)
        sim.add(m=4.19e3 * radius**3, r=radius, x=1.001 * radius)
        ours = hb.rebound.from_rebound(sim, collisions={"law": "constant", "restitution": 0.5})
        assert ours.options["collisions"]["minimum_velocity"] == pytest.approx(1e-3 * radius)


@pytest.mark.parametrize("kind", [0, 1])
def test_both_types_of_test_particles_attract_what_they_should(kind):
    """Against sums over the pairs that REBOUND's manual names."""
    random = np.random.default_rng(2)
    position, mass, active, eps = random.normal(size=(40, 3)), random.uniform(1, 2, 40), 7, 0.1
    gravity = hb.rebound.TestParticleGravity(mass, active, G=2.0, eps=eps, kind=kind)
    ids = random.permutation(40)
    found, potential = gravity(0.0, position[ids], position[ids], ids), gravity.potential(0.0, position[ids], ids)
    pairs = [(i, j) for i in range(40) for j in range(40) if i != j and (j < active or kind == 1 and i < active)]
    wanted, energy = np.zeros((40, 3)), 0.0
    for i, j in pairs:
        d = position[j] - position[i]
        wanted[i] += 2.0 * mass[j] * d / (d @ d + eps**2)**1.5
        counts = i < active and j < active or kind == 1
        energy -= counts * 0.5 * 2.0 * mass[i] * mass[j] / (d @ d + eps**2)**0.5
    assert found == pytest.approx(wanted[ids], rel=1e-12)
    assert (mass[ids] * potential).sum() == pytest.approx(energy, rel=1e-12)


def test_massless_test_particles_are_masses_of_0():
    for kind in (0, 1):
        sim = rebound.Simulation()
        sim.integrator, sim.dt, sim.testparticle_type = "leapfrog", 1e-3, kind
        sim.add(m=1)
        sim.add(x=1, vy=1)
        sim.N_active = 1
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ours = hb.rebound.from_rebound(sim)
        assert ours.options["gravity"]["walk"] == "direct" and ours.mass.tolist() == [1, 0]


@pytest.mark.parametrize("kind", ["none", "open", "periodic", "shear"])
def test_gravity_none_goes_with_every_boundary_and_any_g(kind):
    sim = rebound.Simulation()
    sim.integrator, sim.gravity, sim.boundary, sim.G, sim.dt = "sei" if kind == "shear" else "leapfrog", "none", kind, 7.0, 0.25
    sim.root_size, sim.OMEGA = 10.0, 0.5
    sim.add(m=1, x=1, vx=0.25)
    sim.add(m=1, x=-1, vy=-0.5)
    ours = hb.rebound.from_rebound(sim)
    ours.run(2.0)
    sim.steps(8)
    assert ours.options["boundary"]["self_gravity"] is False
    assert ours.position == pytest.approx(np.array([p.xyz for p in sim.particles]), abs=1e-13)


def test_keys_of_the_boundary_join_those_of_the_simulation():
    sim = rebound.Simulation()
    sim.integrator, sim.boundary, sim.gravity, sim.OMEGA, sim.root_size, sim.dt = "sei", "shear", "none", 1.0, 10.0, 1e-3
    sim.add(m=1)
    told = hb.rebound.from_rebound(sim, boundary={"n_ghost_x": 2, "omega_z": 3.0}).options["boundary"]
    assert told == {"kind": "shear", "size": [10, 10, 0], "n_ghost_x": 2, "n_ghost_y": 0, "n_ghost_z": 0, "omega": 1.0,
                    "omega_z": 3.0, "self_gravity": False}
    told = hb.rebound.from_rebound(sim, boundary={"kind": "open", "size": [4, 4, 4]}).options["boundary"]
    assert told["kind"] == "open" and told["size"] == [4, 4, 4] and "omega" not in told


def test_functions_of_restitution_become_tables():
    sim = rebound.Simulation()
    sim.integrator, sim.collision, sim.gravity = "leapfrog", "direct", "none"
    sim.add(r=1, x=-3, vx=0.5)
    sim.add(r=1, x=3, vx=-0.5)
    assert hb.rebound.restitution_table(sim) == {"law": "constant", "restitution": 1.0}
    sim.coefficient_of_restitution = lambda _, v: 0.25
    told = hb.rebound.from_rebound(sim, collisions={"law": "table"}).options["collisions"]
    assert told["law"] == "constant" and told["restitution"] == 0.25
    sim.coefficient_of_restitution = lambda _, v: 0.9 / (1 + abs(v))
    found = hb.rebound.restitution_table(sim)
    speeds = np.geomspace(1e-3, 1e3, 1000)
    table = np.interp(speeds, found["speeds"], found["coefficients"])
    assert np.abs(table - 0.9 / (1 + speeds)).max() < 1e-4  # linear between 32 points a doubling
    sim.coefficient_of_restitution = lambda _, v: -1.0
    with pytest.raises(hb.UsageError, match="coefficient_of_restitution: returned -1"):
        hb.rebound.from_rebound(sim, collisions={"law": "table"})


def test_archives_and_a_resolve_of_your_own_are_those_of_the_page(tmp_path):
    sim = rebound.Simulation()
    sim.integrator, sim.gravity, sim.collision, sim.dt = "leapfrog", "none", "direct", 0.01
    sim.add(r=0.5, x=-3, vx=1)
    sim.add(r=0.5, x=3, vx=-1)
    sim.save_to_file(str(tmp_path / "archive.bin"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # REBOUND's, that functions are not in archives
        theirs = rebound.Simulationarchive(str(tmp_path / "archive.bin"))[-1]
    page = (Path(__file__).resolve().parents[2] / "docs" / "collisions.md").read_text(encoding="utf-8")
    code = page.split("## From REBOUND")[1].split("```python")[1].split("```")[0]
    names = {"hb": hb, "theirs": theirs}
    exec(code, names)
    ours = names["sim"]
    assert ours.collisions == 1 and ours.time == pytest.approx(10, abs=0.011)
    assert ours.velocity[:, 0].tolist() == [-0.5, 0.5]
    assert ours.position[1, 0] == pytest.approx(0.5 + 0.5 * 7.5, abs=0.03)  # they met at t = 2.5; steps of 0.01
