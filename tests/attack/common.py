# SPDX-License-Identifier: Apache-2.0
"""What every attack shares: running the program with limits, judging how it ended, and keeping the cases that failed."""

import argparse
import json
import os
import random
import re
import resource
import select
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

ERROR_LINE = re.compile(r"hornbeam: error: [^\n]*\S: [^\n]+\n")
ADVICE = re.compile(r"\([^()]+(\([^()]*\)[^()]*)*\)$")
NO_NUMBER = re.compile(r"(?<![\w.])[-+]?(nan|inf|infinity)(?![\w(])", re.IGNORECASE)
# Of what is asked for and not there (the HDF5 library asks for what damaged files say) a sanitizer talks, too.
NO_ROOM = re.compile(r"^==\d+==WARNING: AddressSanitizer failed to allocate .*\n", re.MULTILINE)
SANITIZER = re.compile(r"AddressSanitizer|LeakSanitizer|runtime error:|UndefinedBehaviorSanitizer")
# What a library says to programmers, and users should not meet.
RAW = re.compile(r"json\.exception|basic_string|vector::|map::at|std::|HDF5-DIAG|terminate called|bad_alloc")


class Outcome:
    """How one command ended."""

    def __init__(self, command, status, out, err, seconds, peak, hung):
        self.command, self.status, self.out, self.err = command, status, out, err
        self.seconds, self.peak, self.hung = seconds, peak, hung
        self.pid = self.began = None


def complaints(outcome, statuses=(0, 1, 2, 4), most_memory=None, quiet=True):
    """What is wrong with the way a command ended, as a list of sentences; empty where nothing is."""
    if outcome.hung:
        return [f"hangs: still there after {outcome.seconds:.0f} s"]
    found = []
    if SANITIZER.search(outcome.err):
        found.append("sanitizer: " + next(line for line in outcome.err.splitlines() if SANITIZER.search(line)))
    if outcome.status < 0 or outcome.status >= 128:
        found.append(f"ended by signal {abs(outcome.status)}")
    elif outcome.status not in statuses:
        found.append(f"exit status {outcome.status}")
    if not found:
        found += judged_text(outcome, quiet)
    if most_memory and outcome.peak > most_memory:
        found.append(f"took {outcome.peak / 2**20:.0f} MiB of memory")
    return found


def judged_text(outcome, quiet):
    if RAW.search(outcome.err):
        return ["raw text of a library: " + outcome.err.strip()[:200]]
    if "HDF5: infinite loop" in outcome.err:
        return ["the HDF5 library's own noise on standard error"]
    if outcome.status not in (0, 4):
        if ERROR_LINE.fullmatch(outcome.err):
            return []
        return ["the error is not one line `hornbeam: error: SUBJECT: what (what to do)`: " + repr(outcome.err[:300])]
    found = []
    if quiet and outcome.err:
        found.append("done, but with text on standard error: " + repr(outcome.err[:200]))
    # "eps = nan: must be finite; resuming from ..." tells what was refused
    line = next((line for line in outcome.out.splitlines() if NO_NUMBER.search(line) and "must be" not in line), None)
    if line is not None:
        found.append("status 0 and a number that is none: " + line.strip()[:200])
    return found


