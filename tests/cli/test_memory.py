# SPDX-License-Identifier: Apache-2.0
"""Memory: what commands say they need beside what the system counts, and refusals in one line."""

import re
import resource
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from conftest import Hornbeam, not_sanitized

pytestmark = not_sanitized
N = 200_000
PROGRAM_MB = 4  # libraries and their buffers, which commands do not count


def data_limit(mb):
    return lambda: resource.setrlimit(resource.RLIMIT_DATA, (int(mb * 1e6), int(mb * 1e6)))


def needed_mb(hornbeam, limit_mb, *arguments):
    """What the command says it needs where it may not take more than limit_mb."""
    text = hornbeam.error(1, *arguments, preexec_fn=data_limit(limit_mb))
    found = re.match(r"memory: \d+ particles need about (\d+) MB \(.*\), and \d+ MB are available within the limit ulimit -d", text)
    assert found, text
    return float(found[1])


def peak_mb(hornbeam, *arguments):
    """What the system counted at most, without pages of files, which it can drop: the seal of a checkpoint maps that.
    Looked at while it runs: wait4() would tell of pytest, too, which it comes from. The file `said` keeps what it says."""
    with open(hornbeam.folder / "said", "w") as said:
        process = subprocess.Popen([hornbeam.program, *map(str, arguments)], cwd=hornbeam.folder, stdout=said,
                                   stderr=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        found = re.search(r"RssAnon:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text())
        peak = max(peak, int(found[1]) if found else 0)
        time.sleep(0.001)
    assert process.returncode == 0
    return peak * 1024e-6


PLUMMER = f'[ic]\nmodel = "plummer"\nn = {N}\n[gravity]\neps = 0.01\ntheta = 2\n'
N_GAS = 80_000  # whose memory and time are several times as large
GAS = f'[ic]\nmodel = "evrard"\nn = {N_GAS}\n[gas]\neos = "ideal"\n[gravity]\neps = 0.02\ntheta = 2\n'
SHEET = ('[ic]\nmodel = "ring"\nsurface_density = 400\nparticle_density = 400\nradius_min = 1\nradius_max = 1\n'
         '[units]\nsystem = "si"\n[gravity]\neps = 0.1\ntheta = 2\n[collisions]\nlaw = "bridges"\n'
         'minimum_velocity = 1.3e-4\n[boundary]\nkind = "shear"\nsize = [900, 900, 0]\nomega = 1.3e-4\n')  # 193,374 bodies
BLOCK = 'steps = "block"\nmax_rung = 1\n'
# model, its length of a step, more of [time] and of [output], bytes that a particle takes in the copy for the writer
RUNS = {
    "shared": (PLUMMER, 0.01, "", "", 105),
    "block": (PLUMMER, 0.01, BLOCK, "", 131),
    "symmetrised": (PLUMMER, 0.01, 'steps = "symmetrised"\n', "", 105),
    "groups": (PLUMMER, 0.01, "", "groups_every = 1\n", 0),
    "gas": (GAS, 0.001, "", "", 20),
    "gas-block": (GAS, 0.001, BLOCK, "", 20),
    "ring": (SHEET, 47.8, "", "", 100),
}


def run_file(folder, name, kind="shared", n=N):
    model, dt, steps, output, _ = RUNS[kind]
    (folder / name).write_text(f'{model.replace(f"n = {N}", f"n = {n}")}[device]\nbackend = "cpu"\nthreads = 2\n[time]\n'
                               f'dt = {dt}\nend = {dt}\n{steps}[output]\ndirectory = "out_{name}"\nevery = {dt}\n{output}'
                               f'[watchdog]\ncollapse = false\nenergy = 0\n')
    return name


@pytest.fixture(scope="module")
def shared(request, tmp_path_factory):
    """The program in a folder that tests share."""
    return Hornbeam(request.config.getoption("--hornbeam"), tmp_path_factory.mktemp("shared"))


@pytest.fixture(scope="module")
def plummer(shared):
    shared.ok("ic", "plummer", "-n", N, "-o", "p.hdf5")
    return shared.folder / "p.hdf5"


@pytest.fixture(scope="module")
def peaks_of_runs(shared):
    """Of each kind of run: the folder where it was made, what it said it needs, and its peak."""

    def of(kind):
        if kind not in found:
            name = run_file(shared.folder, kind + ".toml", kind)
            found[kind] = needed_mb(shared, 60, "run", name), peak_mb(shared, "run", name)
            (shared.folder / "said").rename(shared.folder / f"said_{kind}")
        return found[kind]

    found = {}
    return of


FORCE = ("force", "--ic", "plummer", "-n", N, "--backend", "cpu", "--theta", 2)
# first a limit: below it the particles could not even be read
CASES = {
    "ic": (8, "ic", "plummer", "-n", N, "-o", "x.hdf5"),
    "convert": (8, "convert", "p.hdf5", "y.hdf5"),
    "force": (8, *FORCE),
    "force-double": (8, *FORCE, "--precision", "double"),
    # of more particles: how many cells there are depends on where N stands between powers of 8
    "force-leaf-4": (8, "force", "--ic", "plummer", "-n", 500_000, *FORCE[5:], "--leaf-size", 4),
    "force-check": (8, *FORCE, "--check", 50),
    "force-file": (60, "force", "p.hdf5", "--backend", "cpu", "--theta", 2, "--eps", 0.1, "-o", "f.hdf5"),
    "render": (60, "render", "p.hdf5", "-o", "p.png"),
    "lagrangian": (56, "analyze", "p.hdf5", "--lagrangian"),
    "groups": (58, "analyze", "p.hdf5", "--groups", "--linking-fraction", 0.3),
    # so long that nearly all are of one group
    "groups-unbind": (58, "analyze", "p.hdf5", "--groups", "--linking-fraction", 12, "--unbind"),
}


@pytest.mark.parametrize("case", CASES)
def test_what_commands_say_they_need(hornbeam, plummer, case):
    limit, *command = CASES[case]
    if "p.hdf5" in command:
        shutil.copy(plummer, hornbeam.folder)
    ratio = (needed_mb(hornbeam, limit, *command) + PROGRAM_MB) / peak_mb(hornbeam, *command)
    # spheres about groups hold fewer than all particles here, as nobody can foretell: 1.36 to 1.38, and 1.295 to 1.302
    most = {"groups": 1.45, "groups-unbind": 1.35}.get(case, 1.3)
    assert 1.0 <= ratio <= most, ratio


@pytest.mark.parametrize("kind", RUNS)
def test_what_runs_say_they_need(peaks_of_runs, kind):
    needed, peak = peaks_of_runs(kind)
    copy = (N_GAS if "gas" in kind else N) * 1e-6 * RUNS[kind][4] + 1  # to write beside the steps, where there is room
    ratio = (needed + copy + PROGRAM_MB) / peak
    assert 1.0 <= ratio <= 1.3, ratio


def test_runs_without_room_for_a_second_copy_wait_for_files(hornbeam, shared, peaks_of_runs):
    said = "steps wait while snapshots and checkpoints are written: there is too little memory to write them during steps\n"
    needed, _ = peaks_of_runs("shared")
    assert said not in (shared.folder / "said_shared").read_text()
    name = run_file(hornbeam.folder, "shared.toml")
    kept_free = 24
    out = hornbeam.ok("run", name, preexec_fn=data_limit(needed + kept_free + 14))  # half of a copy
    assert out.count(said) == 1, out
    snapshot = Path("out_shared.toml", "snapshot_0001.hdf5")
    assert (hornbeam.folder / snapshot).read_bytes() == (shared.folder / snapshot).read_bytes()
