# SPDX-License-Identifier: Apache-2.0
"""Gas at the times that were asked for, and what is said of gas that cannot be."""
import json
import re
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

from gas_tube import START
from gas_tube import rows as energies

RUN = START + """[time]
dt = 0.01
end = 0.03
[output]
directory = "tube"
every = 0.013
[device]
threads = 1
backend = "cpu"
"""
TABLE = """x,y,z,vx,vy,vz,mass,u{more}
{rows}"""


@pytest.fixture
def tube(hornbeam):
    (hornbeam.folder / "tube.toml").write_text(RUN)

    def run(*more, statuses=(0,)):
        done = hornbeam.run("run", "tube.toml", *more)
        assert done.returncode in statuses and done.stderr == "", (done.returncode, done.stderr)
        return done.stdout

    return run


def lattice(hornbeam, more="", family=""):
    places = [(i / 5 - 0.4, j / 5 - 0.4, k / 5 - 0.4) for i in range(5) for j in range(5) for k in range(5)]
    rows = "\n".join(f"{x},{y},{z},0,0,0,0.008,1{family}" for x, y, z in places)
    (hornbeam.folder / "gas.csv").write_text(TABLE.format(more=more, rows=rows) + "\n")
    (hornbeam.folder / "gas.toml").write_text("""
[input]
file = "gas.csv"
[boundary]
kind = "periodic"
size = [1, 1, 1]
[gas]
eos = "ideal"
self_gravity = false
[time]
dt = 0.01
end = 0.02
[output]
directory = "box"
[device]
backend = "cpu"
threads = 1
""")


def test_steps_end_on_outputs_and_on_the_end(hornbeam, tube):
    out = tube("--set", "output.checkpoint_every=0.007")
    assert "finished at t = 0.03 after" in out
    rows = energies(hornbeam.folder / "tube")
    assert [float(row["time"]) for row in rows] == [0, 0.013, 0.026, 0.03]
    # one time for all that a snapshot holds: its energies are those of the row
    for k, row in enumerate(rows):
        found = hornbeam.json("analyze", f"tube/snapshot_000{k}.hdf5", "--energy")
        assert found["time"] == float(row["time"])
        for part in ("kinetic", "thermal"):
            assert found[part] == pytest.approx(float(row[part]), rel=1e-12), (k, part)
    assert json.loads((hornbeam.folder / "tube" / "run.json").read_text())["totals"]["time"] == 0.03


def test_the_longest_step_may_be_any(hornbeam, tube):
    """Gas takes shorter ones, and meets all outputs that are far apart in its own steps."""
    tube("--set", "time.dt=20", "--set", "time.end=20", "--set", "output.every=0.001", "--set", "output.wall_limit=1.5",
         statuses=(4,))
    times = [hornbeam.json("analyze", f"tube/snapshot_{k:04}.hdf5", "--energy")["time"] for k in range(5)]
    assert times == [0, 0.001, 0.002, 0.003, 0.004]
    for dt in (0.04, 51, 1e9):
        assert "longer than the whole run" in hornbeam.error(2, "run", "tube.toml", "--overwrite", "--set", f"time.dt={dt}")


def test_checkpoints_and_rows_come_at_their_times(hornbeam, tube):
    """Also where multiples are rounded by more than a step's 1e-13, and after a resume."""
    changes = [word for change in ("time.dt=1e-3", "time.start=1000", "time.end=1000.01", "output.checkpoint_every=1e-3",
                                   "output.energy_every=2e-3", "output.every=5e-3") for word in ("--set", change)]
    tube(*changes, "--set", "output.wall_limit=0.05", statuses=(0, 4))
    tube(*changes, "--resume")
    times = [float(row["time"]) for row in energies(hornbeam.folder / "tube")]
    assert times == sorted(set(times)) and {1000.0, 1000.005, 1000.01} <= set(times), times
    assert all(b - a > 1e-5 for a, b in zip(times, times[1:])), times


def test_smoothing_lengths_that_are_bounded_too_much_are_said(hornbeam, tube):
    assert "limits H of" not in tube("--set", "gas.max_smoothing_length=0.2")
    said = tube("--overwrite", "--set", "gas.max_smoothing_length=0.02")
    assert "gas.max_smoothing_length = 0.02 limits H of 1152 of 1152 gas particles" in said