class Running:
    """A command under way, with limits, its output in files so that no pipe can fill."""

    def __init__(self, command, folder, limits):
        self.command = command
        self.out, self.err = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0:exitcode=99:allocator_may_return_null=1",
                           UBSAN_OPTIONS="print_stacktrace=1:exitcode=99")
        self.began = time.monotonic()
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=self.out, stderr=self.err,
                                        env=environment, preexec_fn=limits)
        self.pid = self.process.pid
        self.handle = os.pidfd_open(self.pid)
        self.signals = []

    def wait(self, seconds):
        """Whether it ended within these seconds."""
        return bool(select.select([self.handle], [], [], max(seconds, 0.0))[0])

    def send(self, number):
        if self.process.returncode is None and not self.wait(0):
            self.signals.append(int(number))
            os.kill(self.pid, number)

    def finish(self, seconds):
        """The outcome; a command that does not end within these seconds is killed."""
        hung = not self.wait(seconds)
        if hung:
            os.kill(self.pid, 9)
        _, status, usage = os.wait4(self.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        os.close(self.handle)
        texts = []
        for file in (self.out, self.err):
            file.seek(0)
            text = file.read(4 << 20).decode("utf-8", "replace")
            texts.append(NO_ROOM.sub("", text))
            file.close()
        outcome = Outcome(self.command, self.process.returncode, *texts, time.monotonic() - self.began,
                          usage.ru_maxrss * 1024, hung)
        outcome.pid, outcome.began = self.pid, self.began
        return outcome


class Program:
    """The program under attack."""

    def __init__(self, path, seconds, memory, backend="cpu"):
        self.path = str(Path(path).resolve())
        if backend == "cuda":  # it reserves the addresses of all memory, the device's too
            memory = None
        self.reserves = backend == "cuda"
        self.seconds, self.memory = seconds, memory
        with open(self.path, "rb") as file:
            self.sanitized = b"__asan_init" in file.read()
        if self.sanitized:  # its shadow memory counts for nothing, and all takes longer
            self.seconds, self.memory = 5 * seconds, None

    def start(self, arguments, folder):
        return Running([self.path, *map(str, arguments)], folder, self.limits)

    def run(self, arguments, folder, seconds=None):
        return self.start(arguments, folder).finish(seconds or self.seconds)

    def limits(self):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
        # a net, complaints() judges by `memory`; a sanitizer reserves terabytes
        most = resource.RLIM_INFINITY if self.sanitized or self.reserves else 8 << 30
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


class Case:
    """One trial: a folder of its own, random numbers of its own, the commands it ran and what was wrong."""

    def __init__(self, program, folder, rng, backend):
        self.program, self.folder, self.rng, self.backend = program, folder, rng, backend
        self.commands, self.wrong = [], []
        self.kind = ""  # for the summary: what was tried

    def complain(self, text, form=None):
        """Something is wrong; failures of one form are counted together."""
        self.wrong.append((form or signature(text), text))

    def note(self, arguments):
        self.commands.append(shlex.join(["$HORNBEAM", *map(str, arguments)]).replace("'$HORNBEAM'", "$HORNBEAM"))

    def run(self, *arguments, statuses=(0, 1, 2, 4), seconds=None, quiet=True):
        """Runs and judges one command; the outcome's `fine` says whether it was done without complaint."""
        self.note(arguments)
        outcome = self.program.run(arguments, self.folder, seconds)
        return self.judge(outcome, statuses, quiet)

    def judge(self, outcome, statuses=(0, 1, 2, 4), quiet=True):
        found = complaints(outcome, statuses, self.program.memory, quiet)
        for text in found:
            self.complain(f"{text} [{shlex.join(outcome.command[1:])}]")
        outcome.fine = outcome.status == 0 and not found
        if outcome.status in (1, 2, 3) and not found and not ADVICE.search(outcome.err.strip()):
            Tally.without_advice[signature(outcome.err.split(": ", 2)[-1])] = outcome.err.strip()
        return outcome


class Tally:
    """Error lines that say no remedy, one of each form; told, not counted as failures."""

    without_advice = {}


def signature(text):
    """The form of a message: without names, numbers and quoted text, so that like failures count together."""
    text = re.sub(r"\[.*\]$", "", text, flags=re.DOTALL)
    text = re.sub(r"'hornbeam: error: .*", "...", text, flags=re.DOTALL)
    text = re.sub(r"/[\w./-]+|\S+\.(hdf5|csv|npz|npy|tipsy|gadget|toml|png|param|std|agama|galactics)\b", "FILE", text)
    return re.sub(r"-?\d[\d.e+-]*", "#", text)[:160]


def arguments_of(name, about, count, add=None):
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--program", default=str(ROOT / "build" / "hornbeam"))
    parser.add_argument("--count", type=int, default=count, help=f"cases (default: {count})")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="repeat this case alone, and say what it runs")
    parser.add_argument("--keep", default=str(Path(tempfile.gettempdir()) / "hornbeam-attack" / name),
                        help="folder for the files of cases that fail")
    parser.add_argument("--backend", default="cpu", help="cpu, opencl or cuda")
    parser.add_argument("--limit", type=float, default=30, help="seconds one command may take")
    parser.add_argument("--memory", type=float, default=768, help="MiB one command may take")
    if add:
        add(parser)
    return parser.parse_args()


