# SPDX-License-Identifier: Apache-2.0
"""hornbeam run: its files, its times, and that stopping and resuming changes no bit."""

import csv
import json
import re
import signal
import time

import h5py
import numpy as np
import pytest

COLUMNS = ["time", "step", "kinetic", "potential", "total", "relative_error", "momentum_x", "momentum_y",
           "momentum_z", "angular_momentum_x", "angular_momentum_y", "angular_momentum_z", "wall_seconds"]


def rows(folder, name="out"):
    with open(folder / name / "energy.csv", newline="") as file:
        return list(csv.DictReader(file))


def without_wall(table):
    return [{key: value for key, value in row.items() if key != "wall_seconds"} for row in table]


def bits(path):
    """Every array of a snapshot as bytes."""
    found = {}
    with h5py.File(path) as file:
        file.visititems(lambda name, item: found.update({name: item[()].tobytes()})
                        if isinstance(item, h5py.Dataset) else None)
    assert found
    return found


def wait_for(path, seconds=30):
    deadline = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} did not appear"
        time.sleep(0.01)


def test_run_writes_its_files(hornbeam, config):
    out = hornbeam.ok("run", config())
    assert "finished at t = 0.5 after 8 steps" in out and "eps" in out
    assert 'yt.load("out/snapshot_0002.hdf5", unit_base=' in out
    folder = hornbeam.folder / "out"
    assert {p.name for p in folder.iterdir()} == {"snapshot_0000.hdf5", "snapshot_0001.hdf5", "snapshot_0002.hdf5",
                                                  "energy.csv", "checkpoint.hdf5", "checkpoint_previous.hdf5",
                                                  "run.json"}
    table = rows(hornbeam.folder)
    assert list(table[0]) == COLUMNS
    assert [float(row["time"]) for row in table] == [0.0, 0.25, 0.5]
    assert [int(row["step"]) for row in table] == [0, 4, 8]
    assert float(table[0]["relative_error"]) == 0.0
    summary = json.loads((folder / "run.json").read_text())
    assert summary["configuration"]["gravity"]["accuracy"] == 7e-4
    assert summary["totals"]["steps"] == 8 and summary["totals"]["finished"] is True
    assert summary["device"]["backend"] == "cpu" and summary["commit"] and summary["seconds"]["walk"] > 0
    with h5py.File(folder / "snapshot_0002.hdf5") as file:
        assert file["Header"].attrs["Time"] == 0.5
        assert {"Coordinates", "Velocities", "ParticleIDs", "Potential", "Acceleration"} <= set(file["PartType1"])


def test_relative_error_is_defined_by_the_first_row(hornbeam, config):
    hornbeam.ok("run", config())
    table = rows(hornbeam.folder)
    e0, e = float(table[0]["total"]), float(table[-1]["total"])
    assert float(table[-1]["relative_error"]) == pytest.approx((e - e0) / abs(e0), rel=1e-12)


def test_flags_and_overrides_win_over_the_file(hornbeam, config):
    hornbeam.ok("run", config(), "--set", "time.end=0.125", "--set", "gravity.mac=bh", "--threads", 1)
    summary = json.loads((hornbeam.folder / "out" / "run.json").read_text())
    assert summary["totals"]["steps"] == 2
    assert summary["configuration"]["gravity"]["mac"] == "bh"
    assert summary["device"]["threads"] == 1


def test_outputs_between_steps_drift_a_copy(hornbeam, config):
    hornbeam.ok("run", config(every=0.25))
    plain = bits(hornbeam.folder / "out" / "snapshot_0002.hdf5")
    hornbeam.ok("run", config(every=0.25, extra="times = [0.1]\n"), "--overwrite")
    folder = hornbeam.folder / "out"
    with h5py.File(folder / "snapshot_0001.hdf5") as between:
        assert between["Header"].attrs["Time"] == 0.1
    assert bits(folder / "snapshot_0003.hdf5") == plain  # the run itself was not touched