def test_gas_that_keeps_no_energy_says_so(hornbeam, tube):
    said = tube("--set", "gas.eos=isothermal", "--set", "gas.sound_speed=1")
    assert "energy is not conserved: gas.eos = isothermal gives off the heat of shocks" in said and "collision" not in said
    summary = json.loads((hornbeam.folder / "tube" / "run.json").read_text())
    assert summary["totals"]["keeps_energy"] is False


@pytest.mark.parametrize("backend", ["cpu", "opencl"])
@pytest.mark.parametrize("eos", ['"isothermal"', '"barotropic"\ncritical_density = 5'])
def test_waves_keep_the_free_energy(hornbeam, eos, backend):
    """A standing wave without viscosity gives its kinetic energy to the gas's free energy and takes it back."""
    if backend not in json.loads(hornbeam.ok("info", "--json"))["backends"]:
        pytest.skip(f"there is no {backend} here")
    (hornbeam.folder / "wave.toml").write_text(f"""[ic]\nmodel = "sound-wave"\nn = 1152\namplitude = 0.05\n[gas]\neos = {eos}
sound_speed = 1\nalpha = 0\nbeta = 0\nself_gravity = false\n[time]\ndt = 0.02\nend = 0.5\n[output]\ndirectory = "wave"
every = 0.5\nenergy_every = 0.02\n[device]\nbackend = "{backend}"\n""")
    hornbeam.ok("run", "wave.toml")
    rows = energies(hornbeam.folder / "wave")
    kinetic, thermal, total = (np.array([float(row[name]) for row in rows]) for name in ("kinetic", "thermal", "total"))
    swing = np.ptp(kinetic)
    assert swing > 1e-4 and np.corrcoef(kinetic, thermal)[0, 1] < -0.99
    assert np.ptp(total) < 0.03 * swing  # of leapfrog at this step, and of H within gas.tolerance
    said = hornbeam.ok("analyze", "wave/snapshot_0001.hdf5", "--energy", "--json")
    assert json.loads(said)["thermal"] == pytest.approx(thermal[-1], rel=1e-9)


def test_stops_change_no_bits(hornbeam, tube):
    tube()
    stop = ("--set", "output.directory=parts", "--set", "output.wall_limit=0.03")
    out = tube(*stop, statuses=(0, 4))
    for _ in range(3):
        if "finished" not in out:
            out = tube("--resume", *stop, statuses=(0, 4))
    if "finished" not in out:
        tube("--resume", "--set", "output.directory=parts")
    for k in range(4):
        with h5py.File(hornbeam.folder / "tube" / f"snapshot_000{k}.hdf5") as a, \
                h5py.File(hornbeam.folder / "parts" / f"snapshot_000{k}.hdf5") as b:
            for name in ("Coordinates", "Velocities", "InternalEnergy", "Density", "SmoothingLength"):
                assert np.array_equal(a["PartType0"][name][:], b["PartType0"][name][:]), (k, name)
    times = [[row["time"] for row in energies(hornbeam.folder / folder)] for folder in ("tube", "parts")]
    assert times[0] == times[1]


@pytest.mark.parametrize("kernel, own", [("wendland-c2", 14), ("wendland-c4", 20.6), ("wendland-c6", 28.4),
                                         ("cubic", 10.66)])
def test_too_few_neighbours_are_refused(hornbeam, tube, kernel, own):
    tube("--set", "time.end=0.01", "--set", f"gas.kernel={kernel}", "--set", f"gas.neighbours={int(2 * own) + 2}")
    message = hornbeam.error(2, "run", "tube.toml", "--overwrite", "--set", f"gas.kernel={kernel}",
                             "--set", f"gas.neighbours={int(1.9 * own)}")
    assert message.startswith(("gas.neighbours", "tube.toml: gas.neighbours")), message
    assert f"itself counts as {own}" in message or "from 20" in message, message


def test_absurd_steps_are_said(hornbeam, tube):
    out = tube("--set", "ic.pressure=1e20", "--set", "time.end=0.05", "--set", "time.dt=0.05",
               "--set", "output.wall_limit=0.5", "--set", "watchdog.energy=0", statuses=(0, 4))
    assert out.count("the gas needs steps of") == 1 and "WARNING: t = 0:" in out


