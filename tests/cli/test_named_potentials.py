# SPDX-License-Identifier: Apache-2.0
"""Potentials of papers by name, and NFW haloes by m200 and c: circular velocities from closed forms."""
import json
import math

import numpy as np
import pytest

G = 43009.172706  # (km/s)^2 kpc / 1e10 Msun, as `galactic` has it
UNITS = '[units]\nsystem = "galactic"\n[time]\ndt = 1e-6\nend = 1e-6\n[gravity]\neps = 0\n[device]\nbackend = "cpu"\n'


def accelerations(hornbeam, potential, places):
    """Of massless particles there, (n, 4) with potentials, from one step's snapshot."""
    rows = "".join(f"{x},{y},{z},0,0,0,0\n" for x, y, z in places)
    (hornbeam.folder / "p.csv").write_text("x [kpc],y [kpc],z [kpc],vx [km/s],vy [km/s],vz [km/s],mass [1e10 Msun]\n" + rows)
    (hornbeam.folder / "p.toml").write_text(f'[input]\nfile = "p.csv"\n{UNITS}[output]\ndirectory = "p"\n{potential}')
    hornbeam.ok("run", "p.toml", "--overwrite")
    import h5py
    with h5py.File(hornbeam.folder / "p" / "snapshot_0000.hdf5") as file:
        group = file["PartType1"]
        order = np.argsort(group["ParticleIDs"][:])
        return np.column_stack([group["Acceleration"][:], group["Potential"][:]])[order]


def circular_velocities(hornbeam, potential, radii):
    """On the x axis."""
    return np.sqrt(-accelerations(hornbeam, potential, [(x, 0, 0) for x in radii])[:, 0] * radii)


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


# galpy 1.12.1: galpy.potential.mwpotentials.McMillan17, an expansion of the model's exact density: v_c in km/s at R in kpc,
# -d phi/dz in (km/s)^2/kpc at R = 8.21 kpc and z in kpc. A sum of Hankel transforms of the model agrees with both, within
# 0.02 % and 0.2 %.
MCMILLAN_SPEEDS = {0.3: 109.146, 0.5: 131.957, 1: 164.606, 2: 195.618, 4: 219.485, 6: 230.313, 8.21: 233.228, 12: 229.996,
                   20: 223.018, 40: 214.068, 70: 202.058, 100: 191.531}
MCMILLAN_PULLS = {0.1: 536.965, 0.2: 897.459, 0.3: 1143.46, 0.5: 1470.642, 0.8: 1782.944, 1.1: 2002.61, 2: 2449.198, 4: 2965.299}


def test_mcmillan17_is_that_of_galpy(hornbeam):
    on_axis, above = [(R, 0, 0) for R in MCMILLAN_SPEEDS], [(0, 8.21, z) for z in MCMILLAN_PULLS]
    found = accelerations(hornbeam, '[potential]\nkind = "mcmillan17"\n', on_axis + above)
    speeds = np.sqrt(-found[:len(on_axis), 0] * np.array(list(MCMILLAN_SPEEDS)))
    assert speeds == pytest.approx(list(MCMILLAN_SPEEDS.values()), rel=1.2e-3)  # the discs' fit: 0.07 %, galpy 0.02 %
    assert -found[len(on_axis):, 2] == pytest.approx(list(MCMILLAN_PULLS.values()), rel=7e-3)  # the fit: 0.5 %, galpy 0.2 %
    # phi(20 kpc) - phi(8.21 kpc) of galpy, in (km/s)^2
    assert found[list(MCMILLAN_SPEEDS).index(20), 3] - found[list(MCMILLAN_SPEEDS).index(8.21), 3] == pytest.approx(46620.6, rel=1e-3)
    # what is there is kept for the run's record, and read back with its masses below 0
    hornbeam.ok("run", "p.toml", "--resume", "--set", "time.end=2e-6")
    hornbeam.ok("analyze", "p/snapshot_0000.hdf5", "--energy")


def test_an_exponential_disc_of_three_miyamoto_nagai_discs(hornbeam):
    """Smith et al. (2015): masses below 0 are allowed for these discs alone."""
    three = "".join(f'[[potential]]\nkind = "miyamoto-nagai"\nmass = {m}\nscale = {a}\nheight = 0.3\n'
                    for m, a in ((0.1, 1.5), (-3.0, 5.0), (3.9, 6.0)))
    found = circular_velocities(hornbeam, three, [3, 8])
    closed = [math.sqrt(sum(G * m * R * R / (R * R + (a + 0.3)**2)**1.5 for m, a in ((0.1, 1.5), (-3.0, 5.0), (3.9, 6.0))))
              for R in (3, 8)]
    assert found == pytest.approx(closed, rel=1e-5)
    for kind in ("plummer", "miyamoto-nagai"):
        mass = -1 if kind == "plummer" else 0
        (hornbeam.folder / "p.toml").write_text(f'[ic]\nmodel = "plummer"\nn = 8\n{UNITS}[potential]\nkind = "{kind}"\nmass = {mass}\n'
                                                "scale = 1\n" + ("height = 1\n" if mass == 0 else ""))
        assert f"mass: received {mass} (must be above 0" in hornbeam.error(2, "run", "p.toml")


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
    ('kind = "Bovy14"\n', "potential.kind: received Bovy14 (did you mean bovy14?)"),
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
