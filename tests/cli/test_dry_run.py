# SPDX-License-Identifier: Apache-2.0
"""hornbeam run --dry-run: memory, time and the step that the particles ask for; nothing is written."""
import re

import h5py
import numpy as np


def test_it_writes_nothing_and_suggests_a_step(hornbeam, config):
    name = config("[gravity]\neps = 0.05\n", n=3000, dt=0.5, end=8)
    out = hornbeam.ok("run", name, "--dry-run")
    assert not (hornbeam.folder / "out").exists()
    assert "dry run, nothing is written: 3000 particles on" in out and "16 steps: about 0:" in out
    assert re.search(r"memory: at most \d+(\.\d+)? [KMG]B of the host", out), out
    all_of_them, most = map(float, re.search(r"is (\S+) for all particles and (\S+) for 99 %", out).groups())
    # from the accelerations that the run's first snapshot holds
    hornbeam.ok("run", name, "--set", "time.end=0.5", "--set", "watchdog.energy=0")
    with h5py.File(hornbeam.folder / "out" / "snapshot_0000.hdf5") as file:
        size = np.linalg.norm(file["PartType1/Acceleration"][:], axis=1)
    times = np.sort(0.3 * np.sqrt(0.05 / size))
    assert np.isclose(all_of_them, times[0], rtol=0.02) and np.isclose(most, times[30], rtol=0.02)
    assert f"dt is longer than this for {np.searchsorted(times, 0.5)} particles" in out
    assert "WARNING" not in hornbeam.ok("run", name, "--dry-run", "--set", f"time.dt={times[0] / 2}")


def test_it_is_no_resume(hornbeam, config):
    for other in ("--resume", "--overwrite", "--resume-or-start"):
        assert "--dry-run" in hornbeam.error(2, "run", config(), "--dry-run", other)


def test_block_steps(hornbeam, config):
    out = hornbeam.ok("run", config("[gravity]\neps = 0.05\n"), "--dry-run", "--set", "time.steps=block")
    assert "step: 0.3 sqrt(eps / |a|) is" in out and "WARNING: dt" not in out and "steps of different lengths" in out
