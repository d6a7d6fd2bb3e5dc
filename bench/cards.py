# SPDX-License-Identifier: Apache-2.0
"""One card against several of one host: whether forces and runs have the same bits, and how long an evaluation takes. It prints one JSON
object; `scaling` is one card's time over that of so many cards, over their number.

    python3 bench/cards.py [--backend cuda] [--cards 1 2] [--quick] [--repeat 5] [--program build/hornbeam] [--json FILE]
    python3 bench/cards.py --physics [--large]
    python3 bench/cards.py --launcher "mpirun -n"

--quick compares bits only. Two H100s need some 6 minutes for all, most of them to draw 2^26 particles on the host.
--physics compares bits and seconds of short runs with gas, collisions and a periodic box instead: the last snapshot, and the sums of
energy.csv. --large adds 2^25 particles of gas.
--launcher starts a process for each card in place of several cards of one process.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import h5py

# name, particles, flags of `force`
TIMED = [("2^24, theta 0.6", 2 ** 24, ["--theta", "0.6"]),
         ("2^24, accuracy 5e-3", 2 ** 24, ["--accuracy", "5e-3"]),
         ("2^24, accuracy 7e-4", 2 ** 24, ["--accuracy", "7e-4"]),
         ("2^26, fast", 2 ** 26, ["--theta", "1.6", "--theta-c", "0.9"])]
RUNS = {
    "shared steps": ("plummer", 2 ** 20, "[gravity]\neps = 0.01\n[time]\ndt = 0.0078125\nend = 0.5\n"),
    "block steps": ("hernquist", 2 ** 20, "[gravity]\neps = 0.01\n[time]\ndt = 0.0625\nend = 0.25\nsteps = \"block\"\n"),
    "block steps to an accuracy": ("hernquist", 2 ** 20, "[gravity]\neps = 0.01\naccuracy = 5e-3\n"
                                   "[time]\ndt = 0.0625\nend = 0.25\nsteps = \"block\"\n"),
    "relative criterion": ("hernquist", 2 ** 19, "[gravity]\neps = 0.01\nmac = \"relative\"\n[time]\ndt = 0.0078125\nend = 0.125\n")}


OUTPUT = '[output]\ndirectory = "{folder}"\ncheckpoints = false\n'
PERIODIC = '[boundary]\nkind = "periodic"\nsize = [1, 1, 1]\n'
SEDOV = ('[ic]\nmodel = "sedov"\nn = {n}\n[gas]\neos = "ideal"\nself_gravity = false\n' + PERIODIC
         + '[time]\ndt = 1e-6\nend = 2e-5\n' + OUTPUT)
EVRARD = ('[ic]\nmodel = "evrard"\nn = {n}\n[gas]\neos = "ideal"\n'
          '[time]\ndt = 0.004\nend = 0.008\nsteps = "block"\n' + OUTPUT)
# edge: of a patch with 0.04 bodies a square metre
RING = ('[units]\nsystem = "si"\n[ic]\nmodel = "ring"\nsurface_density = 400\nparticle_density = 400\nradius_min = 1\nradius_max = 4\n'
        'slope = -3\nseed = 1\neps = 0.1\n[gravity]\ntheta = 0.7\n[boundary]\nkind = "shear"\nsize = [{edge}, {edge}, 0]\n'
        'n_ghost_x = 1\nn_ghost_y = 1\nomega = 1.3143527e-4\n[collisions]\nlaw = "bridges"\n'
        '[time]\ndt = 47.8\nend = 956\n' + OUTPUT)
BOX = ('[ic]\nmodel = "plane-wave"\nn = {n}\n' + PERIODIC + '[time]\ndt = 0.0001\nend = 0.001\n' + OUTPUT)
# name, configuration, particles (of a ring, about), particles where the script itself is tried, whether only --large has it
PHYSICS = [("gas", SEDOV, 160 ** 3, 12 ** 3, False),
           ("gas and gravity in block steps", EVRARD, 2 ** 20, 2000, False),
           ("ring with collisions", RING, 10 ** 6, 1000, False),
           ("periodic box", BOX, 2 ** 22, 2000, False),
           ("gas, large", SEDOV, 320 ** 3, 14 ** 3, True)]


def digest(path):
    """Of all datasets of a file, but for the configuration, which has the folder's name."""
    total = hashlib.sha256()

    def add(name, item):
        if isinstance(item, h5py.Dataset) and name != "Checkpoint/configuration":
            total.update(name.encode())
            total.update(item[()].tobytes())

    with h5py.File(path) as file:
        file.visititems(add)
    return total.hexdigest()


