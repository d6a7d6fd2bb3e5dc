# SPDX-License-Identifier: Apache-2.0
"""hornbeam run: block steps, restarts after kills and full disks, stop files, watchdogs, external potentials."""

import json
import random
import signal
import time

import h5py
import numpy as np
import pytest

from test_run import bits, rows, wait_for, without_wall



@pytest.fixture
def block(tmp_path):
    """Writes a small cuspy run with block steps."""

    def write(extra="", end=1.0, n=400, every=0.25, dt=0.125, name="block.toml"):
        (tmp_path / name).write_text(
            f'[ic]\nmodel = "hernquist"\nn = {n}\n[gravity]\neps = 0.02\n[time]\ndt = {dt}\nend = {end}\n'
            f'steps = "block"\neta = 0.2\n[output]\ndirectory = "out"\nevery = {every}\n{extra}')
        return name

    return write


def test_block_steps_report_their_rungs(hornbeam, block):
    out = hornbeam.ok("run", block())
    assert "(block steps)" in out and "where the time went:" in out and "walk" in out and "refitted" in out
    table = (hornbeam.folder / "out" / "rungs.csv").read_text().splitlines()
    assert table[0].startswith("rung,particles,steps,due")
    counts = [[float(value) for value in line.split(",")] for line in table[1:]]
    assert len(counts) >= 2 and sum(row[1] for row in counts) == 400
    summary = json.loads((hornbeam.folder / "out" / "run.json").read_text())
    assert summary["rungs"]["builds"] + summary["rungs"]["refits"] == sum(row[2] for row in counts)
    assert summary["configuration"]["time"] == {"dt": 0.125, "end": 1.0, "steps": "block", "eta": 0.2,
                                                "eta_change": 0.0, "max_rung": 16}
    assert abs(float(rows(hornbeam.folder)[-1]["relative_error"])) < 1e-3


def test_block_outputs_inside_a_step_leave_the_run_alone(hornbeam, block):
    hornbeam.ok("run", block())
    plain = bits(hornbeam.folder / "out" / "snapshot_0004.hdf5")
    hornbeam.ok("run", block(extra="times = [0.3, 0.31, 0.99]\n"), "--overwrite")
    folder = hornbeam.folder / "out"
    times = []
    for path in sorted(folder.glob("snapshot_*.hdf5")):
        with h5py.File(path) as file:
            times.append(float(file["Header"].attrs["Time"]))
    assert times == [0, 0.25, 0.3, 0.31, 0.5, 0.75, 0.99, 1.0]
    assert bits(folder / "snapshot_0007.hdf5") == plain


@pytest.fixture
def pair(tmp_path):
    """Writes a run of two black holes alone on an ellipse about each other, which passes its pericentre at t = 3.5."""
    (tmp_path / "pair.csv").write_text("x,y,z,vx,vy,vz,mass,family\n1,0,0,0,0.2,0,0.5,black_hole\n"
                                       "-1,0,0,0,-0.2,0,0.5,black_hole\n")

    def write(extra="", end=8, name="pair.toml"):
        (tmp_path / name).write_text(
            f'[input]\nfile = "pair.csv"\n[gravity]\neps = 0.001\n[time]\ndt = 0.0078125\nend = {end}\n'
            f'[output]\ndirectory = "out"\nblack_holes_every = 0.25\n{extra}')
        return name

    return write


