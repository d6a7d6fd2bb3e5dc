#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two and three runs at once into one folder: one goes on, to its own bits; the others end and name its process."""

import shutil
import signal
import time

from common import Attack
from runs import configuration, differences, energies

KIND, SIZE = "shared", 1000
SEEDS = (3, 4, 5)
NO_END = ["--set", "time.end=10000"]  # runs go on until all others have looked, then they are asked to stop
PATIENCE = 30  # seconds that a run may take to give way, or to begin


class Folder(Attack):
    name, about, count = "folder", __doc__, 50

    def prepare(self):
        for seed in SEEDS:
            folder = self.ground / str(seed)
            folder.mkdir()
            (folder / "run.toml").write_text(configuration(KIND, SIZE, end=1.5, seed=seed))
            self.must("run", "run.toml", *self.device(), folder=folder)
        self.must("run", "run.toml", *self.device(), "--set", "output.directory=half", "--set", "time.end=0.5",
                  folder=self.ground / str(SEEDS[0]))

    def device(self):
        return ["--backend", self.options.backend, "--threads", 1]

    def attempt(self, case):
        number = case.rng.choice([2, 2, 3])
        scene = case.rng.choice([self.fresh, self.fresh, self.overwrite, self.resume, self.mixed, self.stale])
        case.kind = f"{scene.__name__}: {number} runs"
        for seed in SEEDS:
            shutil.copy(self.ground / str(seed) / "run.toml", case.folder / f"run{seed}.toml")
        if scene == self.stale:
            return self.stale(case)
        runs = self.start_all(case, scene(case, number))
        self.judge(case, runs)

    def fresh(self, case, number):
        """Into a folder that is not there, of one name or of two that mean the same."""
        names = ["out", "out", "./out", "out/", "../" + case.folder.name + "/out"]
        return [(seed, ["--set", f"output.directory={case.rng.choice(names)}"]) for seed in SEEDS[:number]]

    def overwrite(self, case, number):
        shutil.copytree(self.ground / str(SEEDS[-1]) / "out", case.folder / "out")
        return [(seed, ["--overwrite"]) for seed in SEEDS[:number]]

    def resume(self, case, number):
        shutil.copytree(self.ground / str(SEEDS[0]) / "half", case.folder / "out")
        return [(SEEDS[0], ["--resume"])] * number

    def mixed(self, case, number):
        """One resumes, the others overwrite."""
        shutil.copytree(self.ground / str(SEEDS[0]) / "half", case.folder / "out")
        return [(SEEDS[0], ["--resume"])] + [(seed, ["--overwrite"]) for seed in SEEDS[1:number]]

    def start_all(self, case, plans):
        """Starts them nearly at once; (seed, outcome) of each."""
        started = []
        for seed, flags in plans:
            if started:
                started[0][1].wait(case.rng.choice([0, 0, 0.001, 0.01, 0.05, 0.2]))
            arguments = ["run", f"run{seed}.toml", *self.device(), *NO_END, *flags]
            case.note([*arguments, "&"])
            started.append((seed, self.program.start(arguments, case.folder)))
        self.await_one(case, [running for _, running in started])
        return [(seed, running.finish(60)) for seed, running in started]

    def await_one(self, case, started):
        """Until all runs but one have ended and that one has written rows of its own; then it is asked to stop."""
        last = time.monotonic() + PATIENCE
        while sum(not running.wait(0) for running in started) > 1 and time.monotonic() < last:
            time.sleep(0.01)
        before = self.rows(case)
        while any(not running.wait(0) for running in started) and time.monotonic() < last:
            if self.rows(case) > before:
                break
            time.sleep(0.01)
        (case.folder / "out").mkdir(exist_ok=True)
        (case.folder / "out" / "stop").touch()

    def rows(self, case):
        return len(energies(case.folder / "out") or [])

    def judge(self, case, runs):
        for _, done in runs:
            case.judge(done)
        if case.wrong:
            return
        winners = [(seed, done) for seed, done in runs if done.status in (0, 4)]
        if not winners:
            return case.complain("none of the runs went on")
        if len(winners) > 1:
            case.complain(f"{len(winners)} runs went on in one folder")
        for _, done in runs:
            if done.status not in (0, 4) and not done.hung:
                self.judge_loser(case, done, winners[0][1].pid)
        found = [differences(case.folder / "out", self.ground / str(seed) / "out", shared=True) for seed, _ in winners]
        for text in min(found, key=len):
            case.complain("mixed with another run's: " + text, "mixed: " + text.split()[0][:10])

    def judge_loser(self, case, done, winner):
        if done.status != 1:
            case.complain(f"the run that gave way ended with status {done.status}, not 1")
        elif str(winner) not in done.err:
            case.complain("the run that gave way does not name the process that holds the folder: " + done.err.strip(),
                          "the other process is not named")

    def stale(self, case):
        """A killed run holds nothing."""
        running = self.program.start(["run", f"run{SEEDS[0]}.toml", *self.device()], case.folder)
        running.wait(case.rng.uniform(0.02, 0.4))
        running.send(signal.SIGKILL)
        running.finish(10)
        there = (case.folder / "out" / "checkpoint.hdf5").exists()
        flags = ["--resume"] if there and case.rng.random() < 0.5 else ["--overwrite"]
        done = case.run("run", f"run{SEEDS[0]}.toml", *self.device(), *flags)
        if done.status != 0:
            return case.complain("a killed run still holds the folder: " + done.err.strip())
        for text in differences(case.folder / "out", self.ground / str(SEEDS[0]) / "out"):
            case.complain("after a killed run: " + text)


if __name__ == "__main__":
    Folder().main()
