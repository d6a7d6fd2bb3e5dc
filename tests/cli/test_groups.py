# SPDX-License-Identifier: Apache-2.0
"""Groups by hornbeam analyze --groups: the table, JSON, and the catalogue as h5py reads it."""

import csv
import json

import numpy as np
import pytest

h5py = pytest.importorskip("h5py")


def two_clumps(hornbeam, name="two.hdf5"):
    """Of 60 and 40 particles, the larger one across a corner of a box of edge 10, and 5 far from all."""
    rng = np.random.default_rng(3)
    large = rng.uniform(-0.4, 0.4, (60, 3)) % 10
    small = 5 + rng.uniform(-0.3, 0.3, (40, 3))
    lone = np.array([[2.0 + k, 8.0, 3.0] for k in range(5)])
    x = np.vstack([large, small, lone])
    order = rng.permutation(len(x))
    with h5py.File(hornbeam.folder / name, "w") as f:
        header = f.create_group("Header")
        header.attrs["NumPart_ThisFile"] = header.attrs["NumPart_Total"] = np.array([0, 65, 40, 0, 0, 0], np.uint32)
        header.attrs["MassTable"] = np.zeros(6)
        header.attrs["Time"], header.attrs["Redshift"], header.attrs["BoxSize"] = 0.0, 0.0, 10.0
        header.attrs["NumFilesPerSnapshot"] = 1
        for family, rows in (("PartType1", order[:65]), ("PartType2", order[65:])):
            g = f.create_group(family)
            g["Coordinates"] = x[rows]
            g["Velocities"] = rng.normal(size=(len(rows), 3))
            g["Masses"] = np.full(len(rows), 2.0)
            g["ParticleIDs"] = (rows + 500).astype(np.uint64)
    return x


def test_catalogue_in_gadgets_layout(hornbeam):
    two_clumps(hornbeam)
    found = hornbeam.json("analyze", "two.hdf5", "--groups", "--linking-length", 0.5, "-o", "groups.hdf5")["groups"]
    assert found["count"] == 2 and found["members"] == [60, 40] and found["mass"] == [120, 80]
    assert found["grouped"] == 100
    with h5py.File(hornbeam.folder / "groups.hdf5") as f:
        header, group, ids = f["Header"].attrs, f["Group"], f["IDs/ID"][:]
        assert header["Ngroups_Total"] == 2 and header["Nids_Total"] == 100 and header["BoxSize"] == 10
        assert f["Parameters"].attrs["LinkingLength"] == 0.5
        assert [f["Units"].attrs[name] for name in ("UnitLength_in_cm", "UnitMass_in_g", "UnitVelocity_in_cm_per_s")] == 3 * [1]
        assert list(group["GroupLen"]) == [60, 40] and list(group["GroupOffset"]) == [0, 60]
        assert set(ids[:60]) == set(range(500, 560)) and set(ids[60:]) == set(range(560, 600))
        by_type = group["GroupLenType"][:]
        assert by_type.shape == (2, 6) and list(by_type.sum(axis=1)) == [60, 40]
        assert list(group["GroupMassType"][:].sum(axis=1)) == [120, 80]
        assert list(group["GroupOffsetType"][1]) == list(by_type[0])
        corner = group["GroupPos"][0]
        assert ((corner >= 0) & (corner < 10)).all()
        assert np.abs((corner + 5) % 10 - 5).max() < 0.2  # across the corner, not in the middle of the box
        assert group["GroupPos"][1] == pytest.approx([5, 5, 5], abs=0.2)
        with h5py.File(hornbeam.folder / "two.hdf5") as s:
            every = {i: v for p in ("PartType1", "PartType2")
                     for i, v in zip(s[p]["ParticleIDs"][:], s[p]["Velocities"][:])}
            assert group["GroupVel"][1] == pytest.approx(np.mean([every[i] for i in ids[60:]], axis=0), rel=1e-6)
    hornbeam.ok("analyze", "two.hdf5", "--groups", "--linking-length", 0.5, "-o", "groups.csv")
    rows = list(csv.DictReader(open(hornbeam.folder / "groups.csv")))
    assert [row["members"] for row in rows] == ["60", "40"] and float(rows[0]["mass"]) == 120
    hornbeam.ok("analyze", "two.hdf5", "--groups", "--linking-length", 0.5, "--unbind", "-o", "bound.hdf5")
    hornbeam.ok("analyze", "two.hdf5", "--groups", "--linking-length", 0.5, "--unbind", "-o", "bound.csv")
    with h5py.File(hornbeam.folder / "bound.hdf5") as f:
        ids = [str(one) for one in f["Group/GroupIDMostbound"][:]]
    assert [row["most_bound_id"] for row in csv.DictReader(open(hornbeam.folder / "bound.csv"))] == ids
    text = hornbeam.ok("analyze", "two.hdf5", "--groups", "--linking-length", 0.5)
    assert "linking_length" in text and "half_mass_radius" in text
    open_space = hornbeam.json("analyze", "two.hdf5", "--groups", "--linking-length", 0.5, "--box", 0, "--min-members", 1)
    assert open_space["groups"]["count"] > 7  # the corner falls to pieces
    some = hornbeam.json("analyze", "two.hdf5", "--groups", "--linking-length", 0.5, "--types", "disc")["groups"]
    assert sum(some["members"]) <= 40


