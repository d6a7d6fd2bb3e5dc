# SPDX-License-Identifier: Apache-2.0
"""hornbeam run: one run at a time in a folder, and what is said of tables and checkpoints that are lost."""

import os
import random
import signal
import time

import h5py
import pytest

from test_dynamics import pair  # noqa: F401: a fixture
from test_run import bits, rows, wait_for, without_wall

LOCK = "hornbeam.lock"
# for runs that others wait for: softened, so that the watchdog does not end them first on a slow machine
SOFTENED = "[gravity]\neps = 0.1\n"


def stop(running, folder):
    """Ends a run in peace; its output."""
    (folder / "stop").touch()
    out, error = running.communicate(timeout=60)
    assert running.returncode == 4 and error == "" and "stopped by the file `stop`" in out, (out, error)
    return out


def the_other_is_named(message, pid):
    return f"is in use by process {pid} on " in message and " UTC: " in message and message.count("\n") == 1


def test_of_two_starts_one_wins(hornbeam, config):
    chance = random.Random(3)
    for k in range(5):
        name = config(SOFTENED, n=200, dt=0.001, end=1000, every=500, name=f"run{k}.toml")
        settings = ["--set", f"output.directory=new/{k}"]
        folder = hornbeam.folder / "new" / str(k)
        first = hornbeam.start("run", name, *settings)
        time.sleep(chance.uniform(0, 0.01))
        second = hornbeam.start("run", name, *settings)
        while first.poll() is None and second.poll() is None:
            time.sleep(0.005)
        loser, winner = (first, second) if first.poll() is not None else (second, first)
        out, error = loser.communicate(timeout=60)
        assert loser.returncode == 1 and the_other_is_named(error, winner.pid), (out, error)
        wait_for(folder / "checkpoint.hdf5")
        stop(winner, folder)
        assert not (folder / LOCK).exists()


def test_a_folder_in_use_stays_as_it_is(hornbeam, config):
    name = config(SOFTENED, n=200, dt=0.001, end=1000, every=500)
    folder = hornbeam.folder / "out"
    running = hornbeam.start("run", name)
    wait_for(folder / "checkpoint.hdf5")
    before = {path.name: path.stat().st_ino for path in folder.glob("*.*5")}
    for option in ([], ["--overwrite"], ["--resume"]):
        done = hornbeam.run("run", name, *option)
        assert done.returncode == 1 and the_other_is_named(done.stderr, running.pid), done.stderr
        assert f"hornbeam run {name}" in done.stderr
    assert {path.name: path.stat().st_ino for path in folder.glob("*.*5")} == before
    assert running.poll() is None
    stop(running, folder)
    hornbeam.stopped("run", name, "--resume", "--set", "output.wall_limit=0.01")


def test_a_killed_run_locks_nobody_out(hornbeam, config):
    name = config(SOFTENED, n=200, dt=0.001, end=0.1, every=0.05)
    folder = hornbeam.folder / "out"
    running = hornbeam.start("run", name, "--set", "time.end=1000")
    wait_for(folder / "checkpoint.hdf5")
    running.send_signal(signal.SIGKILL)
    running.communicate(timeout=30)
    left = (folder / LOCK).read_text()
    assert left.startswith(f"hornbeam: process {running.pid} on ") and left.count("\n") == 1
    assert LOCK not in hornbeam.ok("run", name, "--resume")
    assert not (folder / LOCK).exists()
    # of a host that cannot be asked: said, and no more than that
    (folder / LOCK).write_text("hornbeam: process 7 on elsewhere since 2026-01-31 12:00:00 UTC: hornbeam run a.toml\n")
    assert "process 7 on elsewhere" in hornbeam.ok("run", name, "--resume", "--set", "time.end=0.11")
    assert not (folder / LOCK).exists()


def test_a_checkpoint_never_stands_before_the_outputs_of_its_time(hornbeam, config):
    folder = hornbeam.folder / "out"
    (folder / "snapshot_0000.hdf5").mkdir(parents=True)  # the run ends here, as if it were killed
    hornbeam.error(1, "run", config(extra="checkpoint_every = 0.25\n"))
    assert not (folder / "checkpoint.hdf5").exists()


