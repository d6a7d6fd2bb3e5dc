# SPDX-License-Identifier: Apache-2.0
"""Several devices share a run: its files are those of one, byte for byte. Here PoCL's device is opened several times
(HORNBEAM_RANKS), so the work is shared among copies as it is among cards."""

import json
import os

import h5py
import pytest

CONFIG = '''[ic]
model = "{model}"
n = {n}
seed = 3
[gravity]
eps = 0.02
[time]
dt = 0.0078125
end = {end}
steps = "{steps}"
[output]
directory = "{folder}"
every = 0.03125
[device]
backend = "opencl"
'''
STEP = 1 / 128


def ranks(count):
    return {"env": {**os.environ, "HORNBEAM_RANKS": str(count)}}


def arrays_of(path):
    """The bytes of every dataset of a snapshot or checkpoint, by its path, but for the configuration, which has a folder."""
    found = {}
    with h5py.File(path) as file:
        file.visititems(lambda name, item: found.update({name: item[()].tobytes()}) if isinstance(item, h5py.Dataset) else None)
    found.pop("Checkpoint/configuration", None)
    return found


def table_of(folder):
    """energy.csv without the seconds that a step took."""
    lines = (folder / "energy.csv").read_text(encoding="utf-8").splitlines()
    wall = lines[0].split(",").index("wall_seconds")
    return [[value for k, value in enumerate(line.split(",")) if k != wall] for line in lines]


def assert_same(one, other):
    assert table_of(one) == table_of(other)
    names = sorted(path.name for path in one.glob("*.hdf5"))
    assert names == sorted(path.name for path in other.glob("*.hdf5")) and "checkpoint.hdf5" in names
    for name in names:
        expected, found = arrays_of(one / name), arrays_of(other / name)
        assert len(expected) > 3 and [key for key in expected if found[key] != expected[key]] == [], name
        assert expected.keys() == found.keys()


def write(hornbeam, folder, **values):
    given = {"model": "plummer", "n": 1500, "end": 8 * STEP, "steps": "shared", "folder": folder, **values}
    path = hornbeam.folder / f"{folder}.toml"
    path.write_text(CONFIG.format(**given), encoding="utf-8")
    return path.name


@pytest.mark.parametrize("steps, count, more", [("shared", 2, []), ("block", 3, []),
                                                ("block", 2, ["--set", "gravity.accuracy=0.01"])])
def test_a_run_of_several_ranks_is_that_of_one(hornbeam, steps, count, more):
    hornbeam.ok("run", write(hornbeam, "one", steps=steps), *more)
    hornbeam.ok("run", write(hornbeam, "several", steps=steps), *more, **ranks(count))
    assert_same(hornbeam.folder / "one", hornbeam.folder / "several")


def test_a_run_goes_on_with_another_number_of_ranks(hornbeam):
    """Also with more ranks than there are blocks of targets for."""
    hornbeam.ok("run", write(hornbeam, "one", n=500))
    config = write(hornbeam, "some", n=500)
    for count, end in ((7, 4), (3, 8)):
        resume = ["--resume"] if count != 7 else []
        hornbeam.ok("run", config, *resume, "--set", f"time.end={end * STEP}", **ranks(count))
    one, some = hornbeam.folder / "one", hornbeam.folder / "some"
    assert_same(one, some)


def test_forces_of_several_ranks_are_counted_once(hornbeam):
    """The number of interactions is that of one device, too."""
    command = ["force", "--ic", "plummer", "-n", 5000, "--backend", "opencl", "--eps", 0.01, "--json"]
    one = hornbeam.json(*command[:-1])
    two = json.loads(hornbeam.ok(*command, **ranks(2)))
    assert two["interactions_per_particle"] == one["interactions_per_particle"]
    assert two["device"].startswith("2 x ")


def test_all_devices_of_a_backend_can_be_one(hornbeam):
    for backend in ("cpu", "opencl"):
        report = hornbeam.json("force", "--ic", "plummer", "-n", 300, "--backend", backend, "--device", "all")
        assert report["backend"] == backend


def test_all_is_a_device_of_a_configuration(hornbeam):
    path = hornbeam.folder / "run.toml"
    path.write_text('[ic]\nmodel = "plummer"\nn = 100\n[gravity]\neps = 0.1\n[time]\ndt = 0.1\nend = 0.2\n'
                    '[output]\ndirectory = "out"\n[device]\nbackend = "cpu"\ndevice = "all"\n', encoding="utf-8")
    hornbeam.ok("run", "run.toml")
    path.write_text(path.read_text(encoding="utf-8").replace('"all"', "[0]"), encoding="utf-8")
    hornbeam.ok("run", "run.toml", "--resume", "--set", "time.end=0.3")


@pytest.mark.parametrize("devices, message", [
    ("0,1", "the CPU is device 0"), ("0,0", "has device 0 twice"), ("0,a", "must be an index from 0"),
    ("every", "must be an index from 0")])
def test_wrong_devices_are_one_line(hornbeam, devices, message):
    error = hornbeam.error(2, "force", "--ic", "plummer", "-n", 100, "--backend", "cpu", "--device", devices)
    assert message in error and error.startswith(("--device", "device"))


def test_more_devices_than_there_are_is_one_line(hornbeam):
    error = hornbeam.run("force", "--ic", "plummer", "-n", 100, "--backend", "opencl", "--device", "0,99")
    assert error.returncode != 0 and error.stderr.count("\n") == 1 and "device = 99: OpenCL has devices 0 to" in error.stderr
