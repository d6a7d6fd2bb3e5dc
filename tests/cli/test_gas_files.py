# SPDX-License-Identifier: Apache-2.0
"""Gas in files and pictures: fields, temperatures, materials, planets of WoMa."""
import h5py
import numpy as np
import pytest

from gas_tube import TUBE, config


def test_pictures_of_gas(hornbeam, tmp_path):
    folder = tmp_path / "tube"
    hornbeam.ok("run", str(config(tmp_path, TUBE.format(end=0.02, folder=folder))), "--backend", "cpu")
    last, size = str(folder / "snapshot_0001.hdf5"), ("--width", 160, "--height", 40)
    hornbeam.ok("render", last, "-o", "column.png", *size, "--extent", 2, "--numbers", "column.npy")
    column = np.load(hornbeam.folder / "column.npy")
    assert column.shape == (40, 160)
    # four images above one another: each has the tube's mass, (1 + 1/8) over 2 x 0.125 x 0.125, seen along 0.125
    assert column.mean() == pytest.approx(0.125 * 1.125 / 2, rel=1e-3)
    hornbeam.ok("render", last, "-o", "slice.png", *size, "--extent", 2, "--slice", "z=0.0625", "--numbers", "slice.npy")
    density = np.load(hornbeam.folder / "slice.npy")[20]
    assert density[80 - 20] == pytest.approx(1, rel=0.02) and density[80 + 30] == pytest.approx(0.125, rel=0.05)
    hornbeam.ok("render", last, "-o", "p.png", "--slice", "y=0", "--field", "pressure", "--vmin", 0.05, "--cmap", "gray",
                "--shade", "--scale", "linear", *size, "--numbers", "p.npy")
    assert np.nanmax(np.load(hornbeam.folder / "p.npy")) == pytest.approx(1, rel=0.02)
    hornbeam.ok("movie", str(folder), "-o", "m.gif", "--field", "vx", *size)
    for arguments, said in ((("--slice", "q=0"), "--slice"), (("--slice", "z"), "AXIS=POSITION"), (("--field", "mass"), "--field"),
                            (("--slice", "z=0", "--axis", "x"), "--slice"), (("--field", "vx", "--scale", "log"), "scale"),
                            (("--field", "temperature"), "G = 1"), (("--vmin", 9, "--vmax", 1), "vmin")):
        assert said in hornbeam.error(2, "render", last, "-o", "e.png", *arguments), arguments
    hornbeam.ok("ic", "plummer", "-n", 10, "-o", "stars.hdf5")
    assert "no gas" in hornbeam.error(2, "render", "stars.hdf5", "-o", "e.png", "--field", "density")
    assert "received none" in hornbeam.error(2, "render", "stars.hdf5", "-o", "e.png", "--numbers", "n.npy")


def test_temperatures_of_pictures_are_those_of_the_file(hornbeam, tmp_path):
    hornbeam.ok("ic", "evrard", "-n", "100", "--units", "pc,Msun,km/s", "-o", "gas.hdf5")
    toml = tmp_path / "warm.toml"
    toml.write_text("""[input]
file = "%s"
[gas]
eos = "ideal"
mean_weight = 2.3
[time]
dt = 0.01
end = 0.02
[output]
directory = "%s"
""" % (hornbeam.folder / "gas.hdf5", tmp_path / "warm"))
    hornbeam.ok("run", str(toml), "--backend", "cpu")
    last = tmp_path / "warm" / "snapshot_0001.hdf5"
    with h5py.File(last) as file:
        temperature = file["PartType0/Temperature"][()]
    for flags, part in (((), 1), (("--mu", "0.6"), 0.6 / 2.3)):
        hornbeam.ok("render", str(last), "-o", "t.png", "--field", "temperature", "--slice", "z=0", "--numbers", "t.npy", *flags)
        drawn = np.load(hornbeam.folder / "t.npy")
        assert np.nanmin(drawn) > 0.99 * part * temperature.min() and np.nanmax(drawn) < 1.01 * part * temperature.max()


@pytest.mark.parametrize("dataset, words", [("Density", "density"), ("SmoothingLength", "smoothing length")])
def test_gas_of_less_than_nothing_is_refused(hornbeam, dataset, words):
    hornbeam.ok("ic", "evrard", "-n", "100", "-o", "gas.hdf5")
    with h5py.File(hornbeam.folder / "gas.hdf5", "r+") as file:
        gas = file["PartType0"]
        gas[dataset] = np.where(np.arange(len(gas["Masses"])) == 7, -1.0, 1.0)
    for command in (("analyze", "gas.hdf5", "--energy"), ("render", "gas.hdf5", "-o", "gas.png")):
        assert f"{words} = -1: must be 0 or more" in hornbeam.error(1, *command)


PLANET = """
[input]
file = "{file}"
[gas]
eos = "tillotson"
[gravity]
eps = 0.2
[time]
dt = 2e-4
end = 4e-4
[output]
directory = "{folder}"
every = 4e-4
"""


