# SPDX-License-Identifier: Apache-2.0
"""Files that other packages write themselves: swiftsimio, pynbody, astropy and WoMa write, and Hornbeam reads the numbers that
went in, with their units; astropy and WoMa read what Hornbeam writes; WoMa's tables of equations of state.
(tests/python/test_readers_long.py, tests/cli/test_yt_pynbody.py: yt and pynbody on our files.)"""

import os
import subprocess
import tempfile
import warnings

import numpy as np
import pytest

import hornbeam as hb

REASON = "{} is not installed: files of it are not tested"
KPC, MSUN = 3.0856775814913673e21, 1.98841e33
DRAW = np.random.default_rng(17)
N = 200
POSITION, VELOCITY = DRAW.uniform(1, 9, (N, 3)), DRAW.normal(size=(N, 3))
MASS, U = DRAW.uniform(1, 2, N), DRAW.uniform(10, 20, N)


def client(name):
    return pytest.importorskip(name, reason=REASON.format(name.split(".")[0]))


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def units_of(snapshot):
    """In cgs, as .npz keeps them."""
    with tempfile.TemporaryDirectory() as folder:
        hb.write(os.path.join(folder, "s.npz"), snapshot)
        kept = np.load(os.path.join(folder, "s.npz"))
        return {key: float(kept[key]) for key in ("length_cm", "mass_g", "velocity_cm_per_s")}


def in_units(snapshot, length_cm, mass_g, velocity_cm_per_s):
    """Position, mass and velocity of a snapshot in these units of cgs, in the order of its ids."""
    order = np.argsort(snapshot.id)
    units = units_of(snapshot)
    return (snapshot.position[order] * units["length_cm"] / length_cm, snapshot.mass[order] * units["mass_g"] / mass_g,
            snapshot.velocity[order] * units["velocity_cm_per_s"] / velocity_cm_per_s)


def expect(snapshot, length_cm, mass_g, velocity_cm_per_s, rel=1e-5):
    position, mass, velocity = in_units(snapshot, length_cm, mass_g, velocity_cm_per_s)
    assert position == pytest.approx(POSITION, rel=rel) and velocity == pytest.approx(VELOCITY, rel=rel)
    assert mass == pytest.approx(MASS, rel=rel)


@pytest.mark.parametrize("units", ["kpc Msun Gyr", "cm g s", "Mpc Msun Myr"])
def test_swiftsimios_writer(tmp_path, units):
    swiftsimio, unyt = client("swiftsimio"), client("unyt")
    of = lambda values, unit, exponent: swiftsimio.cosmo_array(values.copy(), unit, comoving=False, scale_factor=1.0,
                                                               scale_exponent=exponent)
    writer = swiftsimio.Writer(unit_system=unyt.UnitSystem("mine", *units.split()), boxsize=of(np.full(3, 10.0), "kpc", 1),
                               scale_factor=1.0)
    half = N // 2
    for kind, rows in ((writer.gas, slice(0, half)), (writer.dark_matter, slice(half, N))):
        kind.coordinates = of(POSITION[rows], "kpc", 1)
        kind.velocities = of(VELOCITY[rows], "km/s", 0)
        kind.masses = of(MASS[rows] * 1e6, "Msun", 0)
        kind.particle_ids = np.arange(N)[rows] + 1
    writer.gas.internal_energy = of(U[:half], "km**2/s**2", -2)
    writer.gas.generate_smoothing_lengths()
    writer.write(str(tmp_path / "s.hdf5"))
    found = hb.read(tmp_path / "s.hdf5")
    expect(found, KPC, 1e6 * MSUN, 1e5, 1e-4)  # their solar mass is of another year
    gas = np.argsort(found.id)[:half]
    assert found.internal_energy[gas] * (units_of(found)["velocity_cm_per_s"] / 1e5) ** 2 == pytest.approx(U[:half], rel=1e-5)
    assert found.box_size * units_of(found)["length_cm"] / KPC == pytest.approx(10)
    assert [hb.Family(k).name for k in np.unique(found.family)] == ["gas", "halo"]


