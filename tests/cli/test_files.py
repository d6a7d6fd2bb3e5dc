# SPDX-License-Identifier: Apache-2.0
"""Files of the user are never destroyed unasked, and what is wrong with a file or a pipe is said in one line."""

import json
import os
import signal
import subprocess
import time

import h5py
import pytest


@pytest.fixture
def sphere(hornbeam):
    hornbeam.ok("ic", "plummer", "-n", 20, "-o", "a.hdf5")
    hornbeam.ok("convert", "a.hdf5", "a.csv")
    return hornbeam


@pytest.mark.parametrize("command", [
    ["convert", "a.hdf5", "a.hdf5"],
    ["convert", "a.hdf5", "hard.hdf5"],
    ["convert", "a.hdf5", "soft.hdf5"],
    ["force", "a.hdf5", "-o", "./a.hdf5"],
    ["render", "a.hdf5", "-o", "a.hdf5"],
    ["analyze", "a.csv", "--energy", "--csv", "a.csv"],
    ["movie", ".", "-o", "snapshot_0.hdf5"],
    ["ic", "merger", "--galaxy1", "a.hdf5", "-o", "a.hdf5", "--pericentre", 3, "--separation", 20],
])
def test_no_command_writes_over_what_it_reads(sphere, command):
    folder = sphere.folder
    os.link(folder / "a.hdf5", folder / "hard.hdf5")
    os.symlink("a.hdf5", folder / "soft.hdf5")
    os.link(folder / "a.hdf5", folder / "snapshot_0.hdf5")
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    assert "is also the input file" in sphere.error(2, *command)
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == before


def test_tipsy_never_takes_the_place_of_a_units_file(sphere):
    assert "units file" in sphere.error(2, "convert", "a.hdf5", "y.param", "--to", "tipsy")
    (sphere.folder / "y.param").write_text("nSteps = 3\n")
    (sphere.folder / "units.toml").write_text(
        '[input]\nfile = "a.hdf5"\n[units]\nsystem = "galactic"\nof_files = "ignore"\n[gravity]\neps = 0.1\n[time]\ndt = 1e-4\nend = 1e-4\n'
        '[output]\ndirectory = "out"\nformats = ["hdf5"]\n')
    sphere.ok("run", "units.toml")
    assert "another program's" in sphere.error(1, "convert", "out/snapshot_0000.hdf5", "y.tipsy")
    assert (sphere.folder / "y.param").read_text() == "nSteps = 3\n" and not (sphere.folder / "y.tipsy").exists()


def test_formats_of_a_run_have_names_of_their_own(hornbeam, config):
    formats = ["gadget1", "gadget2", "csv", "galactics", "agama", "tipsy", "tipsy-standard", "npz", "npy", "hdf5"]
    hornbeam.ok("run", config(extra=f"formats = {formats}\n"))
    names = sorted(p.name for p in (hornbeam.folder / "out").glob("snapshot_0001.*"))
    assert len(names) == len(formats)
    # with the softening of the run, which some formats do not hold
    energies = [hornbeam.json("analyze", f"out/{name}", "--energy", "--eps", 0.2)["total"] for name in names]
    assert energies == pytest.approx([energies[0]] * len(formats), rel=1e-5)  # single precision in some


def test_overwriting_spares_the_input(hornbeam, config):
    hornbeam.ok("run", config())
    (hornbeam.folder / "next.toml").write_text('[input]\nfile = "out/snapshot_0002.hdf5"\n[time]\ndt = 0.1\nend = 1\n'
                                               '[output]\ndirectory = "out"\n')
    assert "snapshot_0002" in hornbeam.error(2, "run", "next.toml", "--overwrite")
    assert (hornbeam.folder / "out" / "snapshot_0002.hdf5").exists()


def test_what_could_not_be_read_back_is_not_written(hornbeam):
    header = "x,y,z,vx,vy,vz,mass\n"
    (hornbeam.folder / "none.csv").write_text(header)
    (hornbeam.folder / "massless.csv").write_text(header + "0,0,0,0,0,0,0\n1,0,0,0,0,0,0\n")
    for columns in ("galactics", "agama"):
        assert "would be empty" in hornbeam.error(1, "convert", "none.csv", "out.txt", "--to", columns)
    message = hornbeam.error(1, "convert", "massless.csv", "out.tipsy", "--to", "tipsy-native-unpadded")
    assert "looks like a truncated file (choose tipsy)" in message
    hornbeam.ok("convert", "massless.csv", "out.tipsy", "--to", "tipsy")
    assert not (hornbeam.folder / "out.txt").exists()


