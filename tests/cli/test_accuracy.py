# SPDX-License-Identifier: Apache-2.0
"""`accuracy`: what force and run do with it, what it is refused with, and that resumed runs keep their bits."""

import h5py
import numpy as np
import pytest

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


def test_it_is_off_by_default(hornbeam):
    answer = hornbeam.json("force", "--ic", "plummer", "-n", 500)
    assert "accuracy" not in answer and answer["theta"] == 0.6


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


def energy_error(hornbeam, folder):
    table = np.genfromtxt(hornbeam.folder / folder / "energy.csv", delimiter=",", names=True)
    return np.abs(table["relative_error"]).max()


def test_block_steps_keep_energy_as_with_angles(hornbeam, config):
    """Errors of the steps are the larger ones: those of forces to an accuracy must not add to them. In the mean of twelve
    spheres: errors of one differ by a factor of three."""
    blocks = ("--set", "time.steps=block", "--set", "time.eta=0.1", "--set", "time.max_rung=6")
    angle, accuracy = "[gravity]\ntheta = 0.5\n", "[gravity]\naccuracy = 1e-3\n"
    errors = {"angle": 0, "accuracy": 0}
    for folder, gravity in (("angle", angle), ("accuracy", accuracy)):
        name = config(gravity, n=4000, every=0.0625, name=folder + ".toml")
        for seed in range(1, 13):
            hornbeam.ok("run", name, *blocks, "--set", f"ic.seed={seed}", "--set", f"output.directory={folder}{seed}")
            errors[folder] += energy_error(hornbeam, f"{folder}{seed}")
    assert errors["accuracy"] < 1.5 * errors["angle"]


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_fewest_particles(hornbeam, n):
    answer = hornbeam.json("force", "--ic", "uniform-cube", "-n", n, "--accuracy", 1e-3, "--check", 5)
    assert answer["n"] == n and answer["error"]["sampled"] == n and answer["error"]["promised_max"] < 1e-5
