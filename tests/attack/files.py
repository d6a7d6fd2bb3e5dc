#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Damaged and foreign files in every format, and damaged configurations, given to every command that reads them."""

import json
import re
import shutil
import struct
from pathlib import Path

import h5py
import numpy as np

from common import NO_NUMBER, Attack
from configurations import damaged_configuration, damaged_overrides
from mutations import damaged_bytes, damaged_object, foreign

SUFFIX = {"hdf5": ".hdf5", "tipsy": ".tipsy", "tipsy-native": ".tipsy", "tipsy-native-unpadded": ".tipsy",
          "tipsy-standard": ".tipsy", "tipsy-standard-unpadded": ".tipsy", "gadget1": ".gadget",
          "gadget1-double": ".gadget", "gadget1-swapped": ".gadget", "gadget2": ".gadget", "gadget2-double": ".gadget",
          "gadget2-swapped": ".gadget", "csv": ".csv", "galactics": ".csv", "agama": ".csv"}
NAMED = ("galactics", "agama")  # text that no extension tells
FAMILIES = ["gas", "halo", "disc", "bulge", "star", "black_hole"]
RUN = '[input]\nfile = "{file}"\n[gravity]\neps = 0.1\n[time]\ndt = 1e-6\nend = 1e-6\n[output]\ndirectory = "out"\n'


def table(full, n=12):
    """Particles as text: with every column there is, or with those alone that must be there."""
    rng = np.random.default_rng(5)
    names = ["x", "y", "z", "vx", "vy", "vz", "mass"]
    columns = [*rng.normal(size=(6, n)), rng.uniform(0.5, 1.5, n) / n]
    lines = [",".join(names + (["id", "family", "eps", "u", "rho", "hsml", "phi", "ax", "ay", "az"] if full else []))]
    for i in range(n):
        row = [repr(float(column[i])) for column in columns]
        if full:
            extra = rng.uniform(0.1, 1, 7)
            row += [str(100 + 7 * i), FAMILIES[i % 6], *(repr(float(x)) for x in extra[:4]), repr(-float(extra[4])),
                    *(repr(float(x)) for x in extra[4:])]
        lines.append(",".join(row))
    return "\n".join(lines) + "\n"