def test_unfinished_files_of_a_killed_run_are_removed(hornbeam, config):
    hornbeam.ok("run", config(), "--set", "time.end=0.25")
    folder = hornbeam.folder / "out"
    ours = ["checkpoint_previous.hdf5.new", ".checkpoint.hdf5.123.4.tmp", ".snapshot_0001.hdf5.7.0.tmp"]
    others = [".notes.txt.1.2.tmp", "snapshot.tmp", ".checkpoint.hdf5.tmp"]
    for name in [*ours, *others]:
        (folder / name).write_text("x")
    hornbeam.ok("run", config(), "--resume")
    left = {path.name for path in folder.iterdir()}
    assert left.isdisjoint(ours) and left.issuperset(others)


def test_a_run_killed_between_the_names_of_checkpoints_leaves_nothing(hornbeam, config):
    hornbeam.ok("run", config(), "--set", "time.end=0.25")
    folder = hornbeam.folder / "out"
    (folder / "checkpoint_previous.hdf5").unlink(missing_ok=True)
    (folder / "checkpoint_previous.hdf5").hardlink_to(folder / "checkpoint.hdf5")
    hornbeam.ok("run", config(), "--resume", "--set", "output.checkpoint_every=10")  # writes one
    assert not (folder / "checkpoint_previous.hdf5.new").exists()


@pytest.mark.parametrize("name", ["energy.csv", "checkpoint.hdf5", "run.json"])
def test_fifos_in_the_place_of_files_are_not_waited_for(hornbeam, config, name):
    hornbeam.ok("run", config(), "--set", "time.end=0.25")
    path = hornbeam.folder / "out" / name
    path.unlink()
    os.mkfifo(path)
    assert f"{name}: is not a regular file" in hornbeam.run("run", config(), "--resume").stderr
    assert path.is_fifo()


def test_a_lock_that_is_none_of_ours(hornbeam, config):
    folder = hornbeam.folder / "out"
    folder.mkdir()
    (folder / LOCK).write_text("my notes\n")
    assert LOCK in hornbeam.error(1, "run", config())
    assert (folder / LOCK).read_text() == "my notes\n" and [path.name for path in folder.iterdir()] == [LOCK]


def test_benches_of_one_folder_wait_for_each_other(bench_without_plots):
    command = ["merger", "--runs", "theta-0.75", "--max-n", 50, "-o", "out"]
    running = bench_without_plots.start(*command)
    wait_for(bench_without_plots.folder / "out" / "merger" / LOCK)
    assert f"process {running.pid} on " in bench_without_plots.error(1, *command)
    wait_for(bench_without_plots.folder / "out" / "merger" / "theta-0.75" / "checkpoint.hdf5")
    (bench_without_plots.folder / "out" / "merger" / "theta-0.75" / "stop").touch()
    running.communicate(timeout=60)


def test_nothing_is_lost_to_a_run_that_cannot_begin(hornbeam, config):
    hornbeam.ok("run", config())
    before = {path.name for path in (hornbeam.folder / "out").iterdir()}
    for setting in ("time.end=-1", "time.dt=3", "time.steps=blocks", "output.black_holes_every=1"):
        hornbeam.error(2, "run", config(), "--overwrite", "--set", setting)
    assert {path.name for path in (hornbeam.folder / "out").iterdir()} == before


def test_resume_makes_no_folder(hornbeam, config):
    assert "without --resume" in hornbeam.error(1, "run", config(), "--resume")
    assert not (hornbeam.folder / "out").exists()


@pytest.mark.parametrize("harm, lost", [("gone", 4), ("empty", 4), ("cut", 2), ("middle", 1), ("headless", 0),
                                        ("garbled", 1)])
def test_lost_rows_of_energies_are_said(hornbeam, config, harm, lost):
    name = config(n=100)
    hornbeam.ok("run", name, "--set", "output.energy_every=0.125")
    whole = without_wall(rows(hornbeam.folder))
    hornbeam.ok("run", name, "--overwrite", "--set", "output.energy_every=0.125", "--set", "time.end=0.375")
    path = hornbeam.folder / "out" / "energy.csv"
    lines = path.read_text().splitlines(keepends=True)
    assert len(lines) == 5
    path.write_text("".join({"gone": [], "empty": [], "cut": [*lines[:3], lines[3][:20]],
                             "middle": [*lines[:2], *lines[3:]], "headless": lines[1:],
                             "garbled": [*lines[:2], "0,0,x" + lines[2][3:], *lines[3:]]}[harm]))
    if harm == "gone":
        path.unlink()
    out = hornbeam.ok("run", name, "--resume", "--set", "output.energy_every=0.125")
    said = f"energy.csv: {lost} of the 4 rows up to t = 0.375 are lost; the run continues without them\n"
    assert (said in out) == (lost > 0) and ("lost" in out) == (lost > 0), out
    found = without_wall(rows(hornbeam.folder))
    assert len(found) == len(whole) - lost and all(row in whole for row in found)
    again = hornbeam.ok("run", name, "--resume", "--set", "output.energy_every=0.125", "--set", "time.end=0.625")
    assert "lost" not in again, "said once"


