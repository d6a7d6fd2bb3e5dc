# SPDX-License-Identifier: Apache-2.0
"""NumPy's arrays as NumPy itself writes and reads them, and what positions alone are enough for."""

import json

import h5py
import numpy as np
import pytest

RNG = np.random.default_rng(3)
POSITION, VELOCITY, MASS = RNG.normal(size=(50, 3)), RNG.normal(size=(50, 3)), RNG.uniform(size=50)


def positions_in(hornbeam, name):
    hornbeam.ok("convert", name, "out.hdf5")
    with h5py.File(hornbeam.folder / "out.hdf5") as file:
        return file["PartType1/Coordinates"][:], file["PartType1/Masses"][:]


@pytest.mark.parametrize("dtype", ["<f8", ">f8", "<f4"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_numpy_are_read(hornbeam, dtype, order):
    table = np.column_stack([POSITION, VELOCITY, MASS])
    np.save(hornbeam.folder / "a.npy", np.asarray(table, dtype=dtype, order=order))
    x, m = positions_in(hornbeam, "a.npy")
    assert np.array_equal(x, table[:, :3].astype(dtype)) and np.array_equal(m, table[:, 6].astype(dtype))


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_archives_of_numpy_are_read(hornbeam, save):
    save(hornbeam.folder / "a.npz", pos=POSITION, vel=np.asfortranarray(VELOCITY), mass=MASS, time=1.5,
         family=np.full(50, 1))
    x, m = positions_in(hornbeam, "a.npz")
    assert np.array_equal(x, POSITION) and np.array_equal(m, MASS)
    assert "time 1.5" in hornbeam.ok("convert", "a.npz", "b.csv")


def test_numpy_reads_what_is_written(hornbeam):
    hornbeam.ok("ic", "galaxy", "-n", 400, "-o", "m.hdf5")
    said = hornbeam.ok("convert", "m.hdf5", "m.npz").splitlines()
    assert said[-2:] == ["m.npz: written", "  the record of the run (configuration, softening kernel, external "
                         "potentials) is not kept"]
    hornbeam.ok("convert", "m.hdf5", "m.npy")
    with np.load(hornbeam.folder / "m.npz") as arrays, h5py.File(hornbeam.folder / "m.hdf5") as file:
        assert set(arrays) >= {"position", "velocity", "mass", "id", "family", "time", "G"}
        assert arrays["position"].shape == (400, 3) and arrays["id"].dtype == np.uint64
        halo = arrays["family"] == 1
        assert np.array_equal(arrays["position"][halo], file["PartType1/Coordinates"][:])
        table = np.load(hornbeam.folder / "m.npy")
        assert np.array_equal(table, np.column_stack([arrays["position"], arrays["velocity"], arrays["mass"]]))


def test_pickled_arrays_are_refused(hornbeam):
    np.save(hornbeam.folder / "a.npy", np.array([{"x": 1}], dtype=object), allow_pickle=True)
    assert "pickled" in hornbeam.error(1, "convert", "a.npy", "b.hdf5")
    np.savez(hornbeam.folder / "a.npz", pos=np.array([None, 1]), allow_pickle=True)
    assert "array pos" in hornbeam.error(1, "force", "a.npz")


def test_force_takes_positions_alone(hornbeam):
    np.save(hornbeam.folder / "x.npy", POSITION)
    np.savetxt(hornbeam.folder / "x.csv", POSITION, delimiter=",", header="x,y,z", comments="")
    np.savez(hornbeam.folder / "x.npz", POSITION)
    with h5py.File(hornbeam.folder / "x.hdf5", "w") as file:
        header = file.create_group("Header")
        header.attrs.update({"NumPart_ThisFile": [0, 50, 0, 0, 0, 0], "NumFilesPerSnapshot": 1, "MassTable": [0.0] * 6,
                             "BoxSize": 0.0, "Time": 0.0})
        file["PartType1/Coordinates"] = POSITION
    forces = []
    for name in ("x.npy", "x.csv", "x.npz", "x.hdf5"):
        said = hornbeam.ok("force", name, "--eps", 0.1, "--walk", "direct", "-o", "f.npz")
        assert "no velocities: 0 is assumed" in said and "no masses: 1/50 is assumed for each" in said
        with np.load(hornbeam.folder / "f.npz") as found:
            assert np.all(found["velocity"] == 0) and np.all(found["mass"] == 1 / 50)
            forces.append(found["acceleration"])
        for command in (["convert", name, "c.hdf5"], ["analyze", name, "--energy"]):  # these want to know more
            assert "veloci" in hornbeam.error(1, *command).lower() or "vx" in hornbeam.error(1, *command)
    assert all(np.array_equal(forces[0], other) for other in forces[1:])
    d = POSITION[None] - POSITION[:, None]
    expected = ((1 / 50) * d / ((d**2).sum(2) + 0.01)[..., None]**1.5).sum(1)
    np.testing.assert_allclose(forces[0], expected, rtol=1e-4, atol=1e-6)  # sums in fp32
    assert any("1/50" in note for note in hornbeam.json("force", "x.npy")["input_notes"])


def test_masses_alone_may_be_given(hornbeam):
    np.savez(hornbeam.folder / "a.npz", pos=POSITION, mass=MASS)
    said = hornbeam.ok("force", "a.npz")
    assert "no velocities" in said and "no masses" not in said


def all_pairs(box):
    d = POSITION[None] - POSITION[:, None]
    if box:
        d -= box * np.round(d / box)
    r = np.sqrt((d**2).sum(2))
    np.fill_diagonal(r, np.inf)
    return r


@pytest.mark.parametrize("box", [0, 4])
def test_neighbours_are_those_of_all_pairs(hornbeam, box):
    np.savez(hornbeam.folder / "x.npz", pos=POSITION, id=np.arange(50) + 100)
    r = all_pairs(box)
    period = ["--box", box] if box else []
    said = hornbeam.ok("neighbours", "x.npz", "--radius", 0.8, *period, "-o", "n.npz")
    farther = hornbeam.ok("neighbours", "x.npz", "--radius", 3, *period)  # beyond half of the box: a pair counts once
    assert f"{(r <= 3).sum()} neighbours within 3" in farther
    assert f"{(r <= 0.8).sum()} neighbours within 0.8" in said and ("wrapped" in said) == bool(box)
    with np.load(hornbeam.folder / "n.npz") as n:
        assert np.array_equal(n["id"], np.arange(50) + 100) and n["radius"] == 0.8 and n["box_size"] == box
        for i in range(50):
            own = slice(n["offset"][i], n["offset"][i + 1])
            expected = np.flatnonzero(r[i] <= 0.8)
            assert np.array_equal(n["index"][own], expected)
            np.testing.assert_allclose(n["distance"][own], r[i, expected], rtol=1e-12)
    hornbeam.ok("neighbours", "x.npz", "--nearest", 4, *period, "-o", "n.hdf5")
    with h5py.File(hornbeam.folder / "n.hdf5") as n:
        index = n["index"][:].reshape(50, 4)
        assert np.array_equal(n["offset"][:], np.arange(0, 201, 4)) and n.attrs["nearest"] == 4
        np.testing.assert_allclose(n["distance"][:].reshape(50, 4), np.sort(r, axis=1)[:, :4], rtol=1e-12)
        assert np.array_equal(index[:, 0], r.argmin(axis=1))


def test_neighbours_in_every_form(hornbeam):
    np.save(hornbeam.folder / "x.npy", POSITION)
    counts = (all_pairs(0) <= 0.8).sum(1)
    for name in ("n.csv", "n.npz", "n.hdf5"):
        hornbeam.ok("neighbours", "x.npy", "--radius", 0.8, "--counts", "-o", name)
    table = np.genfromtxt(hornbeam.folder / "n.csv", delimiter=",", names=True)
    assert np.array_equal(table["count"], counts) and np.array_equal(table["particle"], np.arange(50))
    assert np.array_equal(np.load(hornbeam.folder / "n.npz")["count"], counts)
    assert np.array_equal(h5py.File(hornbeam.folder / "n.hdf5")["count"][:], counts)
    hornbeam.ok("neighbours", "x.npy", "--nearest", 2, "-o", "n.csv")
    pairs = np.genfromtxt(hornbeam.folder / "n.csv", delimiter=",", names=True)
    assert len(pairs) == 100 and pairs.dtype.names == ("particle", "neighbour", "distance")
    answer = hornbeam.json("neighbours", "x.npy", "--radius", 0.8, "--threads", 1, "--backend", "cpu")
    assert answer["n"] == 50 and answer["backend"] == "cpu" and answer["neighbours"] == counts.sum()
    assert answer["count"] == {"least": counts.min(), "mean": pytest.approx(counts.mean()), "most": counts.max()}
    assert 0 < answer["distance"]["least"] <= answer["distance"]["most"] <= 0.8
    assert hornbeam.json("neighbours", "x.npy", "--radius", 1e-9)["neighbours"] == 0
    hornbeam.ok("neighbours", "x.npy", "--radius", 1e-9, "-o", "none.hdf5")
    for backend in dict.fromkeys(device["backend"] for device in hornbeam.json("info")["devices"]):
        done = hornbeam.run("neighbours", "x.npy", "--radius", 0.8, "--backend", backend, "--json")
        assert done.returncode == 0, done.stderr  # PoCL's compiler talks on standard error
        assert json.loads(done.stdout)["neighbours"] == counts.sum() and json.loads(done.stdout)["backend"] == backend


def test_neighbours_refuses(hornbeam):
    np.save(hornbeam.folder / "x.npy", POSITION)
    for flags, part in [((), "--radius"), (("--radius", 1, "--nearest", 2), "--radius"), (("--radius", -1), "radius"),
                        (("--nearest", 50), "less than the number of particles"), (("--nearest", 0), "--nearest"),
                        (("--nearest", 2, "--counts"), "--counts"),
                        (("--radius", 1, "-o", "n.dat"), ".hdf5"), (("--radius", "far"), "--radius"),
                        (("--radius", 1, "-o", "x.npy"), "x.npy"), (("--radius", 1, "--box", -2), "box")]:
        assert part in hornbeam.error(2, "neighbours", "x.npy", *flags), flags
    assert not (hornbeam.folder / "n.dat").exists()
