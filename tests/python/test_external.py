# SPDX-License-Identifier: Apache-2.0
"""External potentials by themselves: the density is the divergence of the acceleration, the mass within a radius the flux
through the sphere, and both are those of a simulation's own field."""

import numpy as np
import pytest

import hornbeam as hb

ALL = {"point": {"mass": 2.0, "scale": 0.3}, "plummer": {"mass": 2.0, "scale": 0.3}, "hernquist": {"mass": 2.0, "scale": 0.3},
       "nfw": {"mass": 2.0, "scale": 0.3}, "logarithmic": {"speed": 1.3, "scale": 0.3, "flattening": 0.8},
       "logarithmic prolate": {"speed": 1.3, "scale": 0.3, "flattening": 1.3},
       "logarithmic round": {"speed": 1.3, "scale": 0.3}, "miyamoto-nagai": {"mass": 2.0, "scale": 0.6, "height": 0.2},
       "miyamoto-nagai thin": {"mass": 2.0, "scale": 0.6, "height": 1e-4}}


def made(name):
    return {"kind": name.split()[0], **ALL[name]}


@pytest.mark.parametrize("name", ALL)
def test_density_is_the_divergence_of_the_acceleration(name):
    x = np.random.default_rng(1).normal(size=(50, 3))
    found = hb.forces.external(made(name), x)
    assert [found[key].shape for key in ("acceleration", "potential", "density")] == [(50, 3), (50,), (50,)]
    step, divergence = 1e-4, np.zeros(50)
    for k in range(3):
        ahead, behind = (hb.forces.external(made(name), x + sign * step * np.eye(3)[k]) for sign in (1, -1))
        divergence += (ahead["acceleration"][:, k] - behind["acceleration"][:, k]) / (2 * step)
        slope = (ahead["potential"] - behind["potential"]) / (2 * step)
        assert np.allclose(found["acceleration"][:, k], -slope, rtol=1e-5, atol=1e-6)
    # differences of second order, (1e-4 / length)^2 of the largest, where |z| is far above a disc's height
    assert np.allclose(found["density"], -divergence / (4 * np.pi), atol=1e-6 * np.abs(found["acceleration"]).max())


@pytest.mark.parametrize("name", ALL)
def test_mass_is_the_flux_through_the_sphere(name):
    """By Gauss's rule over cos theta = sinh(t) / sinh(12), which resolves a thin disc."""
    t, weight = np.polynomial.legendre.leggauss(600)
    t, weight = 6 * (t + 1), 6 * weight
    mu, weight = np.sinh(t) / np.sinh(12), weight * np.cosh(t) / np.sinh(12)
    radii = np.array([0.01, 0.3, 1.0, 30.0])
    masses = hb.forces.external_mass(made(name), radii)
    for radius, mass in zip(radii, masses):
        at = radius * np.stack([np.sqrt(1 - mu**2), 0 * mu, mu], axis=1)
        inwards = -(hb.forces.external(made(name), at)["acceleration"] * at).sum(axis=1) / radius
        assert mass == pytest.approx((weight * inwards).sum() * radius**2, rel=1e-9)


@pytest.mark.parametrize("name", ALL)
def test_mass_is_the_sum_of_the_density(name):
    """Over radii and angles, along which the density is smooth by those variables."""
    s, weight = np.polynomial.legendre.leggauss(200)
    r, of_r = np.exp(16 * (s - 1)), 16 * weight * np.exp(16 * (s - 1))  # up to 1
    t, of_t = 8 * (s + 1), 8 * weight
    mu, of_mu = np.sinh(t) / np.sinh(16), of_t * np.cosh(t) / np.sinh(16)
    at = r[:, None, None] * np.stack([np.sqrt(1 - mu**2), 0 * mu, mu], axis=1)
    density = hb.forces.external(made(name), at.reshape(-1, 3))["density"].reshape(200, 200)
    found = 4 * np.pi * (of_r * r**2 * (density * of_mu).sum(axis=1)).sum()
    assert found == pytest.approx(hb.forces.external_mass(made(name), 1.0), rel=1e-6)  # what lies within 1e-14


