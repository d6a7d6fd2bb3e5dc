# SPDX-License-Identifier: Apache-2.0
"""The build backend of `pip install .` (pyproject.toml): scikit-build-core's, with progress and the minutes left on the
terminal, since pip hides what a build prints."""

import importlib
import os
import re
import threading
import time
from contextlib import contextmanager, suppress

STEP = re.compile(rb"^\[\s*(?:(\d+)/(\d+)|(\d+)%)\]")  # ninja's [45/193] and make's [ 23%]
EVERY = 30.0  # seconds between two lines


def core():
    return importlib.import_module("scikit_build_core.build")


def announcement(cores):
    """What to expect, of a build without CUDA: 5 to 10 minutes on two cores (docs/install.md)."""
    least, most = (max(1, round(minutes * 2 / cores)) for minutes in (5, 10))
    minutes = f"{least} to {most} minutes" if most > least else "about a minute"
    return f"Hornbeam is compiled: this takes {minutes} on {cores} core{'s' if cores > 1 else ''}, and more with CUDA."


def remaining(fraction, seconds):
    """A line for a fraction of the build that took that many seconds."""
    minutes = seconds * (1 - fraction) / fraction / 60
    left = "less than a minute" if minutes < 1 else f"about {minutes:.0f} minute{'s' if minutes >= 1.5 else ''}"
    return f"  {100 * fraction:.0f} % compiled, {left} left"


def watch(source, target, terminal):
    """Copies a build's output from one file descriptor to another, and prints its progress on the terminal."""
    began = last = time.monotonic()
    with os.fdopen(source, "rb") as lines:
        for line in lines:
            os.write(target, line)
            if (step := STEP.match(line)) is None:
                continue
            done, of = (int(step[3]), 100) if step[3] else (int(step[1]), int(step[2]))
            now = time.monotonic()
            if done and now - last > EVERY:
                terminal.write(f"\n{remaining(done / of, now - began)}\n")
                last = now


@contextmanager
def progress():
    """While it is open, what is printed by this process and its children is watched. Without a terminal nothing changes,
    nor where the output is on it already."""
    terminal = None
    if not os.isatty(1):
        with suppress(OSError):
            terminal = open("/dev/tty", "w", buffering=1, encoding="utf-8")  # noqa: SIM115: closed below
    if terminal is None:
        yield
        return
    terminal.write(f"\n{announcement(len(os.sched_getaffinity(0)))}\n")
    kept = os.dup(1)
    source, sink = os.pipe()
    os.dup2(sink, 1)
    os.close(sink)
    watcher = threading.Thread(target=watch, args=(source, kept, terminal))
    watcher.start()
    try:
        yield
    finally:
        os.dup2(kept, 1)  # the last writer of the pipe ends here, and so the watcher
        watcher.join()
        os.close(kept)
        terminal.close()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with progress():
        return core().build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    with progress():
        return core().build_editable(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    return core().build_sdist(sdist_directory, config_settings)


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    return core().prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def prepare_metadata_for_build_editable(metadata_directory, config_settings=None):
    return core().prepare_metadata_for_build_editable(metadata_directory, config_settings)


def get_requires_for_build_wheel(config_settings=None):
    return core().get_requires_for_build_wheel(config_settings)


def get_requires_for_build_editable(config_settings=None):
    return core().get_requires_for_build_editable(config_settings)


def get_requires_for_build_sdist(config_settings=None):
    return core().get_requires_for_build_sdist(config_settings)
