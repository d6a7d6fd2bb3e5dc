#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/choose.md (and memory of docs/performance.md), measured with this machine's hornbeam:

bench/choose.py TABLE... [--program build/hornbeam]

Prints the table as Markdown, with --commands the commands, too. Seconds are those that one thread keeps a processor busy,
so that other work on the machine counts little. It needs numpy. --scale 0.1 takes a tenth of the particles.
"""

import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import tempfile
import time

import numpy as np


class Program:
    """Runs hornbeam in a folder of its own."""

    def __init__(self, path, folder, scale, say):
        self.path, self.folder, self.scale, self.say = path, folder, scale, say
        self.peak, self.seconds = 0, 0.0  # bytes of the last command, and what it kept a processor busy

    def n(self, number):
        return max(200, round(number * self.scale))

    def __call__(self, *words):
        words = [str(word) for word in words] + (["--threads", "1"] if words[0] in ("force", "run") else [])
        if self.say:
            print("hornbeam", *words, flush=True)
        with open(self.folder / "said", "w+", encoding="utf-8") as said:
            child = subprocess.Popen([self.path, *words], cwd=self.folder, stdout=said, stderr=said)
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            text = said.read()
        if child.returncode:
            raise SystemExit(f"hornbeam {' '.join(words)}\n{text}")
        self.peak, self.seconds = used.ru_maxrss * 1024, used.ru_utime + used.ru_stime
        return text

    def force(self, *words):
        return json.loads(self("force", *words, "--json"))

    def spent(self, *words):
        """Seconds of one evaluation, reading, drawing and the first one's memory left out."""
        first = self.force(*words)["seconds"]["total"]
        once = self.seconds
        repeats = min(50, max(4, math.ceil(0.3 / first)))
        self.force(*words, "--repeat", 1 + repeats)
        return max(0.0, self.seconds - once) / repeats

    def run(self, text, **changes):
        """`totals` of run.json, and the folder."""
        (self.folder / "run.toml").write_text(text, encoding="utf-8")
        sets = [word for key, value in changes.items() for word in ("--set", f"{key.replace('__', '.')}={value}")]
        self("run", "run.toml", "--overwrite", *sets)
        totals = json.loads((self.folder / "out" / "run.json").read_text(encoding="utf-8"))["totals"]
        return {**totals, "seconds": self.seconds}


def row(*cells):
    print("|", " | ".join(str(cell) for cell in cells), "|", flush=True)


def head(*cells):
    row(*cells)
    print("|" + "---|" * len(cells), flush=True)


def error(measured):
    return f"{measured['error']['acc_median']:.1e} / {measured['error']['acc_p99']:.1e}"


def theta(program):
    program("ic", "plummer", "-n", program.n(1e5), "-o", "p.hdf5")
    head("θ", "order 2, expansion 4 (defaults)", "s", "order 2, expansion 0", "s", "order 0, expansion 0", "s")
    for angle in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0):
        cells = []
        for order, expansion in ((2, 4), (2, 0), (0, 0)):
            words = ("p.hdf5", "--theta", angle, "--order", order, "--expansion", expansion)
            cells += [error(program.force(*words, "--check", 2000)), f"{program.spent(*words):.2f}"]
        row(angle, *cells)


def accuracy(program):
    program("ic", "plummer", "-n", program.n(1e5), "-o", "p.hdf5")
    head("options", "rms, as promised", "median / 99 %", "s")
    angles = [(f"θ = {angle}", ("--theta", angle)) for angle in (0.8, 0.6, 0.4)]
    for name, options in [(f"accuracy {a}", ("--accuracy", a)) for a in ("1e-2", "3e-3", "1e-3", "3e-4", "1e-4")] + angles:
        words = ("p.hdf5", *options)
        checked = program.force(*words, "--check", 2000, "--repeat", 2)
        row(name, f"{checked['error']['promised_rms']:.1e}", error(checked), f"{program.spent(*words):.3f}")


