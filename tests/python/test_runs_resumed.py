# SPDX-License-Identifier: Apache-2.0
"""hb.run() that is resumed: started where no run is, left alone where it has finished, continued after a signal."""

import signal
import subprocess
import sys

import pytest

import hornbeam as hb

OPTIONS = {"model": "plummer", "n": 64, "seed": 1, "dt": 0.125, "eps": 0.1, "threads": 1, "backend": "cpu"}


def test_resume_or_start(tmp_path):
    folder = {"directory": str(tmp_path / "out"), "every": 0.25}
    first = hb.run(**OPTIONS, end=0.25, output=folder, resume_or_start=True)
    assert first["totals"]["finished"] and first["totals"]["steps"] == 2
    assert hb.run(**OPTIONS, end=0.5, output=folder, resume_or_start=True)["totals"]["steps"] == 4
    state = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()}
    said = []
    again = hb.run(**OPTIONS, end=0.5, output=folder, resume=True, tell=lambda kind, what: said.append((kind, what)))
    assert again["totals"]["steps"] == 4 and [kind for kind, _ in said] == ["note"] and "nothing is left" in said[0][1]
    assert {path.name: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()} == state
    with pytest.raises(hb.UsageError, match="resume_or_start: cannot be combined with overwrite"):
        hb.run(**OPTIONS, end=0.5, output=folder, resume_or_start=True, overwrite=True)


STOPPED = """
import os, signal, threading, hornbeam as hb
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
def tell(kind, what):
    if kind == "output" and what["index"] == 1:
        threading.Timer(0.1, os.kill, (os.getpid(), signal.{name})).start()
    elif kind == "remark":
        print(what)
hb.run(model="plummer", n=64, dt=0.125, eps=0.1, threads=1, backend="cpu", end=1e5,
       output={{"directory": "out", "every": 1}}, tell=tell)
"""


@pytest.mark.parametrize("name, status", [("SIGINT", -signal.SIGINT), ("SIGTERM", 4), ("SIGUSR1", 4), ("SIGHUP", 4)])
def test_a_signal_leaves_a_checkpoint_and_says_how_to_go_on(tmp_path, name, status):
    done = subprocess.run([sys.executable, "-c", STOPPED.format(name=name)], cwd=tmp_path, capture_output=True, text=True,
                          timeout=60)
    words = done.stderr.strip().splitlines()[-1].removeprefix("KeyboardInterrupt: ")
    assert done.returncode == status and words == done.stdout.splitlines()[-1], done
    assert words.startswith("stopped at t = ") and words.endswith("checkpoint.hdf5"), words
    assert "resume=True goes on from" in words and (tmp_path / "out/checkpoint.hdf5").exists()
    state = hb.read(tmp_path / "out/checkpoint.hdf5")
    assert state.time >= 1
    folder = {"directory": str(tmp_path / "out"), "every": 1}
    more = hb.run(**{**OPTIONS, "seed": None}, end=state.time + 0.25, output=folder, resume=True, allow_changes=True)
    assert more["totals"]["finished"]
