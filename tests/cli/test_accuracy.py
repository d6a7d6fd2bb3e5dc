# SPDX-License-Identifier: Apache-2.0
"""`accuracy`: what force and run do with it, what it is refused with, and that resumed runs keep their bits."""

import json

import h5py
import numpy as np
import pytest

USUAL = 7e-4
RUN = "checkpoint_every = 0.25\n[gravity]\naccuracy = 1e-3\n"


def test_force_keeps_and_reports_it(hornbeam):
    answer = hornbeam.json("force", "--ic", "plummer", "-n", 20000, "--seed", 9, "--accuracy", 1e-3, "--check", 2000)
    assert answer["accuracy"] == 1e-3
    assert not answer.keys() & {"theta", "theta_c", "mac", "order", "expansion"}
    error = answer["error"]
    assert 0 < error["promised_rms"] <= 1e-3 and error["promised_p99"] <= 5e-3 and error["promised_max"] <= 0.1
    printed = hornbeam.ok("force", "--ic", "plummer", "-n", 500, "--accuracy", 1e-3, "--check", 500)
    few = hornbeam.json("force", "--ic", "plummer", "-n", 1024, "--accuracy", 1e-3, "--check", 1024, "--backend", "cpu")
    assert few["interactions_per_particle"]["particle"] == 1023 and few["error"]["promised_rms"] < 1e-5
    assert "accuracy 0.001, precision mixed" in printed and "promised_rms" in printed and "theta" not in printed


REPLACED = {"theta": 0.6, "theta_c": 0.6, "mac": "offset", "order": 2, "expansion": 4}


@pytest.mark.parametrize("flags", [(), ("--box", 20), ("--eps", 0), ("--precision", "double"), ("--leaf-size", 8)])
def test_the_usual_one_is_reported(hornbeam, flags):
    answer = hornbeam.json("force", "--ic", "plummer", "-n", 2000, "--backend", "cpu", *flags)
    assert answer["accuracy"] == USUAL and not answer.keys() & REPLACED.keys()


@pytest.mark.parametrize("flags", [
    ("--theta", 0.6), ("--theta-c", 0.6), ("--order", 2), ("--expansion", 4), ("--mac", "offset"), ("--accuracy", 0),
    ("--walk", "stackless"), ("--walk", "direct"), ("--softening", "spline"), ("--walk", "direct", "--curve", "none")])
def test_where_the_usual_one_does_not_apply_angles_are_reported(hornbeam, flags):
    answer = hornbeam.json("force", "--ic", "plummer", "-n", 2000, "--backend", "cpu", *flags)
    assert "accuracy" not in answer and {key: answer[key] for key in REPLACED} == REPLACED


def test_where_softenings_differ_angles_are_reported(hornbeam):
    galaxy = hornbeam.json("force", "--ic", "galaxy", "-n", 500, "--backend", "cpu")
    assert "accuracy" not in galaxy and galaxy["theta"] == 0.6


def test_angles_have_the_bits_that_they_had(hornbeam):
    how = ("force", "--ic", "plummer", "-n", 3000, "--backend", "cpu")
    hornbeam.ok(*how, "--theta", 0.6, "-o", "angle.hdf5")
    hornbeam.ok(*how, "--accuracy", 0, "-o", "none.hdf5")
    hornbeam.ok(*how, "-o", "usual.hdf5")
    angle, none, usual = (accelerations(hornbeam.folder / f"{name}.hdf5") for name in ("angle", "none", "usual"))
    assert np.array_equal(angle, none) and not np.array_equal(angle, usual)
    difference = np.linalg.norm(angle - usual, axis=1) / np.linalg.norm(angle, axis=1)
    assert np.median(difference) < USUAL


def accelerations(file):
    with h5py.File(file) as snapshot:
        return snapshot["PartType1/Acceleration"][:]



@pytest.mark.parametrize("flags", [("--theta", 0.6), ("--theta-c", 0.5), ("--order", 2), ("--expansion", 4),
                                   ("--mac", "offset")])
def test_what_it_replaces_may_not_be_given(hornbeam, flags):
    said = hornbeam.error(2, "force", "--ic", "plummer", "-n", 500, "--accuracy", 1e-3, *flags)
    assert "accuracy = 0.001: replaces theta, theta_c, order, expansion and mac" in said