SAME = ("Len", "Mass", "Vel", "LenType", "MassType", "OffsetType", "VelDisp", "HalfmassRad")


def test_what_is_bound_is_a_subhalo(hornbeam):
    """By Gadget-4's names and by Arepo's; without unbinding there are none."""
    two_clumps(hornbeam)
    for unbind, count in (((), 0), (("--unbind",), 2)):
        hornbeam.ok("analyze", "two.hdf5", "--groups", "--linking-length", 0.5, "--eps", 1e-3, *unbind, "-o", "g.hdf5")
        with h5py.File(hornbeam.folder / "g.hdf5") as f:
            header, group, subhalo = f["Header"].attrs, f["Group"], f["Subhalo"]
            count = min(count, header["Ngroups_Total"])
            assert header["Nsubhalos_Total"] == header["Nsubgroups_Total"] == header["Nsubhalos_ThisFile"] == count
            assert list(group["GroupNsubs"]) == [1 if unbind else 0] * len(group["GroupNsubs"])
            assert header["HubbleParam"] == 1 and header["Omega0"] == header["OmegaLambda"] == 0
            assert list(f["Parameters"].attrs["PeriodicEdges"]) == [10, 10, 10]
            if not unbind:
                assert len(subhalo) == 0 and list(group["GroupFirstSub"]) == [-1, -1]
                continue
            assert count > 0 and list(group["GroupFirstSub"]) == list(range(count))
            for name in SAME:
                assert (subhalo[f"Subhalo{name}"][:] == group[f"Group{name}"][:]).all(), name
            assert list(subhalo["SubhaloGroupNr"]) == list(subhalo["SubhaloGrNr"]) == list(range(count))
            assert (subhalo["SubhaloPos"][:] == group["GroupPosMostbound"][:]).all()
            assert (subhalo["SubhaloCM"][:] == group["GroupPos"][:]).all()


def test_a_snapshot_in_the_order_of_the_catalogue(hornbeam):
    """Members begin at GroupOffsetType in each type; particles of other families and of no group stay."""
    two_clumps(hornbeam)
    for types in ([], ["--types", "disc"]):
        hornbeam.ok("analyze", "two.hdf5", "--groups", "--linking-length", 0.5, "--min-members", 5, *types, "-o", "g.hdf5",
                    "--sorted-snapshot", "s.hdf5")
        with (h5py.File(hornbeam.folder / "g.hdf5") as f, h5py.File(hornbeam.folder / "s.hdf5") as s,
              h5py.File(hornbeam.folder / "two.hdf5") as given):
            ids, first = f["IDs/ID"][:], f["Group/GroupOffset"][:]
            for g, (length, offset) in enumerate(zip(f["Group/GroupLenType"][:], f["Group/GroupOffsetType"][:])):
                found = [i for k in (1, 2) for i in s[f"PartType{k}/ParticleIDs"][offset[k]:offset[k] + length[k]]]
                assert found == list(ids[first[g]:first[g] + sum(length)])
            for k in ("PartType1", "PartType2"):
                place = dict(zip(given[k]["ParticleIDs"][:], given[k]["Coordinates"][:].tolist()))
                assert dict(zip(s[k]["ParticleIDs"][:], s[k]["Coordinates"][:].tolist())) == place
            assert s["Header"].attrs["BoxSize"] == 10


