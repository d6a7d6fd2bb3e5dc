# SPDX-License-Identifier: Apache-2.0
"""Files as other programs write them: what they say is taken, what they do not say is not claimed, and the usual ones
are read."""

import gzip
import shutil

import foreign
import h5py
import numpy as np
import pytest
from foreign import N, f4

T = foreign.truth()
KPC = 3.0856775814913673e21
GIZMO = {"UnitLength_In_CGS": 3.085678e21, "UnitMass_In_CGS": 1.989e43, "UnitVelocity_In_CGS": 1e5}
SWIFT = {"Units": {"Unit length in cgs (U_L)": [KPC], "Unit mass in cgs (U_M)": [1.98841e43], "Unit time in cgs (U_t)": [KPC / 1e5]}}


@pytest.fixture
def read(hornbeam):
    """The arrays that convert understands, and what it says."""
    def arrays(path, *options):
        said = hornbeam.ok("convert", path, "read.npz", *options)
        return dict(np.load(hornbeam.folder / "read.npz")), said
    arrays.folder, arrays.hornbeam = hornbeam.folder, hornbeam
    return arrays


def test_masses_of_the_dataset_win_over_the_table(read):
    table = [0, T["mass"][0], 0, 0, 0, 0]
    foreign.write_hdf5(read.folder / "a.hdf5", {1: foreign.particles(T)}, MassTable=table)
    found, said = read("a.hdf5")
    assert (found["mass"] == T["mass"]).all() and "MassTable has" in said
    foreign.write_hdf5(read.folder / "b.hdf5", {1: foreign.particles(T, without=["Masses"])}, MassTable=table)
    found, said = read("b.hdf5")
    assert (found["mass"] == T["mass"][0]).all() and "MassTable has" not in said


@pytest.mark.parametrize("groups, header", [
    ({}, GIZMO), (SWIFT, {}), ({"Units": {"KpcUnit": 1.0, "MsolUnit": 1e10, "KmPerSecUnit": 1.0}}, {}),
    ({"Parameters": {"UnitLength_in_cm": KPC, "UnitMass_in_g": 1.98841e43, "UnitVelocity_in_cm_per_s": 1e5}}, {})])
def test_units_by_the_names_of_each_code(read, groups, header):
    foreign.write_hdf5(read.folder / "a.hdf5", {1: foreign.particles(T)}, groups=groups, **header)
    found, said = read("a.hdf5")
    assert found["length_cm"] == pytest.approx(KPC, rel=1e-5) and found["mass_g"] == pytest.approx(1.9884e43, rel=1e-3)
    assert found["velocity_cm_per_s"] == pytest.approx(1e5, rel=1e-5) and "no units" not in said


def test_units_at_the_datasets_alone(read):
    """Cuts of Gadget-4's and EAGLE's files have no group of units: numbers of cgs are taken, words are named."""
    def write(*, a=0.0, h=0.0, **sizes):
        foreign.write_hdf5(read.folder / "a.hdf5", {1: foreign.particles(T)})
        with h5py.File(read.folder / "a.hdf5", "a") as file:
            for name, value in sizes.items():
                attribute = "to_cgs" if isinstance(value, float) else "units"
                file[f"PartType1/{name}"].attrs.update({attribute: value, "a_scaling": a, "h_scaling": h})

    sizes = {"Coordinates": KPC, "Masses": 1.98841e43, "Velocities": 1e5}
    write(**sizes)
    found, said = read("a.hdf5")
    assert found["length_cm"] == pytest.approx(KPC) and found["mass_g"] == pytest.approx(1.98841e43) and "no units" not in said
    write(a=1.0, h=-1.0, **sizes)
    found, said = read("a.hdf5")
    assert "length_cm" not in found and "comoving and per h" in said
    write(Coordinates="kpc", Masses="Msun", Velocities="km/s")
    said = read("a.hdf5")[1]
    assert "not understood: 'PartType1/Coordinates units kpc'" in said and "no units in the file" not in said
    write(Coordinates=1.0, Masses=1.0, Velocities=1.0)  # as we write G = 1
    assert "no units in the file" in read("a.hdf5")[1]
    foreign.write_hdf5(read.folder / "a.hdf5", {1: foreign.particles(T)}, groups={"units": {"length": 1.0}})
    assert "not understood: 'units'" in read("a.hdf5")[1]


@pytest.mark.parametrize("comment, named", [
    ("length: pc", True), ("mass = 1e10 Msun", True), ("comoving, z = 2", True), ("positions in kpc/h", True), ("v in km/s", True),
    ("galaxy of a run with G = 1", False), ("N = 60 at t = 3", False), ("made on day 3", False)])