def test_black_holes_are_followed(hornbeam, pair):
    hornbeam.ok("run", pair())
    whole = (hornbeam.folder / "out" / "black_holes.csv").read_text()
    lines = whole.splitlines()
    assert lines[0] == "time,step,id,x,y,z,velocity_x,velocity_y,velocity_z" and len(lines) == 1 + 2 * 33
    assert lines[1].startswith("0,0,0,1,0,0,0,0.2,0") and lines[2].startswith("0,0,1,-1,0,0,0,-0.2,0")
    passages = json.loads((hornbeam.folder / "out" / "run.json").read_text())["black_holes"]["passages"]
    # apocentre Q = 2 at a speed of 0.4, G m = 1: a = 1 / (2 / Q - v^2) = 1.19, half a period is pi a^1.5, q = 2 a - Q
    a = 1 / (2 / 2 - 0.4**2)
    assert passages[0]["time"] == pytest.approx(np.pi * a**1.5, abs=0.05)
    assert passages[0]["distance"] == pytest.approx(2 * a - 2, abs=0.02)
    hornbeam.ok("run", pair("times = [3]\n", end=3), "--overwrite")
    hornbeam.ok("run", pair(), "--resume")
    assert (hornbeam.folder / "out" / "black_holes.csv").read_text() == whole
    answer = json.loads((hornbeam.folder / "out" / "run.json").read_text())["black_holes"]["passages"]
    assert answer == passages


def test_no_black_holes_to_follow(hornbeam, block):
    said = hornbeam.error(2, "run", block(extra="black_holes_every = 1\n"))
    assert "output.black_holes_every" in said and "no particle is a black hole" in said


def test_an_end_inside_a_block_step(hornbeam, block):
    hornbeam.ok("run", block(end=0.3, every=1))
    with h5py.File(hornbeam.folder / "out" / "snapshot_0001.hdf5") as file:
        assert file["Header"].attrs["Time"] == 0.3
    # and longer: from the last time at which all particles stood together
    hornbeam.ok("run", block(end=1.0, every=1), "--resume")
    hornbeam.ok("run", block(end=1.0, every=1), "--set", "output.directory=whole")
    with h5py.File(hornbeam.folder / "whole" / "snapshot_0001.hdf5") as file:
        whole = file["PartType1/Coordinates"][:].tobytes()
    with h5py.File(hornbeam.folder / "out" / "snapshot_0002.hdf5") as file:  # behind that of 0.3, which stays
        assert file["PartType1/Coordinates"][:].tobytes() == whole


@pytest.mark.parametrize("steps", ["shared", "block", "symmetrised"])
def test_resume_after_kills_at_random_moments(hornbeam, block, steps):
    settings = ["--set", f"time.steps={steps}"]
    name = block(n=2000, end=0.5, every=0.125, extra="checkpoint_every = 0.03125\n", dt=0.03125)
    if steps == "shared":
        (hornbeam.folder / name).write_text((hornbeam.folder / name).read_text().replace("eta = 0.2\n", ""))
    hornbeam.ok("run", name, *settings, "--set", "output.directory=whole")
    chance = random.Random(7)
    running = hornbeam.start("run", name, *settings)
    wait_for(hornbeam.folder / "out" / "checkpoint.hdf5")
    for _ in range(6):
        time.sleep(chance.uniform(0.0, 0.15))
        running.send_signal(signal.SIGKILL)
        running.communicate(timeout=30)
        running = hornbeam.start("run", name, *settings, "--resume")
    _, error = running.communicate(timeout=50)
    assert running.returncode == 0, error
    for index in range(5):
        path = f"snapshot_{index:04}.hdf5"
        assert bits(hornbeam.folder / "out" / path) == bits(hornbeam.folder / "whole" / path)
    assert without_wall(rows(hornbeam.folder)) == without_wall(rows(hornbeam.folder, "whole"))


