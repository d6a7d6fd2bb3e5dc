# SPDX-License-Identifier: Apache-2.0
"""What a type checker makes of the package, as users see it: right uses pass, wrong ones are found."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import hornbeam

RIGHT = """
import hornbeam as hb
import numpy as np

sphere: hb.Snapshot = hb.ic.plummer(1000, seed=1)
acceleration, potential = hb.both(sphere.position, 1 / 1000, eps=0.01, theta=0.5)
tree = hb.Tree(np.zeros((3, 3)), np.ones(3), box=1.0)
offset, index, distance = tree.within(0.3)
total: float = float(distance.sum())
pairs = hb.collisions(sphere.position, 0.1, box=4.0).pairs
with hb.Simulation(sphere, dt=1 / 64) as sim:
    sim.run(until=1.0, callback=lambda s: print(s.time), every=0.5)
    later: hb.Snapshot = sim.at(1.5)
    names: str = sim.backend + hb.__version__
"""

WRONG = """
import hornbeam as hb

hb.collisions([[0, 0, 0]])
hb.Tree([[0, 0, 0]]).nearest("two")
name: int = hb.Simulation(hb.ic.plummer(10), dt=0.1).backend
hb.acelerations([[0, 0, 0]], 1.0)
"""


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    """What a type checker says of both, asked once: most of its time goes to what they import."""
    pytest.importorskip("mypy", reason="mypy is not installed")
    folder = tmp_path_factory.mktemp("users")
    for name, text in (("right.py", RIGHT), ("wrong.py", WRONG)):
        (folder / name).write_text(text)
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--follow-imports", "silent", "--cache-dir",
                           os.devnull, "right.py", "wrong.py"], capture_output=True, text=True, cwd=folder,
                          timeout=240, env={**os.environ, "MYPYPATH": str(Path(hornbeam.__file__).parents[1])})
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def errors_of(name, output):
    """Of an installed package nothing but its types counts; here it is beside the user's files."""
    return [line for line in output.splitlines() if line.startswith(f"{name}:") and ": error:" in line]


def test_right_uses_pass(output):
    assert not errors_of("right.py", output), output


def test_wrong_uses_are_found(output):
    assert len(errors_of("wrong.py", output)) == 4, output


def test_the_module_has_its_stub():
    folder = Path(hornbeam.__file__).parent
    assert (folder / "py.typed").exists()
    stub = folder / "_core.pyi"
    if not stub.exists():
        pytest.skip("the target hornbeam_python_stub was not built")
    text = stub.read_text()
    assert "def forces(" in text and "class LentArray" in text
