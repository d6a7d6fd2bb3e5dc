# SPDX-License-Identifier: Apache-2.0
"""Snapshots, files and models."""

import gc
import pickle
import subprocess
import warnings

import numpy as np
import pytest

import hornbeam as hb
from conftest import sphere


def test_snapshots_share_memory_and_know_their_units():
    snapshot = hb.ic.plummer(100, units="galactic")
    assert snapshot.unit("position") == "kpc" and snapshot.unit("velocity") == "km/s" and snapshot.G > 43000
    position = snapshot.position
    position[0] = 7
    assert (snapshot.position[0] == 7).all() and snapshot.position is position
    del snapshot
    gc.collect()
    assert position[0, 0] == 7  # the array keeps the particles
    first = hb.Snapshot([[0, 0, 0], [1, 0, 0]], mass=2.0, family=["gas", "star"], id=[4, 9], internal_energy=[3, 0])
    assert first.family.tolist() == [hb.Family.gas, hb.Family.star] and first.density is None
    first.internal_energy = None
    assert first.internal_energy is None and "id" in repr(first)
    both = first + first
    assert both.id.tolist() == [4, 9, 10, 11] and len(both.select(both.family == hb.Family.gas)) == 2
    assert pickle.loads(pickle.dumps(both)) == both and both.copy() == both and both != first
    with pytest.raises(hb.UsageError, match="their number cannot change"):
        first.position = np.zeros((3, 3))
    with pytest.raises(hb.UsageError, match="from 0 to 5"):
        first.family = 6
    units = pickle.loads(pickle.dumps(hb.ic.plummer(3, units="solar")))
    assert units.units == hb.ic.plummer(3, units="solar").units


def test_files_come_back(tmp_path):
    simulation = sphere()
    simulation.run(0.25)
    simulation.write(tmp_path / "now.hdf5")
    back = hb.read(tmp_path / "now.hdf5")
    assert (back.position == simulation.position).all() and back.time == 0.25 and (back.eps == 0.05).all()
    with pytest.warns(hb.HornbeamWarning):
        hb.write(tmp_path / "now.gadget", hb.Snapshot([[0, 0, 0]], eps=1.0, radius=1.0))
    for path in ("absent/now.hdf5", "now.xyz"):
        with pytest.raises(hb.Error, match="now"):
            simulation.write(tmp_path / path)
    with pytest.raises(hb.Error, match="absent.hdf5"):
        hb.read(tmp_path / "absent.hdf5")
    with pytest.raises(hb.Error, match="now.hdf5"):
        hb.Simulation.resume(tmp_path / "now.hdf5")


def test_models_that_seem_wrong_warn_who_draws_them():
    with pytest.warns(hb.HornbeamWarning, match="check that the units are those of G") as told:
        hb.ic.ring()  # of metres and kilograms, with G = 1
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hb.ic.ring(units="si")


def test_models_are_those_of_the_command(program, tmp_path):
    listed = subprocess.run([program, "ic", "--help"], capture_output=True, text=True, check=True).stdout
    assert all(f"\n  {name}" in listed for name in hb.ic.models)
    subprocess.run([program, "ic", "uniform-cube", "-n", "50", "--seed", "9", "--edge", "3", "-o", "u.hdf5"],
                   cwd=tmp_path, check=True, capture_output=True)
    assert (hb.read(tmp_path / "u.hdf5").position == hb.ic.uniform_cube(50, 9, edge=3).position).all()
    assert "edge" in hb.ic.uniform_cube.__doc__ and len(hb.ic.model("uniform-sphere", 92)) == 92
    for wrong, words in ((lambda: hb.ic.plummer(10, sale=2), "did you mean scale"), (lambda: hb.ic.plummer(-1), "n: "),
                         (lambda: hb.ic.plummer(), "number of particles is missing"),
                         (lambda: hb.ic.model("plumer", 10), "not a known model"), (lambda: hb.ic.plummer(9, scale={}), "scale")):
        with pytest.raises(hb.UsageError, match=words):
            wrong()


def test_units_of_what_is_no_field():
    cloud = hb.ic.plummer(20, units="galactic")
    simulation = hb.Simulation(cloud, dt=1e-4, eps=0.1)
    for what in (cloud, simulation):
        assert what.unit("time") == "0.977792 Gyr" and what.unit("energy") == "1e10 Msun (km/s)^2"
        assert what.unit("box_size") == what.unit("position") == "kpc"
        with pytest.raises(hb.UsageError, match="unit: unknown field tim .did you mean time"):
            what.unit("tim")
    plain = hb.ic.plummer(20)
    assert {plain.unit(name) for name in ("time", "energy", "momentum", "angular_momentum", "G", "mass")} == {""}


