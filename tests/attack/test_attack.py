# SPDX-License-Identifier: Apache-2.0
"""The attacks in their short form (ctest -L fast) and with all their cases (-m long), and that they can fail."""

import subprocess
import sys
from pathlib import Path

import pytest

from common import Program, complaints

HERE = Path(__file__).resolve().parent
# cases and seed, of which many kinds come: every damage to a checkpoint, every kind of steps and every signal
SHORT = {"files": (52, 7), "checkpoints": (14, 7), "kills": (6, 95), "disks": (5, 1), "folder": (4, 5), "forces": (20, 3)}
FULL = {"files": 10000, "checkpoints": 2000, "kills": 400, "disks": 100, "folder": 50, "forces": 2000}


@pytest.fixture(scope="module")
def short_attacks(request, tmp_path_factory):
    """The folder with the status and the output of each."""
    folder = tmp_path_factory.mktemp("attacks")
    command = [sys.executable, str(HERE / "several.py"), str(folder), request.config.getoption("--hornbeam")]
    subprocess.run([*command, *(f"{name}={count},{seed}" for name, (count, seed) in SHORT.items())], check=True)
    return folder


@pytest.mark.parametrize("name", SHORT)
def test_short_attack_finds_nothing(short_attacks, name):
    status, out = ((short_attacks / f"{name}.{kind}").read_text() for kind in ("status", "out"))
    assert status == "0\n", out[-8000:]
    assert f'"cases": {SHORT[name][0]}, "failed": 0' in out


@pytest.mark.long
@pytest.mark.parametrize("name", FULL)
def test_full_attack_finds_nothing(request, tmp_path, name):
    command = [sys.executable, str(HERE / f"{name}.py"), "--program", request.config.getoption("--hornbeam"), "--count",
               str(FULL[name]), "--seed", "2", "--keep", str(tmp_path / "kept")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def outcome_of(tmp_path, script, seconds=10):
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\n" + script + "\n")
    program.chmod(0o755)
    return Program(program, seconds, None).run([], tmp_path)


@pytest.mark.parametrize("script, part", [
    ("kill -SEGV $$", "signal 11"),
    ("exit 7", "exit status 7"),
    ("exit 1", "not one line"),
    ("echo 'hornbeam: error: a: b (c)' >&2; echo more >&2; exit 1", "not one line"),
    ("echo 'hornbeam: error: [json.exception.type_error.302] type: must be' >&2; exit 1", "raw text"),
    ("echo 'energy -nan'", "number that is none"),
    ("echo '\"a\": inf,'", "number that is none"),
    ("echo noise >&2", "standard error"),
    ("echo '==1==ERROR: AddressSanitizer: heap-use' >&2; exit 1", "sanitizer"),
])
def test_what_is_wrong_is_found(tmp_path, script, part):
    found = complaints(outcome_of(tmp_path, script))
    assert len(found) == 1 and part in found[0]


def test_what_hangs_is_found_and_ended(tmp_path):
    assert "hangs" in complaints(outcome_of(tmp_path, "exec sleep 60", seconds=0.1))[0]


def test_memory_is_judged(tmp_path):
    outcome = outcome_of(tmp_path, "true")
    assert complaints(outcome, most_memory=1) and not complaints(outcome, most_memory=1 << 30)


@pytest.mark.parametrize("script", ["echo 'info 1 information infinite banana'", "exit 0",
                                    "echo 'hornbeam: error: a.hdf5: is damaged (take another)' >&2; exit 1"])
def test_what_is_right_is_left_alone(tmp_path, script):
    assert complaints(outcome_of(tmp_path, script)) == []


def test_the_own_sum_is_right():
    """Two particles, by hand; and the spline's ends: -2.8 m / h at the middle, Newton's beyond h = 2.8 eps."""
    import numpy as np

    from direct import sum_directly

    x, mass = np.array([[0.0, 0, 0], [3, 0, 0], [3, 4, 0]]), np.array([1.0, 2.0, 0.0])
    sums = sum_directly(x, mass, np.zeros(3), "plummer", np.arange(3))
    assert np.allclose(sums.acceleration.astype(float)[0], [2 / 9, 0, 0])
    assert np.allclose(sums.potential.astype(float), [-2 / 3, -1 / 3, -1 / 5 - 2 / 4])
    soft = sum_directly(x[:2], mass[:2], np.full(2, 1.0), "spline", np.arange(2))
    assert np.allclose(soft.acceleration.astype(float)[0], [2 / 9, 0, 0])
    close = sum_directly(x[:2] * 1e-9, mass[:2], np.full(2, 1.0), "spline", np.arange(2))
    assert np.allclose(close.potential.astype(float), [-2, -1])
    both = [sum_directly(np.array([[0.0, 0, 0], [r, 0, 0]]), mass[:2], np.full(2, 1.0), "spline", np.arange(2))
            for r in (1.4 - 1e-9, 1.4 + 1e-9, 2.8 - 1e-9, 2.8 + 1e-9)]
    for inner, outer in (both[:2], both[2:]):  # the pieces meet
        assert np.allclose(inner.acceleration.astype(float), outer.acceleration.astype(float), rtol=1e-7)
        assert np.allclose(inner.potential.astype(float), outer.potential.astype(float), rtol=1e-7)