def test_comments_that_look_like_units_are_named(read, comment, named):
    rows = "\n".join(",".join(map(str, row)) for row in np.column_stack([T["pos"], T["vel"], T["mass"]]))
    (read.folder / "a.csv").write_text(f"# of a run\n# {comment}\nx,y,z,vx,vy,vz,mass\n" + rows + "\n")
    said = read("a.csv")[1]
    assert (f"units in the file are not understood: '{comment}'" in said) == named != ("no units in the file" in said)


def test_units_that_are_not_understood_are_named(read):
    foreign.write_hdf5(read.folder / "a.hdf5", {1: foreign.particles(T)}, UnitOfLength="kpc")
    said = read("a.hdf5")[1]
    assert "not understood: 'UnitOfLength'" in said and "no units in the file" not in said
    rows = "\n".join(",".join(map(str, row)) for row in np.column_stack([T["pos"], T["vel"], T["mass"]]))
    (read.folder / "a.csv").write_text("# units: kilofurlongs\nx,y,z,vx,vy,vz,mass\n" + rows + "\n")
    said = read("a.csv")[1]
    assert "not understood: 'units: kilofurlongs'" in said and "no units in the file" not in said
    for comment in ("a community's data", "units of N-body, G = 1"):
        (read.folder / "a.csv").write_text(f"# {comment}\nx,y,z,vx,vy,vz,mass\n" + rows + "\n")
        assert "no units in the file" in read("a.csv")[1]


ECSV = "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n" + "".join(
    f"# - {{name: {name}, unit: {unit}, datatype: float64}}\n" for name, unit in
    [(x, "kpc") for x in "xyz"] + [("v" + x, "km / s") for x in "xyz"] + [("mass", "solMass")]) + (
        "# meta: !!omap\n# - __serialized_columns__:\n#     vx:\n#       unit: !astropy.units.Unit {unit: km / s}\n"
        "#       value: !astropy.table.SerializedColumn {name: vx}\n#     x:\n#       unit: !astropy.units.Unit {unit: kpc}\n")


@pytest.mark.parametrize("before, names, after", [
    (ECSV, "x,y,z,vx,vy,vz,mass", ""),
    ("", "x,y,z,vx,vy,vz,mass", "kpc,kpc,kpc,km s-1,km s-1,km s-1,solMass\n"),
    ("", "x,y,z,vx,vy,vz,mass", "# kpc,kpc,kpc,km/s,km/s,km/s,M_sun\n"),
    ("", "x [kpc],y [kpc],z [kpc],vx [km s-1],vy [km s**-1],vz [km/s],mass [Msol]", "")])
def test_units_of_tables_wherever_they_are(read, before, names, after):
    rows = "\n".join(",".join(map(str, row)) for row in np.column_stack([T["pos"], T["vel"], T["mass"]]))
    (read.folder / "a.csv").write_text(before + names + "\n" + after + rows + "\n")
    found, said = read("a.csv")
    assert (found["position"] == T["pos"]).all() and found["length_cm"] == pytest.approx(KPC) and "no units" not in said
    assert found["mass_g"] == pytest.approx(1.98841e33, rel=1e-4) and found["velocity_cm_per_s"] == pytest.approx(1e5)


COSMOLOGY = {"HubbleParam": 0.7, "Omega0": 0.3, "OmegaLambda": 0.7, "Time": 0.5, "Redshift": 1.0, "BoxSize": 100.0,
             "UnitLength_in_cm": KPC, "UnitMass_in_g": 1.98841e43, "UnitVelocity_in_cm_per_s": 1e5}


def test_comoving_numbers_have_no_units_until_they_are_converted(read):
    foreign.write_hdf5(read.folder / "a.hdf5", {0: foreign.particles(T, InternalEnergy=T["u"], Density=T["rho"])}, **COSMOLOGY)
    found, said = read("a.hdf5")
    assert (found["position"] == T["pos"]).all() and "length_cm" not in found and "cosmological factors are not applied" in said
    assert "[kpc]" not in read.hornbeam.ok("analyze", "a.hdf5", "--half-mass")
    found, said = read("a.hdf5", "--physical")
    a, h = 0.5, 0.7
    for name, right in [("position", T["pos"] * a / h), ("mass", T["mass"] / h), ("velocity", T["vel"] * a**0.5),
                        ("density", T["rho"] * h**2 / a**3), ("internal_energy", T["u"]), ("box_size", 100 * a / h)]:
        assert found[name] == pytest.approx(right, rel=1e-12), name
    assert found["time"] == pytest.approx(5.75 / 0.977792, rel=1e-2)  # Gyr after the beginning, in kpc / (km/s)
    assert found["length_cm"] == KPC and "numbers are physical" in said
    assert "[kpc]" in read.hornbeam.ok("analyze", "a.hdf5", "--half-mass", "--physical")