def test_units_of_a_catalogue_of_some_families(hornbeam):
    np.savez(hornbeam.folder / "k.npz", pos=np.zeros((40, 3)) + np.arange(40)[:, None] * 1e-3, vel=np.zeros((40, 3)),
             mass=np.ones(40), family=np.arange(40) % 2, length_cm=3.0856775814913673e21, mass_g=1.98841e43,
             velocity_cm_per_s=1e5)
    hornbeam.ok("convert", "k.npz", "k.hdf5")
    said = hornbeam.ok("analyze", "k.hdf5", "--groups", "--linking-length", 1, "--types", "halo", "--min-members", 2, "-o",
                       "fof_subhalo_tab_000.0.hdf5")
    with h5py.File(hornbeam.folder / "fof_subhalo_tab_000.0.hdf5") as f:
        assert list(f["Group/GroupLen"]) == [20]
        assert f["Units"].attrs["UnitLength_in_cm"] == pytest.approx(3.0856775814913673e21)
    assert 'unit_base={"length": (1, "kpc"), "velocity": (1, "km/s"), "mass": (1.0000' in said
    assert "give --sorted-snapshot" in said
    said = hornbeam.ok("analyze", "k.hdf5", "--groups", "--linking-length", 1, "-o", "g.hdf5")
    assert "call it fof_subhalo_tab_000.0.hdf5" in said


def test_none_is_a_catalogue_too(hornbeam):
    two_clumps(hornbeam)
    found = hornbeam.json("analyze", "two.hdf5", "--groups", "--min-members", 1000, "-o", "groups.hdf5")["groups"]
    assert found["count"] == 0 and found["members"] == []
    with h5py.File(hornbeam.folder / "groups.hdf5") as f:
        assert f["Header"].attrs["Ngroups_Total"] == 0 and len(f["IDs/ID"]) == 0
        assert len(f["Group"]) == len(f["Subhalo"]) == 0  # pynbody divides the length of datasets by the number of groups


def test_galaxies_that_meet_are_two_groups(hornbeam):
    hornbeam.ok("ic", "merger", "-n", 4000, "--disc-mass", 0, "--pericentre", 2, "--separation", 20, "--seed", 1, "-o", "merger.hdf5")
    found = hornbeam.json("analyze", "merger.hdf5", "--groups", "--linking-fraction", 0.5, "--unbind", "-o", "g.hdf5")
    groups = found["groups"]
    assert groups["count"] >= 1 and groups["grouped"] + groups["unbound"] <= 4000
    with h5py.File(hornbeam.folder / "g.hdf5") as f:
        assert f["Group/GroupPotential"][0] < 0 < f["Group/GroupKinetic"][0]
        assert f["Group/GroupIDMostbound"][0] in f["IDs/ID"][: f["Group/GroupLen"][0]]
    one = hornbeam.json("analyze", "merger.hdf5", "--groups", "--linking-fraction", 0.5, "--unbind", "--threads", 1)
    for key in ("members", "mass", "x", "vz", "dispersion"):
        assert one["groups"][key] == groups[key]


def test_what_is_refused(hornbeam):
    two_clumps(hornbeam)
    groups = ("analyze", "two.hdf5", "--groups")
    assert "linking_length = -1: must be positive" in hornbeam.error(2, *groups, "--linking-length", -1)
    assert "at most half the periodic box, 5" in hornbeam.error(2, *groups, "--linking-length", 5.5)
    assert "--linking-length: received nan" in hornbeam.error(2, *groups, "--linking-length", "nan")
    assert "give one" in hornbeam.error(2, *groups, "--linking-length", 1, "--linking-fraction", 1)
    assert "--min-members" in hornbeam.error(2, *groups, "--min-members", 0)
    assert "known: .hdf5 .h5 .csv" in hornbeam.error(2, *groups, "-o", "groups.png")
    assert "give --groups" in hornbeam.error(2, "analyze", "two.hdf5", "--energy", "--unbind")
    assert "give one FILE" in hornbeam.error(2, "analyze", "two.hdf5", "two.hdf5", "--groups", "-o", "g.hdf5")
    assert "is also the input file" in hornbeam.error(2, *groups, "-o", "two.hdf5")
    assert "is also the input file" in hornbeam.error(2, *groups, "--sorted-snapshot", "two.hdf5")
    assert "is no HDF5 file" in hornbeam.error(2, *groups, "--sorted-snapshot", "s.gadget")
    assert "give another name" in hornbeam.error(2, *groups, "--sorted-snapshot", "g.hdf5", "-o", "g.hdf5")
    assert "give --groups" in hornbeam.error(2, "analyze", "two.hdf5", "--energy", "--sorted-snapshot", "s.hdf5")


