# SPDX-License-Identifier: Apache-2.0
"""What yt and pynbody make of the files that are written: plots with no options, and right units. Skipped where they are not
installed: python3 -m pip install yt pynbody."""

import re
import warnings

import numpy as np
import pytest

KPC, SOLAR = 3.0856775814913673e21, 1.98841e33
POSITION, VELOCITY = np.random.default_rng(5).normal(size=(2, 600, 3))
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def yt():
    module = pytest.importorskip("yt", reason="no yt here: what it makes of our files is not tested")
    module.set_log_level(50)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield module


@pytest.fixture
def pynbody():
    module = pytest.importorskip("pynbody", reason="no pynbody here: what it makes of our files is not tested")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield module


@pytest.fixture
def physical(hornbeam):
    """600 particles of each kind in kpc, 1e10 solar masses and km/s, a hundred of them gas: 6e9 solar masses."""
    np.savez(hornbeam.folder / "a.npz", pos=5 * POSITION, vel=100 * VELOCITY, mass=1e-3, family=np.arange(600) % 6,
             u=1e3, rho=1e-3, hsml=1.0, time=0.5, length_cm=KPC, mass_g=1e10 * SOLAR, velocity_cm_per_s=1e5)
    hornbeam.ok("convert", "a.npz", "a.hdf5")
    return hornbeam.folder / "a.hdf5"


@pytest.fixture
def run(hornbeam, config):
    """The last snapshot of a G = 1 run, and what the run said."""
    said = hornbeam.ok("run", config(n=600))
    return hornbeam.folder / "out" / "snapshot_0002.hdf5", said


def mass_in_picture(plot, folder):
    """Of all pixels, after the picture is written."""
    plot.save(str(folder / "plot.png"))
    assert (folder / "plot.png").read_bytes().startswith(PNG_SIGNATURE)
    return float(np.nansum(plot.frb["all", "particle_mass"].to("Msun")))  # pixels without particles have no number


@pytest.mark.parametrize("name", ["a.hdf5", "a.gadget", "a.gadget1", "a.tipsy"])
@pytest.mark.parametrize("options", [{}, {"center": [0, 0, 0]}])
def test_yt_plots_every_file_with_no_options(hornbeam, physical, yt, name, options):
    if name != "a.hdf5":
        hornbeam.ok("convert", "a.hdf5", name)
    data = yt.load(str(hornbeam.folder / name))
    plot = yt.ParticleProjectionPlot(data, "z", ("all", "particle_mass"), **options)
    if name == "a.tipsy":  # whose box is the one that yt draws about the particles
        assert mass_in_picture(plot, hornbeam.folder) == pytest.approx(6e9, rel=0.05)
    else:
        assert mass_in_picture(plot, hornbeam.folder) == pytest.approx(6e9, rel=1e-4)
    assert float(data.current_time.to("Gyr")) == pytest.approx(0.5 * 0.9777922, rel=1e-4)


def test_yt_slices_gas(hornbeam, physical, yt):
    data = yt.load(str(physical))
    for options in ({}, {"center": [0, 0, 0]}):
        plot = yt.SlicePlot(data, "z", ("gas", "density"), **options)
        plot.save(str(hornbeam.folder / "slice.png"))
        assert (hornbeam.folder / "slice.png").read_bytes().startswith(PNG_SIGNATURE)
    assert float(np.nanmax(plot.frb["gas", "density"].to("Msun/kpc**3"))) == pytest.approx(1e7, rel=0.5)


@pytest.fixture
def cube(hornbeam):
    """Gas of 1e6 solar masses in a cube of 1 kpc, H as of 100 neighbours of a lattice, and our column density of it over
    2 kpc, in solar masses a square parsec."""
    n = 14
    grid = (np.indices((n, n, n)).reshape(3, -1).T + 0.5) / n - 0.5
    grid += np.random.default_rng(3).uniform(-0.2 / n, 0.2 / n, grid.shape)
    np.savez(hornbeam.folder / "c.npz", pos=grid, vel=0 * grid, mass=1e-4 / n**3, family=np.zeros(n**3, int), u=1e3,
             rho=1e-4, hsml=2.876 / n, length_cm=KPC, mass_g=1e10 * SOLAR, velocity_cm_per_s=1e5)
    hornbeam.ok("convert", "c.npz", "c.hdf5")
    hornbeam.ok("render", "c.hdf5", "-o", "c.png", "--field", "density", "--centre", "0", "0", "0", "--extent", "2",
                "--width", "200", "--height", "200", "--numbers", "c.npy")
    ours = np.load(hornbeam.folder / "c.npy")
    assert ours.sum() * (2000 / 200) ** 2 == pytest.approx(1e6, rel=1e-3)
    assert ours[100, 100] == pytest.approx(1, rel=0.02)
    return hornbeam.folder / "c.hdf5", ours


