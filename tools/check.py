#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds what an edit changed, and runs the unit tests and the tests of the folders that changed, within two minutes.

`make check` calls it after the build folder is configured. Tests that would end later by their last time are listed."""

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path

from run_tests import tests_of

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"

# Tests beside unit/ of the sources whose path begins so: regular expressions of ctest's names. All that match count.
TESTS_OF = {
    "include/": "cli/(library|prose)|python/package",
    "src/analysis/": "cli/(analyze|groups|plot)|python/analysis",
    "src/cli/": "cli/(commands|words|prose|shell|terminal)",
    "src/core/": "properties/|cli/(units|files)",
    "src/device/": "backends/(Ranks|Programs|OpenCl|Launches|.*OnDevices|.*Sort|DeviceTree|Portable)",
    "src/dynamics/": "backends/(Rungs|RestartOf|GivenUp)|physics/|cli/dynamics",
    "src/ics/": "cli/(init|commands)",
    "src/interactions/collisions/": "backends/(Collisions|Meetings|Touching)|cli/(meetings|ring|bodies)",
    "src/interactions/external/": "backends/External|cli/dynamics",
    "src/interactions/gravity/": "backends/(OnDevices|All/Accuracy|.*Bits|ClosePairs|Conserve|Direct)|properties/|cli/force",
    "src/interactions/groups/": "backends/Friends|cli/groups",
    "src/interactions/neighbours/": "backends/(DeviceNeighbours|PairWalks|DomainSearch)|cli/meetings|python/contacts",
    "src/interactions/own/": "physics/OwnForce|python/own_forces",
    "src/interactions/sph/": "backends/Gas|physics/Gas|cli/gas",
    "src/io/": "fuzz/|cli/(files|numpy|units)|python/snapshots",
    "src/kernels/": "backends/(OnDevices|PairWalks|Gas|Launches|Programs|Portable)",
    "src/materials/": "backends/GasMaterials|physics/Bodies",
    "src/physics/": "backends/(Portable|All/Accuracy|OnDevices|.*Bits)|properties/",
    "src/render/": "cli/(plot|examples)|python/pictures",
    "src/run/": "cli/(run|prose|records|gas_times|gas_agrees|dynamics|init)|fuzz/config",
    "src/simulation/": "backends/(RestartOf|Several)|physics/|cli/run",
    "src/stages/": "backends/(Portable|DeviceTree|Rungs|OnDevices)",
    "src/tree/": "backends/(DeviceTree|DomainSearch|Frame|MemoryPlan)|properties/",
    "src/view/": "cli/view|python/view",
    "src/walk/": "backends/(OnDevices|PairWalks|.*Bits|DeviceNeighbours)|properties/",
    "python/": "cli/prose|python/(arrays|bits|forces|package|simulation|snapshots|typing|wrong)",
    "docs/": "cli/(docs|prose)|python/(docs|site)",
    "README.md": "cli/(docs|prose)",
    "CHANGELOG.md": "cli/(docs|prose)",
    "CONTRIBUTING.md": "cli/(docs|prose)",
    "CMakeLists.txt": "cli/(install|release)",
    "CITATION.cff": "cli/release",
    "packaging/": "cli/release",
    "tools/": "cli/(install|release)",
    "bench/suites/": "cli/bench",
    "examples/": "cli/examples",
    "tests/properties/": "properties/",
    "tests/physics/": "physics/",
    "tests/attack/": "attack",
}
TARGETS = {"unit": "test_unit", "backends": "test_backends", "physics": "test_physics", "properties": "test_properties",
           "cli": "hornbeam hornbeam-bench", "attack": "hornbeam", "python": "hornbeam hornbeam_python hornbeam_python_stub",
           "fuzz": "replay_tipsy replay_gadget_binary replay_csv replay_numpy replay_config"}


def changed_since(commit):
    """Paths that differ from `commit` or are new; those of the last commit where none does."""
    def git(*arguments):
        return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=True).stdout.split("\n")

    paths = git("diff", "--name-only", commit) + git("ls-files", "--others", "--exclude-standard")
    paths = [path for path in paths if path]
    return paths or [path for path in git("diff", "--name-only", "HEAD~1") if path]


def expressions(path):
    """Regular expressions of the tests that a changed file asks for, the nearest first."""
    stem = Path(path).stem.removeprefix("test_").removesuffix("_test")
    if path.startswith(("tests/cli/", "tests/python/")) or path.startswith(("src/cli/", "python/hornbeam/")):
        yield f"{'cli' if '/cli/' in path else 'python'}/{re.escape(stem)}$"
    if path.startswith("tests/backends/") and path.endswith("_test.cpp"):
        suites = re.findall(r"^TEST(?:_[FP])?\((\w+),", (ROOT / path).read_text(), re.MULTILINE) if (ROOT / path).exists() else []
        if suites:
            yield f"backends/(.*/)?({'|'.join(sorted(set(suites)))})$"
    for prefix, tests in TESTS_OF.items():
        if path.startswith(prefix):
            yield f"^({tests})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--since", default="HEAD", help="commit with which the files are compared")
    parser.add_argument("-j", "--jobs", default="2")
    options = parser.parse_args()
    started = time.time()
    wanted = ["^unit/", *dict.fromkeys(one for path in changed_since(options.since) for one in expressions(path))]
    # programs first: ctest lists the tests of those that are there
    folders = {folder for folder in TARGETS if any(re.search(rf"\b{folder}\b", one) for one in wanted)}
    targets = sorted({target for folder in folders for target in TARGETS[folder].split()})
    subprocess.run(["cmake", "--build", BUILD, "-j", options.jobs, "--target", *targets], check=True)
    labels = tests_of(BUILD)
    names = [name for one in wanted for name in labels if "fast" in labels[name] and re.search(one, name)]
    return subprocess.call([ROOT / "tools" / "run_tests.py", BUILD, "-j", options.jobs, "--started", str(started),
                            "--until", "2", "--names", *dict.fromkeys(names)])


if __name__ == "__main__":
    sys.exit(main())