def table(path):
    """energy.csv but for the seconds."""
    rows = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()]
    wall = rows[0].index("wall_seconds")
    return [row[:wall] + row[wall + 1:] for row in rows]


class Program:
    def __init__(self, asked):
        self.program, self.backend = str(Path(asked.program).resolve()), asked.backend
        self.launcher = asked.launcher.split()

    def call(self, *arguments, cards=1):
        """cards: how many; on one card that HORNBEAM_RANKS opens several times, as many ranks."""
        begun = time.perf_counter()
        ranks = os.environ.get("HORNBEAM_RANKS")
        device = "0" if ranks else ",".join(map(str, range(cards)))
        environment = {**os.environ, "HORNBEAM_RANKS": str(cards)} if ranks else dict(os.environ)
        command = [self.program, *map(str, arguments), "--backend", self.backend]
        if self.launcher and cards > 1:
            command = [*self.launcher, str(cards), *command]
            if ranks:
                environment["HORNBEAM_RANKS"] = "1"
        else:
            command += ["--device", device]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if done.returncode != 0:
            raise SystemExit(f"{arguments} on {cards} cards: {done.stderr}")
        return done.stdout, time.perf_counter() - begun


def forces(program, cards, name, n, flags, repeat, folder):
    """One row: the times of an evaluation, and the digest of its result where it is small enough to be written."""
    written = Path(folder) / "forces.hdf5"
    output = ["-o", written] if n <= 2 ** 24 else []
    text, wall = program.call("force", "--ic", "plummer", "-n", n, "--seed", 1, "--eps", 0.01, *flags, "--repeat", repeat,
                              "--json", *output, cards=cards)
    found = json.loads(text)
    row = {"name": name, "n": n, "cards": cards, "device": found["device"], "seconds": found["seconds"],
           "interactions_per_particle": found["interactions_per_particle"], "bytes": found["bytes"],
           "notes": found.get("notes", []), "command_seconds": wall}
    if output:
        row["digest"] = digest(written)
        written.unlink()
    print(f"{name}, {cards} cards: walk {found['seconds']['walk']:.5f} s, total {found['seconds']['total']:.5f} s", flush=True)
    return row


def run(program, cards, name, folder, resume_on=None):
    """The digests of a run's files; resume_on: cards of its second half."""
    model, n, rest = RUNS[name]
    out, config = Path(folder) / f"{name} {cards} {resume_on}".replace(" ", "_"), Path(folder) / "run.toml"
    config.write_text(f'[ic]\nmodel = "{model}"\nn = {n}\nseed = 2\n{rest}[output]\ndirectory = "{out}"\nevery = 0.0625\n',
                      encoding="utf-8")
    end = float(rest.split("end = ")[1].split("\n")[0])
    if resume_on is None:
        _, wall = program.call("run", config, cards=cards)
    else:
        _, first = program.call("run", config, "--set", f"time.end={end / 2}", cards=cards)
        _, second = program.call("run", config, "--resume", cards=resume_on)
        wall = first + second
    digests = {path.name: digest(path) for path in sorted(out.glob("*.hdf5"))}
    seconds = json.loads((out / "run.json").read_text(encoding="utf-8"))["totals"]
    row = {"name": name, "n": n, "cards": cards, "resumed_on": resume_on, "command_seconds": wall, "totals": seconds,
           "digests": digests, "table": table(out / "energy.csv") if resume_on is None else None}
    print(f"{name}, {cards} cards, resumed on {resume_on}: {wall:.1f} s", flush=True)
    return row


def physics(program, cards, case, small, folder):
    """One row: seconds of the stages of a short run, and the digest of what it leaves."""
    name, text, n, few, _ = case
    count = few if small else n
    out, config = Path(folder) / f"physics {name} {cards}".replace(" ", "_"), Path(folder) / "physics.toml"
    config.write_text(text.format(n=count, edge=round((count / 0.04) ** 0.5), folder=out), encoding="utf-8")
    _, wall = program.call("run", config, cards=cards)
    report = json.loads((out / "run.json").read_text(encoding="utf-8"))
    seconds = {stage: value for stage, value in report["seconds"].items() if value > 0}
    stages = sum(seconds.get(stage, 0) for stage in ("total", "kick_drift", "gas", "collisions"))
    written = sorted(out.glob("*.hdf5"))
    row = {"name": name, "n": report["totals"]["particles"], "cards": cards, "steps": report["totals"]["steps"], "seconds": seconds,
           "stages": stages, "command_seconds": wall, "digest": digest(written[-1]), "table": table(out / "energy.csv")}
    shutil.rmtree(out)
    print(f"{name}, {row['n']} particles, {cards} cards: {stages / row['steps'] * 1e3:.2f} ms a step, command {wall:.1f} s", flush=True)
    return row