def test_column_density_is_that_of_yt(hornbeam, cube, yt):
    path, ours = cube
    data = yt.load(str(path), kernel_name="wendland2")
    plot = yt.ProjectionPlot(data, "z", ("gas", "density"), center=[0, 0, 0], width=(2, "kpc"), buff_size=(200, 200))
    plot.save(str(hornbeam.folder / "projection.png"))
    theirs = np.nan_to_num(np.asarray(plot.frb["gas", "density"].to("Msun/pc**2")))[::-1]  # their first row is below
    assert theirs.sum() * 100 == pytest.approx(1e6, rel=5e-3)
    assert np.abs(theirs - ours).max() < 0.04  # their kernels and ours are tabulated, ours on cells of an eighth of H
    assert theirs.sum() == pytest.approx(ours.sum(), rel=5e-3)


def test_column_density_is_that_of_pynbody(hornbeam, cube, pynbody):
    matplotlib = pytest.importorskip("matplotlib", reason="no matplotlib here")
    matplotlib.use("Agg")
    path, ours = cube
    gas = pynbody.load(str(path)).g
    gas["smooth"] /= 2  # whose kernel ends at twice that, docs/gas.md
    theirs = pynbody.plot.sph.image(gas, qty="rho", units="Msol pc**-2", width="2 kpc", resolution=200,
                                    kernel=pynbody.sph.kernels.WendlandC2Kernel(), return_array=True)
    theirs = np.asarray(theirs)[::-1]  # their first row is below
    # They look kernels up in a table of 200 steps in (r / smooth)^2 without what lies between: 1.25 % too much of this one.
    assert theirs.sum() * 100 == pytest.approx(1.0125e6, rel=5e-3)
    assert np.abs(theirs / 1.0125 - ours).max() < 0.04


def test_yt_opens_a_run_by_the_line_it_prints(hornbeam, run, yt):
    path, said = run
    plot = yt.ParticleProjectionPlot(yt.load(str(path)), "z", ("all", "particle_mass"))
    assert mass_in_picture(plot, hornbeam.folder) == pytest.approx(1e10, rel=1e-6)  # as it takes numbers for granted
    assert said.count("to open one") == 1
    line = re.search(r"to open one: (.*) \(plots: center=\[0, 0, 0\]\)", said)[1]
    data = eval(line.replace('"out/', f'"{hornbeam.folder}/out/'), {"yt": yt})
    everything = data.all_data()
    assert float(everything["all", "particle_mass"].sum().to("Msun")) == pytest.approx(232508.5411, rel=1e-6)


def test_pynbody_reads_units(hornbeam, physical, pynbody):
    for name in ("a.hdf5", "a.tipsy"):  # Gadget's binary format has none, and pynbody takes Mpc there
        if name != "a.hdf5":
            hornbeam.ok("convert", "a.hdf5", name)
        data = pynbody.load(str(hornbeam.folder / name))
        assert float(data["mass"].sum().in_units("Msol")) == pytest.approx(6e9, rel=1e-3), name
        assert float(data["pos"].in_units("kpc").std()) == pytest.approx(5 * POSITION.std(), rel=1e-3), name
        assert float(data["vel"].in_units("km s**-1").std()) == pytest.approx(100 * VELOCITY.std(), rel=1e-3), name
    data = pynbody.load(str(physical))
    assert float(data.properties["time"].in_units("Gyr")) == pytest.approx(0.5 * 0.9777922, rel=1e-3)


def test_pynbody_plots(hornbeam, physical, pynbody):
    matplotlib = pytest.importorskip("matplotlib", reason="no matplotlib here")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    data = pynbody.load(str(physical))
    pynbody.analysis.center(data, mode="com", with_velocity=False)  # which wraps it into the box
    assert np.abs(np.asarray(data["pos"].in_units("kpc"))).max() < 30
    pynbody.plot.sph.image(data.dm, qty="rho", width="40 kpc", units="Msol kpc**-3", resolution=100)
    plt.savefig(hornbeam.folder / "p.png")
    assert (hornbeam.folder / "p.png").read_bytes().startswith(PNG_SIGNATURE)


def test_pynbody_opens_a_run_by_the_line_it_prints(hornbeam, run, pynbody):
    path, said = run
    line = re.search(r"to open one: .*\), or (.*)", said)[1].replace('"out/', f'"{hornbeam.folder}/out/')
    names = {"pynbody": pynbody}
    exec(line, names)
    data = names["s"]
    assert float(data["mass"].sum().in_units("Msol")) == pytest.approx(232508.5411, rel=1e-6)
    assert str(data["pos"].units) == "kpc" and str(data["vel"].units) == "km s**-1"


def test_families_of_pynbody(hornbeam, physical, pynbody):
    def counts(name):
        data = pynbody.load(str(hornbeam.folder / name))
        return {str(family): len(data[family]) for family in data.families()}

    assert counts("a.hdf5") == {"gas": 100, "dm": 300, "star": 100, "bh": 100}  # dm: halo, disc and bulge
    said = hornbeam.ok("convert", "a.hdf5", "s.hdf5", "--to", "hdf5-stars")
    assert "disc and bulge are written as stars" in said
    assert counts("s.hdf5") == {"gas": 100, "dm": 100, "star": 300, "bh": 100}


