# SPDX-License-Identifier: Apache-2.0
"""The worker of gas behind hornbeam.amuse, without AMUSE: its sets in one table, the state of gas at points, energies, conditions.
tests/python/test_amuse_gas.py has the rest, where AMUSE is installed."""

import numpy as np
import pytest
from test_amuse_worker import asked, holder, worker  # noqa: F401  (a fixture)

import backends
import hornbeam as hb

pytestmark = pytest.mark.usefixtures("open_device")

DENSITY, INTERNAL_ENERGY = 6, 7
BACKENDS = list(dict.fromkeys([*backends.BACKENDS, *(one["backend"] for one in hb.info()["devices"] if one["backend"] == "cuda")]))


@pytest.fixture
def code(worker):  # noqa: F811
    from hornbeam.amuse_worker import GasWorker

    made = GasWorker()
    made.values.update(eps2=0.01, threads=2, backend="cpu", time_step=1 / 64)
    return made


def state(n, seed, **given):
    draw = np.random.default_rng(seed)
    rows = dict(zip(("x", "y", "z"), draw.normal(size=(3, n)))) | dict(zip(("vx", "vy", "vz"), 0.1 * draw.normal(size=(3, n))))
    return {"mass": draw.uniform(0.5, 1.5, n) / n, **rows, **given}


def add_gas(code, n=400, seed=2, u=0.3):
    index = holder()
    assert code.new_sph_particle(index, u=np.full(n, u), **state(n, seed)) == 0
    return index.value


def test_one_table_of_gas_dark_matter_and_stars(code):
    gas = add_gas(code, 300)
    dark, stars = holder(), holder()
    code.new_dm_particle(dark, radius=np.zeros(20), **state(20, 3))
    code.new_star_particle(stars, radius=np.full(10, 0.2), **state(10, 4))
    assert gas.tolist() + dark.value.tolist() + stars.value.tolist() == list(range(330))
    assert asked(code, "get_internal_energy", "u", index_of_the_particle=np.array([5, 310]))[1][0].tolist() == [0.3, 0]
    assert asked(code, "get_radius", "radius", index_of_the_particle=np.array([5, 325]))[1][0].tolist() == [0, 0.2]
    code.set_internal_energy(gas[:2], u=[0.5, 0.7])
    code.evolve_model(1 / 32)
    assert code.time == 1 / 32 and asked(code, "get_internal_energy", "u", index_of_the_particle=gas[:2])[1][0] == pytest.approx(
        [0.5, 0.7], rel=0.2)
    code.delete_particle(np.array([0, 305, 329]))
    code.evolve_model(1 / 16)
    assert len(code.particles) == 327 and code.is_gas().sum() == 299
    density = asked(code, "get_density", "rho", index_of_the_particle=np.array([0, 1, 310]))
    assert density[0].tolist() == [-1, 0, 0] and density[1][0][1] > 0 and density[1][0][2] == 0


def test_the_state_of_gas_at_points(code):
    """Against sums over all particles with the kernel's formula (docs/gas.md); other families do not count."""
    add_gas(code)
    code.new_dm_particle(holder(), radius=np.zeros(50), **state(50, 7))
    code.started()
    gas = {name: getattr(code.particles, name)[code.is_gas()] for name in
           ("position", "velocity", "mass", "internal_energy", "smoothing_length")}
    draw = np.random.default_rng(9)
    points, frame = np.vstack([1.5 * draw.normal(size=(200, 3)), [[50.0, 0, 0]]]), draw.normal(size=(201, 3))
    q = np.linalg.norm(points[:, None] - gas["position"][None], axis=2) / gas["smoothing_length"]
    weight = gas["mass"] * np.where(q < 1, (1 - q) ** 4 * (1 + 4 * q), 0) * 21 / (2 * np.pi) / gas["smoothing_length"] ** 3
    relative = gas["velocity"][None] - frame[:, None]
    expected = [weight.sum(1), *(weight[..., None] * relative).sum(1).T,
                (weight * (gas["internal_energy"] + 0.5 * (relative**2).sum(2))).sum(1)]
    found = asked(code, "get_hydro_state_at_point", "rho", "rhovx", "rhovy", "rhovz", "rhoe",
                  **dict(zip(("x", "y", "z"), points.T)), **dict(zip(("vx", "vy", "vz"), frame.T)))
    assert found[0] == 0 and found[1][0][-1] == 0 and (found[1][0][:-1] > 0).sum() > 150
    for one, right in zip(found[1], expected):
        assert np.allclose(one, right, rtol=1e-4, atol=1e-5 * np.abs(right).max())  # fp32: distances, kernel
    assert asked(code, "get_smoothing_length", "h_smooth", index_of_the_particle=np.arange(400))[1][0] == pytest.approx(
        0.5 * gas["smoothing_length"])


