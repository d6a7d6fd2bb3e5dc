# SPDX-License-Identifier: Apache-2.0
"""Others read what `sim.write` writes, with no options: yt and pynbody open it with its families and units; meshoid and
pytreegrav take the arrays as they are. (tests/cli/test_yt_pynbody.py: pictures, units and boxes of converted files.)"""

import warnings

import numpy as np
import pytest

import hornbeam as hb

REASON = "{} is not installed: what it makes of our snapshots is not tested"
FAMILIES = ("gas", "halo", "disc", "bulge", "star", "black_hole")


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def simulation(families):
    """60 particles of each family, of 1e7 solar masses each, that have moved."""
    n = 60 * len(families)
    random = np.random.default_rng(4)
    particles = hb.Snapshot(random.normal(size=(n, 3)), 30 * random.normal(size=(n, 3)), 1e-3, units="galactic",
                            family=np.repeat(families, 60), time=0.5)
    options = {}
    if "gas" in families:
        particles.internal_energy = np.full(n, 1e3)
        options["gas"] = {"eos": "ideal"}
    sim = hb.Simulation(particles, dt=1e-3, eps=0.05, **options)
    sim.step(2)
    return sim


@pytest.fixture(params=[FAMILIES, *[(family,) for family in FAMILIES]], ids=lambda families: "+".join(families))
def written(request, tmp_path):
    sim = simulation(request.param)
    sim.write(tmp_path / "s.hdf5")
    return sim, tmp_path / "s.hdf5"


@pytest.fixture
def ring(tmp_path):
    sheet = {"kind": "shear", "size": [100, 100, 0], "n_ghost_x": 1, "n_ghost_y": 1, "omega": 1.3143527e-4}
    sim = hb.Simulation(model="ring", ic={"size_x": 100, "size_y": 100}, units="si", eps=0.1, dt=47.8, boundary=sheet,
                        collisions={"law": "constant"})
    sim.step(3)
    sim.write(tmp_path / "r.hdf5")
    return sim, tmp_path / "r.hdf5"


def test_yt_opens_every_snapshot(written):
    yt = pytest.importorskip("yt", reason=REASON.format("yt"))
    yt.set_log_level(50)
    sim, path = written
    data = yt.load(str(path))
    everything = data.all_data()
    assert float(everything["all", "particle_mass"].sum().to("Msun")) == pytest.approx(1e7 * len(sim), rel=1e-6)
    assert float(data.current_time.to("Gyr")) == pytest.approx(sim.time * 0.9777922, rel=1e-4)
    for number, family in enumerate(FAMILIES):
        kind, mine = f"PartType{number}", sim.family == hb.Family[family]
        assert (kind in data.particle_types) == mine.any()
        if mine.any():
            place = everything[kind, "particle_position"].to("kpc").value
            order = np.argsort(everything[kind, "particle_index"].value)
            assert np.allclose(place[order], sim.position[mine][np.argsort(sim.id[mine])], atol=1e-6)
    if (sim.family == hb.Family.gas).any():
        assert np.allclose(np.sort(everything["PartType0", "Density"].to("1e10*Msun/kpc**3").value),
                           np.sort(sim.density[sim.family == 0]), rtol=1e-5)
    plot = yt.ParticleProjectionPlot(data, "z", ("all", "particle_mass"))
    assert float(np.nansum(plot.frb["all", "particle_mass"].to("Msun"))) == pytest.approx(1e7 * len(sim), rel=1e-4)


def test_pynbody_opens_every_snapshot(written):
    pynbody = pytest.importorskip("pynbody", reason=REASON.format("pynbody"))
    sim, path = written
    data = pynbody.load(str(path))
    assert float(data["mass"].sum().in_units("Msol")) == pytest.approx(1e7 * len(sim), rel=1e-4)
    place = np.asarray(data["pos"].in_units("kpc"))[np.argsort(data["iord"])]
    assert np.allclose(place, sim.position[np.argsort(sim.id)], atol=1e-6)
    speed = np.asarray(data["vel"].in_units("km s**-1"))[np.argsort(data["iord"])]
    assert np.allclose(speed, sim.velocity[np.argsort(sim.id)], atol=1e-4)
    there = {str(family): len(data[family]) for family in data.families()}
    kinds = {"gas": ("gas",), "dm": ("halo", "disc", "bulge"), "star": ("star",), "bh": ("black_hole",)}
    expected = {name: int(np.isin(sim.family, [hb.Family[f] for f in kind]).sum()) for name, kind in kinds.items()}
    assert there == {name: count for name, count in expected.items() if count}
    if "gas" in there:
        rho = np.sort(np.asarray(data.g["rho"].in_units("1e10 Msol kpc**-3")))
        assert np.allclose(rho, np.sort(sim.density[sim.family == 0]), rtol=1e-3)


def test_rings_are_read(ring):
    yt = pytest.importorskip("yt", reason=REASON.format("yt"))
    pynbody = pytest.importorskip("pynbody", reason=REASON.format("pynbody"))
    yt.set_log_level(50)
    sim, path = ring
    data = pynbody.load(str(path))
    assert float(data["mass"].sum().in_units("kg")) == pytest.approx(sim.mass.sum(), rel=1e-3)
    assert np.allclose(np.sort(np.asarray(data["pos"].in_units("m"))[:, 0]), np.sort(sim.position[:, 0]), atol=1e-3)
    everything = yt.load(str(path)).all_data()
    assert len(everything["all", "particle_mass"]) == len(sim)


def test_meshoid_takes_the_arrays():
    Meshoid = pytest.importorskip("meshoid", reason=REASON.format("meshoid")).Meshoid
    sim = simulation(("gas",))
    mesh = Meshoid(sim.position, sim.mass, sim.smoothing_length, des_ngb=100)
    surface = mesh.SurfaceDensity(size=20.0, center=np.zeros(3), res=128)
    assert surface.sum() * (20 / 128) ** 2 == pytest.approx(sim.mass.sum(), rel=0.02)
    assert np.allclose(mesh.Density(), sim.density, rtol=1e-3)  # by how many neighbours H holds, to our tolerance of it


def test_pytreegrav_takes_the_arrays():
    pytreegrav = pytest.importorskip("pytreegrav", reason=REASON.format("pytreegrav"))
    sphere = hb.ic.plummer(300, seed=3)
    theirs = pytreegrav.Accel(sphere.position, sphere.mass, method="bruteforce")
    ours, potential = hb.both(sphere.position, sphere.mass, walk="direct", precision="double")
    assert np.abs(theirs - ours).max() < 1e-9 * np.abs(ours).max()
    assert np.allclose(pytreegrav.Potential(sphere.position, sphere.mass, method="bruteforce"), potential, rtol=1e-9)
