#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two and three runs at once into one folder: one goes on, to its own bits; the others end and name its process."""

import shutil
import signal

from common import Attack
from runs import configuration, differences

KIND, SIZE = "shared", 2000  # runs long enough for all to look while the first one still goes on
SEEDS = (3, 4, 5)


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
        self.together = 0

    def device(self):
        return ["--backend", self.options.backend, "--threads", 1]

    def more(self):
        return {"cases where runs were alive together": self.together}

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
        """Starts them nearly at once; (seed, outcome) of each, nothing where one began after another's end."""
        started = []
        for seed, flags in plans:
            if started:
                started[0][1].wait(case.rng.choice([0, 0, 0.001, 0.01, 0.05, 0.2]))
            arguments = ["run", f"run{seed}.toml", *self.device(), *flags]
            case.note([*arguments, "&"])
            if all(not running.wait(0) for _, running in started):
                started.append((seed, self.program.start(arguments, case.folder)))
        runs = [(seed, running.finish(60)) for seed, running in started]
        return runs if len(runs) > 1 else []

    def judge(self, case, runs):
        for _, done in runs:
            case.judge(done)
        if not runs or case.wrong:
            return
        self.together += 1
        winners = [(seed, done) for seed, done in runs if done.status == 0]
        if not winners:
            return case.complain("none of the runs went on")
        if len(winners) > 1:
            case.complain(f"{len(winners)} runs went on in one folder")
        for _, done in runs:
            if done.status != 0 and not done.hung:
                self.judge_loser(case, done, winners[0][1].pid)
        found = [differences(case.folder / "out", self.ground / str(seed) / "out") for seed, _ in winners]
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