def run_of(read, keys):
    """The arrays of the first snapshot of a run of a.hdf5 or another file, and what the run printed."""
    (read.folder / "run.toml").write_text(f"[input]\n{keys}\n[gravity]\neps = 1\n[gas]\neos = \"ideal\"\n"
                                          "[time]\ndt = 1e-9\nend = 1e-9\nstart = 0\n[watchdog]\nenergy = 0.0\n")
    said = read.hornbeam.ok("run", "run.toml", "--overwrite")
    return read("output/snapshot_0000.hdf5")[0], said


def test_runs_read_as_convert_does(read):
    """`physical` and `blocks` of [input] are --physical and --blocks."""
    foreign.write_hdf5(read.folder / "a.hdf5", {0: foreign.particles(T, InternalEnergy=T["u"], Density=T["rho"])}, **COSMOLOGY)
    found, said = run_of(read, 'file = "a.hdf5"\nphysical = true')
    assert "numbers are physical" in said and found["length_cm"] == pytest.approx(KPC)
    assert found["mass"] == pytest.approx(T["mass"] / 0.7) and found["velocity"] == pytest.approx(T["vel"] * 0.5**0.5, rel=1e-6)
    assert "apply a and h with --physical or input.physical" in run_of(read, 'file = "a.hdf5"')[1]
    foreign.write_gadget(read.folder / "a.gadget1", [20, 40, 0, 0, 0, 0], GAS, cooling=1)
    assert "--blocks or input.blocks" in run_of(read, 'file = "a.gadget1"')[1]
    said = run_of(read, 'file = "a.gadget1"\nblocks = "POS VEL ID MASS U RHO NE NH HSML"')[1]
    assert "input.blocks" not in said
    for keys in ('physical = true', 'blocks = "POS"'):
        (read.folder / "b.toml").write_text(f"[input]\n{keys}\n[ic]\nmodel = \"plummer\"\nn = 10\n[gravity]\neps = 1\n"
                                            "[time]\ndt = 1\nend = 1\n")
        assert "without a file" in read.hornbeam.error(2, "run", "b.toml")


def test_packed_files_are_read_and_not_written(read):
    """Tables are unpacked; HDF5, of which parts are read, is named in the error."""
    foreign.write_hdf5(read.folder / "a.hdf5", {1: foreign.particles(T)})
    for name in ("a.hdf5.gz", "packed"):
        with open(read.folder / "a.hdf5", "rb") as file, gzip.open(read.folder / name, "wb") as packed:
            shutil.copyfileobj(file, packed)
        for command in (("convert", name, "b.npz"), ("analyze", name, "--half-mass")):
            assert "is packed by gzip, and HDF5 files can only be read unpacked (unpack it with gunzip)" in read.hornbeam.error(1, *command)
    for options in ((), ("--to", "csv")):
        assert "write b.csv, then pack it" in read.hornbeam.error(2, "convert", "a.hdf5", "b.csv.gz", *options)
    assert "write b.hdf5, then pack it" in read.hornbeam.error(2, "ic", "plummer", "-n", 10, "-o", "b.hdf5.gz")


def test_what_is_no_table_is_named(read):
    (read.folder / "a.vot").write_text('<?xml version="1.0"?>\n<VOTABLE version="1.4"></VOTABLE>\n')
    assert "is XML, as VOTable" in read.hornbeam.error(1, "convert", "a.vot", "b.npz")
    with h5py.File(read.folder / "a.h5part", "w") as file:
        file["Step#0/x"] = T["pos"][:, 0]
    assert "write its arrays with numpy.savez" in read.hornbeam.error(1, "convert", "a.h5part", "b.npz")


def test_names_without_an_extension(read):
    foreign.write_hdf5(read.folder / "a.hdf5", {1: foreign.particles(T)})
    for name in ("b", "b.dat"):
        assert "name the format with --to, or use an extension; known: .hdf5" in read.hornbeam.error(2, "convert", "a.hdf5", name)
        read.hornbeam.ok("convert", "a.hdf5", name, "--to", "hdf5")
    assert "--to" in read.hornbeam.error(2, "convert", "a.hdf5", "b", "--to", "fits")


