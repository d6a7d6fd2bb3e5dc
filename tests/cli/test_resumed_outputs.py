# SPDX-License-Identifier: Apache-2.0
"""Snapshots of runs that are resumed: none is written over, and their numbers are in the order of their times."""

import h5py
import numpy as np
import pytest


def times_of(folder):
    times = []
    for path in sorted(folder.glob("snapshot_*.hdf5")):
        with h5py.File(path) as file:
            times.append(float(file["Header"].attrs["Time"]))
    return times


@pytest.mark.parametrize("before, after", [(0.1, 0.3), (0.3, 0.1), (0.1, 0.1)])
def test_outputs_of_another_plan_go_on_behind_those_that_are_there(hornbeam, before, after):
    (hornbeam.folder / "run.toml").write_text('[ic]\nmodel = "plummer"\nn = 50\n[gravity]\neps = 0.1\n[time]\ndt = 0.05\nend = 0.5\n')

    def times(*settings):
        said = hornbeam.ok("run", "run.toml", "--set", "output.directory=out", *settings)
        files = sorted((hornbeam.folder / "out").glob("snapshot_*.hdf5"))
        assert [file.name for file in files] == [f"snapshot_{k:04}.hdf5" for k in range(len(files))]
        assert f"{len(files)} snapshots, energy.csv" in said and f"snapshot_{len(files) - 1:04}.hdf5" in said
        return times_of(hornbeam.folder / "out")

    first = times("--set", f"output.every={before}")
    all_of_them = times("--resume", "--set", f"output.every={after}", "--set", "time.end=1")
    assert all_of_them[:len(first)] == first  # also the end of the first part, which is no multiple of 0.3
    assert all_of_them == sorted(all_of_them) and all_of_them[-1] == pytest.approx(1)


@pytest.mark.parametrize("plan", ["0.02", "0.5", "0.07"])
@pytest.mark.parametrize("steps", ["block", "shared"])
def test_snapshots_later_than_the_checkpoint_stay_in_their_order(hornbeam, plan, steps):
    """Of a run that ended within a step, so that its checkpoint is of the step's beginning."""
    (hornbeam.folder / "run.toml").write_text(
        f'[ic]\nmodel = "plummer"\nn = 50\n[gravity]\neps = 0.1\n[time]\ndt = 0.25\nsteps = "{steps}"\nend = 0.33\n'
        '[output]\ndirectory = "out"\nevery = 0.02\n[watchdog]\nenergy = 0\n')
    hornbeam.ok("run", "run.toml")
    out = hornbeam.folder / "out"
    first = times_of(out)
    said = hornbeam.ok("run", "run.toml", "--resume", "--set", "time.end=1", "--set", f"output.every={plan}")
    whole = times_of(out)
    assert whole[:len(first)] == first and whole == sorted(whole) and whole[-1] == pytest.approx(1)
    assert f"{len(whole)} snapshots" in said and f"snapshot_{len(whole) - 1:04}.hdf5" in said
    again = hornbeam.ok("run", "run.toml", "--resume", "--set", "time.end=1.5", "--set", "output.every=0.1")
    times = times_of(out)
    assert times[:len(whole)] == whole and times == sorted(times) and f"{len(times)} snapshots" in again


def test_snapshots_of_a_run_without_are_numbered_from_0(hornbeam, config):
    hornbeam.ok("run", config(), "--set", "output.snapshots=false")
    said = hornbeam.ok("run", config(), "--resume", "--set", "time.end=0.75", "--set", "output.every=0.125")
    files = sorted(file.name for file in (hornbeam.folder / "out").glob("snapshot_*.hdf5"))
    assert files == ["snapshot_0000.hdf5", "snapshot_0001.hdf5"] and "2 snapshots" in said