def test_a_full_disk_stops_and_the_run_resumes(hornbeam, block):
    name = block(n=2000, end=0.5)

    def limited():
        import resource
        resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))  # a snapshot does not fit

    hornbeam.ok("run", name, "--set", "time.end=0.25")
    message = hornbeam.error(1, "run", name, "--resume", preexec_fn=limited)
    assert "out/" in message
    hornbeam.ok("run", name, "--resume")
    hornbeam.ok("run", name, "--set", "output.directory=whole")
    last = "snapshot_0002.hdf5"
    assert bits(hornbeam.folder / "out" / last) == bits(hornbeam.folder / "whole" / last)


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "gone"])
def test_a_damaged_checkpoint_gives_way_to_the_one_before(hornbeam, block, damage):
    name = block()
    hornbeam.ok("run", name, "--set", "time.end=0.75")
    path = hornbeam.folder / "out" / "checkpoint.hdf5"
    data = bytearray(path.read_bytes())
    if damage == "flip":
        with h5py.File(path) as file:
            at = file["Checkpoint/velocity"].id.get_offset()
        data[at + 100] ^= 1
    replaced = {"cut": data[:len(data) // 2], "flip": data, "empty": b"", "gone": None}[damage]
    path.unlink()  # the one before has a name of its own for its file
    if replaced is not None:
        path.write_bytes(replaced)
    out = hornbeam.ok("run", name, "--resume")
    assert "checkpoint_previous.hdf5" in out
    hornbeam.ok("run", name, "--set", "output.directory=whole")
    last = "snapshot_0004.hdf5"
    assert bits(hornbeam.folder / "out" / last) == bits(hornbeam.folder / "whole" / last)


def test_changes_are_named_and_may_be_allowed(hornbeam, block):
    name = block(end=0.5)
    hornbeam.ok("run", name, "--set", "time.end=0.25")
    changed = ["--set", "gravity.theta=0.4", "--set", "time.eta=0.1"]
    message = hornbeam.error(2, "run", name, "--resume", *changed)
    assert "gravity/theta: was null, is 0.4" in message and "gravity/accuracy: was 0.0007, is null" in message
    assert "time/eta: was 0.2, is 0.1" in message
    out = hornbeam.ok("run", name, "--resume", "--allow-changes", *changed)
    assert "gravity/theta" in out and "finished at t = 0.5" in out
    shared = ["--set", "gravity.eps=0.03", "--set", "time.end=0.75"]
    assert "finished" in hornbeam.ok("run", name, "--resume", "--allow-changes", *shared)
    soft = ["--set", "gravity.eps=0.6", "--set", "time.end=1"]  # half of the potential energy is gone, which is no error
    out = hornbeam.ok("run", name, "--resume", "--allow-changes", *soft)
    assert "the energy error is now measured from it" in out and "finished at t = 1" in out
    assert "--resume" in hornbeam.error(2, "run", name, "--allow-changes")


def test_a_stop_file_stops(hornbeam, block):
    name = block(n=1000, end=100, every=1)
    running = hornbeam.start("run", name)
    wait_for(hornbeam.folder / "out" / "checkpoint.hdf5")
    (hornbeam.folder / "out" / "stop").touch()
    out, error = running.communicate(timeout=30)
    assert running.returncode == 4 and error == "" and "stopped by the file `stop`" in out
    assert not (hornbeam.folder / "out" / "stop").exists()


@pytest.mark.parametrize("how", ["signal", "file", "clock"])
def test_a_long_block_step_is_given_up(hornbeam, block, how):
    name = block(n=2000, end=2, every=0.5, dt=0.5)
    hornbeam.ok("run", name, "--set", "time.end=0.5")
    kept = bits(hornbeam.folder / "out" / "checkpoint.hdf5")
    slow = ["--resume", "--allow-changes", "--set", "time.eta=2e-5", "--set", "time.max_rung=24"]
    if how == "clock":
        slow += ["--set", "output.wall_limit=0.4"]
    began = time.monotonic()
    running = hornbeam.start("run", name, *slow)
    wait_for(hornbeam.folder / "out" / "hornbeam.lock")
    time.sleep(0.3)  # the step takes a minute
    if how == "signal":
        running.send_signal(signal.SIGTERM)
    elif how == "file":
        (hornbeam.folder / "out" / "stop").touch()
    out, error = running.communicate(timeout=60)
    assert running.returncode == 4 and error == "", error
    assert time.monotonic() - began < 20
    assert "the step from t = 0.5 to 1 was stopped at t = 0.5" in out and "--resume starts it again" in out, out
    assert "the checkpoint of t = 0.5 is in out" in out, out
    assert ("output.wall_limit is shorter than one longest step" in out) == (how == "clock")
    # the checkpoint is that of the step's beginning: positions and velocities to the bit
    now = bits(hornbeam.folder / "out" / "checkpoint.hdf5")
    for array in ("position", "velocity", "mass", "id"):
        assert now[f"Checkpoint/{array}"] == kept[f"Checkpoint/{array}"]
    back = ["--resume", "--allow-changes", "--set", "time.end=1"]
    assert "finished at t = 1" in hornbeam.ok("run", name, *back)


def test_outputs_and_stops_by_the_clock(hornbeam, block):
    out = hornbeam.stopped("run", block(end=1000, every=500), "--set", "output.wall_limit=0.6",
                           "--set", "output.wall_every=0.1")
    assert "stopped by output.wall_limit" in out
    with h5py.File(hornbeam.folder / "out" / "latest.hdf5") as file:
        assert file["Header"].attrs["Time"] > 0
    assert json.loads((hornbeam.folder / "out" / "run.json").read_text())["totals"]["finished"] is False


def test_energy_drift_stops_the_run_and_keeps_the_last_good_state(hornbeam, block):
    name = block(end=4, every=0.5)
    hornbeam.ok("run", name, "--set", "time.end=0.5")
    kept = (hornbeam.folder / "out" / "checkpoint.hdf5").read_bytes()
    message = hornbeam.error(3, "run", name, "--resume", "--set", "watchdog.energy=1e-12")
    assert "energy has changed" in message and "particle" in message and "time.dt" in message
    assert (hornbeam.folder / "out" / "checkpoint.hdf5").read_bytes() == kept
    assert "finished" in hornbeam.ok("run", name, "--resume", "--set", "time.end=1", "--set", "watchdog.energy=0")


def test_collapsing_steps_stop_the_run(hornbeam, block):
    message = hornbeam.error(3, "run", block(), "--set", "time.max_rung=1", "--set", "time.eta=0.01")
    assert "max_rung" in message and "particle" in message
    out = hornbeam.ok("run", block(), "--overwrite", "--set", "time.max_rung=1", "--set", "time.eta=0.01",
                      "--set", "watchdog.collapse=false")
    assert "finished" in out


def test_collapsing_steps_are_reported_when_they_are_chosen(hornbeam, tmp_path):
    # a star falls to a black hole of small softening: at the end of the first longest step nobody asks for short steps
    (tmp_path / "fall.csv").write_text("mass,x,y,z,vx,vy,vz,eps,family\n1,0,0,0,0,0,0,1e-4,black_hole\n"
                                       "1e-9,1,0,0,0,0.02,0,1e-2,star\n")
    (tmp_path / "fall.toml").write_text('[input]\nfile = "fall.csv"\n[time]\ndt = 2\nend = 4\nsteps = "block"\n'
                                        'max_rung = 20\n[output]\ndirectory = "out"\nevery = 2\n'
                                        '[watchdog]\nenergy = 0\nrunaway = 0\n')
    out = hornbeam.ok("run", "fall.toml")
    assert "times shorter than before" in out and "sub-steps now" in out, out
    message = hornbeam.error(3, "run", "fall.toml", "--overwrite", "--set", "time.max_rung=8")
    assert "max_rung" in message and "particle 1 (id 1)" in message, message
    assert 0.5 < float(message.split("t = ")[1].split(":")[0]) < 1.5, message
    # and those of the start before the first step
    message = hornbeam.error(3, "run", "fall.toml", "--overwrite", "--set", "time.max_rung=1")
    assert "max_rung" in message and message.startswith("t = 0:"), message
    with h5py.File(tmp_path / "out" / "checkpoint.hdf5") as file:
        assert file["Checkpoint"].attrs["time"] == 0


def test_runaway_particles_stop_the_run(hornbeam, tmp_path):
    # a close pair on a head-on course without softening, met by a long step
    (tmp_path / "start.csv").write_text("mass,x,y,z,vx,vy,vz\n1,-0.5,0.0001,0,1,0,0\n1,0.5,0,0,-1,0,0\n")
    (tmp_path / "run.toml").write_text('[input]\nfile = "start.csv"\n[time]\ndt = 0.05\nend = 2\n'
                                       '[output]\ndirectory = "out"\nevery = 0.05\n[watchdog]\nenergy = 0\nrunaway = 5\n')
    message = hornbeam.error(3, "run", "run.toml")
    assert "escape speed at the start" in message and "particle" in message
    assert (tmp_path / "out" / "checkpoint.hdf5").exists()
    assert "finished" in hornbeam.ok("run", "run.toml", "--overwrite", "--set", "watchdog.runaway=0")


@pytest.mark.parametrize("steps", ["shared", "block", "symmetrised"])
@pytest.mark.parametrize("extra", ["", "snapshots = false", "snapshots = false\ncheckpoints = false"])
def test_numbers_that_are_not_finite_stop_the_run_and_are_never_written(hornbeam, tmp_path, steps, extra):
    # the third particle leaves the range of single precision at t = 3.4; no watchdog looks
    (tmp_path / "start.csv").write_text("mass,x,y,z,vx,vy,vz\n1,-0.5,0,0,0,0.1,0\n1,0.5,0,0,0,0,0\n1,0,0,0.5,1e38,0,0\n")
    (tmp_path / "run.toml").write_text(
        f'[input]\nfile = "start.csv"\n[gravity]\neps = 0.1\n[time]\ndt = 0.5\nend = 10\nsteps = "{steps}"\n'
        f'[output]\ndirectory = "out"\nevery = 1\n{extra}\n[device]\nprecision = "single"\n'
        '[watchdog]\nenergy = 0\nrunaway = 0\ncollapse = false\nevery = 0\n')
    message = hornbeam.error(1, "run", "run.toml")
    assert all(part in message for part in ["t = ", "non-finite", "particle", "dt"]), message
    kept = "checkpoints" not in extra
    assert ("the last good state is in out/checkpoint.hdf5" in message) == kept
    out = tmp_path / "out"
    assert "nan" not in (out / "energy.csv").read_text() and "inf" not in (out / "energy.csv").read_text()
    assert not (out / "snapshot_0004.hdf5").exists()
    if kept:
        with h5py.File(out / "checkpoint.hdf5") as file:
            assert np.isfinite(file["Checkpoint/position"][:]).all()
        assert "finished at t = " in hornbeam.ok("run", "run.toml", "--resume", "--set", "time.end=3")


def test_external_potentials_move_particles(hornbeam, config):
    extra = ('[gravity]\neps = 0.05\n[[potential]]\nkind = "nfw"\nmass = 5\nscale = 2\n'
             '[[potential]]\nkind = "miyamoto-nagai"\nmass = 1\nscale = 0.5\nheight = 0.1\ncentre = [0.1, 0, 0]\n')
    hornbeam.ok("run", config(extra=extra, end=0.25))
    table = rows(hornbeam.folder)
    assert float(table[0]["potential"]) < -2  # the sphere's own is -0.5
    assert abs(float(table[-1]["relative_error"])) < 0.01
    summary = json.loads((hornbeam.folder / "out" / "run.json").read_text())
    assert [p["kind"] for p in summary["configuration"]["potential"]] == ["nfw", "miyamoto-nagai"]
    message = hornbeam.error(2, "run", config(extra='[potential]\nkind = "nfw"\nmass = 5\n'), "--overwrite")
    assert "potential.scale" in message
    assert "nfw" in hornbeam.error(2, "run", config(extra='[potential]\nkind = "nwf"\nmass = 5\n'), "--overwrite")


def test_symmetrised_steps(hornbeam, block):
    out = hornbeam.ok("run", block(n=200, end=0.5, every=0.1), "--set", "time.steps=symmetrised")
    assert "(symmetrised steps)" in out
    table = rows(hornbeam.folder)
    assert abs(float(table[-1]["relative_error"])) < 1e-3
    folder = hornbeam.folder / "out"
    for index, path in enumerate(sorted(folder.glob("snapshot_*.hdf5"))):
        with h5py.File(path) as file:
            assert np.isclose(file["Header"].attrs["Time"], 0.1 * index, atol=1e-12)


def test_energy_that_leaves_is_said_loudly(hornbeam, block):
    name = block(n=300, end=2, every=1)
    shared = ["--overwrite", "--set", "time.steps=shared", "--set", "watchdog.energy=0"]
    for key in ("eta",):
        (hornbeam.folder / name).write_text((hornbeam.folder / name).read_text().replace(f"{key} = 0.2\n", ""))
    good = hornbeam.ok("run", name, *shared, "--set", "time.dt=0.0078125")
    assert "WARNING" not in good
    hard = hornbeam.ok("run", name, *shared, "--set", "gravity.eps=0", "--set", "time.dt=0.03125")
    assert hard.count("WARNING: the energy has changed by") == 3, hard  # beyond 1 %, beyond 10 %, and at the end
    assert "the softening is 0" in hard and "set gravity.eps" in hard and "do not trust this run" in hard
    long = hornbeam.ok("run", name, *shared, "--set", "time.dt=0.125")
    assert "the steps are too long for the softening: take time.dt = 0.0" in long
    wide = hornbeam.run("run", name, "--overwrite", "--set", "time.steps=shared", "--set", "gravity.eps=0", "--set",
                        "time.dt=0.03125")
    assert wide.returncode == 3 and "more than 0.1" in wide.stderr and "the softening is 0" in wide.stderr


PERIODIC = """[boundary]
kind = "periodic"
size = [1, 1.5, 0]
n_ghost_x = 1
n_ghost_y = 1
"""


@pytest.mark.parametrize("steps", ["shared", "block", "symmetrised"])
def test_a_periodic_box_holds_its_particles_and_goes_on_with_the_same_bits(hornbeam, config, tmp_path, steps):
    """Particles of a Plummer sphere far larger than the box: all are in it in every output, those between steps too."""
    write = config(PERIODIC, n=200, every=0.07)
    options = ("--set", f"time.steps={steps}", "--set", "watchdog.energy=0", "--set", "gravity.eps=0.1")
    printed = hornbeam.ok("run", write, *options, "--set", "output.directory=whole")
    assert "periodic box 1 x 1.5 x 0 about the origin (0: open), 9 boxes attract" in printed
    names = sorted((tmp_path / "whole").glob("snapshot_*.hdf5"))
    assert len(names) == 9
    for name in names:
        with h5py.File(name) as file:
            x = file["PartType1/Coordinates"][:]
        assert (x[:, 0] >= -0.5).all() and (x[:, 0] < 0.5).all()
        assert (x[:, 1] >= -0.75).all() and (x[:, 1] < 0.75).all()
        assert np.abs(x[:, 2]).max() > 1.5
    hornbeam.ok("run", write, *options, "--set", "output.directory=parts", "--set", "time.end=0.25")
    hornbeam.ok("run", write, *options, "--set", "output.directory=parts", "--resume")
    last = sorted((tmp_path / "parts").glob("snapshot_*.hdf5"))[-1]  # behind that of the first end, which is kept
    with h5py.File(names[-1]) as one, h5py.File(last) as other:
        for field in ("Coordinates", "Velocities"):
            assert (one["PartType1"][field][:] == other["PartType1"][field][:]).all()
    changed = hornbeam.error(2, "run", write, *options, "--set", "output.directory=parts", "--resume", "--set",
                             "boundary.size=[2,2,0]", "--set", "time.end=1")
    assert "boundary/size" in changed