def test_powers_of_a_and_h_are_those_that_datasets_name(read):
    swift = {"Cosmology": {"Cosmological run": [1], "Scale-factor": [0.25], "h": [0.7], "Omega_m": [0.3]}, **SWIFT}
    foreign.write_hdf5(read.folder / "a.hdf5", {1: foreign.particles(T, Potentials=T["pot"])}, groups=swift)
    found = read("a.hdf5", "--physical")[0]
    assert found["position"] == pytest.approx(T["pos"] / 4) and (found["mass"] == T["mass"]).all()
    assert (found["velocity"] == T["vel"]).all() and "potential" not in found
    with h5py.File(read.folder / "a.hdf5", "a") as file:
        file["PartType1/Velocities"].attrs.update({"a-scale exponent": [1.0], "h-scale exponent": [0.0]})
        file["PartType1/Potentials"].attrs.update({"a-scale exponent": [-1.0], "h-scale exponent": [0.0]})
    found = read("a.hdf5", "--physical")[0]
    assert found["velocity"] == pytest.approx(T["vel"] / 4) and found["potential"] == pytest.approx(4 * T["pot"])
    with h5py.File(read.folder / "a.hdf5", "a") as file:
        file["PartType1/Potentials"].attrs["Value stored as physical"] = [1]
    assert read("a.hdf5", "--physical")[0]["potential"] == pytest.approx(T["pot"])


@pytest.mark.parametrize("mark, cosmological", [
    ({"Omega_Matter": 0.3}, True), ({"ComovingIntegrationOn": 1}, True), ({"Redshift": 2.0}, True), ({"Omega0": 0.0}, False),
    ({"Omega0": 0.3, "ComovingIntegrationOn": 0}, False), ({"ExpansionFactor": 0.1}, True)])
def test_any_mark_makes_a_file_cosmological(read, mark, cosmological):
    foreign.write_hdf5(read.folder / "a.hdf5", {1: foreign.particles(T)}, **mark)
    assert ("cosmological factors" in read("a.hdf5")[1]) == cosmological


def test_factors_that_are_unknown_are_refused(read):
    foreign.write_hdf5(read.folder / "a.hdf5", {1: foreign.particles(T)}, **{**COSMOLOGY, "Redshift": 3.0})
    assert "its scale factor is unknown" in read.hornbeam.error(1, "convert", "a.hdf5", "b.npz", "--physical")
    foreign.write_hdf5(read.folder / "a.hdf5", {1: foreign.particles(T)}, **{**COSMOLOGY, "HubbleParam": 0.0})
    assert "HubbleParam is missing" in read.hornbeam.error(1, "convert", "a.hdf5", "b.npz", "--physical")
    foreign.write_hdf5(read.folder / "a.hdf5", {1: foreign.particles(T)})
    assert "not cosmological" in read("a.hdf5", "--physical")[1]


def test_entropies_are_turned_into_energies_or_refused(read):
    gas = foreign.particles(T, InternalEnergy=T["u"], Density=T["rho"])
    foreign.write_hdf5(read.folder / "a.hdf5", {0: gas}, Flag_Entropy_ICs=np.array([1, 0, 0, 0, 0, 0]))
    found, said = read("a.hdf5")
    assert found["internal_energy"] == pytest.approx(1.5 * T["u"] * T["rho"] ** (2 / 3)) and "made of entropies" in said
    del gas["Density"]
    foreign.write_hdf5(read.folder / "a.hdf5", {0: gas}, Flag_Entropy_ICs=1)
    assert "Flag_Entropy_ICs" in read.hornbeam.error(1, "convert", "a.hdf5", "b.npz")
    blocks = [(b"POS", T["pos"]), (b"VEL", T["vel"]), (b"MASS", T["mass"]), (b"U", T["u"])]
    foreign.write_gadget(read.folder / "a.g2", [N, 0, 0, 0, 0, 0], blocks, 2, entropy=1)
    assert "Flag_Entropy_ICs" in read.hornbeam.error(1, "convert", "a.g2", "b.npz")


@pytest.mark.parametrize("names", [{"Velocities": "Velocity", "Masses": "Mass"}, {"Masses": "DynamicalMasses"}])
def test_synonyms_of_datasets(read, names):
    foreign.write_hdf5(read.folder / "a.hdf5", {4: {names.get(k, k): v for k, v in foreign.particles(T).items()}})
    found = read("a.hdf5")[0]
    assert (found["velocity"] == T["vel"]).all() and (found["mass"] == T["mass"]).all()


def test_softenings_and_potentials_of_swift(read):
    foreign.write_hdf5(read.folder / "a.hdf5", {1: foreign.particles(T, Softenings=np.full(N, 0.1), Potentials=T["pot"])}, groups=SWIFT)
    found = read("a.hdf5")[0]
    assert (found["eps"] == 0.1).all() and (found["potential"] == T["pot"]).all()


