# SPDX-License-Identifier: Apache-2.0
"""What snapshots keep of what made them, and energies that count the external potentials of their run."""

import json

import h5py
import numpy as np
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


SECOND = '[input]\nfile = "out/snapshot_0001.hdf5"\n[time]\ndt = 0.01\nend = 0.04\n[output]\ndirectory = "next"\n'


def second_run(hornbeam, text=SECOND):
    (hornbeam.folder / "second.toml").write_text(text)
    return [line for line in hornbeam.ok("run", "second.toml", "--overwrite").splitlines() if "was made with" in line]


def test_a_start_from_another_run_says_what_it_does_not_take_over(hornbeam):
    (hornbeam.folder / "r.toml").write_text(RUN.replace("theta = 0.5", 'theta = 0.5\nsoftening = "spline"'))
    hornbeam.ok("run", "r.toml")
    nfw, point, kernel, theta = second_run(hornbeam)
    assert nfw.strip() == ("snapshot_0001.hdf5 was made with the potential nfw (mass = 5, scale = 2), which this configuration "
                           "does not have: to continue as before, add it as [[potential]]")
    assert "the potential point (mass = 1, scale = 0.5, centre = [3, 0, 0])" in point
    assert "spline softening, and this run has plummer" in kernel and 'gravity.softening = "spline"' in kernel
    assert "theta 0.5, and this run has accuracy 0.0007, with less accurate forces" in theta and "gravity.theta = 0.5" in theta
    potentials = RUN[RUN.index("[[potential]]"):RUN.index("[time]")]
    (point,) = second_run(hornbeam, SECOND + '[gravity]\ntheta = 0.4\nsoftening = "spline"\n' + potentials.replace("[3, 0", "[4, 0"))
    assert "centre = [3, 0, 0]" in point
    assert not second_run(hornbeam, SECOND + '[gravity]\ntheta = 0.5\nsoftening = "spline"\n' + potentials)
    assert "was made with" not in hornbeam.ok("run", "second.toml", "--resume")
    hornbeam.ok("ic", "plummer", "-n", 50, "-o", "p.hdf5")
    assert not second_run(hornbeam, SECOND.replace("out/snapshot_0001", "p"))
    hornbeam.ok("convert", "out/snapshot_0001.hdf5", "a.csv")
    assert not second_run(hornbeam, SECOND.replace("out/snapshot_0001.hdf5", "a.csv"))


def test_a_start_in_other_units_tells_potentials_by_kind(hornbeam):
    (hornbeam.folder / "r.toml").write_text(RUN.replace("[time]", '[units]\nsystem = "galactic"\n[time]').replace("0.01", "1e-5")
                                            .replace("0.02", "2e-5"))
    hornbeam.ok("run", "r.toml")
    units = '[units]\nlength = "pc"\nmass = "Msun"\nvelocity = "km/s"\nof_files = "convert"\n[gravity]\ntheta = 0.5\n'
    text = SECOND.replace("0.01", "1e-2").replace("0.04", "0.04")
    nfw, point = second_run(hornbeam, text + units)
    assert "nfw (mass = 5, scale = 2) in the file's units" in nfw and "point" in point
    (point,) = second_run(hornbeam, text + units + '[[potential]]\nkind = "nfw"\nmass = 5e10\nscale = 2000\n')
    assert "point" in point


def test_a_start_with_a_damaged_record_goes_on(hornbeam):
    (hornbeam.folder / "r.toml").write_text(RUN)
    hornbeam.ok("run", "r.toml")
    with h5py.File(hornbeam.folder / "out" / "snapshot_0001.hdf5", "r+") as file:
        text = bytes(file["Hornbeam/Record"][:]).replace(b'"nfw"', b'"nfv"')
        file["Hornbeam/Record"][:] = list(text)
    (hornbeam.folder / "second.toml").write_text(SECOND)
    assert "record of its run is damaged" in hornbeam.ok("run", "second.toml")


def test_circular_velocities_count_what_the_run_had(hornbeam):
    """Between steps a snapshot has no accelerations: they are found anew, as the run's."""
    (hornbeam.folder / "r.toml").write_text(
        '[ic]\nmodel = "galaxy"\nn = 1500\n[gravity]\nsoftening = "spline"\n[[potential]]\nkind = "hernquist"\nmass = 10\n'
        'scale = 3\n[time]\ndt = 0.25\nend = 0.25\n[output]\ndirectory = "out"\nevery = 0.125\n')
    hornbeam.ok("run", "r.toml")
    speeds = {}
    for k in (0, 1, 2):
        with h5py.File(hornbeam.folder / "out" / f"snapshot_000{k}.hdf5") as file:
            assert ("Acceleration" in file["PartType2"]) == (k != 1)
        answer = hornbeam.json("analyze", f"out/snapshot_000{k}.hdf5", "--disc", "--edges", 1, "--edges", 2, "--edges", 3)
        speeds[k] = np.array(answer["disc"]["circular_velocity"])
        assert answer["external_potentials"] == 1
    said = hornbeam.ok("analyze", "out/snapshot_0001.hdf5", "--disc")
    assert "circular velocities with the run's 1 external potentials" in said
    assert "circular velocities with the run's spline softening" in said
    assert speeds[1] == pytest.approx((speeds[0] + speeds[2]) / 2, rel=0.03)  # half of it would be a third less
    hornbeam.ok("convert", "out/snapshot_0001.hdf5", "a.csv")
    assert "circular velocities do not include any" in hornbeam.ok("analyze", "a.csv", "--disc")