@pytest.mark.parametrize("flags, words", [
    (("--accuracy", 0.5), "0.05"), (("--accuracy", -1), "accuracy"), (("--accuracy", "nan"), "accuracy"),
    (("--accuracy", 1e-6), "precision double"),
    (("--accuracy", 1e-3, "--walk", "direct"), "needs walk group")])
def test_what_it_cannot_do_is_refused(hornbeam, flags, words):
    assert words in hornbeam.error(2, "force", "--ic", "plummer", "-n", 500, *flags)


def test_a_run_says_it_in_place_of_theta(hornbeam, config):
    said = hornbeam.ok("run", config("[gravity]\naccuracy = 1e-3\n", n=100))
    assert "accuracy 0.001, dt" in said and "theta" not in said


def test_a_range_does_not_recommend_what_is_refused(hornbeam):
    assert "or 0" not in hornbeam.error(2, "force", "--ic", "plummer", "-n", 100, "--accuracy", 0.5)


def test_runs_refuse_it_with_an_angle(hornbeam, config):
    assert "replaces theta" in hornbeam.error(2, "run", config(RUN + "theta = 0.5\n"))


def last_snapshot(folder):
    with h5py.File(max(folder.glob("snapshot_*.hdf5"))) as file:
        return [file["PartType1"][name][:] for name in ("ParticleIDs", "Coordinates", "Velocities")]


PERIODIC = '[boundary]\nkind = "periodic"\nsize = [99, 99, 99]\nn_ghost_x = 1\nn_ghost_y = 1\nn_ghost_z = 1\n'


@pytest.mark.parametrize("settings, extra", [
    ([], ""), (["time.steps=block", "time.eta=0.05", "time.max_rung=5"], ""), (["time.steps=symmetrised"], ""),
    (["gravity.softening=spline"], ""), ([], PERIODIC)])
def test_resumed_runs_keep_their_bits(hornbeam, config, settings, extra):
    name = config(RUN + extra, n=2000)
    flags = [flag for setting in settings for flag in ("--set", setting)]
    hornbeam.ok("run", name, *flags, "--set", "output.directory=whole")
    hornbeam.ok("run", name, *flags, "--set", "time.end=0.25")
    hornbeam.ok("run", name, *flags, "--resume")
    for whole, parts in zip(last_snapshot(hornbeam.folder / "whole"), last_snapshot(hornbeam.folder / "out")):
        assert np.array_equal(whole, parts)


def test_other_changes_keep_it(hornbeam, config):
    """A resumed run that may lose particles from now on would not have it by default."""
    name = config("checkpoint_every = 0.25\n", n=2000)
    hornbeam.ok("run", name, "--set", "time.end=0.25")
    box = ("boundary.kind=open", "boundary.size=[30, 30, 30]")
    hornbeam.ok("run", name, *[flag for key in box for flag in ("--set", key)], "--resume", "--allow-changes")
    assert gravity_of(hornbeam.folder / "out")["accuracy"] == USUAL


def gravity_of(folder):
    return json.loads((folder / "run.json").read_text())["configuration"]["gravity"]


OPEN_BOX = '[boundary]\nkind = "open"\nsize = [3, 3, 3]\n'


@pytest.mark.parametrize("extra, settings, accuracy", [
    ("", [], USUAL), ("", ["gravity.theta=0.6"], None), ("", ["gravity.walk=stackless"], None),
    ("", ["gravity.softening=spline"], None), (PERIODIC, [], None), (PERIODIC.split("n_ghost")[0], [], USUAL),
    (OPEN_BOX, [], None), (OPEN_BOX, ["gravity.eps=0.05"], USUAL), ("", ["time.steps=block", "time.eta=0.05"], USUAL)])
def test_runs_report_it_and_go_on_with_it(hornbeam, config, extra, settings, accuracy):
    """Where particles may leave, those that are left may have one softening: the choice is that of the start."""
    name = config("checkpoint_every = 0.25\n" + extra, n=2000)
    flags = [flag for setting in settings for flag in ("--set", setting)]
    said = hornbeam.ok("run", name, *flags, "--set", "output.directory=whole")
    assert ("accuracy 0.0007, dt" if accuracy else "theta 0.6, dt") in said
    assert ("forces: accuracy 0.0007" if accuracy else "forces: theta 0.6") in hornbeam.ok("run", name, *flags, "--dry-run")
    hornbeam.ok("run", name, *flags, "--set", "time.end=0.25")
    hornbeam.ok("run", name, *flags, "--resume")
    for folder in ("whole", "out"):
        gravity = gravity_of(hornbeam.folder / folder)
        assert gravity["accuracy"] == accuracy and gravity["theta"] == (None if accuracy else 0.6)
    for whole, parts in zip(last_snapshot(hornbeam.folder / "whole"), last_snapshot(hornbeam.folder / "out")):
        assert np.array_equal(whole, parts)