@pytest.mark.parametrize("kind, size", [("periodic", [10, 10, 10]), ("periodic", [10, 8, 0]), ("shear", [10, 8, 0])])
def test_yt_plots_what_moves_in_a_box(hornbeam, physical, yt, kind, size):
    """A cube is the domain; of a sheet and of a box of unequal edges, which yt does not know, all particles are seen."""
    omega = "omega = 1e-3\n" if kind == "shear" else ""
    (hornbeam.folder / "box.toml").write_text(
        f'[input]\nfile = "a.hdf5"\n[gravity]\neps = 1\n[time]\ndt = 1e-6\nend = 0.500001\n'
        f'[boundary]\nkind = "{kind}"\nsize = {size}\n{omega}')
    hornbeam.ok("run", "box.toml")
    ds = yt.load(str(hornbeam.folder / "output" / "snapshot_0001.hdf5"))
    assert float(ds.domain_width[0].to("kpc")) >= 10 and (size[2] == 0) != (float(ds.domain_width[0].to("kpc")) == 10)
    for options in ({}, {"center": [0, 0, 0]}):
        plot = yt.ParticleProjectionPlot(ds, "z", ("all", "particle_mass"), **options)
        assert mass_in_picture(plot, hornbeam.folder) == pytest.approx(6e9, rel=1e-3)


@pytest.fixture(params=[(), ("--unbind",)], ids=["linked", "bound"])
def catalogue(request, hornbeam):
    """Two galaxies of 1,000 particles of four families, what the command printed, and the ids of each group's members."""
    h5py = pytest.importorskip("h5py")
    hornbeam.ok("ic", "merger", "-n", 2000, "--pericentre", 2, "--separation", 20, "--seed", 1, "-o", "m.hdf5")
    said = hornbeam.ok("analyze", "m.hdf5", "--groups", "--linking-length", 1.2, *request.param, "-o",
                       "fof_subhalo_tab_000.0.hdf5", "--sorted-snapshot", "sorted.hdf5")
    with h5py.File(hornbeam.folder / "fof_subhalo_tab_000.0.hdf5") as file:
        members = np.split(file["IDs/ID"][:], file["Group/GroupOffset"][1:])
        return said, {key: value[:] for key, value in file["Group"].items()}, members, bool(request.param)


def in_folder(said, what, folder):
    """The expression that the command printed."""
    return re.sub(r'"((?:fof|sorted)[^"]*)"', rf'"{folder}/\1"', re.search(rf"in {what}: (.*)", said)[1])


def test_yt_opens_catalogues_of_groups(hornbeam, catalogue, yt):
    said, group, members, bound = catalogue
    data = eval(in_folder(said, "yt", hornbeam.folder), {"yt": yt})
    everything = data.all_data()
    for kind in ("Group", "Subhalo") if bound else ("Group",):
        assert everything[kind, "particle_mass"].to("code_mass").v == pytest.approx(group["GroupMass"])
        assert everything[kind, "particle_velocity"].to("km/s").v == pytest.approx(group["GroupVel"])
        for g, ids in enumerate(members):
            halo = data.halo(kind, g)
            assert sorted(halo[kind, "member_ids"].v) == sorted(ids)
    assert everything["Group", "particle_position"].to("kpc").v == pytest.approx(group["GroupPos"])
    assert list(everything["Group", "subhalo_number"]) == [1 if bound else 0] * len(members)
    plot = yt.ParticleProjectionPlot(data, "z", ("Group", "particle_mass"), center=[0, 0, 0])
    plot.save(str(hornbeam.folder / "groups.png"))
    assert (hornbeam.folder / "groups.png").read_bytes().startswith(PNG_SIGNATURE)


def test_pynbody_opens_catalogues_of_groups(hornbeam, catalogue, pynbody):
    said, group, members, bound = catalogue
    halos = eval(in_folder(said, "pynbody", hornbeam.folder), {"pynbody": pynbody})
    assert len(halos) == len(members) == 2
    for halo, ids, mass in zip(halos, members, group["GroupMass"]):
        assert sorted(halo["iord"]) == sorted(ids)
        assert float(halo["mass"].sum()) == pytest.approx(mass)
        assert [sorted(one["iord"]) for one in halo.subhalos] == ([sorted(ids)] if bound else [])


def test_catalogues_without_groups_open(hornbeam, yt, pynbody):
    hornbeam.ok("ic", "plummer", "-n", 100, "-o", "m.hdf5")
    said = hornbeam.ok("analyze", "m.hdf5", "--groups", "--min-members", 1000, "--unbind", "-o", "fof_subhalo_tab_000.0.hdf5",
                       "--sorted-snapshot", "sorted.hdf5")
    data = eval(in_folder(said, "yt", hornbeam.folder), {"yt": yt})
    data.all_data()
    assert data.field_list == []
    assert len(eval(in_folder(said, "pynbody", hornbeam.folder), {"pynbody": pynbody})) == 0
