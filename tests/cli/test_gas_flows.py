# SPDX-License-Identifier: Apache-2.0
"""Models of gas and the flows that are known of them: `analyze --exact`, and what a run of a model lacks."""
import json

import h5py
import numpy as np
import pytest

from gas_tube import BOX, TUBE, config

FLOWS = {"sedov": (512, "[1,1,1]", {"peak_density", "density_error"}),
         "noh": (500, None, {"expected_density", "pressure_error"}),  # no particle is behind the shock yet
         "gresho": (1024, "[1,1,1]", {"velocity_error", "kinetic", "angular_momentum"}),
         "kelvin-helmholtz": (1512, "[1,1,1]", {"amplitude", "reference_amplitude", "largest_kinetic"}),
         "sound-wave": (1152, "[1,3,3]", {"amplitude", "phase", "velocity_error"}),
         "square": (1704, "[1,1,1]", {"corner", "rms_mach"}),
         "blob": (1740, "[4,1,1]", {"cloud_mass", "time_in_kelvin_helmholtz_times"})}


@pytest.mark.parametrize("model", FLOWS)
def test_flows_are_compared_with_what_is_known_of_them(hornbeam, tmp_path, model):
    n, box, measures = FLOWS[model]
    folder = tmp_path / model
    text = TUBE.format(end=0.002, folder=folder).replace('"sod"', f'"{model}"').replace("n = 1152", f"n = {n}")
    text = text.replace("every = 0.02", "every = 0.002").replace("dt = 0.01", "dt = 0.002").replace(BOX, "")
    if box:
        text += f'[boundary]\nkind = "periodic"\nsize = {box}\n'
    hornbeam.ok("run", str(config(tmp_path, text)), "--backend", "cpu", "--threads", "1")
    found = json.loads(hornbeam.ok("analyze", str(folder / "snapshot_0001.hdf5"), "--exact", "--json"))
    other = hornbeam.run("analyze", str(folder / "snapshot_0001.hdf5"), "--exact", "--model",
                         "noh" if model == "sod" else "sod")
    assert f"the file's run was of the model {model}, and is measured as" in other.stdout + other.stderr
    assert found["time"] == 0.002 and measures <= set(found["exact"])
    assert all(np.all(np.isfinite(value)) for value in found["exact"].values())


def test_models_fill_their_boxes(hornbeam, tmp_path):
    assert "1152" in hornbeam.run("ic", "sod", "-n", "1000", "-o", str(tmp_path / "x.hdf5")).stderr
    assert "the nearest are" in hornbeam.run("ic", "sedov", "-n", "1001", "-o", str(tmp_path / "x.hdf5")).stderr
    hornbeam.ok("ic", "evrard", "-n", "1000", "-o", str(tmp_path / "evrard.hdf5"))
    with h5py.File(tmp_path / "evrard.hdf5") as file:
        gas = file["PartType0"]
        radius = np.sort(np.linalg.norm(gas["Coordinates"][:], axis=1))
        assert np.allclose(gas["InternalEnergy"][:], 0.05)
        # M(r) = r^2
        assert np.allclose(radius[100::100] ** 2, np.arange(101, 1001, 100) / 1000, atol=0.02)


def test_runs_take_their_models_box_and_are_warned_of_another_or_of_gravity(hornbeam, tmp_path):
    text = TUBE.format(end=0.01, folder=tmp_path / "out")
    assert "WARNING" not in hornbeam.ok("run", str(config(tmp_path, text)))
    def last():
        with h5py.File(sorted((tmp_path / "out").glob("snapshot_*.hdf5"))[-1]) as file:
            return file["PartType0/Coordinates"][:]

    asked = last()
    said = hornbeam.ok("run", str(config(tmp_path, text.replace(BOX, ""))), "--overwrite")
    assert "WARNING" not in said and "the model's periodic box of 2 x 0.125 x 0.125" in said and (last() == asked).all()
    hornbeam.ok("run", str(tmp_path / "gas.toml"), "--resume", "--set", "time.end=0.012")
    told = "WARNING: the model was made in a periodic box of 2 x 0.125 x 0.125"
    said = hornbeam.ok("run", str(config(tmp_path, text)), "--overwrite", "--set", "boundary.size=[2,1,1]")
    assert told + "; this run has another one" in said
    said = hornbeam.ok("run", str(config(tmp_path, text.replace(BOX, '[boundary]\nkind = "open"\n'))), "--overwrite")
    assert told + ", and this run has open boundaries" in said
    attracts = ("run", str(config(tmp_path, text)), "--overwrite", "--set", "gas.self_gravity=true")
    assert "attracts itself" not in hornbeam.ok(*attracts)  # all images do
    said = hornbeam.ok(*attracts, "--set", "boundary.n_ghost_x=0")
    assert "WARNING: the gas of the periodic box attracts itself" in said