def write_woma(path, n=6):
    """A ball of granite about a heart of iron as WoMa writes planets for SWIFT, in Earth's radii and masses: h at a kernel's
    sigma, 4-byte numbers, a box that is not periodic."""
    grid = (np.arange(n) + 0.5) / n * 0.2 - 0.1
    x = np.stack(np.meshgrid(grid, grid, grid), axis=-1).reshape(-1, 3)
    x = x[np.linalg.norm(x, axis=1) < 0.1]
    iron = np.linalg.norm(x, axis=1) < 0.05
    density = np.where(iron, 7900.0, 2700.0) * 6.371e6**3 / 5.9724e24  # SI to Earth's
    with h5py.File(path, "w") as file:
        header = file.create_group("Header")
        for name, value in {"BoxSize": [4.0] * 3, "NumPart_Total": [len(x), 0, 0, 0, 0, 0],
                            "NumPart_Total_HighWord": [0] * 6, "NumPart_ThisFile": [len(x), 0, 0, 0, 0, 0],
                            "Time": [0.0], "NumFilesPerSnapshot": [1], "MassTable": [0.0] * 6, "Flag_Entropy_ICs": [0],
                            "Dimension": [3]}.items():
            header.attrs[name] = value
        file.create_group("RuntimePars").attrs["PeriodicBoundariesOn"] = [0]
        units = file.create_group("Units")
        for name, value in {"mass in cgs (U_M)": 5.9724e27, "length in cgs (U_L)": 6.371e8, "time in cgs (U_t)": 1.0,
                            "current in cgs (U_I)": 1.0, "temperature in cgs (U_T)": 1.0}.items():
            units.attrs["Unit " + name] = [value]
        gas = file.create_group("PartType0")
        gas["Coordinates"] = x
        gas["Velocities"] = np.zeros_like(x, dtype="f")
        gas["Masses"] = (density * (0.2 / n) ** 3).astype("f")
        gas["SmoothingLengths"] = np.full(len(x), 0.05, dtype="f")
        gas["InternalEnergies"] = np.full(len(x), 8e5 / 6.371e6**2, dtype="f")
        gas["Densities"] = density.astype("f")
        gas["Pressures"] = np.zeros(len(x), dtype="f")
        gas["ParticleIDs"] = np.arange(len(x), dtype="u8")
        gas["MaterialIDs"] = np.where(iron, 100, 101).astype("i4")
    return iron


def test_planets_of_woma_are_read_and_run(hornbeam, tmp_path):
    iron = write_woma(tmp_path / "woma.hdf5")
    hornbeam.ok("convert", str(tmp_path / "woma.hdf5"), str(tmp_path / "ours.hdf5"))
    with h5py.File(tmp_path / "ours.hdf5") as file:
        gas = file["PartType0"]
        assert np.allclose(gas["SmoothingLength"][:], 1.825742 * np.float32(0.05), rtol=1e-7)
        assert np.array_equal(gas["MaterialIDs"][:], np.where(iron, 100, 101))
        assert gas["MaterialIDs"].dtype == np.int32
        assert file["Units"].attrs["UnitLength_in_cm"] == pytest.approx(6.371e8)
        assert file["Units"].attrs["UnitVelocity_in_cm_per_s"] == pytest.approx(6.371e8)
        assert file["Header"].attrs["BoxSize"] == 0
    folder = tmp_path / "planet"
    text = str(config(tmp_path, PLANET.format(file=tmp_path / "woma.hdf5", folder=folder)))
    as_gas = ("--set", "gas.eos=ideal", "--set", f"output.directory={tmp_path / 'gas'}")
    assert "the gas has MaterialIDs" in hornbeam.ok("run", text, "--backend", "cpu", *as_gas)
    assert "the gas has MaterialIDs" not in hornbeam.ok("run", text, "--backend", "cpu")
    with h5py.File(folder / "snapshot_0001.hdf5") as file:
        gas, said = file["PartType0"], dict(file["Parameters"].attrs)
        assert np.array_equal(gas["MaterialIDs"][:], np.where(iron, 100, 101))
        # u = 8e5 J/kg: some 1000 K in granite (c_V 790) and 1800 K in iron (449), less what the pressure holds
        temperature = gas["Temperature"][:]
        assert 900 < np.median(temperature[~iron]) < 1050 and 900 < np.median(temperature[iron]) < 1800
        assert np.all(gas["Pressure"][:] >= 0) and np.any(gas["Pressure"][:] > 0)
        assert said["KernelName"] == b"wendland-c2" and said["NeighbourNumber"] == 100
        assert said["EquationOfState"] == b"tillotson" and said["ViscosityAlpha"] == 1
        assert file["Header"].attrs["Flag_Entropy_ICs"] == 0