def test_lost_rows_of_black_holes_are_said(hornbeam, pair):  # noqa: F811
    hornbeam.ok("run", pair("times = [3]\n", end=3))
    path = hornbeam.folder / "out" / "black_holes.csv"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:8]) + lines[8][:10])  # one of two at its time
    out = hornbeam.ok("run", pair(end=4), "--resume")
    assert "black_holes.csv: 20 of the 26 rows up to t = 3 are lost" in out
    times = [float(line.split(",")[0]) for line in path.read_text().splitlines()[1:]]
    assert times == [0, 0, 0.25, 0.25, 0.5, 0.5, 3.25, 3.25, 3.5, 3.5, 3.75, 3.75, 4, 4]


def test_largest_error_is_that_of_the_whole_run(hornbeam, pair):  # noqa: F811
    def largest(out):
        return out.split(", largest ")[1].split("\n")[0]

    # the energy errs most soon after the pericentre, at t = 4.1, and comes back
    long = ["--set", "time.dt=0.0625", "--set", "output.energy_every=0.125", "--set", "output.every=8"]
    whole = largest(hornbeam.ok("run", pair(end=6), *long))
    hornbeam.ok("run", pair(end=5), "--overwrite", *long)
    assert largest(hornbeam.ok("run", pair(end=6), "--resume", *long)) == whole
    # and where the table is lost
    hornbeam.ok("run", pair(end=5), "--overwrite", *long)
    (hornbeam.folder / "out" / "energy.csv").unlink()
    assert largest(hornbeam.ok("run", pair(end=6), "--resume", *long)) == whole
    rest = max(abs(float(row["relative_error"])) for row in rows(hornbeam.folder))
    assert rest < 0.9 * float(whole), "or this tests nothing"


@pytest.mark.parametrize("harm", ["both gone", "both damaged", "one gone"])
def test_without_checkpoints_the_advice_works(hornbeam, config, harm):
    hornbeam.ok("run", config())
    folder = hornbeam.folder / "out"
    (folder / "checkpoint_previous.hdf5").unlink()
    (folder / "checkpoint.hdf5").unlink()
    if harm != "both gone":
        (folder / "checkpoint.hdf5").write_bytes(b"no HDF5")
    if harm == "both damaged":
        (folder / "checkpoint_previous.hdf5").write_bytes(b"no HDF5")
    message = hornbeam.error(1, "run", config(), "--resume")
    assert "checkpoint.hdf5" in message and "--overwrite" in message and "without --resume" not in message
    assert "[input] file in another output.directory" in message
    if harm == "both gone":
        fresh = hornbeam.error(1, "run", config())
        assert "--overwrite" in fresh and "--resume" not in fresh
    (hornbeam.folder / "next.toml").write_text('[input]\nfile = "out/snapshot_0002.hdf5"\n[time]\ndt = 0.0625\nend = 1\n'
                                               '[output]\ndirectory = "next"\n')
    hornbeam.ok("run", "next.toml")
    hornbeam.ok("run", config(), "--overwrite")


def test_files_of_a_run_are_not_replaced(hornbeam, config):
    """`convert snapshot_*.hdf5` with two of them would write the second."""
    hornbeam.ok("run", config(SOFTENED, n=10, dt=0.01, end=0.02, every=0.01))
    first, second = (f"out/snapshot_000{k}.hdf5" for k in (0, 1))
    before = (hornbeam.folder / second).read_bytes()
    for command in (("convert", first, second), ("force", first, "-o", second)):
        assert hornbeam.error(2, *command).startswith(f"{second}: is a file of the run in out (choose another name"), command
    assert (hornbeam.folder / second).read_bytes() == before
    hornbeam.ok("convert", first, "out/mine.hdf5")
    hornbeam.ok("convert", first, "out/mine.hdf5")


def test_a_folder_named_as_only_shells_do_is_refused(hornbeam, config):
    for name in ("~", "~/run"):
        message = hornbeam.error(2, "run", config(n=10, dt=0.5, end=1), "--set", f"output.directory='{name}'")
        assert f"output.directory: received {name} (only a shell knows ~: write the whole path)" in message