def test_gas_is_asked_for_and_there(hornbeam):
    lattice(hornbeam)
    message = hornbeam.error(2, "run", "gas.toml")
    assert message.startswith("[gas]: there are no particles of the family gas (add a column `family`")
    lattice(hornbeam, ",family", ",gas")
    assert "finished at t = 0.02" in hornbeam.ok("run", "gas.toml")
    out = hornbeam.ok("analyze", "box/snapshot_0001.hdf5", "--energy")
    assert "did not attract one another: energies do not include their gravity" in out
    assert hornbeam.json("analyze", "box/snapshot_0001.hdf5", "--energy")["potential"] == 0
    (hornbeam.folder / "cold.toml").write_text('[ic]\nmodel = "sod"\nn = 1152\n[time]\ndt = 0.01\nend = 0.01\n'
                                               '[output]\ndirectory = "cold"\n')
    assert "WARNING: 1152 particles of the family gas, and no [gas] eos" in hornbeam.ok("run", "cold.toml")


def test_one_gamma_counts_for_model_and_flow(hornbeam, tube):
    """u is P / ((gamma - 1) rho) of Sod's left side, 1 / (gamma - 1)."""
    def largest(*more):
        tube("--overwrite", "--set", "time.end=0.01", *more)
        with h5py.File(hornbeam.folder / "tube" / "snapshot_0000.hdf5") as file:
            return file["PartType0"]["InternalEnergy"][:].max()

    assert largest() == pytest.approx(1 / (5 / 3 - 1))
    assert largest("--set", "gas.gamma=1.4") == pytest.approx(1 / 0.4)
    assert largest("--set", "ic.gamma=1.4") == pytest.approx(1 / 0.4)
    made = json.loads((hornbeam.folder / "tube" / "run.json").read_text())["configuration"]
    assert made["gas"]["gamma"] == 1.4
    message = hornbeam.error(2, "run", "tube.toml", "--overwrite", "--set", "gas.gamma=1.4", "--set", "ic.gamma=1.5")
    assert "gas.gamma: is 1.4, and ic.gamma is 1.5" in message


def test_the_ball_of_the_page_collapses(hornbeam):
    page = (Path(__file__).parents[2] / "docs" / "gas.md").read_text(encoding="utf-8")
    script = re.search(r"```python\n(.*?)```", page, re.DOTALL)[1]
    (hornbeam.folder / "ball.py").write_text(script)
    (hornbeam.folder / "ball.toml").write_text(re.search(r"```toml\n(# ball.toml.*?)```", page, re.DOTALL)[1])
    subprocess.run([sys.executable, "ball.py"], cwd=hornbeam.folder, check=True)
    out = hornbeam.ok("run", "ball.toml", "--set", "time.end=0.3", "--set", "device.threads=1")
    assert "4000 particles on" in out and "finished at t = 0.3 after" in out
    last = energies(hornbeam.folder / "ball")[-1]
    assert float(last["kinetic"]) > 0.01 and float(last["thermal"]) > 0.05 and abs(float(last["relative_error"])) < 1e-3


def test_the_rate_is_that_of_the_steps_made(hornbeam, tube):
    """In steps of gas, which are shorter than time.dt."""
    out = tube("--set", "time.dt=0.03", "--set", "output.every=1")
    made = json.loads((hornbeam.folder / "tube" / "run.json").read_text())["totals"]
    said = float(re.findall(r"([\d.e+]+) steps/s", out)[-1])
    assert made["steps"] > 3 and said > 0.5 * made["steps_per_second"]


def test_runs_say_what_they_wrap(hornbeam):
    lattice(hornbeam, ",family", ",gas")
    assert "wrapped" not in hornbeam.ok("run", "gas.toml")
    out = hornbeam.ok("run", "gas.toml", "--overwrite", "--set", "boundary.size=[0.9,1,1]")
    assert "wrapped" not in out  # the outermost stand at 0.4
    out = hornbeam.ok("run", "gas.toml", "--overwrite", "--set", "boundary.size=[0.7,1,1]")
    assert "50 particles outside of the box are wrapped into it" in out
    with h5py.File(hornbeam.folder / "box" / "snapshot_0000.hdf5", "r+") as file:  # as another code's
        del file["Hornbeam"]
        file["Header"].attrs["BoxSize"] = 3.0
    (hornbeam.folder / "other.hdf5").write_bytes((hornbeam.folder / "box" / "snapshot_0000.hdf5").read_bytes())
    out = hornbeam.ok("run", "gas.toml", "--overwrite", "--set", "input.file=other.hdf5")
    assert "other.hdf5 has a BoxSize of 3, but boundary.size = [1, 1, 1] is used" in out