def mac(program):
    program("ic", "plummer", "-n", program.n(1e5), "-o", "p.hdf5")
    program("ic", "galaxy", "-n", program.n(1e5), "-o", "g.hdf5")
    head("mac", "θ / θ_c", "Plummer: median / 99 %", "s", "galaxy: median / 99 %", "s")
    for name, angle, angle_c in (("offset", 0.6, 0.6), ("offset-box", 0.6, 0.6), ("bh", 0.6, 0.6),
                                 ("min-distance", 0.75, 1), ("relative", 0.3, 0.6), ("offset", 0.4, 0.4),
                                 ("relative", 0.2, 0.4)):
        cells = []
        for file in ("p.hdf5", "g.hdf5"):
            words = (file, "--mac", name, "--theta", angle, "--theta-c", angle_c)
            cells += [error(program.force(*words, "--check", 2000)), f"{program.spent(*words):.2f}"]
        row(f"`{name}`", f"{angle} / {angle_c}", *cells)


MERGER = """[ic]
model = "merger"
n = {n}
pericentre = 1
separation = 8
[time]
dt = 0.0078125
end = 10
[watchdog]
energy = 0
every = 8
[output]
directory = "out"
energy_every = 0.25
snapshots = false
checkpoints = false
"""


def merger(program):
    head("mac", "θ / θ_c", "s", "largest energy error")
    for name, angle, angle_c in (("offset", 0.75, 0.75), ("offset", 0.6, 0.6), ("min-distance", 0.75, 1),
                                 ("relative", 0.3, 0.6), ("offset", 0.4, 0.4)):
        total = program.run(MERGER.format(n=program.n(20000)), gravity__mac=name, gravity__theta=angle, gravity__theta_c=angle_c)
        row(f"`{name}`", f"{angle} / {angle_c}", f"{total['seconds']:.0f}", f"{total['largest_error']:.1e}")


PLUMMER = """[ic]
model = "plummer"
n = {n}
[time]
dt = 0.015625
end = {end}
[gravity]
theta = 0.4
[watchdog]
energy = 0
runaway = 0
every = 0
[output]
directory = "out"
energy_every = 0.125
"""


def dt(program):
    steps = [1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128]
    head("eps", "√(eps / a)", "eps / v", *[f"dt 1/{1 / step:.0f}" for step in steps])
    for eps in (0.2, 0.1, 0.05, 0.02, 0):
        program("ic", "plummer", "-n", program.n(4096), "-o", "p.npz", "--eps", eps)
        program("force", "p.npz", "-o", "f.npz")
        drawn = np.load(program.folder / "f.npz")
        a = np.quantile(np.linalg.norm(drawn["acceleration"], axis=1), 0.99)  # eps is that of all
        v = np.sqrt(np.mean(np.sum(drawn["velocity"]**2, axis=1)))
        errors = [program.run(PLUMMER.format(n=program.n(4096), end=4), ic__eps=eps, time__dt=step)["largest_error"]
                  for step in steps]
        row(eps, f"{np.sqrt(eps / a):.3f}" if eps else "–", f"{eps / v:.3f}" if eps else "–", *[f"{e:.1e}" for e in errors])


def softening(program):
    """rms difference of the accelerations from those of the model's smooth field, over the rms acceleration."""
    factors = (0.125, 0.25, 0.5, 1, 2, 4)
    head("N", "eps of `ic`", *[f"{factor:g} eps" for factor in factors])
    for number in (1000, 10000, 100000):
        number, wrong, seeds = program.n(number), np.zeros(len(factors)), range(1, 6)
        for seed in seeds:
            program("ic", "plummer", "-n", number, "--seed", seed, "-o", "p.npz")
            drawn = np.load(program.folder / "p.npz")
            x, eps = drawn["position"], float(np.max(drawn["eps"]))
            # the drawn mass is the innermost 0.999 of the infinite sphere
            smooth = -x * (np.sum(x * x, axis=1) + (3 * np.pi / 16)**2)[:, None]**-1.5 / 0.999
            for i, factor in enumerate(factors):
                program("force", "p.npz", "--theta", 0.4, "--eps", eps * factor, "-o", "f.npz")
                off = np.load(program.folder / "f.npz")["acceleration"] - smooth
                wrong[i] += np.mean(off**2) / np.mean(smooth**2) / len(seeds)
        row(number, f"{eps:.3f}", *[f"{np.sqrt(w):.3f}" for w in wrong])