@pytest.mark.parametrize("settings", [[], ["gravity.theta=0.6"]])
def test_an_estimated_softening_of_particles_that_leave_keeps_its_bits(hornbeam, config, settings):
    hornbeam.ok("ic", "plummer", "-n", 1000, "-o", "all.csv")
    rows = (hornbeam.folder / "all.csv").read_text().splitlines()
    (hornbeam.folder / "p.csv").write_text("\n".join(",".join(row.split(",")[:7]) for row in rows) + "\n")
    flags = [flag for setting in settings for flag in ("--set", setting)]
    text = ('[input]\nfile = "p.csv"\n' + OPEN_BOX + '[time]\ndt = 0.0625\nend = 0.5\n[output]\ndirectory = "out"\n'
            "every = 0.25\ncheckpoint_every = 0.25\n")
    (hornbeam.folder / "r.toml").write_text(text)
    hornbeam.ok("run", "r.toml", *flags, "--set", "output.directory=whole")
    hornbeam.ok("run", "r.toml", *flags, "--set", "time.end=0.25")
    assert "(estimated)" in hornbeam.ok("run", "r.toml", *flags, "--resume")
    assert gravity_of(hornbeam.folder / "out")["accuracy"] == (None if settings else USUAL)
    for whole, parts in zip(last_snapshot(hornbeam.folder / "whole"), last_snapshot(hornbeam.folder / "out")):
        assert np.array_equal(whole, parts)


def test_runs_by_angles_go_on_by_angles(hornbeam, config):
    """As the runs of earlier versions, whose configuration has theta and no accuracy."""
    hornbeam.ok("run", config("checkpoint_every = 0.25\n[gravity]\ntheta = 0.6\n", n=500), "--set", "time.end=0.25")
    plain = config("checkpoint_every = 0.25\n", n=500)
    assert "theta 0.6, dt" in hornbeam.ok("run", plain, "--resume")
    assert gravity_of(hornbeam.folder / "out")["accuracy"] is None
    hornbeam.ok("run", plain, "--set", "output.directory=usual", "--set", "time.end=0.25")
    said = hornbeam.error(2, "run", plain, "--set", "output.directory=usual", "--set", "gravity.theta=0.6", "--resume")
    assert "gravity/accuracy: was 0.0007, is null" in said


def energy_error(hornbeam, folder):
    table = np.genfromtxt(hornbeam.folder / folder / "energy.csv", delimiter=",", names=True)
    return np.abs(table["relative_error"]).max()


def test_block_steps_keep_energy_as_with_angles(hornbeam, config):
    """Errors of the steps are the larger ones: those of forces to an accuracy must not add to them. In the mean of twelve
    spheres: errors of one differ by a factor of three."""
    blocks = ("--set", "time.steps=block", "--set", "time.eta=0.1", "--set", "time.max_rung=6")
    no_files = "snapshots = false\ncheckpoints = false\n[gravity]\n"
    angle, accuracy = no_files + "theta = 0.5\n", no_files + "accuracy = 1e-3\n"
    errors = {"angle": 0, "accuracy": 0}
    for folder, gravity in (("angle", angle), ("accuracy", accuracy)):
        name = config(gravity, n=4000, end=0.25, every=0.0625, name=folder + ".toml")
        for seed in range(1, 13):
            hornbeam.ok("run", name, *blocks, "--set", f"ic.seed={seed}", "--set", f"output.directory={folder}{seed}")
            errors[folder] += energy_error(hornbeam, f"{folder}{seed}")
    assert errors["accuracy"] < 1.5 * errors["angle"]


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_fewest_particles(hornbeam, n):
    answer = hornbeam.json("force", "--ic", "uniform-cube", "-n", n, "--accuracy", 1e-3, "--check", 5)
    assert answer["n"] == n and answer["error"]["sampled"] == n and answer["error"]["promised_max"] < 1e-5
