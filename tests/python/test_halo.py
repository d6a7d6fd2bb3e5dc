# SPDX-License-Identifier: Apache-2.0
"""Haloes and satellites against closed forms: masses by overdensity and V_max of NFW haloes, and what is bound."""
import json
import math
import subprocess

import numpy as np
import pytest

import hornbeam as hb

UNITS = "galactic"
G = 43009.172706  # (km/s)^2 kpc / 1e10 Msun
CRITICAL = 3 * 0.07**2 / (8 * math.pi * G)  # of 70 km/s/Mpc


def mass(u):
    return np.log1p(u) - u / (1 + u)


def directions(n, rng):
    d = rng.normal(size=(n, 3))
    return d / np.linalg.norm(d, axis=1)[:, None]


def nfw(n, scale, scale_mass, most, seed=1):
    """n particles of a halo out to `most` scales, at the quantiles of its mass."""
    rng, u = np.random.default_rng(seed), np.geomspace(1e-4, most, 20000)
    r = np.interp((np.arange(n) + 0.5) / n * mass(most), mass(u), u) * scale
    return hb.Snapshot(position=r[:, None] * directions(n, rng), velocity=np.zeros((n, 3)),
                       mass=np.full(n, scale_mass * mass(most) / n), units=UNITS)


def radius_of(density, scale, scale_mass):
    """Where the mean density within is that."""
    low, high = 1e-3, 1e3
    for _ in range(200):
        u = math.sqrt(low * high)
        low, high = (u, high) if scale_mass * mass(u) / (4 / 3 * math.pi * (u * scale) ** 3) > density else (low, u)
    return u


def test_masses_of_an_nfw_halo():
    scale, scale_mass = 20.0, 60.0
    halo = nfw(100_000, scale, scale_mass, 40)
    found = hb.analysis.halo(halo)
    x = 0.3 - 1
    for name, times in (("200c", 200), ("500c", 500), ("vir", 18 * math.pi**2 + 82 * x - 39 * x * x)):
        u = radius_of(times * CRITICAL, scale, scale_mass)
        assert found[f"r{name}"] == pytest.approx(u * scale, rel=2e-3), name  # quantiles leave no noise in M(r)
        assert found[f"m{name}"] == pytest.approx(scale_mass * mass(u), rel=2e-3), name
    assert found["v_max"] == pytest.approx(0.4649909 * math.sqrt(G * scale_mass / scale), rel=3e-3)  # sqrt(mass(u) / u)
    assert found["r_max"] == pytest.approx(2.1625816 * scale, rel=0.1)  # a flat top
    assert np.linalg.norm(found["centre"]) < 0.05 * scale
    other = hb.analysis.halo(halo, hubble=100)
    assert other["r200c"] == pytest.approx(radius_of(200 * CRITICAL / 0.49, scale, scale_mass) * scale, rel=2e-3)
    with pytest.raises(hb.UsageError, match="centre: received 2 numbers"):
        hb.analysis.halo(halo, centre=[0, 0])


def test_haloes_of_groups_are_those_of_analyze_and_of_halo(program, tmp_path):
    """Two NFW haloes, 4 Mpc apart across the wall of a box, whose masses are known as above; each stands in the tail of
    the other. Groups hold their inner parts alone."""
    scales = [(20.0, 60.0), (12.0, 15.0)]
    both = nfw(40_000, *scales[0], 40) + nfw(10_000, *scales[1], 40, seed=2)
    both.position[:40_000, 0] += 100
    both.position[40_000:, 0] += 4100
    both.position = both.position % 8000
    options = {"linking_length": 15, "min_members": 1000, "box": 8000}
    found = hb.analysis.groups(both, **options)
    assert len(found["size"]) == 2
    for k, (scale, scale_mass) in enumerate(scales):
        u = radius_of(200 * CRITICAL, scale, scale_mass)
        assert found["r200c"][k] == pytest.approx(u * scale, rel=3e-3)
        assert found["m200c"][k] == pytest.approx(scale_mass * mass(u), rel=3e-3)
        assert found["v_max"][k] == pytest.approx(0.4649909 * math.sqrt(G * scale_mass / scale), rel=1e-2)
        apart = found["centre"][k] - [100 + 4000 * k, 0, 0]
        assert np.abs(apart - 8000 * np.round(apart / 8000)).max() < 0.1 * scale
    hb.write(tmp_path / "both.hdf5", both)
    flags = ["--groups", "--linking-length", "15", "--min-members", "1000", "--box", "8000", "--json"]
    told = json.loads(subprocess.run([program, "analyze", str(tmp_path / "both.hdf5"), *flags], capture_output=True, check=True).stdout)
    for name in ("m200c", "r200c", "m500c", "r500c", "mvir", "rvir", "v_max", "r_max"):
        assert found[name].tolist() == told["groups"][name], name
    assert found["centre"].T.tolist() == [told["groups"][f"centre_{axis}"] for axis in "xyz"]
    other = hb.analysis.groups(both, **options, hubble=35.0, omega_m=0.3)
    assert (other["m200c"] > found["m500c"] * 1.3).all() and (other["r200c"] > found["r200c"]).all()
    assert "m200c" not in hb.analysis.groups(both, **options, halos=False)
    with pytest.raises(hb.UsageError, match="hubble"):
        hb.analysis.groups(both, **options, hubble=-1)