def test_inputs_are_relative_to_the_configuration(hornbeam, config, tmp_path):
    (tmp_path / "below").mkdir()
    hornbeam.ok("ic", "plummer", "-n", 20, "-o", "below/start.csv")
    (tmp_path / "below" / "run.toml").write_text(
        '[input]\nfile = "start.csv"\n[time]\ndt = 0.5\nend = 0.5\n[output]\ndirectory = "here"\n')
    hornbeam.ok("run", "below/run.toml")
    assert (tmp_path / "here" / "run.json").exists()


def test_formats_energy_and_checkpoint_intervals(hornbeam, config):
    hornbeam.ok("run", config(extra='formats = ["csv", "tipsy"]\nenergy_every = 0.125\ncheckpoint_every = 0.3\n'))
    names = {p.name for p in (hornbeam.folder / "out").iterdir()}
    assert {"snapshot_0000.csv", "snapshot_0000.tipsy"} <= names and "snapshot_0000.hdf5" not in names
    assert [float(row["time"]) for row in rows(hornbeam.folder)] == [0.0, 0.125, 0.25, 0.375, 0.5]


def test_a_run_may_keep_its_energies_alone(hornbeam, config):
    hornbeam.ok("run", config(extra="energy_every = 0.125\n"))
    kept = without_wall(rows(hornbeam.folder))
    out = hornbeam.ok("run", config(extra="energy_every = 0.125\ntimes = [0.1, 0.26]\nsnapshots = false\n"
                                    "checkpoints = false\n"), "--overwrite")
    assert {p.name for p in (hornbeam.folder / "out").iterdir()} == {"energy.csv", "run.json"}
    assert "snapshot" not in out and "run.json" in out
    table = without_wall(rows(hornbeam.folder))  # times between steps have a row of the step before
    assert [row for row in table if row in kept] == kept
    summary = json.loads((hornbeam.folder / "out" / "run.json").read_text())
    assert summary["configuration"]["output"]["snapshots"] is False
    assert "there is no checkpoint" in hornbeam.error(1, "run", config(), "--resume", "--set", "time.end=0.75")


def test_block_steps_without_snapshots_take_the_same_steps(hornbeam, config):
    block = 'energy_every = 0.125\ntimes = [0.1]\n[gravity]\neps = 0.05\n'
    with_block = ["--set", "time.steps=block", "--set", "time.dt=0.125"]
    hornbeam.ok("run", config(extra=block), *with_block)
    kept = without_wall(rows(hornbeam.folder))
    hornbeam.ok("run", config(extra=block), *with_block, "--set", "output.snapshots=false", "--overwrite")
    assert without_wall(rows(hornbeam.folder)) == kept
    assert {p.name for p in (hornbeam.folder / "out").iterdir()} == {"energy.csv", "run.json", "rungs.csv",
                                                                     "checkpoint.hdf5", "checkpoint_previous.hdf5"}


@pytest.mark.parametrize("key", ["checkpoint_every", "wall_every"])
def test_checkpoints_asked_for_and_refused_at_once(hornbeam, config, key):
    message = hornbeam.error(2, "run", config(extra=f"{key} = 1\ncheckpoints = false\n"))
    assert f"output.{key}" in message and "output.checkpoints" in message


def test_units_set_g(hornbeam, config):
    hornbeam.ok("run", config(extra='[units]\nsystem = "galactic"\n', end=0.0001, dt=0.0001, every=1))
    with h5py.File(hornbeam.folder / "out" / "snapshot_0000.hdf5") as file:
        a = np.abs(file["PartType1/Acceleration"][:]).max()
    hornbeam.ok("run", config(end=0.0001, dt=0.0001, every=1), "--overwrite")
    with h5py.File(hornbeam.folder / "out" / "snapshot_0000.hdf5") as file:
        one = np.abs(file["PartType1/Acceleration"][:]).max()
    # G in kpc, 1e10 Msun, km/s; 32-bit accelerations.
    assert a / one == pytest.approx(43007.1, rel=3e-4)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_fewest_particles(hornbeam, config, n):
    hornbeam.ok("run", config(extra="[gravity]\neps = 0.1\n", n=n))
    assert len(rows(hornbeam.folder)) == 3