def test_fifos_and_devices_are_no_files(sphere):
    os.mkfifo(sphere.folder / "f.hdf5")
    os.mkfifo(sphere.folder / "f.toml")
    for path in ("f.hdf5", "/dev/zero"):
        assert "not a regular file" in sphere.error(1, "analyze", path, "--energy")
    assert "not a regular file" in sphere.error(1, "run", "f.toml")


def test_a_reader_that_goes_away_is_no_error(sphere):
    for ignored in (False, True):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([sphere.program, "analyze", *["a.hdf5"] * 20, "--energy"], cwd=sphere.folder,
                              stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60, restore_signals=False,
                              preexec_fn=None if ignored else lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL))
        os.close(writer)
        assert done.stderr == "" and done.returncode == (141 if ignored else -signal.SIGPIPE)


def test_output_that_is_lost_is_an_error(sphere):
    with open("/dev/full", "w", encoding="ascii") as full:
        done = subprocess.run([sphere.program, "analyze", "a.hdf5", "--energy"], cwd=sphere.folder, stdout=full,
                              stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 1 and "No space left" in done.stderr


def test_more_threads_than_the_machine_can_start(sphere):
    assert "threads = 100000" in sphere.error(2, "force", "a.hdf5", "--threads", 100000)
    environment = {**os.environ, "OMP_NUM_THREADS": "100000"}
    assert "OMP_NUM_THREADS" in sphere.error(2, "info", env=environment)
    environment["OMP_NUM_THREADS"] = "3"
    assert json.loads(sphere.run("force", "a.hdf5", "--json", "--backend", "cpu", env=environment).stdout)["threads"] == 3


def test_identical_runs_write_identical_files(hornbeam, config):
    for name, filling in (("one", "1"), ("two", "170")):
        environment = {**os.environ, "MALLOC_PERTURB_": filling}  # memory that was never written differs
        if name == "two":
            time.sleep(1.0)  # files know seconds
        hornbeam.ok("run", config(), "--set", "output.directory=" + name, env=environment)
    for name in ("snapshot_0000.hdf5", "snapshot_0002.hdf5"):
        assert (hornbeam.folder / "one" / name).read_bytes() == (hornbeam.folder / "two" / name).read_bytes()


def test_an_open_last_line_is_said(sphere):
    path = sphere.folder / "a.csv"
    assert "no newline" not in sphere.ok("analyze", "a.csv", "--energy")
    path.write_bytes(path.read_bytes()[:-1])
    assert "no newline" in sphere.ok("analyze", "a.csv", "--energy")


@pytest.mark.parametrize("key", ["start_time", "sizes", "tree_costs", "usual_speed", "so_far", "energy_rows",
                                 "configuration"])
def test_a_checkpoint_without_something_gives_way_to_the_one_before(hornbeam, config, key):
    hornbeam.ok("run", config(), "--set", "time.end=0.25")
    path = hornbeam.folder / "out" / "checkpoint.hdf5"
    os.link(path, hornbeam.folder / "good.hdf5")
    rename_in_configuration(path, key)
    out = hornbeam.ok("run", config(), "--resume")
    assert f"{key} is missing" in out and "checkpoint_previous.hdf5" in out and "finished" in out
    (hornbeam.folder / "out" / "checkpoint_previous.hdf5").unlink()
    rename_in_configuration(path, key)
    message = hornbeam.error(1, "run", config(), "--resume")
    assert f"{key} is missing" in message and "json" not in message


def rename_in_configuration(path, key):
    """Spoils a key of a checkpoint's configuration, and seals the file again."""
    data = bytearray(path.read_bytes().replace(b'"' + key.encode() + b'":', b'"' + b"x" * len(key) + b'":', 1))
    words = [int.from_bytes(data[i:i + 8], "little") for i in range(512, len(data) - len(data) % 8, 8)]
    rest = data[512 + 8 * len(words):]
    total, mask = len(data) - 512, (1 << 64) - 1
    for word in [*words, *rest]:
        total = (total ^ word) * 0x9E3779B97F4A7C15 & mask
        total = (total << 29 | total >> 35) & mask
    at = data.index(b"checksum ") + len(b"checksum ")
    data[at:at + 16] = f"{total:016x}".encode()
    path.unlink()  # the one before may be the same file
    path.write_bytes(data)


def test_damaged_hdf5_is_one_line(sphere):
    data = (sphere.folder / "a.hdf5").read_bytes()
    for size in (1, 600, len(data) // 2):
        (sphere.folder / "cut.hdf5").write_bytes(data[:size])
        sphere.error(1, "analyze", "cut.hdf5", "--energy")
    with h5py.File(sphere.folder / "a.hdf5", "r+") as file:
        file["Header"].attrs["NumPart_ThisFile"] = [0] * 6
    assert "counts 0 particles" in sphere.error(1, "analyze", "a.hdf5", "--energy")
