# SPDX-License-Identifier: Apache-2.0
"""What snapshots keep of what made them, and energies that count the external potentials of their run."""

import json

import h5py
import pytest

RUN = ('[ic]\nmodel = "plummer"\nn = 300\nseed = 7\n[gravity]\ntheta = 0.5\n[[potential]]\nkind = "nfw"\nmass = 5\n'
       'scale = 2\n[[potential]]\nkind = "point"\nmass = 1\nscale = 0.5\ncentre = [3, 0, 0]\n[time]\ndt = 0.01\n'
       'end = 0.02\n[output]\ndirectory = "out"\n')


def test_energies_soften_as_the_run_did(hornbeam):
    (hornbeam.folder / "s.toml").write_text(
        '[ic]\nmodel = "plummer"\nn = 300\n[gravity]\neps = 0.5\nsoftening = "spline"\n'
        '[time]\ndt = 0.125\nend = 0.25\n[output]\ndirectory = "out"\nevery = 0.25\n')
    hornbeam.ok("run", "s.toml")
    last = (hornbeam.folder / "out" / "energy.csv").read_text().splitlines()[-1].split(",")
    found = hornbeam.json("analyze", "out/snapshot_0001.hdf5", "--energy")
    assert abs(found["potential"] / float(last[3]) - 1) < 1e-5  # forces of a run are in fp32
    assert "spline" in hornbeam.ok("analyze", "out/snapshot_0001.hdf5", "--energy")
    assert "record" in hornbeam.ok("convert", "out/snapshot_0001.hdf5", "s.csv")


def record(path):
    with h5py.File(path) as file:
        return json.loads(bytes(file["Hornbeam/Record"][:]))


def test_snapshots_keep_what_made_them(hornbeam):
    (hornbeam.folder / "r.toml").write_text(RUN)
    hornbeam.ok("run", "r.toml")
    kept = record(hornbeam.folder / "out" / "snapshot_0001.hdf5")
    made = kept["configuration"]
    assert made["ic"] == {"model": "plummer", "n": 300, "seed": 7} and made["gravity"]["theta"] == 0.5
    assert [one["kind"] for one in made["potential"]] == ["nfw", "point"] and kept["version"] == "0.1.0"
    assert kept["softening"]["kernel"] == "plummer" and kept["softening"]["eps"] > 0 and "output" not in made
    hornbeam.ok("convert", "out/snapshot_0001.hdf5", "a.hdf5")
    assert record(hornbeam.folder / "a.hdf5") == kept
    hornbeam.ok("ic", "hernquist", "-n", 50, "--seed", 3, "--scale", 2, "-o", "h.hdf5")
    assert record(hornbeam.folder / "h.hdf5")["configuration"]["ic"] == {"model": "hernquist", "n": 50, "seed": 3,
                                                                         "scale": "2"}


def test_energies_count_the_external_potentials_of_the_run(hornbeam):
    (hornbeam.folder / "r.toml").write_text(RUN)
    hornbeam.ok("run", "r.toml")
    rows = (hornbeam.folder / "out" / "energy.csv").read_text().splitlines()
    total = float(rows[-1].split(",")[4])
    # that of the run is summed in mixed precision over a tree
    for file in ("out/snapshot_0001.hdf5", "out/checkpoint.hdf5"):
        found = hornbeam.json("analyze", file, "--energy")
        assert found["total"] == pytest.approx(total, rel=1e-3) and found["external_potentials"] == 2
    assert "with the run's 2 external potentials" in hornbeam.ok("analyze", "out/snapshot_0001.hdf5", "--energy")
    hornbeam.ok("convert", "out/snapshot_0001.hdf5", "a.csv")
    said = hornbeam.ok("analyze", "a.csv", "--energy")
    assert "does not say which external potentials acted" in said
    assert abs(hornbeam.json("analyze", "a.csv", "--energy")["total"] / total - 1) > 0.1
    hornbeam.ok("ic", "plummer", "-n", 50, "-o", "p.hdf5")
    assert "external" not in hornbeam.ok("analyze", "p.hdf5", "--energy")


def test_damaged_records_are_named(hornbeam):
    (hornbeam.folder / "r.toml").write_text(RUN)
    hornbeam.ok("run", "r.toml")
    path = hornbeam.folder / "out" / "snapshot_0001.hdf5"
    with h5py.File(path, "r+") as file:
        text = bytes(file["Hornbeam/Record"][:]).replace(b'"nfw"', b'"nfv"')
        file["Hornbeam/Record"][:] = list(text)
    assert "the record of its run is damaged" in hornbeam.error(1, "analyze", "out/snapshot_0001.hdf5", "--energy")
    with h5py.File(path, "r+") as file:
        file["Hornbeam/Record"][:5] = 0
    assert "does not say" in hornbeam.ok("analyze", "out/snapshot_0001.hdf5", "--energy")
