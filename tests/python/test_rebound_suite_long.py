# SPDX-License-Identifier: Apache-2.0
"""REBOUND's own tests with Hornbeam making the steps (rebound_driver.py), and both side by side. REBOUND is the one that
`make test-all` installs from PyPI; nothing of it is copied."""

import importlib
import math
import random
import unittest
import warnings

import numpy as np
import pytest

import hornbeam as hb
import hornbeam.rebound

rebound = pytest.importorskip("rebound", reason="rebound is not installed: its own tests are not run")
import rebound_driver  # noqa: E402

# The tests that are about what Hornbeam does, by REBOUND 5.2.2. The others are about other integrators than leapfrogs.
SUITE = {
    "test_collisions": ("TestLineTreeCollisions.test_linetree_find", "TestLineTreeCollisions.test_linetree_find_overlap1",
                        "TestLineTreeCollisions.test_linetree_find_overlap2", "TestLineTreeCollisions.test_linetree_miss",
                        "TestLineCollisions.test_line_find", "TestLineCollisions.test_line_find_overlap1",
                        "TestLineCollisions.test_line_find_overlap2", "TestLineCollisions.test_line_miss",
                        "TestCollisions.test_tree_remove_both", "TestCollisions.test_direct_remove_both",
                        "TestCollisions.test_tree_remove_one", "TestCollisions.test_direct_remove_one"),
    "test_boundary": ("TestBoundary.test_open", "TestBoundary.test_periodic", "TestBoundary.test_shear_vertical",
                      "TestBoundary.test_add_outside"),
    "test_gravity": ("TestGravity.test_testparticle_0", "TestGravity.test_testparticle_1",
                     "TestGravity.test_testparticle_comp_0", "TestGravity.test_testparticle_comp_1"),
    "test_shearingsheet": ("TestShearingSheet.test_saturnsrings",),
    "test_leapfrog": ("TestIntegrator.test_leapfrog_order_2", "TestIntegrator.test_leapfrog_order_4",
                      "TestIntegrator.test_leapfrog_order_6", "TestIntegrator.test_leapfrog_order_8",
                      "TestIntegrator.test_leapfrog_wrong_order"),
}
# What is another convention here, with the reason.
NAN = "it sets a body's position to NaN, which REBOUND takes for a contact and Hornbeam refuses"
OTHERWISE = {
    "test_line_find": NAN,
    "test_line_find_overlap1": NAN,
    "test_line_find_overlap2": NAN,
    "test_leapfrog_order_4": "the leapfrog here is of order 2: from_rebound() names the order that it leaves",
    "test_leapfrog_order_6": "the leapfrog here is of order 2: from_rebound() names the order that it leaves",
}


@pytest.mark.filterwarnings("ignore::hornbeam.HornbeamWarning", "ignore::RuntimeWarning")
@pytest.mark.parametrize("module, name", [(module, name) for module, names in SUITE.items() for name in names])
def test_rebounds_own(module, name):
    random.seed(5)
    group, test = name.split(".")
    if test in OTHERWISE:
        pytest.skip(OTHERWISE[test])
    found = importlib.import_module(f"rebound.tests.{module}")
    suite = unittest.TestSuite([getattr(found, group)(test)])
    with rebound_driver.driven():
        result = unittest.TextTestRunner(verbosity=0).run(suite)
    assert result.testsRun == 1 and result.wasSuccessful(), (rebound.__version__, result.failures + result.errors)


@pytest.mark.parametrize("order", [4, 6, 8])
def test_orders_of_leapfrogs_are_named(order):
    sim = rebound.Simulation()
    sim.integrator, sim.dt = "leapfrog", 1e-3
    sim.integrator.order = order
    sim.add(m=1)
    sim.add(m=1e-3, a=1)
    with pytest.warns(hb.HornbeamWarning, match=f"leapfrog of order 2 with steps of 0.001, and not one of order {order}"):
        hb.rebound.from_rebound(sim)


def arrays(sim):
    return (np.array([p.xyz for p in sim.particles]), np.array([p.vxyz for p in sim.particles]),
            np.array([p.m for p in sim.particles]))