def test_families_of_objects_and_masks():
    names = np.array(["star", "gas", "star"], object)  # as a column of pandas
    assert hb.Snapshot(np.zeros((3, 3)), family=names).family.tolist() == [4, 0, 4]
    some = hb.ic.plummer(3)
    one_masked = np.ma.masked_array([True, True, False], [True, False, False])
    for use in (lambda: some.select(one_masked), lambda: some.select(np.ma.masked_array([0, 1], [True, False])),
                lambda: hb.Snapshot(np.zeros((3, 3)), family=np.ma.masked_array(["star"] * 3, one_masked.mask)),
                lambda: sphere().remove(np.ma.masked_array(np.ones(256, bool), np.arange(256) == 3))):
        with pytest.raises(hb.UsageError, match="received 1 masked values"):
            use()
    assert len(some.select(np.ma.masked_array([True, True, False]))) == 2
    for wrong in (np.array(["star", None, "gas"], object), np.array(["star", "gsa", "gas"], object)):
        with pytest.raises(hb.UsageError, match="family: received"):
            hb.Snapshot(np.zeros((3, 3)), family=wrong)
    with pytest.raises(hb.UsageError, match="select: received a list of bools and other values"):
        some.select([True, 2])
    with pytest.raises(hb.UsageError, match="select: received index 1 2 times .*mask must be of bools"):
        some.select([0, 1, 1])


def test_families_are_selected_by_name():
    galaxy = hb.ic.galaxy(200, seed=1)
    assert set(galaxy.select("disc").family) == {hb.Family.disc} and len(galaxy.select("star")) == 0
    both = galaxy.select(["disc", "bulge"])
    assert len(both) == len(galaxy.select("disc")) + len(galaxy.select("bulge"))


@pytest.mark.parametrize("group, name", [("Header", "Omega0"), ("Parameters", "Omega0"), ("Parameters", "ComovingIntegrationOn"),
                                         ("Header", "Redshift"), ("Cosmology", "Cosmological run")])
def test_cosmological_files_are_told_of(tmp_path, group, name, h5py):
    """Where Gadget-2, Gadget-4 and SWIFT say that they are."""
    hb.write(tmp_path / "box.hdf5", hb.ic.plummer(9))
    words = "cosmological factors are not applied"
    for value in (0, 1):
        with h5py.File(tmp_path / "box.hdf5", "a") as file:
            file.require_group(group).attrs[name] = value
        assert any(words in note for note in hb.read(tmp_path / "box.hdf5").notes) == (value == 1)


def test_the_choices_of_reading(tmp_path, h5py):
    path = tmp_path / "a.hdf5"
    hb.write(path, hb.ic.plummer(9, units="galactic"))
    with h5py.File(path, "a") as file:
        file["Header"].attrs.update({"Omega0": 0.3, "HubbleParam": 0.5, "Time": 0.25, "Redshift": 3.0})
        for name in ("Coordinates", "Velocities", "Masses"):
            for power in ("a_scaling", "h_scaling"):
                del file["PartType1"][name].attrs[power]
    comoving, physical = hb.read(path), hb.read(path, physical=True)
    assert any("apply a and h with physical=True" in note for note in comoving.notes)
    assert "kpc" not in comoving.units and "kpc" in physical.units, (comoving.units, physical.units)
    assert np.allclose(physical.position, comoving.position * 0.5) and np.allclose(physical.mass, comoving.mass * 2)
    assert np.allclose(physical.velocity, comoving.velocity * 0.5)
    for wrong in ({"physical": 1}, {"blocks": ["POS"]}):
        with pytest.raises(hb.UsageError, match=next(iter(wrong))):
            hb.read(path, **wrong)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint64, np.int64])
def test_places_of_any_kind_of_whole_number(kind):
    cloud = hb.ic.plummer(1000)
    assert (cloud.select(np.array([1, 2], kind)).id == [1, 2]).all()
    with pytest.raises(hb.UsageError, match="beyond the 1 particles"):
        hb.ic.plummer(1).select(np.array([np.iinfo(kind).max], kind))


def test_no_particles_have_any_family():
    for nobody in ("gas", [], np.array([], str)):
        assert len(hb.Snapshot(np.zeros((0, 3)), family=nobody, id=[]).family) == 0


def test_archives_whose_names_differ_or_are_no_text(tmp_path):
    hb.write(tmp_path / "whole.npz", hb.ic.plummer(20))
    data = (tmp_path / "whole.npz").read_bytes()
    at = data.rindex(b"family.npy")  # in the directory, behind the arrays
    (tmp_path / "other.npz").write_bytes(data[:at] + b"familx.npy" + data[at + 10:])
    with pytest.raises(hb.Error, match="another name than in the directory"):
        hb.read(tmp_path / "other.npz")
    (tmp_path / "bytes.npz").write_bytes(data.replace(b"family.npy", b"\xff\xfemily.npy"))
    assert any("array \\xff\\xfemily is not read" in note for note in hb.read(tmp_path / "bytes.npz").notes)


def test_a_folder_whose_newest_checkpoint_is_damaged_is_resumed_from_the_one_before(tmp_path):
    folder = tmp_path / "run"
    hb.run(model="plummer", n=50, dt=1 / 32, end=0.5, output={"directory": str(folder), "every": 0.25})
    newest = folder / "checkpoint.hdf5"
    newest.write_bytes(newest.read_bytes()[:newest.stat().st_size // 2])
    again = hb.Simulation.resume(folder)
    assert again.time == 0.25 and any("checkpoint_previous" in note for note in again.notes)