def test_without_units_there_are_no_overdensities():
    found = hb.analysis.halo(hb.ic.plummer(2000, seed=1))
    assert found["m200c"] == found["r200c"] == 0 and found["v_max"] > 0


def test_all_of_a_plummer_sphere_is_bound():
    sphere = hb.ic.plummer(3000, seed=2)
    found = hb.analysis.bound(sphere, eps=0)
    assert found["bound"].mean() > 0.998 and found["mass"] == pytest.approx(1, abs=0.002)  # drawn below escape
    fast = hb.Snapshot(position=sphere.position, velocity=sphere.velocity * 3, mass=sphere.mass)
    assert hb.analysis.bound(fast, eps=0)["mass"] < 0.5


def test_a_satellite_with_long_tails_is_found_and_followed():
    """A tenth of the stars is a bound sphere; the others are strewn along a stream, as fast as it."""
    rng = np.random.default_rng(5)
    sphere = hb.ic.plummer(300, seed=3)
    n, far = 2700, rng.uniform(-300, 300, 2700)
    stream = np.stack([far, rng.normal(size=n), rng.normal(size=n)], axis=1)
    drift = np.stack([0.02 * far, 0.5 * rng.normal(size=n), 0.5 * rng.normal(size=n)], axis=1)
    before = None
    for k in range(3):  # it moves on
        place, speed = np.array([5.0 * k, 2.0, 0]), np.array([3.0, 1.0, 0])
        whole = hb.Snapshot(position=np.concatenate([sphere.position + place, stream]),
                            velocity=np.concatenate([sphere.velocity + speed, drift + 20]),
                            mass=np.full(300 + n, 1 / 300))
        found = hb.analysis.bound(whole, eps=0, centre=before)
        assert found["bound"][:300].mean() > 0.99 and found["bound"][300:].mean() < 0.01
        assert found["mass"] == pytest.approx(1, abs=0.02)
        assert np.linalg.norm(found["centre"] - place) < 0.1 and np.linalg.norm(found["velocity"] - speed) < 0.1
        before = found["centre"] + [5, 0, 0]


def test_only_some_families():
    sphere = hb.ic.plummer(500, seed=4)
    sphere.family[:100] = hb.Family.star
    found = hb.analysis.bound(sphere, family="star", eps=0.01)
    assert not found["bound"][100:].any()


def test_a_disc_without_a_bar_has_none():
    """Its strength is that of noise; a bar of known strength is found."""
    rng, n = np.random.default_rng(1), 20000
    R = -np.log(rng.uniform(size=n) * rng.uniform(size=n))  # of an exponential disc
    phi = rng.uniform(0, 2 * np.pi, n)
    turning = np.stack([-np.sin(phi), np.cos(phi), np.zeros(n)], axis=1)

    def of(angle):
        where = np.stack([R * np.cos(angle), R * np.sin(angle), np.zeros(n)], axis=1)
        disc = hb.Snapshot(position=where, velocity=turning, mass=np.full(n, 1 / n))
        disc.family[:] = hb.Family.disc
        return hb.analysis.bar(disc)

    fresh = of(phi)
    assert fresh["strength"] < 3.5 * fresh["noise"] and fresh["noise"] < 0.05
    barred = of(phi - 0.15 * np.sin(2 * phi) * (R < 2))  # A_2 / A_0 = 0.15 to first order
    assert barred["strength"] == pytest.approx(0.15, abs=0.04) and barred["strength"] > 5 * barred["noise"]


def test_rotation_curve_by_name():
    halo = nfw(20_000, 20.0, 60.0, 10)
    found = hb.analysis.rotation_curve(halo)
    u = found["radius"] / 20
    inner = (u > 0.2) & (u < 5)
    assert found["circular_velocity"][inner] == pytest.approx(np.sqrt(G * 60 / 20 * mass(u) / u)[inner], rel=0.02)