class Files(Attack):
    name, about, count = "files", __doc__, 10000

    def add_options(self, parser):
        parser.add_argument("--format", help="seeds of this format alone (config: configurations)")

    def prepare(self):
        self.seeds = []  # (file, format)
        for name in ("plain", "full"):
            (self.ground / f"{name}.csv").write_text(table(name == "full"))
            for form, suffix in SUFFIX.items():
                self.seed(f"{name}.csv", f"{name}_{form}{suffix}", form)
        self.run_for_seeds()
        self.seed("galactic/snapshot_0000.hdf5", "units.tipsy", "tipsy")
        for path, form in list(self.seeds):
            path.with_suffix(".seed").write_bytes(path.read_bytes())
        if self.options.format:
            self.seeds = [seed for seed in self.seeds if seed[1] == self.options.format]

    def seed(self, source, target, form):
        folder = self.ground / Path(target).stem
        folder.mkdir()
        self.must("convert", source, folder / target, "--to", form)
        self.seeds.append((folder / target, form))

    def run_for_seeds(self):
        """A checkpoint, which every command reads as a snapshot too, and a snapshot in physical units."""
        for name, extra in (("plain", ""), ("galactic", '[units]\nsystem = "galactic"\n')):
            text = RUN.format(file="full.csv").replace('"out"', f'"{name}"') + extra
            (self.ground / f"{name}.toml").write_text(text)
            self.must("run", f"{name}.toml", "--threads", 1)
        for source, target in (("plain/checkpoint.hdf5", "checkpoint"), ("galactic/snapshot_0000.hdf5", "galactic_units")):
            folder = self.ground / (target + "_seed")
            folder.mkdir()
            shutil.copy(self.ground / source, folder / f"{target}.hdf5")
            self.seeds.append((folder / f"{target}.hdf5", "hdf5"))

    def attempt(self, case):
        if self.options.format == "config" or (self.options.format is None and case.rng.random() < 0.15):
            return self.attempt_configuration(case)
        seeds = [seed for seed in self.seeds if seed[1] == "hdf5"] if case.rng.random() < 0.25 else None
        seed, form = case.rng.choice(seeds or self.seeds)  # the richest format more often
        file = case.folder / ("p" + seed.suffix)
        shutil.copy(seed, file)
        param = seed.with_name(seed.name + ".param")
        beside = case.folder / (file.name + ".param")
        if not param.exists():
            param = next(seed.parent.glob("*.param"), None)
        if param is not None:
            shutil.copy(param, beside)
        case.kind = form + ": " + self.damage(case, file, beside if beside.exists() else None)
        self.use(case, file, form)

    def damage(self, case, file, beside):
        rng = case.rng
        case.whole = False  # whether HDF5 itself finds nothing amiss
        if rng.random() < 0.01:
            return "none"
        target = beside if beside is not None and rng.random() < 0.3 else file
        what = ".param " if target is beside else ""
        if rng.random() < 0.08:
            return what + foreign(target, rng, [seed for seed, _ in self.seeds])
        if file.suffix == ".hdf5" and rng.random() < 0.5:
            case.whole = True
            return damaged_object(target, rng)
        names = [damaged_bytes(target, rng) for _ in range(rng.choice([1, 1, 1, 2]))]
        return what + names[0]

    def use(self, case, file, form):
        """One command on the damaged file; what it made, where it succeeded, must be sane."""
        command = case.rng.choice(["analyze", "force", "convert", "convert", "render", "run", "measure"])
        if form in NAMED:
            command = "convert"
        done = getattr(self, "try_" + command)(case, file, form)
        if done is not None and done.fine and file.is_file():
            self.check_end_of_text(case, file, done)

    def try_analyze(self, case, file, form):
        done = case.run("analyze", file.name, "--energy", "--json", seconds=15)
        if done.fine:
            self.check_json(case, done)
        return done

    def try_measure(self, case, file, form):
        flags = case.rng.sample(["--lagrangian", "--half-mass", "--profile", "--anisotropy", "--disc", "--bar",
                                 "--black-holes"], 2)
        return case.run("analyze", file.name, *flags, seconds=15)

    def try_force(self, case, file, form):
        done = case.run("force", file.name, "--json", "-o", "f.hdf5", "--backend", case.backend, "--threads", 1, seconds=20)
        if done.fine:
            answer = self.check_json(case, done)
            found = self.check_hdf5(case, case.folder / "f.hdf5", forces=True)
            self.check_count(case, file, {"the answer's n": answer.get("n"), "what -o wrote": found})
        return done

    def try_convert(self, case, file, form):
        to = case.rng.choice(list(SUFFIX))
        source = ["--from", form] if form in NAMED or case.rng.random() < 0.2 else []
        target = "out" + SUFFIX[to]
        done = case.run("convert", file.name, target, "--to", to, *source, seconds=15)
        if done.fine:
            said = re.search(r": (\d+) particles", done.out)
            back = case.run("convert", target, "back.csv", "--from", to, seconds=15)
            if back.status != 0:
                case.complain("what convert wrote cannot be read back: " + back.err.strip()[:200])
            else:
                rows = self.check_text(case, case.folder / "back.csv")
                self.check_count(case, file, {"said": said and int(said[1]), "read back": rows})
        elif (case.folder / target).exists():
            case.complain("convert failed and left its output")
        return done

    def try_render(self, case, file, form):
        done = case.run("render", file.name, "-o", "p.png", "--width", 40, "--height", 40, seconds=15)
        if done.fine and not (case.folder / "p.png").read_bytes().startswith(b"\x89PNG"):
            case.complain("render succeeded without a picture")
        return done

    def try_run(self, case, file, form):
        (case.folder / "run.toml").write_text(RUN.format(file=file.name))
        return self.short_run(case, [])

    def short_run(self, case, arguments):
        """A run of few steps; one that became long, which is no mistake, must listen to a signal."""
        arguments = ["run", "run.toml", *arguments, "--backend", case.backend, "--threads", 1]
        case.note(arguments)
        running = self.program.start(arguments, case.folder)
        if not running.wait(3):
            running.send(15)
        done = case.judge(running.finish(15), statuses=(0, 1, 2, 3, 4))
        if done.fine:
            for folder in {path.parent for path in case.folder.rglob("energy.csv")}:
                self.check_run(case, folder)
        return done

    def check_run(self, case, folder):
        for path in sorted(folder.glob("snapshot_*.hdf5"))[:20]:
            self.check_hdf5(case, path)
        energies = folder / "energy.csv"
        if energies.exists() and NO_NUMBER.search(energies.read_text()):
            case.complain("energy.csv holds what is no number")

    def check_json(self, case, done):
        try:
            answer = json.loads(done.out)
        except ValueError:
            case.complain("the answer is no JSON: " + done.out[:100])
            return {}
        if "null" in re.findall(r"\bnull\b", done.out):
            lines = [line.strip() for line in done.out.splitlines() if "null" in line]
            case.complain("status 0 and a number that is none: " + lines[0])
        return answer

    def check_hdf5(self, case, path, forces=False):
        """How many particles it holds; complains where a number is none."""
        total = 0
        with h5py.File(path) as file:
            for name in (name for name in file if name.startswith("PartType")):
                total += len(file[name]["Coordinates"])
                for key, data in file[name].items():
                    if not np.all(np.isfinite(data[()])):
                        case.complain(f"status 0 and a number that is none in {path.name}: {key}")
                if forces and len(file[name]["Coordinates"]) and not {"Acceleration", "Potential"} <= set(file[name]):
                    case.complain(f"no forces in {path.name}")
            if total != sum(file["Header"].attrs["NumPart_ThisFile"]):
                case.complain(f"{path.name}: header and data disagree")
        return total

    def check_text(self, case, path):
        text = path.read_text()
        if NO_NUMBER.search(text):
            case.complain("status 0 and a number that is none in what was written")
        return text.count("\n") - 1

    def check_count(self, case, file, found):
        expected = header_count(file) if case.whole or file.suffix != ".hdf5" else None  # h5py may crash on damage
        counts = {key: n for key, n in found.items() if n is not None}
        if len({*counts.values(), *([expected] if expected is not None else [])}) > 1:
            case.complain(f"numbers of particles disagree: header {expected}, {counts}")

    def check_end_of_text(self, case, file, done):
        """A text that ends without a newline may have been cut inside its last number: that must be said."""
        if file.suffix != ".csv" or "--json" in done.command:
            return
        data = file.read_bytes()
        if re.search(rb"[0-9.]\Z", data) and not re.search(r"newline|last line|end of line|cut|truncat|ends", done.out):
            case.complain("a text that may have been cut inside its last number is read without a word")

    def attempt_configuration(self, case):
        case.kind = "configuration"
        shutil.copy(self.ground / "plain.csv", case.folder / "plain.csv")
        text, arguments = damaged_configuration(case.rng), []
        if case.rng.random() < 0.3:
            case.kind, arguments = "overrides", damaged_overrides(case.rng)
        (case.folder / "run.toml").write_bytes(text)
        self.short_run(case, arguments)


def header_count(path):
    """How many particles a file's own header counts; None where it does not say so plainly."""
    if not path.is_file() or path.is_symlink():
        return None
    data = path.read_bytes()
    try:
        if path.suffix == ".tipsy":
            order = "<" if struct.unpack_from("<i", data, 12)[0] == 3 else ">"
            return struct.unpack_from(order + "i", data, 8)[0]
        if path.suffix == ".gadget":
            order = "<" if struct.unpack_from("<I", data)[0] in (8, 256) else ">"
            at = 4 if struct.unpack_from(order + "I", data)[0] == 256 else 20
            return sum(struct.unpack_from(order + "6i", data, at))
        if path.suffix == ".hdf5":
            with h5py.File(path) as file:
                if "Checkpoint" in file:
                    return int(file["Checkpoint"].attrs["particles"])
                return int(sum(int(n) for n in file["Header"].attrs["NumPart_ThisFile"]))
    except (OSError, KeyError, ValueError, TypeError, struct.error, RuntimeError):
        pass
    return None


if __name__ == "__main__":
    Files().main()