class Attack:
    """An attack names itself and tries cases; `prepare` makes what they share in self.ground."""

    name, about, count = "", "", 100

    def __init__(self):
        self.options = arguments_of(self.name, self.about, self.count, self.add_options)
        self.program = Program(self.options.program, self.options.limit, int(self.options.memory * 2**20),
                               self.options.backend)
        self.keep = Path(self.options.keep).resolve()
        shutil.rmtree(self.keep, ignore_errors=True)
        self.ground = self.keep / "ground"
        self.ground.mkdir(parents=True)
        self.failures, self.kinds, self.failed = {}, {}, 0

    def add_options(self, parser):
        pass

    def prepare(self):
        pass

    def attempt(self, case):
        raise NotImplementedError

    def must(self, *arguments, folder=None):
        """A command without which there is no attack."""
        done = self.program.run(arguments, folder or self.ground)
        if done.status != 0:
            raise SystemExit(f"{self.name}: cannot prepare: {shlex.join(done.command)}: {done.err}")
        return done.out

    def main(self):
        began = time.monotonic()
        # h5py, too, meets sizes that nothing stands for
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, resource.getrlimit(resource.RLIMIT_AS)[1]))
        self.prepare()
        only = self.options.only
        indices = range(self.options.count) if only is None else [only]
        for index in indices:
            self.one(index)
        summary = {"attack": self.name, "program": self.options.program, "backend": self.options.backend,
                   "seed": self.options.seed, "cases": len(indices), "failed": self.failed,
                   "seconds": round(time.monotonic() - began, 1), "tried": dict(sorted(self.kinds.items())),
                   "failures": {form: len(which) for form, which in self.failures.items()},
                   "errors_without_advice": sorted(Tally.without_advice.values())[:40], **self.more()}
        print(json.dumps(summary))
        shutil.rmtree(self.ground, ignore_errors=True)
        sys.exit(1 if self.failed else 0)

    def more(self):
        """Figures that an attack adds to the summary."""
        return {}

    def one(self, index):
        folder = self.keep / f"case_{index:06}"
        folder.mkdir()
        case = Case(self.program, folder, random.Random(f"{self.name}/{self.options.seed}/{index}"),
                    self.options.backend)
        self.attempt(case)
        for kind in case.kind.split(": "):
            self.kinds[kind] = self.kinds.get(kind, 0) + 1
        if self.options.only is not None:
            print("\n".join(case.commands))
        if case.wrong:
            self.failed += 1
            self.tell(index, case)
        if not case.wrong and self.options.only is None or not self.is_kept(case):
            shutil.rmtree(folder, ignore_errors=True)

    def is_kept(self, case):
        """The first few of each form are enough to look at."""
        return not case.wrong or any(len(self.failures[form]) <= 5 for form, _ in case.wrong)

    def repetition(self, index):
        """The command that tries a case again."""
        o = self.options
        return shlex.join([sys.executable, sys.argv[0], "--program", o.program, "--seed", str(o.seed), "--only",
                           str(index), "--backend", o.backend, "--keep", str(self.keep) + "-again"])

    def tell(self, index, case):
        again = self.repetition(index)
        lines = [*(text for _, text in case.wrong), "", "again: " + again, "", *case.commands, ""]
        (case.folder / "why.txt").write_text("\n".join(lines))
        for form, text in case.wrong:
            which = self.failures.setdefault(form, [])
            which.append(index)
            if len(which) <= 3:
                print(f"{self.name} {index} ({case.kind}): {text}\n    {case.folder}\n    {again}", flush=True)