def test_header_items_that_are_missing_have_a_sensible_value(read):
    drop = ["Time", "BoxSize", "MassTable", "NumFilesPerSnapshot", "Redshift", "NumPart_Total", "NumPart_Total_HighWord"]
    foreign.write_hdf5(read.folder / "a.hdf5", {1: foreign.particles(T)}, drop=drop, n_types=8)
    found, said = read("a.hdf5")
    assert (found["mass"] == T["mass"]).all() and found["time"] == 0 and "no Time" in said and "no BoxSize" in said
    foreign.write_hdf5(read.folder / "a.hdf5", {1: foreign.particles(T, ParticleIDs=T["id"].astype(float))},
                       NumPart_ThisFile=np.array([0, N, 0, 0, 0, 0], float))
    assert (read("a.hdf5")[0]["id"] == T["id"]).all()
    foreign.write_hdf5(read.folder / "a.hdf5", {1: foreign.particles(T)}, NumPart_ThisFile=[0, N, 0, 0, 0, 0, 0, 3])
    assert "3 particles of type 7" in read.hornbeam.error(1, "convert", "a.hdf5", "b.npz")


def test_types_without_positions_are_left_out(read):
    tracers = {"TracerID": T["id"][:5], "ParentID": T["id"][:5]}
    foreign.write_hdf5(read.folder / "a.hdf5", {1: foreign.particles(T, slice(30)), 3: tracers, 4: foreign.particles(T, slice(30, 60))})
    found, said = read("a.hdf5")
    assert (found["position"] == T["pos"]).all() and "5 particles have no positions and are left out" in said


def test_boxes_of_unequal_edges_are_kept(read):
    foreign.write_hdf5(read.folder / "a.hdf5", {1: foreign.particles(T)}, BoxSize=[100.0, 100.0, 50.0])
    assert (read("a.hdf5")[0]["boundary_size"] == [100, 100, 50]).all()
    foreign.write_hdf5(read.folder / "a.hdf5", {1: foreign.particles(T)}, BoxSize=[100.0, 100.0, -50.0])
    assert "BoxSize has an edge" in read.hornbeam.error(1, "convert", "a.hdf5", "b.npz")


def test_positions_and_masses_are_enough_for_radii_and_pictures(read):
    foreign.write_hdf5(read.folder / "a.hdf5", {4: {"Coordinates": T["pos"], "Masses": T["mass"]}})
    assert "no velocities" in read.hornbeam.ok("analyze", "a.hdf5", "--half-mass", "--profile", "--lagrangian")
    read.hornbeam.ok("render", "a.hdf5", "-o", "a.png")
    assert "Velocities is missing" in read.hornbeam.error(1, "analyze", "a.hdf5", "--energy")


def write_parts(folder, name, write):
    for k, rows in enumerate((slice(0, 30), slice(30, 50), slice(50, 60))):
        write(folder / name.format(k), rows, {2: 4}.get(k, 1))


def hdf5_part(path, rows, kind):
    foreign.write_hdf5(path, {kind: foreign.particles(T, rows)}, NumFilesPerSnapshot=np.int32(3), NumPart_Total=[0, 50, 0, 0, 10, 0])


def gadget_part(path, rows, kind):
    counts = [0] * 6
    counts[kind] = rows.stop - rows.start
    blocks = [(b"POS", T["pos"][rows]), (b"VEL", T["vel"][rows]), (b"ID", T["id"][rows]), (b"MASS", T["mass"][rows])]
    foreign.write_gadget(path, counts, blocks, files=3, total=[0, 50, 0, 0, 10, 0])


@pytest.mark.parametrize("name, write, given", [
    ("snap_007.{}.hdf5", hdf5_part, ["snap_007.0.hdf5", "snap_007.2.hdf5", "snap_007.hdf5", "snap_007", "."]),
    ("snap_007.{}", gadget_part, ["snap_007.0", "snap_007.2", "snap_007", "."])])
def test_snapshots_in_parts_are_read_as_one(read, name, write, given):
    (read.folder / "parts").mkdir()
    write_parts(read.folder / "parts", name, write)
    for path in given:
        found, said = read(f"parts/{path}")
        assert (found["position"] == T["pos"]).all() and (found["id"] == T["id"]).all() and "in 3 files" in said
        assert (found["family"] == [1] * 50 + [4] * 10).all()
    (read.folder / "parts" / name.format(1)).rename(read.folder / "elsewhere")
    assert name.format(1) + " is missing" in read.hornbeam.error(1, "convert", f"parts/{given[0]}", "b.npz")
    shutil.copy(read.folder / "parts" / name.format(0), read.folder / "parts" / name.format(1))
    assert "60 particles" in read.hornbeam.error(1, "convert", f"parts/{given[0]}", "b.npz")