def test_an_earlier_run_is_not_overwritten_by_accident(hornbeam, config):
    hornbeam.ok("run", config())
    message = hornbeam.error(1, "run", config())
    assert "--resume" in message and "--overwrite" in message
    hornbeam.ok("run", config(), "--overwrite")
    assert "--resume" in hornbeam.error(2, "run", config(), "--overwrite", "--resume")


def test_resume_continues_to_the_same_bits(hornbeam, config):
    whole = config(n=300, name="whole.toml", extra="energy_every = 0.0625\n")
    hornbeam.ok("run", whole)
    hornbeam.ok("run", whole, "--set", "output.directory=parts", "--set", "time.end=0.25")
    hornbeam.ok("run", whole, "--set", "output.directory=parts", "--resume")
    a, b = hornbeam.folder / "out", hornbeam.folder / "parts"
    assert without_wall(rows(hornbeam.folder)) == without_wall(rows(hornbeam.folder, "parts"))
    for name in ("snapshot_0000.hdf5", "snapshot_0001.hdf5", "snapshot_0002.hdf5"):
        assert bits(a / name) == bits(b / name)


@pytest.mark.parametrize("mac", ["relative", "bh"])
def test_resume_with_other_opening_criteria(hornbeam, config, mac):
    whole = config(n=300, extra=f'[gravity]\nmac = "{mac}"\neps = 0.01\n')
    hornbeam.ok("run", whole)
    hornbeam.ok("run", whole, "--set", "output.directory=parts", "--set", "time.end=0.25")
    hornbeam.ok("run", whole, "--set", "output.directory=parts", "--resume")
    name = "snapshot_0002.hdf5"
    assert bits(hornbeam.folder / "out" / name) == bits(hornbeam.folder / "parts" / name)


def test_signals_stop_with_a_checkpoint(hornbeam, config):
    name, last = config(n=1000, dt=0.001, end=0.3, every=0.1), "snapshot_0003.hdf5"
    hornbeam.ok("run", name, "--set", "output.directory=whole")
    for stop in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGHUP):
        here = ("--set", f"output.directory={stop.name}")
        running = hornbeam.start("run", name, *here)
        wait_for(hornbeam.folder / stop.name / "checkpoint.hdf5")
        running.send_signal(stop)
        out, error = running.communicate(timeout=30)
        assert running.returncode == 4 and "--resume" in out and error == "", stop.name
        assert json.loads((hornbeam.folder / stop.name / "run.json").read_text())["totals"]["finished"] is False
        hornbeam.ok("run", name, *here, "--resume")
        assert bits(hornbeam.folder / stop.name / last) == bits(hornbeam.folder / "whole" / last), stop.name
        assert without_wall(rows(hornbeam.folder, stop.name)) == without_wall(rows(hornbeam.folder, "whole")), stop.name


def test_kill_during_output_leaves_whole_files(hornbeam, config):
    # Every step writes a snapshot and a checkpoint, so the kill falls among outputs.
    name = config(n=5000, dt=0.001, end=0.1, every=0.001)
    running = hornbeam.start("run", name)
    wait_for(hornbeam.folder / "out" / "snapshot_0005.hdf5")
    running.send_signal(signal.SIGKILL)
    running.communicate(timeout=30)
    folder = hornbeam.folder / "out"
    snapshots = sorted(folder.glob("snapshot_*.hdf5"))
    assert len(snapshots) >= 6
    for path in snapshots:
        assert len(bits(path)) >= 4
    hornbeam.ok("run", name, "--resume", "--set", "time.end=0.02")
    times = [float(row["time"]) for row in rows(hornbeam.folder)]
    assert times == sorted(set(times))


def test_resume_refuses(hornbeam, config):
    assert "checkpoint" in hornbeam.error(1, "run", config(), "--resume")
    hornbeam.ok("run", config(), "--overwrite")
    assert "gravity/theta" in hornbeam.error(2, "run", config(), "--resume", "--set", "gravity.theta=0.3")
    message = hornbeam.error(2, "run", config(), "--resume", "--set", "time.dt=0.5")
    assert "time/dt: was 0.0625, is 0.5" in message and "--allow-changes" in message
    other = hornbeam.error(2, "run", config(), "--resume", "--allow-changes", "--set", "ic.seed=7")
    assert "the checkpoint's particles were drawn from another model: ic/seed: was" in other
    (hornbeam.folder / "out" / "checkpoint_previous.hdf5").unlink()
    (hornbeam.folder / "out" / "checkpoint.hdf5").write_bytes(b"")
    assert "checkpoint.hdf5" in hornbeam.error(1, "run", config(), "--resume")