def test_free_bodies_of_a_sheet_are_rebounds_to_rounding():
    """Both make the same exact motion, wraps and their shift of the velocity included, in a box of edge 1."""
    for vertical in (0.0, 3.5):
        sim = rebound.Simulation()
        sim.integrator, sim.boundary, sim.gravity = "sei", "shear", "none"
        sim.OMEGA, sim.OMEGAZ, sim.dt, sim.root_size = 1.0, vertical or 1.0, 1 / 128, 1.0  # times are exact
        random_of = np.random.default_rng(1)
        for x, y, z, vx, vy, vz in random_of.uniform(-0.5, 0.5, (200, 6)):
            sim.add(x=x, y=y, z=0.2 * z, vx=0.2 * vx, vy=-1.5 * x + 0.2 * vy, vz=0.2 * vz)
        ours = hb.rebound.from_rebound(sim, threads=1)
        crossings = 0
        for _ in range(1000):  # 1.2 orbits
            before = ours.position
            ours.step()
            crossings += (np.abs(ours.position[:, 0] - before[:, 0]) > 0.5).sum()
        sim.steps(1000)
        position, velocity, _ = arrays(sim)
        way = ours.position - position
        way[:, :2] -= np.round(way[:, :2])  # on a wall, rounding decides which side
        assert crossings > 100 and ours.time == sim.t
        assert np.abs(way).max() < 1e-13 and np.abs(ours.velocity - velocity).max() < 1e-13


def cloud(n, speed, radius, seed):
    """Bodies none of which overlap."""
    random_of = np.random.default_rng(seed)
    position, radii = random_of.uniform(-0.5, 0.5, (n, 3)), random_of.uniform(0.5, 1.5, n) * radius
    overlapping, _, _ = hb.collisions(position, radii)
    keep = np.setdiff1d(np.arange(n), overlapping[:, 0])
    return position[keep], random_of.normal(0, speed, (len(keep), 3)), radii[keep]


@pytest.mark.parametrize("found_by", ["direct", "line"])
def test_as_many_bodies_merge_as_in_rebound(found_by):
    """Without gravity the same bodies meet: counts, and the masses that are left."""
    sim = rebound.Simulation()
    sim.integrator, sim.gravity, sim.collision, sim.collision_resolve = "leapfrog", "none", found_by, "merge"
    sim.dt, sim.G = 1 / 256, 1.0
    for x, v, r in zip(*cloud(1200, 0.5, 0.007, 2)):
        sim.add(m=r**3, r=r, x=x[0], y=x[1], z=x[2], vx=v[0], vy=v[1], vz=v[2])
    n = sim.N
    ours = hb.rebound.from_rebound(sim, collisions={"law": "merge"}, threads=1)
    for k in range(1, 9):
        sim.integrate(k / 8, exact_finish_time=0)
        ours.run(k / 8)
        assert len(ours) == sim.N
    assert ours.collisions > 80 and (ours.events["kind"] == "merged").all() and len(ours.events) == n - len(ours)
    position, velocity, mass = arrays(sim)
    assert np.sort(ours.mass) == pytest.approx(np.sort(mass), rel=1e-12)  # sums of the same masses
    places, theirs = np.argsort(ours.mass), np.argsort(mass)
    assert np.abs(ours.position[places] - position[theirs]).max() < 1e-9
    assert np.abs(ours.velocity[places] - velocity[theirs]).max() < 1e-9


