# SPDX-License-Identifier: Apache-2.0
"""Periodic boxes with gravity, as the command runs them: bits over stops, accuracies, and the models that fill them."""

import json

import h5py
import numpy as np
import pytest

RUN = """[ic]
model = "{model}"
n = {n}
{options}
[time]
dt = 0.02
end = {end}
steps = "{steps}"
[output]
directory = "{folder}"
every = 0.04
checkpoint_every = 0.04
[device]
backend = "{backend}"
threads = 2
{more}
"""
GAS = '[gas]\neos = "ideal"\n'


def snapshot(folder, number):
    with h5py.File(folder / f"snapshot_{number:04}.hdf5") as file:
        part = next(name for name in file if name.startswith("PartType"))
        order = np.argsort(file[part]["ParticleIDs"][:])
        return [file[part][name][:][order] for name in ("Coordinates", "Velocities")]


# Gas has no symmetrised steps. On a device its block steps are all that shared ones and those of particles are.
@pytest.mark.parametrize("backend, steps, matter", [
    ("cpu", "shared", "gas"), ("cpu", "block", "gas"), ("cpu", "shared", "particles"), ("cpu", "block", "particles"),
    ("cpu", "symmetrised", "particles"), ("opencl", "block", "gas"), ("opencl", "symmetrised", "particles")])
def test_stopped_runs_go_on_with_the_same_bits(hornbeam, backend, steps, matter):
    model, options = "plane-wave", f'matter = "{matter}"\namplitude = 0.3\nsound_speed = 0.2'
    run = {"model": model, "n": 686, "options": options, "steps": steps, "backend": backend,
           "more": GAS if matter == "gas" else ""}
    for name, folder, end in (("whole", "whole", 0.08), ("first", "parts", 0.04)):
        (hornbeam.folder / f"{name}.toml").write_text(RUN.format(folder=folder, end=end, **run))
        hornbeam.ok("run", f"{name}.toml")
    (hornbeam.folder / "first.toml").write_text(RUN.format(folder="parts", end=0.08, **run))
    hornbeam.ok("run", "first.toml", "--resume")
    for whole, parts in zip(snapshot(hornbeam.folder / "whole", 2), snapshot(hornbeam.folder / "parts", 2), strict=True):
        assert np.array_equal(whole, parts)


# Promises of all accuracies, boxes and backends: tests/backends/hierarchy_lattice_test.cpp. Of so few pairs the check sums
# the images of each one: a sample of 20, whose largest error is its p99, takes 2 s.
@pytest.mark.parametrize("box, accuracy, more", [
    ("1", 1e-2, ("--backend", "opencl")), ("1", 1e-8, ("--backend", "cpu", "--precision", "double")),
    ("1,2,4", 1e-4, ("--backend", "cpu"))])
def test_an_accuracy_holds_for_all_images(hornbeam, box, accuracy, more):
    force = ("force", "--ic", "uniform-cube", "-n", 3000, "--box", box, "--check", 20)
    error = hornbeam.json(*force, "--accuracy", accuracy, *more)["error"]
    assert error["sampled"] == 20 and error["promised_rms"] < accuracy and error["promised_p99"] < 5 * accuracy


@pytest.mark.parametrize("model, options", [("plane-wave", ["--motion", "standing"]), ("glass", ["--dispersion", 0.2]),
                                            ("turbulence", ["--mach", 2, "--k-max", 4])])
def test_models_of_cubes_fill_their_box(hornbeam, model, options):
    n = 686 if model == "plane-wave" else 200
    hornbeam.ok("ic", model, "-n", n, *options, "-o", "cube.hdf5")
    text = RUN.format(model=model, n=n, options="", steps="shared", backend="cpu", folder="out", end=0.02, more=GAS
                      if model != "glass" else "")
    (hornbeam.folder / "run.toml").write_text(text)
    hornbeam.ok("run", "run.toml")
    known = json.loads((hornbeam.folder / "out" / "run.json").read_text())["configuration"]["boundary"]
    assert known["kind"] == "periodic" and known["size"] == [1, 1, 1]
