#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs on disks that fill up, and under limits of a file's size: they end with one line, and with room go on to the bits of
runs on large disks."""

import resource
import shutil
import subprocess

from common import Attack, Program
from runs import all_configurations, differences, mode_to_go_on

PAGE = 4096


def mounted(folder, size):
    """Whether a file system of that many bytes is at the folder now; without root's rights there is none."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    return subprocess.run(command, capture_output=True).returncode == 0


class LimitedFiles(Program):
    """The program under a limit of the size of its files."""

    largest = 1 << 30

    def limits(self):
        super().limits()
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.largest, self.largest))


class Disks(Attack):
    name, about, count = "disks", __doc__, 60

    def prepare(self):
        self.limited = LimitedFiles(self.options.program, self.options.limit, int(self.options.memory * 2**20),
                                    self.options.backend)
        self.texts, self.ended = all_configurations(), {"with an error": 0, "well": 0}

    def undisturbed(self, kind):
        """The folder of the run that has room, which the first case of its kind makes."""
        folder = self.ground / kind
        if not folder.exists():
            folder.mkdir()
            (folder / "run.toml").write_text(self.texts[kind])
            self.must("run", "run.toml", "--backend", self.options.backend, folder=folder)
        return folder

    def more(self):
        return {"first runs ended": self.ended}

    def attempt(self, case):
        kind = case.rng.choice(list(self.texts))
        whole = self.undisturbed(kind)
        files = [path.stat().st_size for path in (whole / "out").iterdir()]
        ground = case.folder / "disk"
        ground.mkdir()
        room = int(case.rng.uniform(0.02, 1.05) * sum(-(-size // PAGE) * PAGE for size in files)) // PAGE * PAGE + 2 * PAGE
        is_disk = case.rng.random() < 0.7 and mounted(ground, room)
        case.kind = f"{kind}: {'full disk' if is_disk else 'limit of a file'}"
        try:
            shutil.copy(whole / "run.toml", ground)
            self.limited.largest = 1 << 30 if is_disk else int(case.rng.uniform(0.05, 1.0) * max(files))
            self.fill(case, ground)
            if is_disk:
                subprocess.run(["mount", "-o", "remount,size=1g", str(ground)], check=True)
            self.go_on(case, ground, whole)
        finally:
            if is_disk:
                subprocess.run(["umount", str(ground)], check=True)

    def fill(self, case, ground):
        """The first run, which mostly finds no room."""
        done = self.limited.run(["run", "run.toml", "--backend", case.backend], ground)
        case.note(["run", "run.toml", f"# {case.kind}"])
        case.judge(done, statuses=(0, 1))
        self.ended["with an error" if done.status == 1 else "well"] += 1

    def go_on(self, case, ground, whole):
        """As a user would, with room."""
        out = ground / "out"
        mode = mode_to_go_on(out)
        case.note(["run", "run.toml", *mode])
        done = self.program.run(["run", "run.toml", "--backend", case.backend, *mode], ground)
        case.judge(done)
        if done.status != 0:
            return case.complain(f"cannot go on with {' '.join(mode)}: {done.err.strip()}")
        for text in differences(out, whole / "out"):
            case.complain(f"after a full disk: {text}", f"after a full disk: {' '.join(text.split()[:5])}")


if __name__ == "__main__":
    Disks().main()