def write_virtual(path, sources, rows=30):
    foreign.write_hdf5(path, {1: {"Coordinates": np.zeros((N, 3))}})
    with h5py.File(path, "a") as file:
        del file["PartType1/Coordinates"]
        for name, array in foreign.particles(T).items():
            layout = h5py.VirtualLayout(shape=array.shape, dtype=array.dtype)
            for k, source in enumerate(sources):
                layout[rows * k:rows * (k + 1)] = h5py.VirtualSource(source, "PartType1/" + name, shape=(rows, *array.shape[1:]))
            file["PartType1"].create_virtual_dataset(name, layout)


def test_virtual_datasets_are_read_and_never_filled_up(read):
    for k in (0, 1):
        foreign.write_hdf5(read.folder / f"v.{k}.hdf5", {1: foreign.particles(T, slice(30 * k, 30 * k + 30))})
    write_virtual(read.folder / "v.hdf5", ["v.0.hdf5", "v.1.hdf5"])
    found = read("v.hdf5")[0]
    assert (found["position"] == T["pos"]).all() and (found["id"] == T["id"]).all()
    write_virtual(read.folder / "v.hdf5", ["v.0.hdf5", "v.0.hdf5"])
    assert "refers to more values of 'PartType1/Coordinates'" in read.hornbeam.error(1, "convert", "v.hdf5", "b.npz")
    with h5py.File(read.folder / "v.0.hdf5", "a") as file:
        file["PartType1/again"] = T["pos"][:30]
    overlapping = h5py.VirtualLayout(shape=(N, 3), dtype=float)
    overlapping[:30] = h5py.VirtualSource("v.0.hdf5", "PartType1/Coordinates", shape=(30, 3))
    overlapping[:30] = h5py.VirtualSource("v.0.hdf5", "PartType1/again", shape=(30, 3))
    with h5py.File(read.folder / "v.hdf5", "a") as file:
        del file["PartType1/Coordinates"]
        file["PartType1"].create_virtual_dataset("Coordinates", overlapping)
    assert "180 values, but its sources have 90" in read.hornbeam.error(1, "convert", "v.hdf5", "b.npz")
    write_virtual(read.folder / "v.hdf5", ["v.0.hdf5"])
    assert "180 values, but its sources have 90" in read.hornbeam.error(1, "convert", "v.hdf5", "b.npz")
    write_virtual(read.folder / "v.hdf5", ["v.0.hdf5", "v.7.hdf5"])
    assert "'v.7.hdf5', which is missing from the folder of this file" in read.hornbeam.error(1, "convert", "v.hdf5", "b.npz")
    write_virtual(read.folder / "v.hdf5", ["v.0.hdf5", "/tmp/v.1.hdf5"])
    assert "is not followed" in read.hornbeam.error(1, "convert", "v.hdf5", "b.npz")


def test_links_are_followed(read):
    foreign.write_hdf5(read.folder / "data.hdf5", {1: foreign.particles(T)})
    foreign.write_hdf5(read.folder / "a.hdf5", {2: foreign.particles(T)})
    with h5py.File(read.folder / "a.hdf5", "a") as file:
        file["PartType1"] = h5py.ExternalLink("data.hdf5", "/PartType1")
        del file["PartType2/Velocities"]
        file["speeds"] = T["vel"]
        file["PartType2/Velocities"] = h5py.SoftLink("/speeds")
        file["Header"].attrs["NumPart_ThisFile"] = [0, N, N, 0, 0, 0]
    found = read("a.hdf5")[0]
    assert (found["position"] == np.vstack([T["pos"]] * 2)).all() and (found["velocity"] == np.vstack([T["vel"]] * 2)).all()
    (read.folder / "data.hdf5").unlink()
    assert "data.hdf5" in read.hornbeam.error(1, "convert", "a.hdf5", "b.npz")


def test_a_filter_that_is_not_here_is_named(read):
    foreign.write_hdf5(read.folder / "a.hdf5", {1: foreign.particles(T)}, options={"chunks": True, "compression": "lzf"})
    assert "filter 32000 (lzf)" in read.hornbeam.error(1, "convert", "a.hdf5", "b.npz")


GAS = [(b"POS", T["pos"].astype(f4)), (b"VEL", T["vel"].astype(f4)), (b"ID", T["id"].astype("u4")), (b"MASS", T["mass"].astype(f4)),
       (b"U", T["u"][:20].astype(f4)), (b"RHO", T["rho"][:20].astype(f4)), (b"NE", T["ne"][:20].astype(f4)),
       (b"NH", T["ne"][:20].astype(f4)), (b"HSML", T["hsml"][:20].astype(f4))]


