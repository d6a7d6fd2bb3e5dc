# SPDX-License-Identifier: Apache-2.0
"""How the sources are laid out (CONTRIBUTING.md): includes point downward, folders and files stay small."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# from the ground up; a file includes its own floor and those below, kernels/ includes anything
FLOORS = [("core",), ("physics", "materials"), ("stages",), ("device", "memory"), ("tree",), ("walk",), ("interactions",),
          ("dynamics",), ("simulation",), ("analysis", "ics", "io", "render", "view"), ("run",), ("cli",)]
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
GENERATED = re.compile(r"(expansion|transfer)_order_\d+\.h$")


def sources():
    """Text of each source file by its path below the top of the repository."""
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
            for folder in ("src", "include") for path in sorted((ROOT / folder).rglob("*"))
            if path.suffix in (".h", ".cpp", ".cu", ".inc")}


SOURCES = sources()


def room_of(path):
    return path.split("/")[1] if path.startswith("src/") else None


def test_every_folder_has_a_floor():
    assert {room_of(path) for path in SOURCES} - {None, "kernels"} == set(FLOOR_OF)


def test_includes_point_downward():
    up = []
    for path, text in SOURCES.items():
        own = FLOOR_OF.get(room_of(path), len(FLOORS))
        for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, re.MULTILINE):
            target = "src/" + name
            if target in SOURCES and FLOOR_OF.get(room_of(target), len(FLOORS)) > own and room_of(path) != "kernels":
                up.append(f"{path}: {name}")
    assert not up, "\n".join(up)


def test_folders_have_at_most_thirty_files():
    folders = Counter(Path(path).parent.as_posix() for path in SOURCES)
    assert not {folder: count for folder, count in folders.items() if count > 30}


def test_files_have_at_most_four_hundred_lines():
    """A longer one says why in a line with the words `longer than`."""
    assert not [path for path, text in SOURCES.items()
                if text.count("\n") > 400 and not GENERATED.search(path) and "longer than" not in text]


def test_macros_of_many_lines_stay_few():
    assert sum(line.endswith("\\") for text in SOURCES.values() for line in text.split("\n")) < 300


def test_devices_are_told_apart_in_their_own_folders_alone():
    """All devices are one interface: only device/ and folders named host/ ask which one it is, or cast to its classes."""
    inside = re.compile(r"^src/(device/|(.*/)?host/)")
    look = re.compile(r"device\w*(\.|->)host\(\)|hardware\(\)\.host\(\)|is_host\(\)"
                      r"|(static|dynamic)_cast<(const )?(Device|Host|Cuda|OpenCl|OpenCL)\w*\s*[&*]>")
    assert not [f"{path}: {line.strip()}" for path, text in SOURCES.items() if not inside.match(path)
                for line in text.split("\n") if look.search(line)]


def test_steppers_and_systems_name_no_module():
    names = re.compile(r"\b(gas|collisions|sph)", re.IGNORECASE)
    assert not [f"{path}: {line.strip()}" for path, text in SOURCES.items() if path.startswith("src/dynamics/")
                for line in text.split("\n") if names.search(line.split("//")[0])]