def test_temperature_is_that_of_the_mean_weight(hornbeam, tmp_path):
    """Gas at 1e4 K, of which yt and pynbody are told in K; Tipsy holds the same temperature and gives the energy back."""
    folder, k, m_p = tmp_path / "warm", 1.380649e-16, 1.67262192e-24
    u = 1.5 * k * 1e4 / (0.6 * m_p) / 1e10  # (km/s)^2
    grid = np.stack(np.meshgrid(*[np.arange(5.0)] * 3), axis=-1).reshape(-1, 3)
    np.savez(tmp_path / "warm.npz", pos=grid, vel=0 * grid, mass=1e-4, family=np.zeros(125, int), u=u, length_cm=3.0856775814913673e21,
             mass_g=1.98841e43, velocity_cm_per_s=1e5)
    text = PLANET.format(file=tmp_path / "warm.npz", folder=folder).replace("tillotson", "ideal").replace("4e-4", "1e-6")
    hornbeam.ok("run", str(config(tmp_path, text)), "--backend", "cpu", "--set", "time.dt=1e-6", "--set",
                'output.formats=["hdf5", "tipsy"]')
    last = folder / "snapshot_0001.hdf5"
    with h5py.File(last) as file:
        assert np.allclose(file["PartType0/Temperature"][:], 1e4, rtol=1e-3)
        gas = file["PartType0"]
        assert np.allclose(gas["Pressure"][:], 2 / 3 * gas["Density"][:] * gas["InternalEnergy"][:], rtol=1e-12)
        assert file["Parameters"].attrs["MeanMolecularWeight"] == 0.6
        energy = gas["InternalEnergy"][:]
    hornbeam.ok("run", str(config(tmp_path, text)), "--backend", "cpu", "--set", "time.dt=1e-6", "--set", "gas.mean_weight=1.2",
                "--set", f"output.directory={tmp_path / 'neutral'}")
    for run, mu, kelvin in ((folder, (), 1e4), (tmp_path / "neutral", (), 2e4), (folder, ("--mu", 1.2), 2e4)):
        hornbeam.ok("render", str(run / "snapshot_0001.hdf5"), "-o", "t.png", "--field", "temperature", *mu, "--width", 160,
                    "--height", 120, "--numbers", "t.npy")
        assert np.nanmedian(np.load(hornbeam.folder / "t.npy")) == pytest.approx(kelvin, rel=1e-3)
    hornbeam.ok("convert", str(last), str(tmp_path / "warm.tipsy"))
    for tipsy in (tmp_path / "warm.tipsy", last.with_suffix(".tipsy")):  # the run's says gamma in its .param
        hornbeam.ok("convert", str(tipsy), str(tmp_path / "back.hdf5"))
        with h5py.File(tmp_path / "back.hdf5") as file:
            unit = file["Units"].attrs["UnitVelocity_in_cm_per_s"] / 1e5
            back = np.sort(file["PartType0/InternalEnergy"][:]) * unit**2
            assert np.allclose(back, np.sort(energy), rtol=2e-7)  # single precision; six digits of gamma were 5e-6 off


def test_materials_that_are_not_there_are_refused(hornbeam, tmp_path):
    write_woma(tmp_path / "woma.hdf5")
    text = config(tmp_path, PLANET.format(file=tmp_path / "woma.hdf5", folder=tmp_path / "none"))
    for changes, code, said in ((["gas.materials=[\"iron\"]"], 2, "granite"),
                                (["gas.materials=[\"cheese\"]"], 2, "there are iron"),
                                (["gas.eos=materials"], 2, "gas.materials"),
                                (["gas.materials=[\"iron\", \"granite\", \"forsterite=/nowhere.txt\"]"], 1, "/nowhere.txt"),
                                (["gas.eos=piecewise", "gas.constant=1", "gas.gammas=[1.4, 2]"], 2, "gas.gammas")):
        done = hornbeam.run("run", str(text), *[word for change in changes for word in ("--set", change)])
        assert done.returncode == code and said in done.stderr, (changes, done.stderr)


def test_pressures_of_gas_that_is_not_ideal_are_those_of_the_run(hornbeam, tmp_path):
    text = TUBE.format(end=0.02, folder=tmp_path / "out").replace('eos = "ideal"', 'eos = "isothermal"\nsound_speed = 2')
    hornbeam.ok("run", str(config(tmp_path, text.replace("gamma = 1.4\n", ""))))
    last, numbers = str(tmp_path / "out/snapshot_0001.hdf5"), {}
    for field in ("density", "pressure"):
        hornbeam.ok("render", last, "-o", "p.png", "--slice", "z=0", "--field", field, "--width", 160, "--height", 40,
                    "--numbers", "p.npy")
        numbers[field] = np.load(hornbeam.folder / "p.npy")
    assert np.nanmean(numbers["pressure"] / numbers["density"]) == pytest.approx(4, rel=0.05)
