# SPDX-License-Identifier: Apache-2.0
"""Quantities of astropy.units in and out."""

import sys

import numpy as np
import pytest

import hornbeam as hb
import hornbeam.rebound
from conftest import python
from hornbeam import _core, dimensions

units = "pc, Msun, km/s"


@pytest.fixture
def u():
    return pytest.importorskip("astropy.units", reason="astropy is not installed: quantities are not tested")


@pytest.fixture
def cloud(u):
    random = np.random.default_rng(3)
    return hb.Snapshot(random.normal(size=(50, 3)) * u.pc, random.normal(size=(50, 3)) * 1000 * u.m / u.s,
                       np.full(50, 2.0) * u.Msun, time=1 * u.Myr, eps=10_000 * u.AU, units=units)


def test_every_number_has_a_dimension_or_none():
    """A new key or option is a number without a dimension, or has it in dimensions.py or in the library."""
    plain = {"accuracy", "theta", "theta_c", "flattening", "eta", "eta_change", "restitution", "scale", "exponent", "coefficients",
             "tangential_restitution", "friction", "gamma", "constant", "gammas", "mean_weight", "neighbours", "tolerance",
             "courant", "force_step", "alpha", "alpha_min", "alpha_start", "beta", "conductivity", "energy", "runaway",
             "length_cm", "mass_g", "velocity_cm_per_s", "groups_linking_fraction"}
    for section, key, kind, _ in _core.option_table():
        if "FLOAT" in kind:
            assert (dimensions.of_key(f"{section}.{key}") is None) == (key in plain and section != "potential"
                                                                       or key == "flattening"), (section, key)
    of_models = {"virial", "toomre_q", "bulge_inner_slope", "bulge_outer_slope", "halo_inner_slope", "halo_outer_slope",
                 "gas_gamma", "gas_mean_weight", "eccentricity", "mass_ratio", "size_exponent", "slope", "gamma", "kernels", "neighbours",
                 "energy", "ratio", "amplitude", "mach", "index", "pulse", "alpha", "beta", "critical", "exponent",
                 "target_exponent", "impactor_exponent", "solenoidal"}
    exceptions = {("sedov", "energy"), ("kelvin-helmholtz", "amplitude")}
    for model, _, options in _core.models():
        for name in [o[0].replace("-", "_") for o in options if o[2] == "FLOAT"]:
            number = name in of_models and (model, name) not in exceptions or (model, name) == ("impact", "speed")
            assert (dimensions.of_option(model, name) is None) == number, (model, name)


def test_fields_of_a_snapshot(u, cloud):
    assert cloud.velocity.std() == pytest.approx(1, rel=0.2) and type(cloud.position) is np.ndarray
    assert cloud.eps[0] == pytest.approx(10_000 / 206264.806, rel=1e-6)
    assert cloud.quantity("mass").to_value(u.kg).sum() == pytest.approx(100 * 1.98841e30, rel=1e-5)
    assert (cloud.quantity("position").to_value(u.kpc) * 1000 == pytest.approx(cloud.position))
    assert cloud.quantity("time").to_value(u.Myr) == pytest.approx(1, rel=1e-12)
    assert cloud.quantity("G").to_value(u.m**3 / u.kg / u.s**2) == pytest.approx(6.6743e-11, rel=1e-4)
    cloud.mass = 1 * u.kg
    cloud.velocity = [1, 0, 0] * u.km / u.s
    assert cloud.mass[0] == pytest.approx(1 / 1.98841e30, rel=1e-5) and (cloud.velocity == [1, 0, 0]).all()
    cloud.boundary = {"kind": "periodic", "size": [1, 2, 3] * u.kpc}
    assert cloud.boundary["size"] == pytest.approx([1000, 2000, 3000])
    cloud.density = np.ones(50) * u.g / u.cm**3
    assert cloud.quantity("density")[0].to_value(u.g / u.cm**3) == pytest.approx(1, rel=1e-12)


def test_a_simulation(u, cloud):
    sim = hb.Simulation(cloud, dt=10 * u.kyr, potential={"kind": "point", "mass": 1e33 * u.kg, "centre": [1, 0, 0] * u.kpc})
    told = sim.options
    assert told["time"]["dt"] == pytest.approx(0.01022712, rel=1e-6)
    assert told["potential"][0]["mass"] == pytest.approx(502.9, rel=1e-3)
    assert told["potential"][0]["centre"] == [1000, 0, 0]
    times = []
    sim.run(1.1 * u.Myr, callback=lambda s: times.append(s.quantity("time").to_value(u.Myr)), every=50 * u.kyr)
    assert times == pytest.approx([1.05, 1.1], abs=0.011)
    assert isinstance(sim.quantity("acceleration").to(u.pc / u.Myr**2), u.Quantity)
    at = sim.at(sim.quantity("time"))
    assert at.time == pytest.approx(sim.time)
    sim.velocity = [0, 0, 0] * u.m / u.s
    assert sim.energy().kinetic == 0