def test_a_run_that_ends_at_0_goes_on(hornbeam):
    (hornbeam.folder / "run.toml").write_text(
        '[ic]\nmodel = "plummer"\nn = 50\n[gravity]\neps = 0.1\n[time]\ndt = 0.03\nstart = -1\nend = 0\n'
        '[output]\ndirectory = "out"\nevery = 0.5\n[watchdog]\nenergy = 0\n')
    hornbeam.ok("run", "run.toml")
    hornbeam.ok("run", "run.toml", "--resume")
    hornbeam.ok("run", "run.toml", "--resume", "--set", "time.end=0.5")
    assert times_of(hornbeam.folder / "out") == [-1, -0.5, 0, 0.5]


def test_outputs_of_another_plan_that_are_left_out_are_said(hornbeam):
    """Snapshots later than the checkpoint, which is of 0.25, stay."""
    (hornbeam.folder / "run.toml").write_text(
        '[ic]\nmodel = "plummer"\nn = 50\n[gravity]\neps = 0.1\n[time]\ndt = 0.25\nend = 0.32\n'
        '[output]\ndirectory = "out"\nevery = 0.02\n[watchdog]\nenergy = 0\n')
    hornbeam.ok("run", "run.toml")
    said = hornbeam.ok("run", "run.toml", "--resume", "--set", "time.end=1", "--set", "output.every=0.01")
    assert "3 outputs up to t = 0.32 are left out, as snapshots of the earlier plan exist" in said


def datasets(path):
    with h5py.File(path) as file:
        return {f"{group}/{name}": file[group][name][:] for group in file if group.startswith("PartType")
                for name in file[group]}


@pytest.mark.parametrize("steps", ["block", "shared"])
def test_steps_of_particles_in_snapshots(hornbeam, steps):
    """A step is dt / 2^rung, at and between the ends of longest steps; nothing else changes, resumed or not."""
    (hornbeam.folder / "run.toml").write_text(
        f'[ic]\nmodel = "plummer"\nn = 300\nseed = 4\n[gravity]\neps = 0.01\n[time]\ndt = 0.0625\nsteps = "{steps}"\n'
        'end = 0.25\n[output]\ndirectory = "with"\nevery = 0.05\nformats = ["hdf5", "csv"]\ntime_steps = true\n')
    hornbeam.ok("run", "run.toml")
    hornbeam.ok("run", "run.toml", "--set", "output.directory=without", "--set", "output.time_steps=false")
    hornbeam.ok("run", "run.toml", "--set", "output.directory=parts", "--set", "time.end=0.1")
    hornbeam.ok("run", "run.toml", "--set", "output.directory=parts", "--resume")
    seen = set()
    for k in range(6):
        name = f"snapshot_{k:04}"
        found, plain = (datasets(hornbeam.folder / folder / f"{name}.hdf5") for folder in ("with", "without"))
        length = found.pop("PartType1/TimeStep")
        assert len(length) == 300 and np.isin(length * 2.0**np.arange(17)[:, None], 0.0625).any(axis=0).all()
        seen |= set(length)
        assert found.keys() == plain.keys() and all((found[key] == plain[key]).all() for key in plain)
        resumed = datasets(hornbeam.folder / "parts" / f"{name}.hdf5")
        assert (resumed.pop("PartType1/TimeStep") == length).all() and all((resumed[key] == plain[key]).all() for key in plain)
        texts = [(hornbeam.folder / folder / f"{name}.csv").read_text() for folder in ("with", "without")]
        assert texts[0] == texts[1]
    assert len(seen) >= 3 if steps == "block" else seen == {0.0625}
    hornbeam.ok("convert", "with/snapshot_0005.hdf5", "again.hdf5")
    assert (datasets(hornbeam.folder / "again.hdf5")["PartType1/TimeStep"] == length).all()
    (hornbeam.folder / "next.toml").write_text('[input]\nfile = "again.hdf5"\n[gravity]\neps = 0.01\n[time]\ndt = 0.01\nend = 0.3\n')
    hornbeam.ok("run", "next.toml")  # steps of another run are of the past
    assert "PartType1/TimeStep" not in datasets(hornbeam.folder / "output" / "snapshot_0000.hdf5")