def relaxation(program):
    head("N", "eps", "rms ΔE / mean \\|E\\|, t = 0 to 10", "t_relax from it", "eq. 1")
    for number in (500, 2000, 8000, 32000):
        number = program.n(number)
        text = PLUMMER.format(n=number, end=10) + 'formats = ["npz"]\nevery = 10\n'
        program.run(text, time__dt=1 / 32)
        (start, half_mass), (end, _) = (energies(program.folder / "out" / f"snapshot_000{i}.npz") for i in (0, 1))
        eps = float(np.max(np.load(program.folder / "out" / "snapshot_0000.npz")["eps"]))
        change = np.mean((end - start)**2)
        v2 = 0.5  # 2 K / M in Hénon units
        relaxed = 10 * v2**2 / (3 * change)  # a third of (dv)^2 is along v, where it changes the energy
        row(number, f"{eps:.3f}", f"{np.sqrt(change) / np.mean(np.abs(start)):.3f}", f"{relaxed:.0f}",
            f"{number / (8 * np.log(half_mass / eps)) * half_mass / np.sqrt(v2):.0f}")


def energies(file):
    """Of each particle, per unit mass, in the order of their ids; and the half-mass radius."""
    data = np.load(file)
    order = np.argsort(data["id"])
    energy = np.sum(data["velocity"]**2, axis=1) / 2 + data["potential"]
    return energy[order], np.median(np.linalg.norm(data["position"], axis=1))


CUSP = """[ic]
model = "hernquist"
n = {n}
[[potential]]
kind = "point"
mass = 0.01
scale = 0.003
[gravity]
eps = 0.01
[time]
dt = 0.125
end = 0.25
[watchdog]
collapse = false
[output]
directory = "out"
energy_every = 0.0625
"""
BINARY = """[input]
file = "two.csv"
[gravity]
eps = 0.01
[time]
dt = 0.01
end = 628
[watchdog]
collapse = false
energy = 0
[output]
directory = "out"
energy_every = 0.5
"""


def steps(program):
    head("system", "steps", "dt", "s", "largest energy error", "at the end")
    text = CUSP.format(n=program.n(50000))
    for kind, step, more in (("shared", 1 / 512, {}), ("shared", 1 / 256, {}), ("block", 1 / 8, {"time__max_rung": 6})):
        total = program.run(text, time__steps=kind, time__dt=step, **more)
        row("cusp with a black hole", kind, f"1/{1 / step:.0f}", f"{total['seconds']:.1f}", f"{total['largest_error']:.1e}",
            f"{total['relative_error']:.1e}")
    # two equal masses, semi-major axis 1, eccentricity 0.9, at apocentre; one turn takes 2 pi
    (program.folder / "two.csv").write_text("x,y,z,vx,vy,vz,mass\n" + "".join(
        f"{sign * 0.95},0,0,0,{sign * 0.5 * (0.1 / 1.9)**0.5},0,0.5\n" for sign in (1, -1)), encoding="utf-8")
    for kind, step, more in (("shared", 1 / 100, {}), ("shared", 1 / 400, {}), ("block", 1 / 50, {"time__eta": 0.1}),
                             ("symmetrised", 1 / 50, {"time__eta": 0.1})):
        total = program.run(BINARY, time__steps=kind, time__dt=step, **more)
        row("two bodies, e = 0.9, 100 turns", kind, f"{'at most ' if more else ''}1/{1 / step:.0f}; {total['steps']} steps",
            f"{total['seconds']:.1f}", f"{total['largest_error']:.1e}", f"{total['relative_error']:.1e}")


def precision(program):
    number = program.n(20000)
    program("ic", "plummer", "-n", number, "-o", "p.npz")
    drawn = dict(np.load(program.folder / "p.npz"))
    np.savez(program.folder / "far.npz", **{**drawn, "position": drawn["position"] + 1000})
    head("precision", "θ = 0.6: 99 % error", "s", "θ = 0: 99 % error", "s", "1,000 sizes from the origin, θ = 0: 99 % error")
    for name in ("single", "mixed", "double"):
        cells = []
        for file, angle in (("p.npz", 0.6), ("p.npz", 0), ("far.npz", 0)):
            words = (file, "--precision", name, "--theta", angle)
            cells += [f"{program.force(*words, '--check', 2000)['error']['acc_p99']:.1e}", f"{program.spent(*words):.2f}"]
        row(f"`{name}`", *cells[:-1])


def direct(program):
    head("N", "tree, θ 0.6: s", "direct: s", "direct / tree")
    for number in (500, 2000, 4000, 8000, 32000):
        number = program.n(number)
        tree, pairs = (program.spent("--ic", "plummer", "-n", number, "--eps", 0.01, "--walk", walk)
                       for walk in ("group", "direct"))
        row(number, f"{tree:.4f}", f"{pairs:.4f}", f"{pairs / max(tree, 1e-9):.1f}")


