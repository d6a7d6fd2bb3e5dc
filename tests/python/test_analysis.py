# SPDX-License-Identifier: Apache-2.0
"""Measures and pictures: the same numbers as `hornbeam analyze`, and known ones."""

import json
import subprocess

import numpy as np
import pytest

import hornbeam as hb


def analyze(program, folder, snapshot, *arguments):
    hb.write(folder / "s.hdf5", snapshot)
    done = subprocess.run([program, "analyze", "s.hdf5", *arguments, "--json"], cwd=folder, capture_output=True,
                          text=True, check=True)
    return json.loads(done.stdout)


def test_measures_are_those_of_the_command(program, tmp_path):
    sphere = hb.ic.plummer(2000, seed=2)
    told = analyze(program, tmp_path, sphere, "--energy", "--profile", "--lagrangian")
    energy, radii = hb.analysis.energy(sphere), hb.analysis.lagrangian_radii(sphere, [0.1, 0.5, 0.9])
    flat = json.dumps(told)
    assert json.dumps(energy.total) in flat and json.dumps(float(radii[1])) in flat
    assert energy.total == pytest.approx(-0.25, rel=0.05) and hb.analysis.virial_ratio(sphere) == pytest.approx(1, abs=0.1)
    profile = hb.analysis.profile(sphere)
    assert json.dumps(profile["density"].tolist()[3]) in flat and len(profile["radius"]) == 32
    assert (np.diff(profile["mass"]) >= 0).all()
    beta = hb.analysis.anisotropy(sphere, bins=8)["anisotropy"]
    assert np.median(np.abs(beta)) < 0.1 and hb.analysis.centre_of_density(sphere).shape == (3,)


def test_discs_and_groups():
    galaxy = hb.ic.galaxy(4000, seed=3)
    disc = hb.analysis.disc(galaxy, bins=10)
    assert disc["rotation"].mean() > 3 * disc["vertical_dispersion"].mean()
    assert 0 <= hb.analysis.bar(galaxy, bins=10)["strength"] < 0.6
    two = hb.ic.plummer(500, seed=1) + hb.ic.plummer(300, seed=2)
    two.position[500:, 0] += 50
    found = hb.analysis.groups(two, linking_length=1.0)
    assert found["size"].tolist()[0] > 400 and found["size"].tolist()[1] > 200
    assert abs(found["position"][1, 0] - 50) < 1 and set(found["group"][:500]) <= {0, -1}


@pytest.mark.parametrize("wrong", [
    lambda s: hb.analysis.profile(s, bins=0), lambda s: hb.analysis.profile(s, edges=[2, 1]),
    lambda s: hb.analysis.lagrangian_radii(s, [2.0]), lambda s: hb.analysis.energy(s, eps=-1),
    lambda s: hb.analysis.energy(s, softening="none"), lambda s: hb.analysis.disc(s), lambda s: hb.analysis.energy(7),
    lambda s: hb.analysis.groups(s, linking_length=-1), lambda s: hb.plot.density(s, axis="w")])
def test_measures_that_cannot_be(wrong):
    with pytest.raises(hb.Error):
        wrong(hb.ic.plummer(50))


def test_pictures(tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    simulation = hb.Simulation(hb.ic.plummer(300, units="galactic"), dt=0.01, eps=0.05)
    axes = hb.plot.density(simulation)
    assert axes.get_xlabel() == "x [kpc]" and axes.images[0].get_array().shape == (256, 256)
    assert len(hb.plot.profile(simulation).lines) == 1
    assert len(hb.plot.rotation(hb.ic.galaxy(4000), bins=8).lines) == 4
    hb.run(model="plummer", n=64, dt=1 / 16, end=0.5, output={"directory": "out"})
    hb.plot.energy("out").figure.savefig("energy.png")
    with pytest.raises(hb.Error, match="energy.csv"):
        hb.plot.energy("nowhere/energy.csv")