def state_of(folder):
    """Names, times of change and bytes of all files, and the time at which names in the folder changed."""
    files = {path.name: (path.stat().st_mtime_ns, path.stat().st_ino, path.read_bytes()) for path in folder.iterdir()}
    return folder.stat().st_mtime_ns, files


@pytest.mark.parametrize("steps", ["shared", "block"])
def test_resume_of_a_finished_run_changes_nothing(hornbeam, config, steps):
    """Also where the last block step reaches beyond the end, so that the checkpoint lies before it."""
    folder, name = hornbeam.folder / "out", config(n=64, dt=0.25, end=0.4, every=0.2)
    how = ("--set", f"time.steps={steps}", "--set", "gravity.eps=0.1")
    assert "nothing is left" not in hornbeam.ok("run", name, *how)
    before = state_of(folder)
    folder.chmod(0o500)
    said = hornbeam.ok("run", name, *how, "--resume")
    assert said == ("  nothing is left to do: the run in out has finished at t = 0.4, and time.end = 0.4; a later time.end "
                    "continues it\n")
    assert "time.end = 0.25" in hornbeam.ok("run", name, *how, "--resume-or-start", "--set", "time.end=0.25")
    assert "gravity/theta" in hornbeam.error(2, "run", name, *how, "--resume", "--set", "gravity.theta=0.3")
    assert state_of(folder) == before
    folder.chmod(0o700)
    (folder / "run.json").write_text("{}")  # a run that was killed before it wrote this
    assert "finished" in hornbeam.ok("run", name, *how, "--resume")
    assert "nothing is left" not in hornbeam.ok("run", name, *how, "--resume", "--set", "time.end=0.75")


def test_resume_or_start(hornbeam, config):
    """Of a job that is queued again until it ends with 0: the same command starts, goes on and has nothing left to do."""
    name = config(n=1000, dt=0.001, end=0.2, every=0.1)
    again = ("run", name, "--resume-or-start", "--set", "output.wall_limit=0.1")
    (hornbeam.folder / "out").mkdir()
    (hornbeam.folder / "out" / "notes.txt").write_text("no file of a run")
    for restarts in range(200):
        done = hornbeam.run(*again)
        assert done.returncode in (0, 4) and done.stderr == "", done.stderr
        finished = json.loads((hornbeam.folder / "out" / "run.json").read_text())["totals"]["finished"]
        assert finished is (done.returncode == 0)
        if finished:
            break
    assert restarts > 0 and "nothing is left to do" in hornbeam.ok(*again)
    hornbeam.ok("run", name, "--set", "output.directory=whole")
    assert bits(hornbeam.folder / "out" / "snapshot_0002.hdf5") == bits(hornbeam.folder / "whole" / "snapshot_0002.hdf5")
    for other in ("--resume", "--overwrite"):
        assert "--resume-or-start" in hornbeam.error(2, *again, other)
    for file in (hornbeam.folder / "out").glob("*.hdf5"):  # as of a run that ended before its first files
        file.unlink()
    assert "there is no checkpoint" in hornbeam.error(1, "run", name, "--resume")
    hornbeam.stopped(*again)


def test_largest_error_is_that_of_the_whole_run(hornbeam, config):
    """A pair that falls together at t = 1 and is apart again when the run is resumed."""
    (hornbeam.folder / "pair.csv").write_text(
        "id,mass,x,y,z,vx,vy,vz\n1,0.5,0.5,0,0,0,0.2,0\n2,0.5,-0.5,0,0,0,-0.2,0\n")
    (hornbeam.folder / "run.toml").write_text(
        '[input]\nfile = "pair.csv"\n[gravity]\neps = 0.1\n[time]\ndt = 0.02\nend = 2.0\n'
        '[output]\nevery = 1.8\n[watchdog]\nenergy = 0\n')

    def largest(text, folder):
        told = float(re.search(r"largest (\S+)", text)[1])
        kept = json.loads((hornbeam.folder / folder / "run.json").read_text())["totals"]
        assert told == pytest.approx(kept["largest_error"], rel=0.01)
        return kept["largest_error"], abs(kept["relative_error"])

    whole = largest(hornbeam.ok("run", "run.toml", "--set", "output.directory=whole"), "whole")
    parts = ("--set", "output.directory=parts")
    hornbeam.ok("run", "run.toml", *parts, "--set", "time.end=1.8")
    assert largest(hornbeam.ok("run", "run.toml", *parts, "--resume"), "parts") == whole
    assert whole[0] > 3 * whole[1]  # it came between, and left


