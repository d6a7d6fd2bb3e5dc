# SPDX-License-Identifier: Apache-2.0
"""What a model and [gas] say of the same gas agrees, or is refused."""
import json

import h5py
import pytest

GALAXY = """[units]
system = "galactic"
[ic]
model = "galaxy"
n = 300
gas_mass = 0.2
gas_temperature = 10000
gas_scale = 3
disc_mass = 0
bulge_mass = 0
halo_mass = 0
[gas]
eos = "ideal"
[time]
dt = 1e-4
end = 1e-4
[output]
directory = "galaxy"
[device]
backend = "cpu"
"""


def test_ic_and_gas_agree_or_are_refused(hornbeam):
    """u = k T / ((gamma - 1) mu m_p) of 10,000 K, in (km/s)^2."""
    (hornbeam.folder / "galaxy.toml").write_text(GALAXY)

    def run(*more):
        hornbeam.ok("run", "galaxy.toml", "--overwrite", *[word for key in more for word in ("--set", key)])
        made = json.loads((hornbeam.folder / "galaxy" / "run.json").read_text())["configuration"]["gas"]
        with h5py.File(hornbeam.folder / "galaxy" / "snapshot_0000.hdf5") as file:
            return file["PartType0"]["InternalEnergy"][0], made

    def refused(*more):
        return hornbeam.error(2, "run", "galaxy.toml", "--overwrite", *[word for key in more for word in ("--set", key)])

    speed2 = 1.380649e-16 * 1e4 / 1.67262192e-24 / 1e10  # of mean weight 1
    assert run()[0] == pytest.approx(1.5 * speed2 / 0.6, rel=1e-5)
    for keys in (("gas.mean_weight=1.22", "ic.gas_gamma=1.4"), ("ic.gas_mean_weight=1.22", "gas.gamma=1.4")):
        u, made = run(*keys)
        assert u == pytest.approx(2.5 * speed2 / 1.22, rel=1e-5) and made["mean_weight"] == 1.22 and made["gamma"] == 1.4
    assert "gas.mean_weight: is 1.3, and ic.gas_mean_weight is 1.22" in refused("gas.mean_weight=1.3", "ic.gas_mean_weight=1.22")
    assert "gas.gamma: is 1.4, and ic.gas_gamma is 1.5" in refused("gas.gamma=1.4", "ic.gas_gamma=1.5")
    # of isothermal gas the temperature is the run's sound speed
    u, made = run("gas.eos=isothermal", "gas.mean_weight=1.22")
    assert made["sound_speed"] == pytest.approx((speed2 / 1.22) ** 0.5)
    said = refused("gas.eos=isothermal", "gas.sound_speed=10")
    assert "gas.sound_speed: is 10, and ic.gas_temperature = 10000 sets it to 11.729" in said
    (hornbeam.folder / "galaxy.toml").write_text(GALAXY.replace("gas_temperature = 10000", "gas_sound_speed = 9"))
    assert run("gas.eos=isothermal")[1]["sound_speed"] == 9
    assert "gas.sound_speed: is 10, and ic.gas_sound_speed = 9 sets it to 9" in refused("gas.eos=isothermal", "gas.sound_speed=10")
    (hornbeam.folder / "galaxy.toml").write_text(GALAXY.replace("gas_temperature = 10000\n", ""))
    assert run("gas.eos=isothermal", "gas.sound_speed=7")[0] == pytest.approx(1.5 * 49, rel=1e-6)


def test_a_collapse_has_the_sound_speed_of_the_run(hornbeam):
    cloud = """[ic]
model = "collapse"
n = 300
[gas]
eos = "isothermal"
[time]
dt = 1e-3
end = 1e-3
[output]
directory = "cloud"
"""
    (hornbeam.folder / "cloud.toml").write_text(cloud)
    said = hornbeam.ok("run", "cloud.toml", "--set", "gas.sound_speed=0.4")
    assert "[gas] eos" in said and "sound_speed = 0.4," in said and "gas has internal energies of" not in said
    assert "gas.sound_speed: is 0.5, and ic.alpha = 0.25 sets it to 0.316228" in hornbeam.error(
        2, "run", "cloud.toml", "--overwrite", "--set", "gas.sound_speed=0.5", "--set", "ic.alpha=0.25")
    hornbeam.ok("run", "cloud.toml", "--overwrite", "--set", "ic.alpha=0.25")
    made = json.loads((hornbeam.folder / "cloud" / "run.json").read_text())["configuration"]["gas"]
    assert made["sound_speed"] == pytest.approx(0.1 ** 0.5)
    assert "gas.sound_speed: is missing" in hornbeam.error(2, "run", "cloud.toml", "--overwrite")