def run_with_groups(hornbeam, config, folder, end, **more):
    """Two spheres of 300 in a box of unequal edges, and their catalogues."""
    keys = {"groups_every": 1, "groups_linking_length": 0.6, "groups_min_members": 20} | more
    text = ("[input]\nfile = \"two.hdf5\"\n[gravity]\neps = 0.05\n[boundary]\nkind = \"periodic\"\nsize = [12, 24, 16]\n"
            f"[time]\ndt = 0.0625\nend = {end}\n[output]\ndirectory = \"{folder}\"\nevery = 0.125\n" +
            "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items()))
    path = hornbeam.folder / f"{folder}.toml"
    path.write_text(text)
    return path


def test_groups_during_a_run(hornbeam, config):
    draw = np.random.default_rng(9)
    place = np.concatenate([draw.normal(size=(300, 3)) * 0.5 + [5.8, 0, 0], draw.normal(size=(300, 3)) * 0.5 + [-1, 9, 0]])
    np.savez(hornbeam.folder / "two.npz", pos=place, vel=0 * place, mass=1 / 600, family=np.repeat([1, 4], 300))
    hornbeam.ok("convert", "two.npz", "two.hdf5")
    hornbeam.ok("run", run_with_groups(hornbeam, config, "whole", 0.25))
    whole = hornbeam.folder / "whole"
    assert sorted(f.name for f in whole.glob("groups_*")) == [f"groups_000{k}.hdf5" for k in range(3)]
    for k in range(3):
        with h5py.File(whole / f"groups_000{k}.hdf5") as file:
            assert list(file["Group/GroupLen"][:]) == pytest.approx([300, 300], abs=12), "one stands across a wall"
            assert file["Header"].attrs["Time"] == 0.125 * k
    after = hornbeam.json("analyze", "whole/snapshot_0002.hdf5", "--groups", "--linking-length", "0.6", "--min-members",
                          "20")["groups"]
    with h5py.File(whole / "groups_0002.hdf5") as file:
        assert list(file["Group/GroupLen"][:]) == after["members"]
        assert np.allclose(file["Group/GroupPos"][:, 0], after["x"], rtol=0, atol=1e-12)
    # in two parts the same bytes
    hornbeam.ok("run", run_with_groups(hornbeam, config, "parts", 0.125))
    hornbeam.ok("run", run_with_groups(hornbeam, config, "parts", 0.25), "--resume")
    for k in range(3):
        name = f"groups_000{k}.hdf5"
        assert (whole / name).read_bytes() == (hornbeam.folder / "parts" / name).read_bytes(), name
    # every other snapshot, of one family, none of another
    hornbeam.ok("run", run_with_groups(hornbeam, config, "some", 0.25, groups_every=2, groups_types=["star"]))
    assert sorted(f.name for f in (hornbeam.folder / "some").glob("groups_*")) == ["groups_0000.hdf5", "groups_0002.hdf5"]
    with h5py.File(hornbeam.folder / "some" / "groups_0002.hdf5") as file:
        assert len(file["Group/GroupLen"]) == 1 and file["Group/GroupLenType"][0, 4] > 290
    said = hornbeam.ok("run", run_with_groups(hornbeam, config, "none", 0.125, groups_types=["black-hole"]))
    assert "no particle is of that family, so no groups will be found" in said
    with h5py.File(hornbeam.folder / "none" / "groups_0001.hdf5") as file:
        assert file["Header"].attrs["Ngroups_Total"] == 0


def test_primary_types(hornbeam, config):
    """Gas neither links nor counts in the mean separation, and joins the nearest halo particle: in the command, in runs and
    in Python by the same names."""
    draw = np.random.default_rng(12)
    halo = np.concatenate([draw.normal(size=(200, 3)) * 0.3 + at for at in ([-2, 0, 0], [2, 0, 0])])
    gas = np.column_stack([np.linspace(-3, 3, 800), *draw.normal(size=(2, 800)) * 0.05])  # a bridge
    np.savez(hornbeam.folder / "two.npz", pos=np.concatenate([halo, gas]), vel=np.zeros((1200, 3)), mass=1e-6,
             family=np.repeat([1, 0], [400, 800]), u=1.0)
    hornbeam.ok("convert", "two.npz", "two.hdf5")
    groups = ("analyze", "two.hdf5", "--groups", "--linking-length", 0.3)
    assert hornbeam.json(*groups)["groups"]["count"] == 1
    found = hornbeam.json(*groups, "--primary-types", "halo", "-o", "g.hdf5")["groups"]
    assert found["count"] == 2 and found["attached"] > 100
    with h5py.File(hornbeam.folder / "g.hdf5") as file:
        assert file["Parameters"].attrs["PrimaryLinkTypes"] == 2
        assert list(file["Group/GroupLenType"][:, 1]) == pytest.approx([200, 200], abs=10)
        gas, halo = file["Group/GroupLenType"][:, :2].sum(axis=0)
        assert gas == found["attached"] == found["grouped"] - halo
    fraction = ("analyze", "two.hdf5", "--groups", "--linking-fraction", 0.2, "--box", 10)
    assert hornbeam.json(*fraction, "--primary-types", "halo")["groups"]["linking_length"] == pytest.approx(0.2 * 2.5 ** (1 / 3))
    said = hornbeam.error(1, *groups, "--primary-types", "star")
    assert "no particle is of these types; the particles are gas, halo" in said
    assert "give --groups" in hornbeam.error(2, "analyze", "two.hdf5", "--energy", "--primary-types", "halo")
    hornbeam.error(2, *groups, "--primary-types", "dark")

    (hornbeam.folder / "halo.toml").write_text(
        '[input]\nfile = "two.hdf5"\n[gravity]\neps = 0.05\n[gas]\neos = "ideal"\n[time]\ndt = 1e-6\nend = 1e-6\n'
        '[output]\ndirectory = "of_run"\nevery = 1e-6\ngroups_every = 1\ngroups_linking_length = 0.3\n'
        'groups_primary_types = ["halo"]\n')
    hornbeam.ok("run", "halo.toml")
    with h5py.File(hornbeam.folder / "of_run" / "groups_0000.hdf5") as file:
        assert list(file["Group/GroupLen"]) == found["members"]
    said = hornbeam.error(2, "run", "halo.toml", "--set", 'output.groups_types=["gas"]', "--set", "output.directory=other")
    assert "received halo, which is not in groups_types" in said
    said = hornbeam.ok("run", "halo.toml", "--set", 'output.groups_primary_types=["star"]', "--set", "output.directory=none")
    assert "output.groups_primary_types = star, and no particle is of that family, so no groups will be found" in said


def test_groups_of_a_run_that_cannot_be(hornbeam, config):
    def said(*changes):
        sets = [word for change in changes for word in ("--set", f"output.{change}")]
        return hornbeam.error(2, "run", config(), *sets)

    assert "output.groups_every" in said("groups_unbind=true")
    assert "output.groups_every" in said("groups_every=1", "snapshots=false")
    assert "one of the three" in said("groups_every=1", "groups_linking_length=1", "groups_linking_fraction=0.1")
    assert "black-hole" in said("groups_every=1", "groups_types=[\"stars\"]")
    assert "groups_every" in said("groups_every=0")


def test_what_is_wrapped_is_said(hornbeam):
    """Here and in `neighbours` alike; a cube about the origin is as good as one that begins there."""
    places = [(0.1 * i, 0.0, 0.0) for i in range(-50, 50)]
    rows = "\n".join(f"{x},{y},{z},0,0,0,1" for x, y, z in places)
    (hornbeam.folder / "line.csv").write_text(f"x,y,z,vx,vy,vz,mass\n{rows}\n")
    for command in (("analyze", "line.csv", "--groups", "--linking-length", 0.11),
                    ("neighbours", "line.csv", "--radius", 0.11)):
        assert "wrapped" not in hornbeam.ok(*command, "--box", 10)
        assert ("the particles extend beyond the box: 39 particles outside of the box are wrapped into it" in
                hornbeam.ok(*command, "--box", 6))
    out = hornbeam.ok("analyze", "line.csv", "--groups", "--linking-length", 0.11, "--box", 10, "-o", "line.hdf5")
    assert "as long as the box and have no centre and no radii" in out
    with h5py.File(hornbeam.folder / "line.hdf5") as file:
        assert list(file["Group/GroupSpansBox"][:]) == [1]
    assert "spans_box" not in hornbeam.ok("analyze", "line.csv", "--groups", "--linking-length", 0.11)