def test_closed_forms_and_limits():
    mass = hb.forces.external_mass
    assert mass(made("hernquist"), 0.3) == pytest.approx(0.5) and mass(made("plummer"), 1e9) == pytest.approx(2)
    assert mass(made("nfw"), 0.3) == pytest.approx(2 * (np.log(2) - 0.5))
    kuzmin = {"kind": "miyamoto-nagai", "mass": 2.0, "scale": 0.6, "height": 0.0}
    assert mass(kuzmin, 0.8) == pytest.approx(2 * (1 - 0.6))
    assert mass({**kuzmin, "height": 1e-9}, 0.8) == pytest.approx(0.8, rel=1e-8)
    assert hb.forces.external(kuzmin, [[0.1, 0, 0], [0.1, 0, 1e-9]])["density"].tolist() == [np.inf, 0]
    sphere = {**kuzmin, "scale": 0.0, "height": 0.3}  # Plummer's
    assert mass(sphere, [[0.1, 0.5], [2, 0]]) == pytest.approx(mass(made("plummer"), [[0.1, 0.5], [2, 0]]))
    point = {"kind": "point", "mass": 2.0}
    assert mass(point, [0, 1.0]).tolist() == [2, 2]
    assert hb.forces.external(point, [[0.0, 0, 0], [1.0, 0, 0]])["density"].tolist() == [np.inf, 0]
    far = hb.forces.external(made("miyamoto-nagai"), [[1e200, 0, 0], [0, 0, 1e-200]])
    assert np.isfinite(far["density"]).all() and np.isfinite(far["acceleration"]).all()


def test_units_sums_and_motion():
    """The Milky Way's circular speed at 8 kpc is 220 km/s; of several potentials the sum counts, where they are then."""
    at = hb.forces.external("bovy14", [[8.0, 0, 0]], units="galactic")
    assert np.sqrt(-8 * at["acceleration"][0, 0]) == pytest.approx(220, rel=3e-3)
    halo = {"kind": "nfw", "m200": "1e12 Msun", "c": 10}
    r200 = 206.27  # kpc, of H = 70 km/s/Mpc
    assert hb.forces.external_mass(halo, r200, units="kpc, Msun, km/s") == pytest.approx(1e12, rel=1e-4)
    moving = {**made("plummer"), "centre": [1, 0, 0], "velocity": [0, 2, 0]}
    both = hb.forces.external([moving, made("nfw")], [[1.0, 2.3, 0]], time=1.0)
    apart = [hb.forces.external(made("plummer"), [[0, 0.3, 0]]), hb.forces.external(made("nfw"), [[1.0, 2.3, 0]])]
    for key, value in both.items():
        assert np.allclose(value, apart[0][key] + apart[1][key], rtol=1e-14)
    assert hb.forces.external_mass([moving, made("nfw")], 0.3) == pytest.approx(
        hb.forces.external_mass(moving, 0.3) + hb.forces.external_mass(made("nfw"), 0.3))


def test_they_are_a_simulations(tmp_path):
    stars = hb.Snapshot(np.random.default_rng(3).normal(size=(20, 3)), np.zeros((20, 3)), np.zeros(20))
    potential = [made("logarithmic"), made("miyamoto-nagai")]
    sim = hb.Simulation(stars, dt=1e-3, eps=0, potential=potential, precision="double")
    found = hb.forces.external(potential, stars.position)
    assert np.allclose(sim.acceleration, found["acceleration"], rtol=1e-13, atol=1e-13)
    assert np.allclose(sim.potential, found["potential"], rtol=1e-13)


def test_errors():
    with pytest.raises(hb.UsageError, match="received 0.*must be above 0"):
        hb.forces.external({"kind": "plummer", "mass": 1, "scale": 0}, [[0, 0, 0]])
    with pytest.raises(hb.UsageError, match="^radius: received -1"):
        hb.forces.external_mass(made("plummer"), -1.0)
    with pytest.raises(hb.UsageError, match="with G = 1 numbers have no units"):
        hb.forces.external("bovy14", [[8.0, 0, 0]])
    with pytest.raises(hb.UsageError, match="^positions: received an array of shape"):
        hb.forces.external(made("plummer"), [[0, 0]])
    for value, said in ((np.nan, "nan"), (np.inf, "inf"), (-np.inf, "-inf")):
        wrong = f"^positions: received position z = {said} of point 1 .must be finite"
        with pytest.raises(hb.UsageError, match=wrong):
            hb.forces.external(made("plummer"), [[0, 0, 0], [1, 2, value]])


def test_simulations_take_a_potential_by_its_name():
    stars = hb.Snapshot([[8.0, 0, 0], [0, 9.0, 0]], np.zeros((2, 3)), [0.0, 0.0], units="galactic")
    options = dict(dt=1e-3, eps=0.1, precision="double", backend="cpu")
    one, other = (hb.Simulation(stars, potential=way, **options) for way in ("bovy14", {"kind": "bovy14"}))
    assert one.potential[0] < 0 and np.array_equal(one.acceleration, other.acceleration)
    several = hb.Simulation(stars, potential=["bovy14", {"kind": "point", "mass": 1.0}], **options)
    assert (several.potential < one.potential).all()
    with pytest.raises(hb.UsageError, match="potential"):
        hb.Simulation(stars, potential="bovy15", **options)