def judge_physics(rows):
    """Whether each row has the bits of the first of its name, and the part of the speed of so many cards that it reaches."""
    first = {}
    for row in rows:
        first.setdefault(row["name"], row)
    same = {f"{row['name']}, {row['cards']} cards": all(row[key] == first[row["name"]][key] for key in ("digest", "table"))
            for row in rows}
    part = {f"{row['name']}, {row['cards']} cards":
            first[row["name"]]["stages"] / row["stages"] * first[row["name"]]["cards"] / row["cards"] for row in rows}
    return same, part


def verdicts(result, cards):
    """Whether all have the bits of one card, and how they scale."""
    one = {row["name"]: row for row in result["runs"] if row["cards"] == cards[0] and row["resumed_on"] is None}
    same = {}
    for row in result["runs"]:
        first = one[row["name"]]
        names = ["checkpoint.hdf5"] if row["resumed_on"] else first["digests"]
        is_same = all(row["digests"].get(name) == first["digests"][name] for name in names)
        same[f"{row['name']}, {row['cards']} cards, resumed on {row['resumed_on']}"] = (
            is_same and (row["resumed_on"] is not None or row["table"] == first["table"]))
    times = {row["name"]: row for row in result["forces"] if row["cards"] == cards[0]}
    scaling = {}
    for row in result["forces"]:
        first = times[row["name"]]
        if "digest" in row:
            same[f"{row['name']}, {row['cards']} cards"] = row["digest"] == first["digest"]
        same[f"{row['name']}, {row['cards']} cards, interactions"] = (
            row["interactions_per_particle"] == first["interactions_per_particle"])
        scaling[f"{row['name']}, {row['cards']} cards"] = (
            first["seconds"]["total"] / row["seconds"]["total"] * first["cards"] / row["cards"])
    return same, scaling


def gravity(program, asked, result, folder):
    """Runs under gravity alone, and single evaluations."""
    if asked.small:
        RUNS.update({name: (model, 2000, rest) for name, (model, _, rest) in RUNS.items()})
    for name in RUNS:
        for cards in asked.cards:
            result["runs"].append(run(program, cards, name, folder))
        result["runs"].append(run(program, asked.cards[-1], name, folder, resume_on=asked.cards[0]))
    timed = [(name, 3000, flags) for name, _, flags in TIMED] if asked.small else TIMED
    for name, n, flags in [] if asked.quick else timed:
        for cards in asked.cards:
            result["forces"].append(forces(program, cards, name, n, flags, asked.repeat, folder))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default="build/hornbeam")
    parser.add_argument("--backend", default="cuda")
    parser.add_argument("--cards", type=int, nargs="+", default=[1, 2], help="numbers of cards, the first is compared with")
    parser.add_argument("--launcher", default="", help="starts a process for each card, as \"mpirun -n\"")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--physics", action="store_true", help="short runs of gas, rings and a periodic box instead")
    parser.add_argument("--large", action="store_true", help="with --physics: 2^25 particles of gas, too")
    parser.add_argument("--small", action="store_true", help="few particles: tries the script itself")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json")
    asked = parser.parse_args()
    program, result = Program(asked), {"forces": [], "runs": [], "physics": []}
    with tempfile.TemporaryDirectory() as folder:
        if asked.physics:
            for case in PHYSICS:
                for cards in asked.cards if asked.large or not case[-1] else []:
                    result["physics"].append(physics(program, cards, case, asked.small, folder))
            result["same_bits"], result["scaling"] = judge_physics(result["physics"])
        else:
            gravity(program, asked, result, folder)
            result["same_bits"], result["scaling"] = verdicts(result, asked.cards)
    for row in [*result["runs"], *result["physics"]]:
        row.pop("table")
    text = json.dumps(result, indent=1)
    print(text)
    if asked.json:
        Path(asked.json).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
