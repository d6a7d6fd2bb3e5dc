#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random options of `force` on random particles, against sums of our own.

Errors are judged in units of the sum of the sizes of all pulls on a particle (at least 0.01 of its median): where pulls
cancel, as in a lattice, that is what both truncation and rounding scale with. What is allowed follows from the options
alone, see Allowed.
"""

import re
import shlex

import h5py
import numpy as np

from common import Attack, signature
from direct import sum_directly
from shapes import draw_masses, draw_shape

NUMBERS = [1, 2, 3, 5, 8, 13, 27, 50, 100, 100, 200, 300, 300, 500, 500, 1000, 1000, 1728, 2000, 5000]
MOST_TARGETS = 150
TINY = np.longdouble("1e-4900")
KNOWN_LINE = re.compile(r"(\d+ particles on |walk \w+, mac |seconds|interactions per|particles per second|error against"
                        r"|  [a-z_0-9]+ +-?[\d.]+(e[-+]?\d+)?$|  HDF5 in Gadget|  no units: |  softening per particle from)")


def widest_cell(mac, theta):
    """b / d at the most, b the reach of a cell's particles about their centre of mass: docs/theory.md eq. 9."""
    if theta == 0:
        return 0.0
    if mac in ("offset", "offset-box", "relative"):  # d > l / theta + delta, b < sqrt(3) / 2 l + delta, delta < sqrt(3) / 2 l
        return 1.732 / (1 / theta + 0.866)
    return 1.732 * theta  # centre of mass in one corner, particles in the opposite one


def multipole_error(order, x):
    """The largest error of a cell's pull per pull, Salmon & Warren 1994 eq. 3 to 5; the pull itself may be (1 + x)^-2."""
    if x >= 0.9:
        return 3.0
    n = 1 if order == 0 else 2  # the dipole vanishes
    return min(3.0, ((n + 2) * x ** (n + 1) - (n + 1) * x ** (n + 2)) / (1 - x) ** 2 * (1 + x) ** 2)


def expansion_error(order, t):
    """The same of an expansion about a group with n + k <= order, t = (b + r) / d: the rest of the Taylor series."""
    if order == 0 or t == 0:
        return 0.0
    if t >= 0.9:
        return 3.0
    return min(3.0, ((order + 1) * t**order - order * t ** (order + 1)) / (1 - t) ** 2 * (1 + t) ** 2)


class Allowed:
    """The largest errors that theta and the precision explain: for every particle, for 99 and 50 % of smooth systems."""

    def __init__(self, o, sums, smooth, far):
        theta, theta_c, expansion = o["theta"], o["theta-c"], o["expansion"]
        if theta_c is None:
            theta_c = min(theta, 1.0)
        if o["walk"] == "direct":
            theta = theta_c = 0.0
        if o["walk"] != "group":
            expansion = 0
        power = 2 if o["order"] == 0 else 3
        typical = theta**power + (theta_c**expansion if expansion else 0.0)
        self.truncation = multipole_error(o["order"], widest_cell(o["mac"], theta)) + expansion_error(expansion, theta_c)
        self.p99, self.median = (0.3 * typical, 0.1 * typical) if smooth else (np.inf, np.inf)
        if theta == 0 and (theta_c == 0 or expansion == 0):
            self.p99 = self.median = 0.0
        self.round(o["precision"], sums, smooth, far)

    def round(self, precision, sums, smooth, far):
        """Rounding: of differences in fp32 to a group's centre, whose particles may be 256 times nearer to one another
        (docs/theory.md), of positions in fp32, of fp64."""
        least, most = {"mixed": (2e-5 if smooth else 5e-4, 1e-3), "single": (1e-4, 1e-3), "double": (1e-12, 1e-11)}[precision]
        moved = np.minimum(sums.spread / np.maximum(sums.scale, TINY), 1e30).astype(float)
        rounding = most + moved + np.where(far & (precision != "double"), 0.02, 0.0)[:, None]
        self.most = self.truncation + rounding  # of accelerations and potentials
        wide = precision == "single"
        self.p99 = self.p99 + least + (np.quantile(rounding, 0.99, axis=0) if wide else np.zeros(2))
        self.median = self.median + least + (np.quantile(rounding, 0.5, axis=0) if wide else np.zeros(2))