def cost(program):
    head("N", "force: s", "run: s a step")
    for number in (10000, 100000, 1000000):
        number = program.n(number)
        program("ic", "plummer", "-n", number, "-o", "p.hdf5")
        total = program.run(ALONE.format(end=0.05), gravity__theta=0.6)
        step = total["seconds"] / (total["steps"] + 1)  # the start, too, is one evaluation
        row(number, f"{program.spent('p.hdf5', '--theta', 0.6):.3f}", f"{step:.3f}")


ALONE = """[input]
file = "p.hdf5"
[time]
dt = 0.01
end = {end}
[output]
directory = "out"
"""


def memory(program):
    """Peaks less what the program takes with next to no particles; Python's own size is that of a child before it starts."""
    number = program.n(1e6)
    program("force", "--ic", "plummer", "-n", 100, "--eps", 0.01)
    base = program.peak
    head("command", "peak, bytes a particle")
    for words in ("ic plummer -n N -o p.hdf5", "convert p.hdf5 p.tipsy", "force p.hdf5", "force p.hdf5 --precision double",
                  "analyze p.hdf5 --lagrangian", "analyze p.hdf5 --energy", "render p.hdf5 -o p.png"):
        program(*words.replace(" N ", f" {number} ").split())
        row(f"`{words}`", f"{(program.peak - base) / number:.0f}")
    for kind in ("shared", "block", "symmetrised"):
        program.run(ALONE.format(end=0.01), time__steps=kind)
        row(f"`run`, {kind} steps", f"{(program.peak - base) / number:.0f}")


GALAXY = """[units]
system = "galactic"
[ic]
model = "galaxy"
disc_mass = "4e10 Msun"
disc_scale = "3 kpc"
disc_height = "300 pc"
bulge_mass = "1e10 Msun"
bulge_scale = "600 pc"
bulge_truncation = "6 kpc"
halo_mass = "6e11 Msun"
halo_scale = "15 kpc"
halo_truncation = "150 kpc"
n = {n}
disc_number = {disc}
bulge_number = {bulge}
[time]
dt = "1 Myr"
end = "300 Myr"
[output]
directory = "out"
"""


def vertical(snapshot, radius):
    """Dispersion of the disc's stars about that radius, in km/s."""
    disc = snapshot["family"] == 2
    R = np.hypot(*(snapshot["position"][disc] - np.median(snapshot["position"][disc], axis=0))[:, :2].T)
    return snapshot["velocity"][disc][(R > 0.7 * radius) & (R < 1.4 * radius), 2].std()


def heating(program):
    """sigma_z of a disc, measured, and as a dry run foretells it from the start."""
    head("halo particles", "times a disc star's mass", "σ_z at the start", "measured", "foretold")
    for number in (3000, 10000, 30000):
        disc, bulge, halo = program.n(10000), program.n(3000), program.n(number)
        text = GALAXY.format(n=disc + bulge + halo, disc=disc, bulge=bulge)
        (program.folder / "g.toml").write_text(text, encoding="utf-8")
        said = program("run", "g.toml", "--dry-run")
        radius, before, after = map(float, re.search(r"at R = (\S+) kpc from (\S+) to (\S+) km/s until", said).groups())
        program.run(text, output__formats='["npz"]')
        first, last = (np.load(program.folder / "out" / f"snapshot_{k:04d}.npz") for k in (0, 1))
        row(halo, f"{60 / halo / (4 / disc):.1f}", f"{vertical(first, radius):.1f}", f"{vertical(last, radius):.1f}", f"{after:.1f}")


TABLES = {table.__name__: table for table in (theta, accuracy, mac, merger, dt, softening, relaxation, heating, steps, precision,
                                              direct, cost, memory)}


def main():
    default = pathlib.Path(__file__).resolve().parent.parent / "build" / "hornbeam"
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("tables", nargs="+", choices=TABLES, metavar="TABLE", help=", ".join(TABLES))
    words.add_argument("--program", default=default, type=pathlib.Path)
    words.add_argument("--scale", default=1.0, type=float, help="times the numbers of particles")
    words.add_argument("--commands", action="store_true", help="print the commands, too")
    given = words.parse_args()
    for name in given.tables:
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            TABLES[name](Program(given.program.resolve(), pathlib.Path(folder), given.scale, given.commands))
            print(f"({name}: {time.monotonic() - began:.0f} s)\n")


if __name__ == "__main__":
    main()