def test_as_many_planetesimals_merge_as_in_rebound():
    """With gravity orbits are chaotic: numbers within their scatter."""
    theirs, ours = [], []
    for seed in range(3):
        sim = rebound.Simulation()
        sim.integrator, sim.gravity, sim.collision, sim.collision_resolve = "leapfrog", "basic", "direct", "merge"
        sim.dt, sim.rand_seed = 2e-3, seed + 1
        sim.add(m=1, r=5e-3)
        random_of = np.random.default_rng(seed)
        for a, e, i, f in zip(random_of.uniform(0.9, 1.1, 200), random_of.rayleigh(0.02, 200),
                              random_of.rayleigh(0.01, 200), random_of.uniform(0, 2 * math.pi, 200)):
            sim.add(m=1e-7, r=8e-3, a=a, e=e, inc=i, f=f, omega=3 * f, Omega=7 * f)
        run = hb.rebound.from_rebound(sim, collisions={"law": "merge"}, threads=1, theta=0.3)
        sim.integrate(2 * math.pi, exact_finish_time=0)
        run.run(2 * math.pi)
        theirs.append(201 - sim.N)
        ours.append(201 - len(run))
    print(f"\nREBOUND {rebound.__version__}: merged {theirs}, here {ours}")
    assert min(theirs) > 20
    assert abs(sum(ours) - sum(theirs)) < 3 * math.sqrt(2 * sum(theirs))  # of counts by chance


@pytest.mark.parametrize("function", [lambda sim, v: 0.4, lambda sim, v: min(1.0, 0.32 * (abs(v) * 100)**-0.234),
                                      lambda sim, v: 0.9 / (1 + abs(v)), lambda sim, v: math.exp(-v * v)])
def test_functions_of_restitution_are_rebounds(function):
    """Pairs head-on at speeds over nine powers of ten part as REBOUND's do, by a table of its function."""
    sim = rebound.Simulation()
    sim.integrator, sim.gravity, sim.collision, sim.collision_resolve = "leapfrog", "none", "direct", "hardsphere"
    sim.coefficient_of_restitution, sim.dt = function, 1.0
    speeds = np.logspace(-4.3, 1.7, 200)
    for k, v in enumerate(speeds):
        sim.add(m=1, r=0.1, x=-0.095 - v / 2, y=10 * k, vx=v / 2)  # which overlap after a step
        sim.add(m=2, r=0.1, x=0.095 + v / 2, y=10 * k, vx=-v / 2)
    ours = hb.rebound.from_rebound(sim, collisions={"law": "table"}, threads=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sim.steps(1)
    ours.step()
    _, velocity, _ = arrays(sim)
    theirs, here = (np.diff(v[:, 0].reshape(-1, 2), axis=1)[:, 0] / speeds for v in (velocity, ours.velocity))
    assert theirs == pytest.approx([function(None, v) for v in speeds], rel=1e-9, abs=1e-12)
    assert np.abs(here - theirs).max() < 2e-4  # 32 points a doubling; the largest where the law is cut at 1
    assert np.median(np.abs(here - theirs)) < 5e-5


@pytest.mark.parametrize("kind", [0, 1])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_test_particles_with_masses_move_and_bounce_as_in_rebound(kind):
    sim = rebound.Simulation()
    sim.integrator, sim.dt, sim.collision, sim.collision_resolve = "leapfrog", 1e-3, "direct", "hardsphere"
    sim.coefficient_of_restitution = lambda _, v: 0.5
    sim.testparticle_type = kind
    sim.add(m=1)
    sim.add(m=1e-2, a=0.4)
    sim.add(m=8e-3, r=0.02, x=1, vy=1)
    sim.add(m=1e-3, r=0.01, x=1.1, vy=1, vx=-0.3)
    sim.add(m=5e-3, x=-2, vy=-0.7)
    sim.N_active = 2
    ours = hb.rebound.from_rebound(sim, collisions={"law": "table"}, threads=1)
    if kind == 1:  # of type 0, REBOUND leaves their kinetic energy out
        assert ours.energy().total == pytest.approx(sim.energy(), rel=1e-12)
    sim.steps(1000)
    ours.step(1000)
    position, velocity, mass = arrays(sim)
    assert ours.collisions == 1 and (ours.mass == mass).all()
    assert np.abs(ours.position - position).max() < 2e-5 and np.abs(ours.velocity - velocity).max() < 2e-5  # order of kicks
    assert np.abs(ours.velocity[0]).max() > 1e-3 and (kind == 0 or ours.energy().total == pytest.approx(sim.energy(), rel=1e-4))
