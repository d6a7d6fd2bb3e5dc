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


@pytest.mark.parametrize("backend", ["cpu", "opencl"])
@pytest.mark.parametrize("steps", ["shared", "block", "symmetrised"])
@pytest.mark.parametrize("matter", ["gas", "particles"])
def test_stopped_runs_go_on_with_the_same_bits(hornbeam, backend, steps, matter):
    if matter == "gas" and steps == "symmetrised":
        pytest.skip("gas has no symmetrised steps")
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


@pytest.mark.parametrize("box", ["1", "1,2,4"])
def test_an_accuracy_holds_for_all_images(hornbeam, box):
    force = ("force", "--ic", "uniform-cube", "-n", 3000, "--box", box, "--backend", "cpu", "--check", 300)
    for accuracy in (1e-2, 1e-4):
        error = hornbeam.json(*force, "--accuracy", accuracy)["error"]
        assert error["promised_rms"] < accuracy and error["promised_p99"] < 5 * accuracy
    double = hornbeam.json(*force, "--accuracy", 1e-8, "--precision", "double")["error"]
    assert double["promised_rms"] < 1e-8
    on_device = hornbeam.json(*force[:-4], "--backend", "opencl", "--check", 300, "--accuracy", 1e-2)["error"]
    assert on_device["promised_rms"] < 1e-2


@pytest.mark.parametrize("model, options", [("plane-wave", ["--motion", "standing"]), ("glass", ["--dispersion", 0.2]),
                                            ("turbulence", ["--mach", 2, "--k-max", 4])])
def test_models_of_cubes_fill_their_box(hornbeam, model, options):
    n = 686 if model == "plane-wave" else 600
    hornbeam.ok("ic", model, "-n", n, *options, "-o", "cube.hdf5")
    text = RUN.format(model=model, n=n, options="", steps="shared", backend="cpu", folder="out", end=0.02, more=GAS
                      if model != "glass" else "")
    (hornbeam.folder / "run.toml").write_text(text)
    hornbeam.ok("run", "run.toml")
    known = json.loads((hornbeam.folder / "out" / "run.json").read_text())["configuration"]["boundary"]
    assert known["kind"] == "periodic" and known["size"] == [1, 1, 1]
