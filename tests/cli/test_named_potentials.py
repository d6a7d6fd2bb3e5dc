# SPDX-License-Identifier: Apache-2.0
"""Potentials of papers by name, and NFW haloes by m200 and c: circular velocities from closed forms."""
import json
import math

import numpy as np
import pytest

G = 43009.172706  # (km/s)^2 kpc / 1e10 Msun, as `galactic` has it
UNITS = '[units]\nsystem = "galactic"\n[time]\ndt = 1e-6\nend = 1e-6\n[gravity]\neps = 0\n[device]\nbackend = "cpu"\n'


def circular_velocities(hornbeam, potential, radii):
    """Of massless particles on the x axis, from one step's snapshot with accelerations."""
    rows = "".join(f"{x},0,0,0,0,0,0\n" for x in radii)
    (hornbeam.folder / "p.csv").write_text("x [kpc],y [kpc],z [kpc],vx [km/s],vy [km/s],vz [km/s],mass [1e10 Msun]\n" + rows)
    (hornbeam.folder / "p.toml").write_text(f'[input]\nfile = "p.csv"\n{UNITS}[output]\ndirectory = "p"\n{potential}')
    hornbeam.ok("run", "p.toml", "--overwrite")
    import h5py
    with h5py.File(hornbeam.folder / "p" / "snapshot_0000.hdf5") as file:
        group = file["PartType1"]
        order = np.argsort(group["Coordinates"][:, 0])
        return np.sqrt(-group["Acceleration"][:, 0] * group["Coordinates"][:, 0])[order]


def lower_gamma(a, x):
    """The regularised lower incomplete gamma function, by its series."""
    term = total = 1 / a
    for k in range(1, 400):
        term *= x / (a + k)
        total += term
    return total * math.exp(-x + a * math.log(x) - math.lgamma(a))


def bovy(r):
    """MWPotential2014: 0.05, 0.6 and 0.35 of (220 km/s)^2 at 8 kpc."""
    bulge = lower_gamma(0.6, min((r / 1.9) ** 2, 60)) / lower_gamma(0.6, (8 / 1.9) ** 2) * 8 / r
    disc = r**2 / (r**2 + 3.28**2) ** 1.5 / (64 / (64 + 3.28**2) ** 1.5)
    def mass(u):
        return math.log1p(u) - u / (1 + u)
    halo = mass(r / 16) / mass(0.5) * 8 / r
    return 220 * math.sqrt(0.05 * bulge + 0.6 * disc + 0.35 * halo)


def test_bovy14_is_that_of_the_paper(hornbeam):
    radii = [0.05, 0.2, 0.5, 1, 2, 4, 8, 16, 50, 90]
    found = circular_velocities(hornbeam, '[potential]\nkind = "bovy14"\n', radii)
    assert found == pytest.approx([bovy(r) for r in radii], rel=2.5e-3)  # its bulge is five Plummer spheres
    assert found[radii.index(8)] == pytest.approx(220, rel=2.5e-3)
    asked = json.loads((hornbeam.folder / "p" / "run.json").read_text())["configuration"]["potential"]
    assert [one["kind"] for one in asked] == ["plummer"] * 5 + ["miyamoto-nagai", "nfw"]


def test_m200_and_c(hornbeam):
    """m200 = 1e12 Msun, H = 70 km/s/Mpc: r200 = (G m200 / 100 H^2)^(1/3)."""
    r200 = (G * 100 / (100 * 0.07**2)) ** (1 / 3)
    radii = [1, 5, 20, r200, 2 * r200]

    def speed(r, c=10):
        mass = lambda u: math.log1p(u) - u / (1 + u)  # noqa: E731
        return math.sqrt(G * 100 * mass(r * c / r200) / mass(c) / r)

    for m200 in ('"1e12 Msun"', "100"):
        found = circular_velocities(hornbeam, f'[potential]\nkind = "nfw"\nm200 = {m200}\nc = 10\n', radii)
        assert found == pytest.approx([speed(r) for r in radii], rel=1e-5)
    moved = circular_velocities(hornbeam, '[[potential]]\nkind = "nfw"\nm200 = 100\nc = 10\n'
                                '[[potential]]\nkind = "point"\nmass = 1\n', radii)
    assert moved == pytest.approx([math.hypot(speed(r), math.sqrt(G / r)) for r in radii], rel=1e-5)


@pytest.mark.parametrize("potential, part", [
    ('kind = "nfw"\nm200 = 100\n', "potential.c: is missing"),
    ('kind = "nfw"\nm200 = 100\nc = 0\n', "potential.c: received 0 (must be above 0)"),
    ('kind = "nfw"\nm200 = 100\nc = 10\nscale = 3\n', "has both m200 and scale"),
    ('kind = "bovy14"\nmass = 3\n', "potential.mass: is not a key of this potential (bovy14 takes kind, centre, velocity)"),
])
def test_what_does_not_go_together(hornbeam, potential, part):
    (hornbeam.folder / "p.toml").write_text('[ic]\nmodel = "plummer"\nn = 8\n' + UNITS + "[potential]\n" + potential)
    assert part in hornbeam.error(2, "run", "p.toml")


def test_sizes_need_units(hornbeam):
    text = '[ic]\nmodel = "plummer"\nn = 8\n[time]\ndt = 0.1\nend = 1\n[potential]\nkind = '
    for potential in ('"bovy14"\n', '"nfw"\nm200 = 1\nc = 10\n'):
        (hornbeam.folder / "p.toml").write_text(text + potential)
        assert "with G = 1 numbers have no units" in hornbeam.error(2, "run", "p.toml")