def test_records_of_gas_are_taken_for_what_they_are(read):
    foreign.write_gadget(read.folder / "a.gadget1", [20, 40, 0, 0, 0, 0], GAS, cooling=1)
    found, said = read("a.gadget1")
    assert "smoothing_length" not in found and (found["density"][:20] == T["rho"][:20].astype(f4)).all() and "--blocks" in said
    found = read("a.gadget1", "--blocks", "pos vel id mass u rho ne nh hsml")[0]
    assert (found["smoothing_length"][:20] == T["hsml"][:20].astype(f4)).all()
    assert "twice" in read.hornbeam.error(2, "convert", "a.gadget1", "b.npz", "--blocks", "POS POS")
    # a record of all particles after the masses is no energy of gas
    foreign.write_gadget(read.folder / "a.gadget1", [20, 40, 0, 0, 0, 0], [*GAS[:4], (b"POT", T["pot"].astype(f4))])
    found, said = read("a.gadget1")
    assert "internal_energy" not in found and "1 further records" in said
    foreign.write_gadget(read.folder / "a.gadget1", [20, 40, 0, 0, 0, 0], [*GAS[:4], (b"U", T["pot"][:20].astype(f4))])
    assert "internal energy = -" in read.hornbeam.error(1, "convert", "a.gadget1", "b.npz")


def test_a_mass_block_of_all_particles_wins_over_the_table(read):
    foreign.write_gadget(read.folder / "a.g2", [0, 30, 0, 0, 30, 0], GAS[:4], 2, mass=[0, 0.5, 0, 0, 0, 0])
    found, said = read("a.g2")
    assert (found["mass"] == T["mass"].astype(f4)).all() and "the different ones in the header's table are not used" in said


def test_widths_are_those_of_the_positions(read):
    foreign.write_gadget(read.folder / "a.g2", [0, N, 0, 0, 0, 0], [(b"POS", T["pos"]), *GAS[1:4]], 2)
    assert "8 each as in POS" in read.hornbeam.error(1, "convert", "a.g2", "b.npz")


@pytest.mark.parametrize("names", [[b"POS\0", b"VEL\0", b"ID\0\0", b"MASS"], [b"pos ", b"vel ", b"id  ", b"mass"]])
def test_names_of_blocks_padded_with_zeros_or_in_lower_case(read, names):
    foreign.write_gadget(read.folder / "snapshot_007", [0, N, 0, 0, 0, 0], [(n, a) for n, (_, a) in zip(names, GAS)], 2)
    assert (read("snapshot_007")[0]["position"] == T["pos"].astype(f4)).all()


DARK = np.column_stack([T["mass"], T["pos"], T["vel"], np.full(N, 0.05), T["pot"]])


def test_tipsy_potentials_above_0_are_potentials(read):
    foreign.write_tipsy(read.folder / "a.std", dark=np.column_stack([DARK[:, :8], -T["pot"]]))
    assert (read("a.std")[0]["potential"] == -T["pot"].astype(f4)).all()
    (read.folder / "ids.csv").write_text("id,x,y,z,vx,vy,vz,mass\n" + "".join(f"{10**9 + 10**7 * k},{k},0,0,0,0,0,1\n" for k in range(9)))
    read.hornbeam.ok("convert", "ids.csv", "ids.tipsy")  # numbers that would look like potentials
    assert (read("ids.tipsy")[0]["id"] == 10**9 + 10**7 * np.arange(9)).all()


def test_tipsy_positions_of_8_bytes(read):
    foreign.write_tipsy(read.folder / "a.std", dark=DARK, star=np.column_stack([DARK[:, :7], DARK[:, :2], DARK[:, 7:]]), double=True)
    found, said = read("a.std")
    assert (found["position"] == np.vstack([T["pos"]] * 2)).all() and "positions of 8 bytes" in said
    assert (found["potential"] == np.tile(T["pot"].astype(f4), 2)).all() and (found["velocity"][:N] == T["vel"].astype(f4)).all()


def test_tipsy_defaults_are_those_of_changa(read):
    gas = np.column_stack([DARK[:, :7], T["rho"], np.full(N, 1e4), np.full(N, 0.05), np.zeros(N), T["pot"]])
    foreign.write_tipsy(read.folder / "a.std", gas=gas)
    (read.folder / "a.param").write_text("dKpcUnit = 1\ndMsolUnit = 1e10\n")
    u = 1.380649e-16 * 1e4 / (2 / 3 * 1.67262192e-24) / 207.387e5**2
    assert read("a.std")[0]["internal_energy"] == pytest.approx(u, rel=1e-4)
    (read.folder / "a.param").write_text("dKpcUnit = 1\ndMsolUnit = 1e10\nbComove = 0\nbPeriodic = 0\n")  # of earlier versions of ours
    assert read("a.std")[0]["internal_energy"] == pytest.approx(u / 0.6, rel=1e-4)
    read.hornbeam.ok("convert", "a.std", "b.tipsy")
    assert read("b.tipsy")[0]["internal_energy"] == pytest.approx(u / 0.6, rel=1e-4)


