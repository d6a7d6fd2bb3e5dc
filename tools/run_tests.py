#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs ctest and reports what was skipped, the ten slowest tests, and the minutes of the build and of the tests.

ctest's own summary closes the output. `make test`, `make check`, `make test-all` and `.ci/run` call this script.
tests/seconds.json holds the recorded seconds of the long tests, and of all fast ones together."""

import argparse
import json
import re
import shlex
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

RECORD = Path(__file__).resolve().parents[1] / "tests" / "seconds.json"
SUMMARY = re.compile(r"\d+% tests passed|No tests were found")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build", type=Path, help="build folder")
    parser.add_argument("--label", default="fast", help="run the tests with this label")
    parser.add_argument("--without-label", default="", help="except those with this label")
    parser.add_argument("--names", nargs="+", metavar="NAME", help="run these tests only")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--started", type=float, default=time.time(), help="when the build began, in seconds since 1970")
    parser.add_argument("--until", type=float, metavar="MINUTE",
                        help="run only tests that end before this minute since --started by their recorded time")
    parser.add_argument("--repeat-summary", metavar="LABEL", help="print ctest's summary of an earlier run, too")
    parser.add_argument("--record", action="store_true", help="write the seconds of this run into tests/seconds.json")
    parser.add_argument("--ctest", default="", metavar="OPTIONS", help="further options of ctest, as one word")
    return parser.parse_args()


def tests_of(build):
    """All tests of the build folder: {name: set of labels}."""
    command = ["ctest", "--test-dir", build, "--show-only=json-v1"]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    labels = {}
    for test in told["tests"]:
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        labels[test["name"]] = set(properties.get("LABELS", []))
    return labels


def chosen(labels, options):
    names = labels if options.names is None else options.names
    return [name for name in names if options.label in labels[name] and options.without_label not in labels[name]]


def fitting(names, seconds_of_test, allowed):
    """Splits names, in their order, into those that end within `allowed` seconds one after the other, and those left out
    with the reason."""
    kept, left = [], []
    for name in names:
        needed = seconds_of_test(name)
        if needed is not None and needed <= allowed:
            kept.append(name)
            allowed -= needed
        else:
            left.append(f"{name} ({needed:.0f} s)" if needed is not None else f"{name} (no recorded time)")
    return kept, left


def run_ctest(command):
    """Prints ctest's lines as they come, except its summary. Returns the exit status and the lines of the summary."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    summary = []
    for line in process.stdout:
        if summary or SUMMARY.match(line):
            summary.append(line.rstrip("\n"))
        else:
            print(line, end="", flush=True)
    return process.wait(), summary


class State:
    """What runs leave behind in the build folder, and tests/seconds.json."""

    def __init__(self, folder):
        folder.mkdir(exist_ok=True)
        self.folder, self.report, self.last = folder, folder / "report.xml", folder / "seconds.json"
        self.report.unlink(missing_ok=True)
        self.recorded = json.loads(RECORD.read_text())
        self.here = json.loads(self.last.read_text()) if self.last.exists() else {}

    def summary_of(self, label):
        return self.folder / f"summary_{label}.txt"

    def expected(self, name):
        """Seconds of a test on this machine; None if neither this folder nor the record has it."""
        if name in self.here:
            return self.here[name]
        pace = self.here["all fast"] / self.recorded["fast"] if "all fast" in self.here else 1
        return self.recorded["long"][name] * pace if name in self.recorded["long"] else None

    def seconds(self):
        """{name: seconds} of the run that has ended; empty if ctest wrote no report."""
        if not self.report.exists():
            return {}
        cases = ElementTree.parse(self.report).getroot().iter("testcase")
        return {case.get("name"): float(case.get("time")) for case in cases}

    def keep(self, options, labels, seconds):
        self.here.update(seconds)
        if options.label == "fast" and not options.names and not options.ctest:
            self.here["all fast"] = sum(seconds.values())
        self.last.write_text(json.dumps(self.here, indent=1) + "\n")
        if options.record:
            long = {name: round(seconds[name]) for name in seconds if "long" in labels.get(name, ())}
            long = dict(sorted({**self.recorded["long"], **long}.items()))
            record = {"fast": round(self.here.get("all fast", self.recorded["fast"])), "long": long}
            RECORD.write_text(json.dumps(record, indent=1) + "\n")


def skips(log):
    """The reasons for skips that GoogleTest and pytest print, each once, with the first test that gave it."""
    found, name = {}, ""
    for line in log.read_text(errors="replace").splitlines() if log.exists() else []:
        if header := re.match(r"\d+/\d+ Testing: (.*)", line):
            name = header[1]
        elif reason := re.search(r"SKIPPED: .*|^\[  SKIPPED \] on .*|^SKIPPED \[\d+\] .*", line):
            found.setdefault(reason[0], name)
    return [f"{name}: {reason}" for reason, name in found.items()]


def print_list(title, lines):
    if lines:
        print(f"\n{title}:", *lines, sep="\n  ")


def print_report(seconds, skipped, left, build_seconds, test_seconds):
    print_list("Skipped", skipped)
    print_list("Left out, as they would end too late", left)
    slowest = sorted(seconds, key=seconds.get, reverse=True)[:10]
    print_list("The ten slowest", [f"{seconds[name]:6.1f} s  {name}" for name in slowest])
    built = f"build {build_seconds / 60:.1f} min, " if build_seconds > 1 else ""
    print(f"\nMinutes: {built}tests {test_seconds / 60:.1f} min ({sum(seconds.values()):.0f} s of tests, side by side)\n")


def main():
    options = arguments()
    begun = time.time()
    state = State(options.build / "Testing")
    labels = tests_of(options.build)
    names, left = chosen(labels, options), []
    if options.until is not None:
        allowed = options.started + 60 * options.until - begun
        if options.label == "long":  # these take all processors, one after the other
            names.sort(key=lambda name: state.recorded["long"].get(name, 0))
        else:
            allowed *= options.jobs
        # a fast test that has not run in this folder yet counts as one second: a new folder must not leave all out
        unknown = None if options.label == "long" else 1.0
        names, left = fitting(names, lambda name: state.expected(name) or unknown, allowed)

    command = ["ctest", "--test-dir", options.build, "--output-on-failure", "-j", str(options.jobs), "--output-junit",
               state.report.resolve(), "-L", options.label]
    if options.names or options.until is not None:
        command += ["-R", "^(" + "|".join(re.sub(r"([^\w/-])", r"\\\1", name) for name in names) + ")$"]
    elif options.without_label:
        command += ["-LE", options.without_label]
    status, summary = run_ctest(command + shlex.split(options.ctest))

    seconds = state.seconds()
    print_report(seconds, skips(state.folder / "Temporary" / "LastTest.log"), left, begun - options.started,
                 time.time() - begun)
    state.keep(options, labels, seconds)
    if options.repeat_summary:
        print(f"Tests with the label {options.repeat_summary}:")
        print(state.summary_of(options.repeat_summary).read_text(), f"\nTests with the label {options.label}:", sep="\n")
    text = "\n".join(summary)
    state.summary_of(options.label).write_text(text)
    print(text, flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
