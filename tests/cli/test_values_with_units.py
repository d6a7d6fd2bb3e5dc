# SPDX-License-Identifier: Apache-2.0
"""Values with units: end = "500 Myr"; times in round units; analyze and convert in other units."""
import csv
import json

import h5py
import pytest

GYR = 0.9777922216807891  # kpc / (km/s) in Gyr, by IAU's kpc and the Julian year
GALACTIC = '[units]\nsystem = "galactic"\n'
KM_S_MYR = '[units]\nlength = "kpc"\nmass = "1e10 Msun"\nvelocity = "km/s"\ntime = "Myr"\n'


def written(hornbeam, units, time, more="", name="run.toml"):
    text = ('[ic]\nmodel = "plummer"\nn = 64\nscale = "0.5 kpc"\n' + units + "[gravity]\neps = \"100 pc\"\n[time]\n" + time +
            '[output]\ndirectory = "out"\n[watchdog]\nenergy = 0\n[device]\nbackend = "cpu"\nthreads = 1\n' + more)
    (hornbeam.folder / name).write_text(text)
    return name


def table(hornbeam, folder="out"):
    with open(hornbeam.folder / folder / "energy.csv", newline="") as file:
        header, *rows = csv.reader(file)
    return header[0], [float(row[0]) for row in rows]


def test_times_take_units(hornbeam):
    name = written(hornbeam, GALACTIC, 'dt = "10 Myr"\nend = "500 Myr"\n')
    out = hornbeam.ok("run", name, "--set", "output.every=0.1 Gyr", "--set", 'output.times=["250 Myr"]')
    assert "time in Gyr" in out and "finished at t = 0.5 Gyr after 50 steps" in out and "0.977792" not in out
    assert table(hornbeam) == ("time [Gyr]", [0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5])
    asked = json.loads((hornbeam.folder / "out" / "run.json").read_text())["configuration"]
    assert asked["time"]["end"] == pytest.approx(0.5 / GYR, rel=1e-14) and asked["gravity"]["eps"] == pytest.approx(0.1)
    assert float(asked["ic"]["scale"]) == 0.5
    with h5py.File(hornbeam.folder / "out" / "snapshot_0006.hdf5") as file:  # numbers of files stay kpc / (km/s)
        assert file["Header"].attrs["Time"] == pytest.approx(0.5 / GYR, rel=1e-14)


def test_messages_name_the_unit_of_times(hornbeam):
    """They had bare numbers of kpc / (km/s), 0.0204542 for 20 Myr."""
    name = written(hornbeam, GALACTIC, 'dt = "10 Myr"\nend = "20 Myr"\n')
    hornbeam.ok("run", name, "--set", "output.every=10 Myr")
    assert "has finished at t = 0.02 Gyr, and time.end = 0.02 Gyr;" in hornbeam.ok("run", name, "--resume-or-start")
    for setting, message in {"time.end=5 Myr": "time.dt: is 0.01 Gyr, longer than the whole run from 0 Gyr to 0.005 Gyr",
                             'output.times=["30 Myr"]': "received 0.03 Gyr (must lie between 0 Gyr and 0.02 Gyr)",
                             "output.every=1 yr": "is 1e-09 Gyr, not longer than the time resolution 1e-05 Gyr"}.items():
        assert message in hornbeam.error(2, "run", name, "--overwrite", "--set", setting), setting
    again = hornbeam.error(2, "run", name, "--resume", "--set", "time.end=40 Myr", "--set", "time.start=10 Myr")
    assert "time.start: is 0.01 Gyr, and the run started at 0 Gyr" in again


def test_an_end_within_a_step_is_the_end(hornbeam):
    name = written(hornbeam, GALACTIC, 'dt = "8 Myr"\nend = "100 Myr"\n')
    out = hornbeam.ok("run", name, "--set", "output.every=100 Myr")
    assert "finished at t = 0.1 Gyr after 12 steps, the last whole one to t = 0.096 Gyr, in " in out
    with h5py.File(hornbeam.folder / "out" / "snapshot_0001.hdf5") as file:
        assert file["Header"].attrs["Time"] == pytest.approx(0.1 / GYR, rel=1e-14)


def test_km_s_and_myr_go_together(hornbeam):
    name = written(hornbeam, KM_S_MYR, "dt = 10\nend = 500\n", )
    out = hornbeam.ok("run", name, "--set", "output.every=100", "--set", "time.end=250")
    assert "time in Myr" in out and "finished at t = 250 Myr after 25 steps" in out
    hornbeam.ok("run", name, "--set", "output.every=100", "--resume")
    assert table(hornbeam) == ("time [Myr]", [0, 100, 200, 250, 300, 400, 500])
    named = written(hornbeam, GALACTIC, 'dt = "10 Myr"\nend = "0.5 Gyr"\n', name="named.toml")
    hornbeam.ok("run", named, "--set", "output.every=100 Myr", "--set", "output.directory=named")
    with h5py.File(hornbeam.folder / "out" / "snapshot_0006.hdf5") as a, \
            h5py.File(hornbeam.folder / "named" / "snapshot_0005.hdf5") as b:
        where = a["PartType1/Coordinates"][:], b["PartType1/Coordinates"][:]
        assert abs(where[0] - where[1]).max() < 1e-9  # the same but for the rounding of 10 Myr