@pytest.mark.parametrize("format", ["gadget", "tipsy"])
def test_pynbody_writes(tmp_path, format):
    pynbody = client("pynbody")
    made = pynbody.new(gas=N // 2, dm=N - N // 2)
    made["pos"], made["vel"], made["mass"] = POSITION, VELOCITY, MASS
    made["pos"].units, made["vel"].units, made["mass"].units = "kpc", "km s**-1", "1e10 Msol"
    made["iord"] = np.arange(N)
    made.gas["u"] = U[:N // 2]
    made.gas["u"].units = "km**2 s**-2"
    made.gas["rho"], made.gas["metals"], made.gas["temp"], made["eps"], made["phi"] = 1.0, 0.0, 1.0, 0.1, 0.0
    made.properties["boxsize"] = pynbody.units.Unit("10 kpc")
    kind = {"gadget": pynbody.snapshot.gadget.GadgetSnap, "tipsy": pynbody.snapshot.tipsy.TipsySnap}[format]  # HDF5 it only reads
    path = tmp_path / f"s.{format}"
    made.write(fmt=kind, filename=str(path))
    found = hb.read(path)
    # in the units of the file, which Gadget's have no names for and pynbody's Tipsy keeps in a .param that is not written
    assert len(found) == N and found.family[0] == hb.Family.gas
    assert found.position / found.position[0] == pytest.approx(POSITION / POSITION[0], rel=1e-5)
    assert found.mass / found.mass[0] == pytest.approx(MASS / MASS[0], rel=1e-5)
    assert found.velocity / found.velocity[0] == pytest.approx(VELOCITY / VELOCITY[0], rel=1e-4)


@pytest.mark.parametrize("name", ["t.ecsv", "t.csv"])
def test_tables_of_astropy(tmp_path, name):
    units, table = client("astropy.units"), client("astropy.table")
    made = table.QTable({"id": np.arange(N)})
    for k, axis in enumerate("xyz"):
        made[axis] = POSITION[:, k] * units.kpc
        made["v" + axis] = VELOCITY[:, k] * units.km / units.s
    made["mass"] = MASS * units.Msun
    if name == "t.csv":  # without units: those are the names' own
        made = table.Table({f"{key} [{made[key].unit}]" if getattr(made[key], "unit", None) else key: np.asarray(made[key])
                            for key in made.colnames})
    made.write(tmp_path / name)
    expect(hb.read(tmp_path / name), KPC, MSUN, 1e5)


def test_astropy_reads_our_tables(tmp_path):
    table = client("astropy.table")
    hb.write(tmp_path / "t.csv", hb.Snapshot(POSITION, VELOCITY, MASS, units="galactic"))
    found = table.Table.read(tmp_path / "t.csv", format="ascii.csv", comment="#")
    columns = {name.split(" ")[0]: np.asarray(found[name]) for name in found.colnames}
    assert np.column_stack([columns[axis] for axis in "xyz"]) == pytest.approx(POSITION) and columns["mass"] == pytest.approx(MASS)


def written_by_woma(path):
    woma = client("woma")
    h5py = client("h5py")
    with h5py.File(path, "w") as file:
        woma.save_particle_data(file, POSITION * 1e6, VELOCITY * 1e3, MASS * 1e20, np.full(N, 1e6), np.full(N, 3000.0), np.full(N, 1e9),
                                U * 1e5, np.full(N, 400), boxsize=20e6, file_to_SI=woma.Conversions(m=1e24, l=1e6, t=1), verbosity=0)
    return woma


def test_woma_writes_and_reads(tmp_path):
    woma = written_by_woma(tmp_path / "w.hdf5")
    found = hb.read(tmp_path / "w.hdf5")
    position, mass, velocity = in_units(found, 1e8, 1e23, 1e5)
    assert position - 10 == pytest.approx(POSITION, rel=1e-5)  # WoMa puts the origin into the middle of the box
    assert velocity == pytest.approx(VELOCITY, rel=1e-5) and mass == pytest.approx(MASS, rel=1e-5)
    assert found.internal_energy * units_of(found)["velocity_cm_per_s"]**2 / 1e4 == pytest.approx(U * 1e5, rel=1e-5)
    assert (found.material == 400).all()
    hb.write(tmp_path / "ours.hdf5", found)
    with client("h5py").File(tmp_path / "ours.hdf5") as file:
        again = file["PartType0"]
        assert again["MaterialIDs"].dtype.kind == "i" and (again["MaterialIDs"][:] == 400).all()
    assert woma is not None


READ = ["SESAME_iron_2140", "SESAME_basalt_7530", "SESAME_water_7154", "SS08_water", "AQUA_H20", "CMS19_H", "CMS19_He", "CD21_HHe",
        "ANEOS_forsterite_S19", "ANEOS_iron_S20", "ANEOS_Fe85Si15_S20"]
NAMED = ["HM80_HHe", "HM80_ice", "HM80_rock"]


@pytest.mark.parametrize("name", READ + NAMED)
def test_each_table_of_woma_is_read_or_named(tmp_path, name):
    file = os.path.join(os.path.dirname(client("woma").__file__), "data", name + ".txt")
    rows = "\n".join(f"{x},{y},{z},0,0,0,1e20,gas,1e7,300" for x, y, z in (POSITION * 1e5).tolist())
    (tmp_path / "p.csv").write_text("x [m],y [m],z [m],vx [m/s],vy [m/s],vz [m/s],mass [kg],family,u,material\n" + rows + "\n")
    (tmp_path / "r.toml").write_text(
        f'[input]\nfile = "p.csv"\n[gas]\neos = "materials"\nmaterials = ["300={file}"]\nself_gravity = false\n'
        '[time]\ndt = 1e-6\nend = 1e-6\n[watchdog]\nenergy = 0.0\n')
    done = subprocess.run([os.environ["HORNBEAM"], "run", "r.toml"], cwd=tmp_path, capture_output=True, text=True)
    if name in NAMED:
        assert done.returncode == 1 and "by density and energy (HM80)" in done.stderr
        return
    assert done.returncode == 0, done.stderr
    found = hb.read(tmp_path / "output" / "snapshot_0000.hdf5")
    assert np.isfinite(found.internal_energy).all()
