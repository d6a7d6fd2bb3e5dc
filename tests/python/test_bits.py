# SPDX-License-Identifier: Apache-2.0
"""Python and the command give the same bits, for every way of stepping and what moves by other forces than gravity: a
Simulation of the configuration, hb.run() of it, and both gone on with from a checkpoint."""

import subprocess

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.snapshot import _fields

SPHERE = '[ic]\nmodel = "plummer"\nn = 300\nseed = 4\n[gravity]\neps = 0.05\n'
RING = """[ic]
model = "ring"
surface_density = 400
particle_density = 400
radius_min = 2
radius_max = 4
[units]
system = "si"
[gravity]
theta = 0.7
eps = 0.1
[boundary]
kind = "shear"
size = [60, 60, 0]
n_ghost_x = 1
n_ghost_y = 1
omega = 1.3143527e-4
[collisions]
law = "bridges"
scale = 0.32
"""
GAS = '[ic]\nmodel = "sedov"\nn = 512\n[gas]\neos = "ideal"\nself_gravity = false\n'
EVRARD = '[ic]\nmodel = "evrard"\nn = 400\n[gas]\neos = "ideal"\n'
SHARED, BLOCK = 'dt = 0.03125\n', 'dt = 0.125\nsteps = "block"\neta = 0.05\n'

# what is moved, its times, the interval of outputs
CASES = {
    "shared": (SPHERE, SHARED, 0.125), "block": (SPHERE, BLOCK, 0.125),
    "symmetrised": (SPHERE, 'dt = 0.125\nsteps = "symmetrised"\neta = 0.05\n', 0.125),
    "double": (SPHERE + '[device]\nprecision = "double"\n', SHARED, 0.125),
    "potential": (SPHERE + '[[potential]]\nkind = "nfw"\nmass = 1.0\nscale = 2.0\n', BLOCK, 0.125),
    "periodic": (SPHERE + '[boundary]\nkind = "periodic"\nsize = [9, 9, 9]\n', SHARED, 0.125),
    "ring": (RING, 'dt = 47.8\n', 478.0), "gas": (GAS, 'dt = 0.02\n', 0.04),
    "gas in blocks": (EVRARD, 'dt = 0.125\nsteps = "block"\n', 0.125), "galactic": (
        SPHERE.replace("eps = 0.05", "") + '[units]\nsystem = "galactic"\n', 'dt = 0.001\n', 0.004),
}


def same(one, other):
    """All fields that both sides have. Times of files are without the rounding of the sum of steps."""
    there = [name for name in _fields if getattr(one, name) is not None and getattr(other, name) is not None]
    assert {"position", "velocity", "mass", "id"} <= set(there) and one.time == pytest.approx(other.time, rel=1e-12)
    for name in there:
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


@pytest.mark.filterwarnings("ignore:gravity presses")
@pytest.mark.parametrize("case", CASES)
def test_runs_of_python_and_of_the_command(program, tmp_path, monkeypatch, case):
    monkeypatch.chdir(tmp_path)
    what, times, every = CASES[case]
    text = f'{what}[time]\n{times}end = {4 * every!r}\n[output]\ndirectory = "out"\nevery = {every!r}\n'
    (tmp_path / "run.toml").write_text(text)
    subprocess.run([program, "run", "run.toml"], check=True, capture_output=True)
    files = sorted((tmp_path / "out").glob("snapshot_*.hdf5"))
    assert len(files) == 5

    simulation = hb.Simulation.from_file("run.toml")
    for file in files[1:]:
        last = hb.read(file)
        if case == "symmetrised":  # steps of any length: files are drifted from the one before
            while simulation.time + simulation._core.next_step() <= last.time:
                simulation.step()
        else:
            simulation.run(last.time)
        same(simulation.at(last.time) if case == "symmetrised" else simulation.particles, last)
    end = hb.Simulation.resume("out")
    assert end.steps == simulation.steps and end.time == simulation.time
    same(end.particles, simulation.particles)

    hb.run("run.toml", output={"directory": "again"})
    for file in files:
        assert hb.read(file) == hb.read(tmp_path / "again" / file.name)

    half = hb.Simulation.from_file("run.toml")
    for k in (1, 2):  # gas shortens steps to meet these times
        half.run(k * every)
    half.checkpoint("half.hdf5")
    gone_on = hb.Simulation.resume("half.hdf5")
    for k in (3, 4):
        gone_on.run(k * every)
    simulation.run(4 * every)
    assert gone_on.steps == simulation.steps
    same(gone_on.particles, simulation.particles)

    (tmp_path / "short.toml").write_text(text.replace(f"end = {4 * every!r}", f"end = {2 * every!r}").replace('"out"', '"two"'))
    subprocess.run([program, "run", "short.toml"], check=True, capture_output=True)
    taken_over = hb.Simulation.resume(tmp_path / "two")  # the command's checkpoint
    for k in (3, 4):
        taken_over.run(k * every)
    same(taken_over.particles, simulation.particles)
    hb.run("short.toml", resume=True, end=4 * every)  # and by a run of Python
    assert hb.read(tmp_path / "two" / files[4].name) == hb.read(files[4])