@pytest.mark.parametrize("ending", ["hdf5", "npz"])
def test_files_of_a_model_hold_its_box_and_gamma(hornbeam, tmp_path, ending):
    hornbeam.ok("ic", "sod", "-n", "1152", "--gamma", "1.4", "-o", f"tube.{ending}")
    text = (f'[input]\nfile = "tube.{ending}"\n[time]\ndt = 0.01\nend = 0.01\n[gas]\neos = "ideal"\n'
            'self_gravity = false\n')
    (tmp_path / "run.toml").write_text(text)
    said = hornbeam.ok("run", "run.toml")
    assert f"tube.{ending}'s periodic box of 2 x 0.125 x 0.125" in said
    assert "WARNING: the particles' gas was made with gamma 1.4, and this run's has 1.666" in said
    assert "WARNING" not in hornbeam.ok("run", "run.toml", "--overwrite", "--set", "gas.gamma=1.4")
    last = sorted((tmp_path / "output").glob("snapshot_*.hdf5"))[-1]
    assert "has no record of its model" in hornbeam.error(1, "analyze", last, "--exact")
    assert hornbeam.json("analyze", last, "--exact", "--model", "sod")["exact"]["density_error"] < 0.05
    assert "is an option of --exact" in hornbeam.error(2, "analyze", last, "--energy", "--model", "sod")
    lost = hornbeam.ok("convert", f"tube.{ending}", "tube.csv")
    assert "csv: the box is not stored" in lost and "csv: gamma of the gas, 1.4, is not stored" in lost


def test_energies_come_back_from_tipsy_beside_units_of_other_gas(hornbeam, tmp_path):
    """Temperatures are energies by the gamma of the .param beside them: another run's is not taken."""
    units = ("--units", "kpc, 1e10 Msun, km/s")
    for name, gamma in (("first", "1.6666666666666667"), ("second", "1.4")):
        hornbeam.ok("ic", "sod", "-n", "1152", "--gamma", gamma, *units, "-o", f"{name}.hdf5")
        hornbeam.ok("convert", f"{name}.hdf5", f"{name}.tipsy")
    for name in ("first", "second"):
        hornbeam.ok("convert", f"{name}.tipsy", f"{name}.back.hdf5")
        with h5py.File(tmp_path / f"{name}.hdf5") as a, h5py.File(tmp_path / f"{name}.back.hdf5") as b:
            u, back = (np.sort(file["PartType0/InternalEnergy"][:] * file["Units"].attrs["UnitVelocity_in_cm_per_s"]**2)
                       for file in (a, b))
        np.testing.assert_allclose(back, u, rtol=1e-6)


def test_the_gas_itself_stands_beside_the_exact_flow(hornbeam, tmp_path):
    text = TUBE.format(end=0.04, folder=tmp_path / "out")
    hornbeam.ok("run", str(config(tmp_path, text)))
    exact = hornbeam.json("analyze", str(tmp_path / "out/snapshot_0002.hdf5"), "--exact")["exact"]
    assert len(exact["x"]) == len(exact["mean_x"]) == 200 and exact["mean_x"] == sorted(exact["mean_x"])
    for what in ("density", "velocity", "pressure"):
        beside = np.interp(exact["mean_x"], exact["x"], exact[what])
        assert 0 < np.abs(beside - exact["mean_" + what]).mean() < 0.05, what


COLLAPSE = """
[ic]
model = "evrard"
n = 5000
mass = 2.0
radius = 3.0
[gas]
eos = "ideal"
[gravity]
eps = 0.05
[time]
dt = 0.2
end = {end}
[output]
directory = "{folder}"
every = {every}
"""


def test_a_collapse_stands_beside_its_reference(hornbeam, tmp_path):
    """At 0.4 and 0.8 times of fall, (R^3 / G M)^1/2; what is left is the cusp, which 5,000 particles do not resolve."""
    unit = (3**3 / 2) ** 0.5

    folder = tmp_path / "collapse"
    text = COLLAPSE.format(end=0.8 * unit, every=0.4 * unit, folder=folder)
    hornbeam.ok("run", str(config(tmp_path, text)), "--backend", "cpu")
    early, late = (hornbeam.json("analyze", str(folder / f"snapshot_000{k}.hdf5"), "--exact")["exact"] for k in (1, 2))

    speed, density = (2 / 3) ** 0.5, 2 / 3**3
    assert early["particles"] == 5000 and "shock_radius" not in early
    assert early["density_error"] < 0.12 * density  # of a mean of 0.4, and the most in the cusp
    assert early["velocity_error"] < 0.04 * speed and early["pressure_error"] < 0.02 * density * speed**2
    assert early["reference_kinetic"] == pytest.approx(0.07471 * 4 / 3, rel=1e-3)
    assert early["reference_thermal"] == pytest.approx(0.06050 * 4 / 3, rel=1e-3)
    assert early["reference_potential"] == pytest.approx(-0.75187 * 4 / 3, rel=1e-3)
    assert early["kinetic"] == pytest.approx(early["reference_kinetic"], rel=0.2)
    for what in ("density", "velocity", "pressure", "internal_energy"):
        assert len(early[what]) == len(early["mean_" + what]) == len(early["radius"]) == 200, what
    beyond = np.array(early["mean_radius"]) > 0.9
    for what in ("density", "velocity"):
        found = np.array(early["mean_" + what])
        there = np.interp(early["mean_radius"], early["radius"], early[what])
        assert np.median(np.abs(found / there - 1)[beyond]) < 0.05, what
    assert late["shock_radius"] == pytest.approx(3 * 0.136, rel=0.01)
    assert abs(late["shock_off_in_h"]) < 1