def test_points_without_gas(code):
    places = {name: np.zeros(2) for name in ("x", "y", "z", "vx", "vy", "vz")}
    code.new_dm_particle(holder(), radius=np.zeros(20), **state(20, 3))
    found = asked(code, "get_hydro_state_at_point", "rho", "rhovx", "rhovy", "rhovz", "rhoe", **places)
    assert found[0] == 0 and not np.any(found[1])


def energies(code, kinds=("kinetic", "potential", "thermal")):
    return [asked(code, f"get_{kind}_energy", f"{kind}_energy")[1][0] for kind in kinds]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("block", [False, True])
def test_energies_of_gas_are_kept(code, block, backend):
    gas = add_gas(code, 600)
    code.values.update(block_steps=block, backend=backend)
    first = energies(code)
    here = code.particles
    assert first[2] == pytest.approx((here.mass * here.internal_energy).sum(), rel=1e-6)
    assert first[0] == pytest.approx(0.5 * (here.mass * (here.velocity**2).sum(1)).sum(), rel=1e-6)
    for end in (0.1, 0.17, 0.3):
        code.evolve_model(end)
        assert code.time == end
        # as scripts of bridges do: kicks at both ends
        velocity = [asked(code, "get_velocity", "vx", "vy", "vz", index_of_the_particle=gas)[1]]
        code.set_velocity(gas, **dict(zip(("vx", "vy", "vz"), velocity[0])))
    last = energies(code)
    assert sum(last) == pytest.approx(sum(first), abs=2e-3 * abs(first[1]))  # of steps: it falls with their length
    assert abs(last[2] - first[2]) > 0.01 * first[2]


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_change_of_internal_energy(code, backend):
    """du_dt is the slope of u over a short step, to the order of the step; particles that are no gas have none."""
    gas = add_gas(code, 600)
    code.new_dm_particle(holder(), radius=np.zeros(20), **state(20, 3))
    code.values.update(backend=backend)

    def now():
        return [asked(code, call, name, index_of_the_particle=gas)[1][0]
                for call, name in (("get_internal_energy", "u"), ("get_dinternal_energy_dt", "du_dt"))]

    before, rate = now()
    code.evolve_model(1e-3)
    after, later = now()
    slope = (after - before) / 1e-3
    assert np.linalg.norm(slope - 0.5 * (rate + later)) < 1e-2 * np.linalg.norm(slope)
    found = asked(code, "get_dinternal_energy_dt", "du_dt", index_of_the_particle=np.array([0, 610, 900]))
    assert found[0].tolist() == [0, 0, -1] and found[1][0][0] == later[0] and found[1][0][1] == 0 and np.isnan(found[1][0][2])


def kick(code, by, span):
    """The half of a bridge's step in which one code is kicked by the field of another."""
    here = code.particles
    points = {"eps": np.zeros(len(here)), **dict(zip("xyz", here.position.T)), "npoints": len(here)}
    pull = np.transpose(asked(by, "get_gravity_at_point", "ax", "ay", "az", **points)[1])
    phi = asked(by, "get_potential_at_point", "phi", **points)[1][0]
    code.set_velocity(here.id.astype(int), **dict(zip(("vx", "vy", "vz"), (here.velocity + span * pull).T)))
    return (here.mass * phi).sum()


@pytest.mark.parametrize("backend", [one for one in BACKENDS if one != "opencl"])  # PoCL takes 10 s
def test_gas_and_a_cluster_that_kick_one_another(code, worker, backend):  # noqa: F811
    """What AMUSE's bridge does, on each device: the energy of both, and of each in the other's field, is kept as well as by
    the codes alone."""
    add_gas(code, 600)
    for one in (code, worker):
        one.values.update(eps2=0.01, time_step=1 / 64, backend=backend)
    worker.values.update(time_step=1 / 256)
    cluster = state(100, 8, radius=np.zeros(100))
    cluster.update({name: 0.2 * cluster[name] for name in ("x", "y", "z")}, mass=0.05 * cluster["mass"])
    cluster.update(x=cluster["x"] + 4, vy=cluster["vy"] + 0.5)
    worker.new_particle(holder(), **cluster)
    alone = hb.Simulation(code.particles.copy(), dt=1 / 64, eps=0.1, eos="ideal", backend=backend)
    before = alone.energy()
    alone.run(0.5)
    own = abs(alone.energy().total - before.total)

    def total(mutual):
        return sum(energies(code)) + sum(energies(worker, ("kinetic", "potential"))) + mutual

    first = total(kick(worker, code, 0.0))
    for k in range(16):
        both = (code, worker), (worker, code)
        for one, other in both:
            kick(one, other, 1 / 64)
        for one in (code, worker):
            one.evolve_model((k + 1) / 32)
        for one, other in both:
            kick(one, other, 1 / 64)
    last = total(kick(worker, code, 0.0))
    assert first != last and abs(last - first) < 2 * own + 1e-4  # fields of theta = 0.6
    assert abs(energies(code)[2] - before.thermal) > 0.02 * before.thermal