def test_a_stopped_run_goes_on_with_its_rows(hornbeam):
    """Rows have rounded times, and none is lost or doubled by a stop at any of them."""
    name = written(hornbeam, GALACTIC, 'dt = "1 Myr"\nend = "10 Myr"\n', "")
    hornbeam.ok("run", name, "--set", "output.energy_every=1 Myr", "--set", "output.directory=whole")
    for end in range(1, 11):
        more = ["--resume"] if end > 1 else []
        hornbeam.ok("run", name, "--set", "output.energy_every=1 Myr", "--set", f"time.end={end} Myr", *more)
    assert table(hornbeam)[1] == table(hornbeam, "whole")[1] == [k / 1000 for k in range(11)]


@pytest.mark.parametrize("setting, part", [
    ("time.end=500 kpc", "time.end: received '500 kpc' (must be a time such as \"500 Myr\")"),
    ("time.end=500 Myrs2", "time.end"),
    ("time.end=5 parsecs", "must be a time"),
    ("gravity.eps=5 km/s", "gravity.eps: received '5 km/s' (must be a length such as \"3 kpc\")"),
    ("output.wall_limit=5 kpc", "output.wall_limit: received '5 kpc' (must be a time"),
    ("ic.scale=3 Myr", "ic.scale: received '3 Myr' (must be a length"),
])
def test_other_dimensions_are_refused(hornbeam, setting, part):
    assert part in hornbeam.error(2, "run", written(hornbeam, GALACTIC, "dt = 1\nend = 2\n"), "--set", setting)


def test_without_units_there_are_none(hornbeam):
    (hornbeam.folder / "run.toml").write_text('[ic]\nmodel = "plummer"\nn = 8\n[time]\ndt = 0.1\nend = "1 Myr"\n')
    said = hornbeam.error(2, "run", "run.toml")
    assert "time.end: received '1 Myr', but with G = 1 numbers have no units" in said and "galactic" in said
    assert "must be a number" in hornbeam.error(2, "run", "run.toml", "--set", 'time.end="1"')


def test_units_of_the_input_count(hornbeam):
    hornbeam.ok("ic", "plummer", "-n", 50, "-o", "p.hdf5", "--units", "galactic", "--scale", "2000 pc")
    (hornbeam.folder / "run.toml").write_text('[input]\nfile = "p.hdf5"\n[gravity]\neps = "10 pc"\n[time]\ndt = "1 Myr"\n'
                                              'end = "2 Myr"\n[output]\ndirectory = "out"\n[watchdog]\nenergy = 0\n')
    hornbeam.ok("run", "run.toml")
    assert table(hornbeam) == ("time [Gyr]", [0, 0.002])
    radius = hornbeam.json("analyze", "p.hdf5", "--half-mass")["half_mass_radius"]
    assert radius == pytest.approx(1.305 * 2, rel=0.4)  # Plummer's, of 50 particles


def test_wall_clock_takes_minutes(hornbeam):
    name = written(hornbeam, GALACTIC, "dt = 1\nend = 2\n")
    hornbeam.ok("run", name, "--set", "output.wall_limit=2 min")
    asked = json.loads((hornbeam.folder / "out" / "run.json").read_text())["configuration"]
    assert asked["output"]["wall_limit"] == 120


def test_analyze_and_convert_in_other_units(hornbeam):
    name = written(hornbeam, GALACTIC, 'dt = "10 Myr"\nend = "20 Myr"\n',
                   '[potential]\nkind = "plummer"\nmass = "1e9 Msun"\nscale = "1 kpc"\n')
    hornbeam.ok("run", name)
    last = "out/snapshot_0001.hdf5"
    kpc, pc = hornbeam.json("analyze", last, "--energy"), hornbeam.json("analyze", last, "--energy", "--units", "pc,Msun,km/s")
    for key in ("kinetic", "potential"):
        assert pc[key] == pytest.approx(1e10 * kpc[key], rel=1e-6), key  # external potential and softening, too
    text = hornbeam.ok("analyze", last, "--half-mass", "--units", "pc,Msun,km/s")
    assert "time 20 [Myr]" in text and "[pc]" in text
    said = hornbeam.ok("convert", last, "p.hdf5", "--units", "pc,Msun,km/s")
    assert "time 20 Myr" in said and "record" in said
    again = hornbeam.json("analyze", "p.hdf5", "--half-mass")["half_mass_radius"]
    assert again == pytest.approx(1000 * hornbeam.json("analyze", last, "--half-mass")["half_mass_radius"], rel=1e-12)
    assert "--exact" in hornbeam.error(2, "analyze", last, "--exact", "--units", "si")
    hornbeam.ok("ic", "plummer", "-n", 8, "-o", "one.csv")
    assert "read without conversion, in pc, Msun, km/s" in hornbeam.ok("convert", "one.csv", "two.csv", "--units", "pc,Msun,km/s")