def test_units_of_what_simulations_start_from(u, cloud, tmp_path):
    hb.write(tmp_path / "s.hdf5", cloud)
    day = {"dt": 1 * u.kyr}
    assert hb.Simulation(tmp_path / "s.hdf5", **day).options["time"]["dt"] == pytest.approx(0.001022712, rel=1e-6)
    sphere = hb.Simulation(model="plummer", n=30, ic={"scale": 100 * u.pc}, units="galactic", **day)
    assert float(sphere.options["ic"]["scale"]) == pytest.approx(0.1)
    text = '[input]\nfile = "s.hdf5"\n[time]\ndt = 1\n'
    (tmp_path / "run.toml").write_text(text)
    for made in (hb.Simulation.from_toml(text, tmp_path, **day), hb.Simulation.from_file(tmp_path / "run.toml", **day)):
        assert made.options["time"]["dt"] == pytest.approx(0.001022712, rel=1e-6)
    ran = hb.run(tmp_path / "run.toml", end=1.002 * u.Myr, output={"directory": str(tmp_path / "out")}, **day)
    assert ran["totals"]["time"] == pytest.approx(1.002 * 1.022712, rel=1e-3)
    model = hb.ic.plummer(20, units="galactic", mass=1e9 * u.Msun)
    assert model.mass.sum() == pytest.approx(0.1)


def test_forces_have_units_if_positions_have(u):
    place = [[0, 0, 0], [1, 0, 0], [0, 2, 0]] * u.kpc
    acceleration, potential = hb.both(place, [1e10, 0, 0] * u.Msun)
    assert acceleration[1, 0].to_value(u.km**2 / u.s**2 / u.kpc) == pytest.approx(-43009.2, rel=1e-5)
    assert potential[2].to_value(u.km**2 / u.s**2) == pytest.approx(-43009.2 / 2, rel=1e-5)
    far = hb.potentials(place, [1e10, 0, 0] * u.Msun, eps=3 * u.pc, targets=[[4000, 0, 0]] * u.pc)
    assert far[0].to_value(u.km**2 / u.s**2) == pytest.approx(-43009.2 / 4, rel=1e-5)


def test_measures_take_lengths(u, cloud):
    found = hb.analysis.profile(cloud, edges=[0.5, 1, 2] * u.pc)
    assert found["radius"] == pytest.approx(np.sqrt([0.5, 2.0]))
    assert hb.analysis.groups(cloud, linking_length=1e3 * u.pc)["size"].tolist() == [50]
    assert hb.analysis.energy(cloud, eps=1 * u.pc).potential > hb.analysis.energy(cloud, eps=0).potential


def test_pictures_take_lengths(u, cloud, tmp_path):
    size = {"width": 80, "height": 60}
    pixels = hb.render(cloud, extent=3e3 * u.pc, centre=[100, 0, 0] * u.pc, **size)
    length = (1 * u.pc).to_value(u.Unit(cloud.unit("position")))
    assert np.array_equal(pixels, hb.render(cloud, extent=3e3 * length, centre=[100 * length, 0, 0], **size))
    assert not np.array_equal(pixels, hb.render(cloud, extent=2e3 * length, **size))
    with pytest.raises(hb.UsageError, match="extent: .*must be a length"):
        hb.render(cloud, extent=1 * u.s, **size)
    with pytest.raises(hb.UsageError, match="gamma: .*plain numbers are needed"):
        hb.render(cloud, gamma=1 * u.m, **size)


@pytest.mark.parametrize("wrong, said", [
    (lambda u: hb.Snapshot([[1, 2, 3]] * u.kpc), 'position: received a Quantity in kpc .*G = 1.*units="galactic"'),
    (lambda u: hb.Snapshot([[1, 2, 3]] * u.s, units="si"), "position: received a Quantity in s .*must be a length, as in m"),
    (lambda u: hb.Snapshot([[1, 2, 3]], mass=[1] * u.K, units="si"), "mass: .*must be a mass, as in kg"),
    (lambda u: hb.Simulation(hb.ic.plummer(9), dt=1 * u.yr), "time.dt: .*G = 1"),
    (lambda u: hb.Simulation(hb.ic.plummer(9, units="si"), dt=1 * u.m), "time.dt: .*must be a time"),
    (lambda u: hb.Simulation(hb.ic.plummer(9, units="si"), dt=1, theta=1 * u.m), "gravity.theta: .*must be a number"),
    (lambda u: hb.ic.plummer(9, mass=1 * u.kg), "mass: .*G = 1"),
    (lambda u: hb.ic.plummer(9, quantity=1 * u.kg), "unknown option quantity"),
    (lambda u: hb.ic.plummer(9, units="si").__setattr__("time", 1 * u.m), "time: .*must be a time"),
    (lambda u: hb.ic.plummer(9, units="si").__setattr__("box_size", -1 * u.m), "box_size: .*0 or above"),
    (lambda u: hb.ic.plummer(9).quantity("mass"), "mass: .*G = 1"),
    (lambda u: hb.ic.plummer(9, units="si").quantity("weight"), "unknown field weight"),
    (lambda u: hb.ic.plummer(9, units="si").quantity("radius"), "these particles have no radius"),
    (lambda u: hb.both([[1, 2, 3]] * u.kpc, 1), "masses: received plain numbers"),
    (lambda u: hb.both([[1, 2, 3]] * u.kpc, [1] * u.s), "masses: .*must be a mass"),
    (lambda u: hb.both([[1, 2, 3]] * u.kpc, [1] * u.g, eps=1), "eps: received plain numbers .*must be a length"),
    (lambda u: hb.both([[1, 2, 3]] * u.kpc, [1] * u.g, eps=1 * u.one), "eps: received a Quantity in no unit"),
    (lambda u: hb.both([[1, 2, 3]], [1], theta=0.5 * u.rad), "theta: received a Quantity in .*, and plain numbers"),
    (lambda u: hb.both([[1, 2, 3]], [1], boundary={"size": [1 * u.kpc] * 3}), "size: received a Quantity in .*, and plain numbers"),
    (lambda u: hb.both([[1, 2, 3]] * u.kpc, [1] * u.g, G=2), "G: received 2"),
    (lambda u: hb.Tree([[1, 2, 3]] * u.kpc), "plain numbers are needed")])