def test_times_in_outputs_are_the_asked_ones(hornbeam, config):
    asked = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]  # sums of steps are 0.30000000000000004, 0.7999999999999999
    name = config(n=50, dt=0.1, end=0.8, every=0.1)
    fine = ("--set", "output.every=0.4", "--set", "output.energy_every=0.1", "--set", "output.directory=fine")
    hornbeam.ok("run", name)
    hornbeam.ok("run", name, *fine, "--set", "time.end=0.4")
    hornbeam.ok("run", name, *fine, "--resume")
    for folder in ("out", "fine"):
        assert [float(row["time"]) for row in rows(hornbeam.folder, folder)] == asked
        assert json.loads((hornbeam.folder / folder / "run.json").read_text())["totals"]["time"] == 0.8
    times = []
    for path in sorted((hornbeam.folder / "out").glob("snapshot_*.hdf5")):
        with h5py.File(path) as file:
            times.append(float(file["Header"].attrs["Time"]))
    assert times == asked


def test_time_start_sets_the_clock(hornbeam, config):
    hornbeam.ok("run", config(n=50))
    (hornbeam.folder / "more.toml").write_text(
        '[input]\nfile = "out/snapshot_0002.hdf5"\n[time]\ndt = 0.0625\nend = 0.25\n'
        '[output]\ndirectory = "more"\n')
    message = hornbeam.error(2, "run", "more.toml")
    assert "before the start at 0.5" in message and "time.start = 0 resets the time" in message
    hornbeam.ok("run", "more.toml", "--set", "time.start=0")
    assert [float(row["time"]) for row in rows(hornbeam.folder, "more")] == [0.0, 0.25]
    again = ("run", "more.toml", "--set", "time.end=0.5", "--resume")
    assert "the run started at 0 (leave it out; a resumed run continues its time" in hornbeam.error(2, *again, "--set", "time.start=1")
    hornbeam.ok(*again)  # said or not
    hornbeam.ok(*again, "--set", "time.start=0", "--set", "time.end=0.75")
    assert [float(row["time"]) for row in rows(hornbeam.folder, "more")] == [0.0, 0.25, 0.5, 0.75]
    hornbeam.ok("run", config(n=50), "--set", "time.start=-1", "--set", "time.end=-0.5", "--overwrite")  # of a model
    assert [float(row["time"]) for row in rows(hornbeam.folder)] == [-1.0, -0.75, -0.5]


@pytest.mark.parametrize("setting, part", [
    ("gravity.thetta=0.5", "theta?"),
    ("time.dt=0", "time.dt"),
    ("time.dt=-1", "time.dt"),
    ("time.dt=nan", "time.dt"),
    ("gravity.theta=2.5", "theta"),
    ("gravity.theta=-1", "theta"),
    ("time.steps=blocks", "symmetrised"),
    ("time.eta=0.1", "shared"),
    ("boundary.kind=periodic", "boundary.size: is missing"),
    ("boundary.kind=shear", "boundary.size: is missing"),
    ("device.backend=vulkan", "vulkan"),
    ("time.end=-1", "time.end"),
    ("time.dt=0.75", "time.dt: is 0.75, longer than the whole run from 0 to 0.5"),
    ("time.end=1e17", "time.dt: is 0.0625, which is below the rounding error of times up to 1e+17"),
    ("output.times=[7]", "output.times"),
    ("output.formats=[\"xyz\"]", "xyz"),
])
def test_settings_that_cannot_be(hornbeam, config, setting, part):
    assert part in hornbeam.error(2, "run", config(), "--set", setting)


