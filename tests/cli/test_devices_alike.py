# SPDX-License-Identifier: Apache-2.0
"""All devices are one interface: only device/ and folders named host/ ask which one it is, or cast to its classes."""

import re
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src"
ASKS = re.compile(r"device\w*(\.|->)host\(\)|hardware\(\)\.host\(\)|is_host\(\)"
                  r"|(static|dynamic)_cast<(const )?(Device|Host|Cuda|OpenCl|OpenCL)\w*\s*[&*]>")


def test_only_folders_of_the_host_ask():
    asked = []
    for file in sorted(SOURCE.rglob("*")):
        place = file.relative_to(SOURCE)
        if file.suffix not in (".h", ".cpp", ".cu") or place.parts[0] == "device" or "host" in place.parts[:-1]:
            continue
        lines = file.read_text(encoding="utf-8").splitlines()
        asked += [f"{place}:{k + 1}: {line.strip()}" for k, line in enumerate(lines) if ASKS.search(line)]
    assert asked == []