def test_comoving_tipsy(read):
    foreign.write_tipsy(read.folder / "a.std", dark=DARK, time=0.5)
    (read.folder / "a.param").write_text("dKpcUnit = 25000\ndMsolUnit = 2.3e15\ndHubble0 = 2.8944\ndOmega0 = 0.3\ndLambda = 0.7\nbComove = 1\n")
    found, said = read("a.std")
    assert "length_cm" not in found and "comoving (a = 0.5)" in said
    found = read("a.std", "--physical")[0]
    assert found["position"] == pytest.approx(T["pos"].astype(f4) / 2) and found["velocity"] == pytest.approx(T["vel"].astype(f4) / 2)
    assert found["potential"] == pytest.approx(2 * T["pot"].astype(f4)) and found["length_cm"] == pytest.approx(25000 * KPC)


def test_nemo(read):
    arrays = {"Mass": ("d", T["mass"]), "PhaseSpace": ("d", np.stack([T["pos"], T["vel"]], 1)), "Potential": ("f", T["pot"])}
    foreign.write_nemo(read.folder / "a.nemo", [(0.0, {"PhaseSpace": ("d", np.zeros((2, 2, 3)))}), (2.5, arrays)])
    shutil.copy(read.folder / "a.nemo", read.folder / "snapshot")
    for path in ("a.nemo", "snapshot"):
        found, said = read(path)
        assert (found["position"] == T["pos"]).all() and (found["velocity"] == T["vel"]).all() and (found["mass"] == T["mass"]).all()
        assert found["time"] == 2.5 and (found["potential"] == T["pot"].astype(f4)).all() and "last of its 2 snapshots" in said
    data = (read.folder / "a.nemo").read_bytes()
    for size in range(4, len(data), 97):
        (read.folder / "cut").write_bytes(data[:size])
        read.hornbeam.run("convert", "cut", "b.npz")
    assert "truncated or damaged NEMO" in read.hornbeam.error(1, "convert", "cut", "b.npz")


@pytest.mark.parametrize("group, unit", [("data", "system.get('S.I.').base('{}')"), ("particles", "system.get('nbody').base('{}')")])
def test_particle_sets_of_amuse(read, group, unit):
    words = {"length": unit.format("length"), "mass": unit.format("mass"),
             "speed": f"({unit.format('length')} * ({unit.format('time')}**-1))"}
    with h5py.File(read.folder / "a.hdf5", "w") as file:
        file.create_group("AMUSE_INF").attrs["version"] = "2.0"
        part = file.create_group(f"{group}/0000000001")
        part.attrs.update({"number_of_particles": N, "type": "particles"})
        part["keys"] = T["id"]
        for k, x in enumerate("xyz"):
            for name, array, what in ((x, T["pos"], "length"), ("v" + x, T["vel"], "speed")):
                part.require_group("attributes").create_dataset(name, data=array[:, k]).attrs["units"] = words[what]
        part["attributes"].create_dataset("mass", data=T["mass"]).attrs["units"] = np.bytes_(words["mass"])
    found = read("a.hdf5")[0]
    assert (found["position"] == T["pos"]).all() and (found["velocity"] == T["vel"]).all() and (found["id"] == T["id"]).all()
    assert found.get("length_cm", 1) == (100 if group == "data" else 1)


def test_packed_tables(read):
    rows = "".join(",".join(map(str, row)) + "\n" for row in np.column_stack([T["pos"], T["vel"], T["mass"]]))
    packed = gzip.compress(b"x,y,z,vx,vy,vz,mass\n") + gzip.compress(rows.encode())
    (read.folder / "a.csv.gz").write_bytes(packed)
    assert (read("a.csv.gz")[0]["position"] == T["pos"]).all()
    (read.folder / "a.csv.gz").write_bytes(packed[:-20])
    assert "gzip" in read.hornbeam.error(1, "convert", "a.csv.gz", "b.npz")


def test_formats_that_are_not_read_are_named_with_the_way_out(read):
    (read.folder / "a.fits").write_bytes(b"SIMPLE  =                    T".ljust(2880))
    shutil.copy(read.folder / "a.fits", read.folder / "a.csv")
    for path in ("a.fits", "a.csv"):
        assert "is FITS" in read.hornbeam.error(1, "analyze", path, "--half-mass")
    for name, file, words in (("z", ".zgroup", "Zarr"), ("n", "description.xml", "Nchilada")):
        (read.folder / name).mkdir()
        (read.folder / name / file).write_text("{}")
        assert words in read.hornbeam.error(1, "convert", name, "b.npz")
    (read.folder / "thing").write_bytes(bytes(range(256)))
    assert "--from" in read.hornbeam.error(1, "convert", "thing", "b.npz")