def test_block_steps_need_softening(hornbeam, config):
    assert "eps" in hornbeam.error(2, "run", config(), "--set", "time.steps=block", "--set", "gravity.eps=0")
    assert "finished" in hornbeam.ok("run", config(), "--set", "time.steps=block")  # the model's


def test_a_step_longer_than_the_run_is_refused(hornbeam, config, tmp_path):
    for steps in ("shared", "block", "symmetrised"):
        long = ["--set", "gravity.eps=0.05", "--set", f"time.steps={steps}", "--set", f"output.directory={steps}"]
        message = hornbeam.error(2, "run", config(dt=0.501), *long)
        assert "time.dt: is 0.501, longer than the whole run from 0 to 0.5 (must be at most 0.5" in message
        assert not (tmp_path / steps).exists()
        for dt in (0.5, 0.35):  # of the whole length, and one that leaves a rest
            assert "finished" in hornbeam.ok("run", config(dt=dt, n=20), "--overwrite", *long)
        # what is left of a resumed run may be shorter
        assert "finished" in hornbeam.ok("run", config(dt=0.35, n=20, end=0.4), *long, "--resume")
        assert "longer than the whole run" in hornbeam.error(2, "run", config(dt=0.35, n=20, end=0.3), *long, "--resume")


def test_a_run_that_ends_where_it_begins_writes_its_start(hornbeam, config):
    assert "finished at t = 0 after 0 steps" in hornbeam.ok("run", config(end=0))
    assert len(rows(hornbeam.folder)) == 1 and (hornbeam.folder / "out" / "snapshot_0000.hdf5").exists()


def test_time_that_stands_still_is_an_error(hornbeam, tmp_path):
    hornbeam.ok("ic", "plummer", "-n", 20, "-o", "late.hdf5")
    with h5py.File(tmp_path / "late.hdf5", "a") as file:
        file["Header"].attrs["Time"] = 1e17
    (tmp_path / "late.toml").write_text('[input]\nfile = "late.hdf5"\n[time]\ndt = 1\nend = 1.00000001e17\n'
                                        '[output]\ndirectory = "out"\n')
    message = hornbeam.error(2, "run", "late.toml")
    assert "time.dt: is 1, which is below the rounding error of times up to 1.00000001e+17" in message
    assert not (tmp_path / "out").exists()


def test_configurations_that_cannot_be_read(hornbeam, tmp_path):
    assert "none.toml" in hornbeam.error(1, "run", "none.toml")
    (tmp_path / "bad.toml").write_text("[time\n")
    assert "bad.toml" in hornbeam.error(2, "run", "bad.toml")
    (tmp_path / "open.toml").write_text('[ic]\nmodel = "plummer\nn = 10\n')
    assert "open.toml: line 2, column 17: a quote is not closed (close it)" in hornbeam.error(2, "run", "open.toml")
    (tmp_path / "empty.toml").write_text("")
    assert "[ic]" in hornbeam.error(2, "run", "empty.toml")


def test_no_permission_to_write(hornbeam, config):
    # /proc takes no files, not even from root.
    assert "/proc/here" in hornbeam.error(1, "run", config(), "--set", "output.directory=/proc/here")
    assert "/proc/x.hdf5" in hornbeam.error(1, "ic", "plummer", "-n", 5, "-o", "/proc/x.hdf5")


def test_full_disk_keeps_the_previous_snapshot(hornbeam, config):
    # A limit on the size of files stands in for the disk: HDF5 fails in the middle of a write.
    hornbeam.ok("ic", "plummer", "-n", 100, "-o", "a.hdf5")
    before = (hornbeam.folder / "a.hdf5").read_bytes()

    def limited():
        import resource
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    for name in ("a.hdf5", "b.csv", "b.tipsy", "b.gadget"):
        assert name in hornbeam.error(1, "ic", "plummer", "-n", 20000, "-o", name, preexec_fn=limited)
    assert (hornbeam.folder / "a.hdf5").read_bytes() == before
    assert [p.name for p in hornbeam.folder.iterdir()] == ["a.hdf5"]