class Forces(Attack):
    name, about, count = "forces", __doc__, 2000
    worst = {}

    def attempt(self, case):
        rng = np.random.default_rng(case.rng.randrange(2**63))
        shape = draw_shape(rng, int(rng.choice(NUMBERS)))
        n = len(shape.x)
        mass, mass_name, alike = draw_masses(rng, n)
        o = self.options_of(rng, case.backend)
        eps = self.softening(rng, o, shape, n)
        case.kind = o["walk"] + ": " + o["precision"] + ": " + re.sub(r"^\d+ |[\d(,].*", "", shape.name).strip()
        self.write(case.folder / "p.hdf5", shape.x, mass, None if o["eps"] is not None else eps)
        arguments = ["force", "p.hdf5", "-o", "f.hdf5", "--threads", int(rng.integers(1, 3))]
        checked = n <= 300 and rng.random() < 0.25
        arguments += ["--check", n] if checked else []
        for key, value in o.items():
            arguments += [f"--{key}", value] if value is not None else []
        self.program.memory = self.program.memory if case.backend == "cpu" else None
        done = case.run(*arguments, quiet=case.backend == "cpu")
        if done.status != 0:
            form = signature(done.err)
            self.refused[form] = self.refused.get(form, 0) + 1
            case.kind = "refused"
        if not done.fine:
            return
        what = f"{n} particles, {shape.name}, {mass_name}, eps {o['eps']}"
        self.compare(case, rng, o, shape, mass, eps, alike, what, done, checked)

    refused = {}

    def more(self):
        return {"refused": self.refused, "largest errors where rounding alone is allowed": self.worst}

    def options_of(self, rng, backend):
        walks = ["group", "group", "group", "stackless", "direct", "direct"] + (["vote"] * 2 if backend != "cpu" else [])
        o = {"walk": rng.choice(walks), "mac": rng.choice(["bh", "offset", "offset", "offset-box", "min-distance", "relative"]),
             "order": int(rng.choice([0, 2, 2])), "expansion": int(rng.choice([0, 1, 2, 3, 4, 4, 5, 6])),
             "softening": rng.choice(["plummer", "spline"]), "precision": rng.choice(["mixed"] * 4 + ["single", "double"]),
             "curve": rng.choice(["hilbert", "morton", "none"])}
        pick = rng.random()
        o["theta"] = 0.0 if pick < 0.3 else float(rng.uniform(0.05, 0.35)) if pick < 0.6 else \
            float(rng.uniform(0.35, 0.8)) if pick < 0.9 else float(rng.uniform(0.8, 2))
        o["theta-c"] = float(rng.uniform(0, 1)) if rng.random() < 0.25 else None
        o["leaf-size"] = int(2 ** rng.uniform(0, 10)) if rng.random() < 0.4 else None
        o["group-size"] = int(2 ** rng.uniform(0, 10)) if rng.random() < 0.4 else None
        o["backend"] = backend
        if o["curve"] == "none" and o["walk"] in ("group", "vote") and rng.random() < 0.95:
            o["curve"] = "hilbert"
        return o

    def softening(self, rng, o, shape, n):
        """Chooses eps: one for all as an option, or one each in the file."""
        pick = rng.integers(6)
        size = shape.scale * [0, 0, 10 ** rng.uniform(-12, -4), 10 ** rng.uniform(-3, -1), 0.05, 10 ** rng.uniform(1, 4)][pick]
        o["eps"] = float(size)
        if pick and rng.random() < 0.25:
            o["eps"] = None
            return size * rng.uniform(0.5, 2, n) * (rng.random(n) < 0.9)
        return np.full(n, size)

    def write(self, path, x, mass, eps):
        with h5py.File(path, "w") as file:
            header = file.create_group("Header")
            counts = np.array([0, len(x), 0, 0, 0, 0])
            for key, value in {"NumPart_ThisFile": counts, "NumPart_Total": counts, "NumFilesPerSnapshot": 1,
                               "MassTable": np.zeros(6), "BoxSize": 0.0, "Time": 0.0}.items():
                header.attrs[key] = value
            halo = file.create_group("PartType1")
            halo["Coordinates"], halo["Masses"], halo["Velocities"] = x, mass, np.zeros_like(x)
            halo["ParticleIDs"] = np.arange(len(x), dtype=np.uint64)
            if eps is not None:
                halo["Softening"] = eps

    def compare(self, case, rng, o, shape, mass, eps, alike, what, done, checked):
        with h5py.File(case.folder / "f.hdf5") as file:
            halo = file["PartType1"]
            if not np.array_equal(halo["ParticleIDs"][:], np.arange(len(mass))):
                return case.complain("forces are not in input order")
            acceleration, potential = halo["Acceleration"][:], halo["Potential"][:]
        broken = ~(np.isfinite(acceleration).all(axis=1) & np.isfinite(potential))
        if broken.any():
            return case.complain(f"forces of {broken.sum()} particles are no numbers with status 0: {what} "
                                 f"[{shlex.join(done.command[1:])}]", f"no numbers: {o['walk']} {o['precision']}")
        n = len(mass)
        targets = np.arange(n) if n <= MOST_TARGETS else np.sort(rng.choice(n, MOST_TARGETS, replace=False))
        rounding = {"single": 2.0**-24 * np.abs(shape.x).max(), "mixed": 0.0, "double": 2.0**-52 * shape.scale}[o["precision"]]
        sums = sum_directly(shape.x, mass, eps, o["softening"], targets, rounding)
        sizes = np.stack([sums.pull, np.abs(sums.potential)], axis=1)
        sums.scale = np.maximum(sizes, 0.01 * np.median(sizes.astype(float), axis=0))
        if o["precision"] != "double":  # what is too small for fp32 in units where all mass is 1 and the extent 512
            sums.spread += 1e-35 * mass.sum() * np.array([(512 / shape.scale) ** 2, 512 / shape.scale])
        allowed = Allowed(o, sums, shape.smooth and alike and n >= 200, shape.far[targets])
        self.judge(case, o, errors(acceleration[targets], potential[targets], sums), allowed, what, done)
        if checked and not case.wrong and n > 1:
            self.judge_check(case, done, acceleration, sums, n <= MOST_TARGETS)

    def judge(self, case, o, both, allowed, what, done):
        found = []
        for k, name in enumerate(("acceleration", "potential")):
            e, over = both[k], both[k] / allowed.most[:, k]
            if over.max() > 1:
                worst = int(np.argmax(over))
                found.append(f"{name}: error {e[worst]:.1e} of all pulls, {allowed.most[worst, k]:.1e} allowed; "
                             f"{(over > 1).sum()} of {len(e)} above, median {np.median(e):.1e}")
            elif len(e) >= 100 and np.quantile(e, 0.99) > allowed.p99[k]:
                found.append(f"{name}: 99 % error {np.quantile(e, 0.99):.1e} of all pulls, {allowed.p99[k]:.1e} allowed")
            elif len(e) >= 100 and np.median(e) > allowed.median[k]:
                found.append(f"{name}: median error {np.median(e):.1e} of all pulls, {allowed.median[k]:.1e} allowed")
        error = both[0]
        said = [line for line in done.out.splitlines() if not KNOWN_LINE.match(line)]
        if not found and o["precision"] == "single" and not said:
            most, usual = np.quantile(error, [0.99, 0.9])
            if usual > 0.01 + allowed.truncation or most > 0.1 + allowed.truncation:
                found.append(f"single precision cannot hold these particles, and nothing says so: 99 % error {most:.1e}, 90 % "
                             f"{usual:.1e} of all pulls")
        if not found and allowed.truncation == 0:
            key = f"{o['walk']} {o['precision']}"
            self.worst[key] = max(self.worst.get(key, 0.0), float(f"{error.max():.2g}"))
        if found and said:
            case.kind = "warned: " + case.kind
            self.warned.append(f"{what}: {found[0]}: {said[0].strip()}")
            if o["precision"] == "single":
                return
        for text in found:
            case.complain(f"{o['walk']}, {o['precision']}: {text}: {what} [{shlex.join(done.command[1:])}]"
                          + (f" (said: {said[0].strip()})" if said else ""),
                          f"{o['walk']} {o['precision']}: {signature(text.split(';')[0])}")

    warned = []

    def judge_check(self, case, done, acceleration, sums, is_all):
        """`--check` must find what we find, where both looked at all particles."""
        said = re.search(r"acc_max +(\S+)", done.out)
        if said is None or not np.isfinite(float(said[1])):
            return case.complain("--check tells no largest error")
        if is_all:
            size = np.sqrt((sums.acceleration**2).sum(axis=1))
            floor = np.maximum(size, 0.01 * np.sqrt((size**2).mean()))
            own = np.sqrt(((acceleration - sums.acceleration) ** 2).sum(axis=1)) / np.where(floor > 0, floor, 1)
            if own.max() > 1e-5 and not 0.3 < float(said[1]) / own.max() < 3:
                case.complain(f"--check says acc_max {said[1]}, which is {float(own.max()):.2e}")


def errors(acceleration, potential, sums):
    """Of accelerations and potentials, in units of all pulls and of the potential's depth."""
    found = []
    off = np.sqrt(((acceleration - sums.acceleration) ** 2).sum(axis=1)), np.abs(potential - sums.potential)
    for k in range(2):
        scale = sums.scale[:, k]
        with np.errstate(divide="ignore", invalid="ignore"):
            found.append(np.where(scale > 0, off[k] / scale, np.where(off[k] > 0, np.inf, 0.0)).astype(float))
    return found


if __name__ == "__main__":
    Forces().main()