def test_quantities_that_cannot_be(u, wrong, said):
    with pytest.raises(hb.UsageError, match=said):
        wrong(u)


def test_units_by_their_names_and_dicts_of_quantities(u):
    with pytest.warns(hb.HornbeamWarning):  # of no equilibrium
        run = hb.Simulation({"position": np.eye(3) * u.kpc, "velocity": np.eye(3) * u.km / u.s, "mass": np.ones(3) * u.Msun},
                            dt=0.1 * u.Myr, eps=1 * u.kpc, units="pc, Msun, km/s")
        run.run(0.1 * u.Myr)
    assert run.units.startswith("pc, Msun, km/s") and run.position[0, 0] == pytest.approx(1000, rel=1e-3)
    run.add({"position": [[1, 2, 3]] * u.kpc, "velocity": [[0, 0, 0]] * u.m / u.s, "mass": [1.0] * u.Msun})
    assert run.position[-1] == pytest.approx([1000, 2000, 3000])
    drawn = hb.Simulation(model="plummer", n=20, dt=1 * u.Myr, units="pc, Msun, km/s")
    assert drawn.units.startswith("pc, Msun, km/s")


def test_masked_quantities_are_refused(u):
    masked = pytest.importorskip("astropy.utils.masked").Masked
    position = masked(np.ones((3, 3)) * u.kpc, mask=np.eye(3, dtype=bool))
    for use in (lambda: hb.Snapshot(position, units="galactic"), lambda: hb.accelerations(position, np.ones(3) * u.Msun)):
        with pytest.raises(hb.UsageError, match="3 masked values"):
            use()


def test_astropy_is_imported_by_who_gives_quantities():
    done = python("import sys, hornbeam as hb\nhb.Simulation(hb.ic.plummer(9, units='si'), dt=1).step()\n"
                  "sys.exit('astropy' in sys.modules)")
    assert done.returncode == 0, done.stderr
    assert "astropy" not in vars(hb)


def test_a_unit_of_time_may_agree_with_length_and_velocity(tmp_path):
    """Files state all four at times. Another unit of time would be one more than a Simulation in memory has."""
    units = '[units]\nlength = "pc"\nmass = "Msun"\nvelocity = "km/s"\n'
    rest = '[ic]\nmodel = "plummer"\nn = 50\nmass = 1000\n[gravity]\neps = 0.1\n[time]\ndt = 0.01\n'
    (tmp_path / "agrees.toml").write_text(units + 'time = "0.97779222 Myr"\n' + rest)
    (tmp_path / "without.toml").write_text(units + rest)
    with_time, without = (hb.Simulation.from_file(tmp_path / name) for name in ("agrees.toml", "without.toml"))
    assert with_time.dt == pytest.approx(without.dt, rel=1e-6)
    (tmp_path / "other.toml").write_text(units + 'time = "1 Myr"\n' + rest)
    with pytest.raises(hb.UsageError, match="a time that is not length / velocity"):
        hb.Simulation.from_file(tmp_path / "other.toml")


@pytest.mark.parametrize("G, units, unit_of_mass", [
    (4 * np.pi**2, None, "1.988484"), (4 * np.pi**2, "solar", "1.988484"),
    (43007.1, "galactic", "1.988314"), (6.6743e-11, None, "kg"), (1.0, None, ""), (1.0, "nbody", "")])
def test_g_of_a_rebound_simulation_stays_what_it_is(G, units, unit_of_mass):
    """Without REBOUND, which test_rebound.py needs."""
    found = hb.Snapshot([[0, 0, 0]], units=hornbeam.rebound._units(G, units, True))
    assert found.G == pytest.approx(G, rel=1e-15) and found.unit("mass")[:8] == unit_of_mass


def test_g_far_from_that_of_the_units_is_refused():
    for G, units in ((7.0, None), (1.0005, "nbody"), (39.0, "solar")):
        with pytest.raises(hb.UsageError, match=f"^G: received {G:g}, which is"):
            hornbeam.rebound._units(G, units, True)