def test_density_and_energy_stop_the_run(code):
    gas = add_gas(code, 600, u=0.01)  # cold: it collapses
    first = asked(code, "get_density", "rho", index_of_the_particle=gas)[1][0].max()
    code.set_stopping_condition_maximum_density_parameter(1.5 * first)
    assert code.enable_stopping_condition(DENSITY) == 0
    code.evolve_model(20.0)
    assert 0 < code.time < 20 and code.met and all(kind == DENSITY and len(ids) == 1 for kind, ids in code.met)
    beyond = [ids[0] for _, ids in code.met]
    density = asked(code, "get_density", "rho", index_of_the_particle=gas)[1][0]
    assert beyond == gas[density > 1.5 * first].tolist()
    code.disable_stopping_condition(DENSITY)
    least = asked(code, "get_internal_energy", "u", index_of_the_particle=gas)[1][0].max()
    code.set_stopping_condition_maximum_internal_energy_parameter(1.2 * least)
    code.enable_stopping_condition(INTERNAL_ENERGY)
    before = code.time
    code.evolve_model(20.0)
    found = asked(code, "get_internal_energy", "u", index_of_the_particle=gas)[1][0]
    assert before < code.time < 20 and [ids[0] for _, ids in code.met] == gas[found > 1.2 * least].tolist() != []
    code.set_stopping_condition_maximum_internal_energy_parameter(-1.0)  # none
    code.evolve_model(code.time + 1 / 64)
    assert not code.met


def test_limits_from_below(code):
    gas = add_gas(code, 300)
    code.set_stopping_condition_minimum_density_parameter(1e9)
    code.enable_stopping_condition(DENSITY)
    code.evolve_model(1.0)
    assert [ids[0] for _, ids in code.met] == gas.tolist()


def test_isothermal_gas(code):
    """Pressure is c^2 rho; energies that copies bring are skipped, as the density makes them."""
    gas = add_gas(code, 300)
    code.values.update(equation_of_state="isothermal", sound_speed=0.5)
    code.recommit_parameters()
    rho, pressure = (asked(code, f"get_{what}", name, index_of_the_particle=gas)[1][0]
                     for what, name in (("density", "rho"), ("pressure", "pressure")))
    assert pressure == pytest.approx(0.25 * rho, rel=1e-6)
    code.evolve_model(1 / 32)
    assert code.set_internal_energy(gas, u=np.full(300, 7.0)) == 0
    code.evolve_model(1 / 16)
    assert code.time == 1 / 16


def test_gas_without_gravity(code):
    """Two particles far apart stay where they are."""
    code.values.update(self_gravity_flag=False)
    zeros = dict.fromkeys(("vx", "vy", "vz", "y", "z"), np.zeros(2))
    code.new_sph_particle(holder(), mass=np.ones(2), x=np.array([-1e3, 1e3]), u=np.full(2, 1e-9), **zeros)
    code.evolve_model(1.0)
    assert np.allclose(code.particles.position[:, 0], [-1e3, 1e3], atol=1e-3)
    assert asked(code, "get_potential_energy", "potential_energy")[1][0] == 0


def test_a_cold_sphere_collapses_with_the_defaults(worker):  # noqa: F811
    """They soften gas by its kernel: without softening its energy grew ninefold."""
    from hornbeam.amuse_worker import GasWorker

    code = GasWorker()
    draw = np.random.default_rng(5)
    way = draw.normal(size=(500, 3))
    place = way * (np.sqrt(draw.uniform(size=500)) / np.linalg.norm(way, axis=1))[:, None]  # density as 1 / r (Evrard 1988)
    still = dict.fromkeys(("vx", "vy", "vz"), np.zeros(500))
    index = holder()
    code.new_sph_particle(index, mass=np.full(500, 1 / 500), u=np.full(500, 0.05), **dict(zip("xyz", place.T)), **still)
    first = sum(energies(code))
    before = asked(code, "get_density", "rho", index_of_the_particle=index.value)[1][0].max()
    code.evolve_model(1.3)
    after = asked(code, "get_density", "rho", index_of_the_particle=index.value)[1][0].max()
    assert sum(energies(code)) == pytest.approx(first, abs=5e-3) and after > 5 * before
    code.values.update(softening="plummer")
    code.recommit_parameters()
    with pytest.raises(hb.UsageError, match="eps_is_h_flag"):
        code.evolve_model(1.4)
    code.values.update(eps_is_h=False)
    code.evolve_model(1.31)


def test_parameters_reach_the_gas(code):
    add_gas(code, 300)
    code.values.update(gamma=1.4, nsmooth=64.0, alpha=0.7, beta=1.4, courant=0.2, sph_kernel="cubic", viscosity_switch="balsara")
    gas = code.started().options["gas"]
    assert [gas[key] for key in ("gamma", "neighbours", "alpha", "beta", "courant", "kernel", "viscosity")] == [
        1.4, 64.0, 0.7, 1.4, 0.2, "cubic", "balsara"]
