# SPDX-License-Identifier: Apache-2.0
"""Softening: of models by their optimum, of files that have none by an estimate, and 0 only where it is asked for."""

import h5py
import numpy as np
import pytest

RUN = '[input]\nfile = "{}"\n[time]\ndt = 0.01\nend = 0.02\n[output]\ndirectory = "out"\n'


def softenings(path):
    with h5py.File(path) as file:
        return {key[-1]: np.unique(file[key]["Softening"][:]) for key in file if key.startswith("PartType")}


def fields(path, names):
    with h5py.File(path) as file:
        return {name: file["PartType1"][name][:] for name in names}


def run(hornbeam, file, *arguments):
    (hornbeam.folder / "s.toml").write_text(RUN.format(file))
    return hornbeam.ok("run", "s.toml", "--overwrite", *arguments)


@pytest.mark.parametrize("model, eps", [("plummer", 0.98 * 0.5890486 * 1000**-0.26), ("hernquist", 0.7 * 1000**(-0.33)),
                                        ("uniform-sphere", 0.76 * 1000**-0.27), ("lattice", 0.5 * 0.76 * 1000**-0.27)])
def test_models_write_their_softening_and_runs_use_it(hornbeam, model, eps):
    assert "--eps FLOAT" in hornbeam.ok("ic", model, "--help")
    hornbeam.ok("ic", model, "-n", 1000, "-o", "m.hdf5")
    (found,) = softenings(hornbeam.folder / "m.hdf5").values()
    assert found == pytest.approx([eps], rel=1e-5)
    assert f"eps {found[0]:.6g} (file)" in run(hornbeam, "m.hdf5")
    hornbeam.ok("ic", model, "-n", 1000, "--eps", 0.125, "-o", "m.hdf5")
    assert "eps 0.125 (file)" in run(hornbeam, "m.hdf5")
    assert "eps 0.5 (option)" in run(hornbeam, "m.hdf5", "--set", "gravity.eps=0.5")
    hornbeam.ok("ic", model, "-n", 1000, "--eps", 0, "-o", "m.hdf5")
    assert "eps 0 (file)" in run(hornbeam, "m.hdf5", "--set", "watchdog.energy=0")


def test_parts_of_a_galaxy_have_their_own(hornbeam):
    hornbeam.ok("ic", "galaxy", "-n", 10000, "--black-hole-mass", 0.01, "-o", "g.hdf5")
    eps = softenings(hornbeam.folder / "g.hdf5")
    assert sorted(eps) == ["1", "2", "3", "5"] and all(len(values) == 1 for values in eps.values())
    assert eps["2"][0] <= 0.05 and eps["3"][0] < eps["2"][0] < eps["1"][0]  # half the disc's height; bulge, disc, halo
    said = run(hornbeam, "g.hdf5")
    assert "eps 0.0" in said and " to " in said
    hornbeam.ok("ic", "galaxy", "-n", 10000, "--eps", 0.03, "-o", "g.hdf5")
    assert all(list(values) == [0.03] for values in softenings(hornbeam.folder / "g.hdf5").values())
    hornbeam.ok("ic", "merger", "-n", 3000, "--eps", 0.03, "--mass-ratio", 0.3, "--pericentre", 1, "--separation", 10,
                "-o", "m.hdf5")
    assert all(list(values) == [0.03] for values in softenings(hornbeam.folder / "m.hdf5").values())


def test_a_drawn_run_takes_the_model_s_and_keeps_it(hornbeam, config):
    said = hornbeam.ok("run", config(n=300))
    assert "(model)" in said and "eps 0 " not in said
    (eps,) = softenings(hornbeam.folder / "out" / "snapshot_0001.hdf5").values()
    assert f"eps {eps[0]:.6g} (model)" in said
    assert "eps 0.25 (model)" in hornbeam.ok("run", config(n=300), "--overwrite", "--set", "ic.eps=0.25")
    wanted = ("Coordinates", "Velocities", "Potential", "Softening")
    before = fields(hornbeam.folder / "out" / "snapshot_0002.hdf5", wanted)
    hornbeam.ok("run", config(n=300), "--overwrite", "--set", "gravity.eps=0.25")  # the same evaluation
    after = fields(hornbeam.folder / "out" / "snapshot_0002.hdf5", wanted)
    assert all(np.array_equal(before[name], after[name]) for name in wanted)


@pytest.mark.parametrize("extension", ["gadget", "csv"])
def test_a_start_without_softening_gets_one_and_says_so(hornbeam, extension):
    hornbeam.ok("ic", "plummer", "-n", 2000, "-o", "p.hdf5")
    if extension == "gadget":
        assert "softening is dropped" in hornbeam.ok("convert", "p.hdf5", "p.gadget")
    else:
        hornbeam.ok("convert", "p.hdf5", "p.full.csv")
        table = np.genfromtxt(hornbeam.folder / "p.full.csv", delimiter=",", names=True, usecols=range(8))
        np.savetxt(hornbeam.folder / "p.csv", np.array([table[c] for c in ("x", "y", "z", "vx", "vy", "vz", "mass")]).T,
                   delimiter=",", header="x,y,z,vx,vy,vz,mass", comments="")
    said = run(hornbeam, f"p.{extension}")
    assert "no softening in the file: eps = " in said and "(estimated)" in said and "gravity.eps" in said
    eps = float(said.split("eps = ")[1].split()[0])
    assert 0.3 < eps / (0.98 * 0.589 * 2000**-0.26) < 1.5
    zero = run(hornbeam, f"p.{extension}", "--set", "gravity.eps=0", "--set", "watchdog.energy=0")
    assert "estimated" not in zero and "eps 0 (option)" in zero
    wanted = ("Coordinates", "Velocities", "Potential", "Softening")
    longer = ["--set", "time.end=0.04", "--set", "output.times=[0.02]"]
    run(hornbeam, f"p.{extension}", *longer)
    whole = fields(hornbeam.folder / "out" / "snapshot_0002.hdf5", wanted)
    assert whole["Softening"][0] == pytest.approx(eps, rel=1e-3)
    run(hornbeam, f"p.{extension}", "--set", "output.times=[0.02]")
    hornbeam.ok("run", "s.toml", "--resume", *longer)  # with the same softening
    again = fields(hornbeam.folder / "out" / "snapshot_0002.hdf5", wanted)
    assert all(np.array_equal(whole[name], again[name]) for name in wanted)


def test_few_bodies_are_not_softened(hornbeam):
    (hornbeam.folder / "pair.csv").write_text("x,y,z,vx,vy,vz,mass\n0,0,0,0,0,0,1\n1,0,0,0,1,0,1e-6\n2,0,0,0,0.7,0,1e-6\n")
    said = run(hornbeam, "pair.csv")
    assert "too few bodies" in said and "eps 0 (default)" in said
