#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs killed at any moment, and resumed until they are done: the bits are those of runs that nobody killed."""

import json
import shutil
import signal
import time

from common import Attack
from runs import all_configurations, differences, mode_to_go_on


class Kills(Attack):
    name, about, count = "kills", __doc__, 200

    def prepare(self):
        self.texts, self.runs = all_configurations(), {}
        self.landed = {"before the first checkpoint": 0, "while it ran": 0, "after its end": 0}

    def undisturbed(self, kind):
        """The folder, the output and the seconds of the run that nobody kills, which the first case of its kind makes."""
        if kind not in self.runs:
            folder = self.ground / kind
            folder.mkdir()
            (folder / "run.toml").write_text(self.texts[kind])
            began = time.monotonic()
            out = self.must("run", "run.toml", "--backend", self.options.backend, folder=folder)
            self.runs[kind] = folder, out, time.monotonic() - began
        return self.runs[kind]

    def more(self):
        return {"signals": self.landed}

    def attempt(self, case):
        kind = case.rng.choice(list(self.texts))
        folder, whole_out, duration = self.undisturbed(kind)
        shutil.copy(folder / "run.toml", case.folder)
        how = case.rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
        case.kind = f"{kind}: {how.name}"
        mode = []
        for _ in range(case.rng.choice([1, 1, 2, 3])):
            near = case.rng.choice([True, True, False])  # a kill at an output is the one that loses something
            delay = case.rng.uniform(0, 0.05) if near else case.rng.uniform(0, 1.1 * duration)
            done = self.interrupted(case, mode, how, delay, case.rng.randrange(5) if near else None)
            if case.wrong:
                return
            mode = mode_to_go_on(case.folder / "out")
            if done.status == 0 and self.is_finished(case):
                break
        if not self.is_finished(case):
            done = case.run("run", "run.toml", "--backend", case.backend, *mode, seconds=60)
            if done.status != 0:
                return case.complain(f"cannot go on with {' '.join(mode)}: {done.err.strip()}")
        # of one killed after its end, its last lines are lost, and a finished run that is resumed has none
        is_silent = done.status == -signal.SIGKILL or "nothing is left to do" in done.out + done.err
        told = None if is_silent else done.out
        for text in differences(case.folder / "out", folder / "out", told, whole_out):
            case.complain(f"after {how.name}: {text}", f"after {how.name}: {' '.join(text.split()[:5])}")
        self.look_for_litter(case, how)

    def interrupted(self, case, mode, how, delay, output=None):
        """One run that is given a signal after so many seconds, of its start or of an output, of which it waits for that
        many."""
        arguments = ["run", "run.toml", "--backend", case.backend, "--threads", case.rng.choice([1, 2]), *mode]
        case.note([*arguments, f"# {how.name} after {delay:.3f} s"])
        checkpoint = case.folder / "out" / "checkpoint.hdf5"
        before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else None
        running = self.program.start(arguments, case.folder)
        for _ in range(output + 1 if output is not None else 0):
            self.wait_for_file(case.folder / "out", running)
        ended = running.wait(delay)
        running.send(how)
        done = running.finish(30)
        # a process that has written none has nothing to lose: it may end before it listens to signals
        began = checkpoint.exists() and checkpoint.stat().st_mtime_ns != before
        self.landed["after its end" if ended else "while it ran" if began else "before the first checkpoint"] += 1
        if done.status == -how and not done.hung:
            if how != signal.SIGKILL and began:
                case.complain(f"{how.name} ended it at once, though there was a checkpoint to write")
            return done
        case.judge(done)
        if (done.status == 4) == self.is_finished(case) and done.status in (0, 4):
            case.complain(f"{how.name}: status {done.status}, finished: {self.is_finished(case)}")
        if done.status == 4 and "--resume" not in done.out:
            case.complain(f"{how.name}: stopped without saying how to go on")
        return done

    def wait_for_file(self, out, running):
        """Until the next file of the run is there, or the run has ended."""
        def newest():
            return max((path.stat().st_mtime_ns for path in out.glob("[sgcre]*") if path.exists()), default=0)

        before = newest()
        while not running.wait(0.0005):
            try:
                if newest() != before:
                    return
            except FileNotFoundError:  # replaced between the two looks
                return

    def is_finished(self, case):
        """run.json is written at the end of each run that was not killed."""
        path = case.folder / "out" / "run.json"
        return path.exists() and json.loads(path.read_text())["totals"]["finished"]

    def look_for_litter(self, case, how):
        """Hidden files of a killed process may stay (docs/formats.md); nothing else may."""
        for path in (case.folder / "out").iterdir():
            known = path.name.startswith(("snapshot_", "groups_", "checkpoint", "energy.csv", "ring.csv", "run.json",
                                          "black_holes.csv", "rungs.csv", "hornbeam.lock"))
            hidden = path.name.startswith(".") and path.name.endswith(".tmp")
            if not known and not (hidden and how == signal.SIGKILL) or path.name.endswith(".new"):
                case.complain(f"left behind: {path.name}")


if __name__ == "__main__":
    Kills().main()
