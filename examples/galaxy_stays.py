# SPDX-License-Identifier: Apache-2.0
"""Has a galaxy stayed what it was? galaxy_stays.py FOLDER [-o PICTURE.PNG]

Compares the last snapshot of a run with its first, in rings and shells of at least 1,000 particles outside the softening
(of fewer, where a smaller galaxy has none): surface density and halo density, circular velocity, scale height; and the
virial ratio over the whole run. Exit status 1 where one of them has changed by more than is allowed: 10 % surface density,
5 % circular velocity and halo, 20 % height, 1 % virial ratio, and the scatter of few particles."""

import argparse
import json
import pathlib
import sys

import numpy as np
from measures import NotMeasured, analyze, snapshots, table

RINGS = [0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0]
SHELLS = [0.3, 0.5, 0.8, 1.2, 1.8, 2.7, 4.0, 6.0, 9.0, 13.0, 20.0, 30.0]


def common(first, last):
    """Both without the rings that only one of them has: those with too few stars are left out."""
    def at(measured, radii):
        chosen = [i for i, r in enumerate(measured["radius"]) if r in radii]
        return {key: np.array(values, float)[chosen] for key, values in measured.items()}

    return at(first, set(last["radius"])), at(last, set(first["radius"]))


def enough(counts):
    """Which bins to look at: those of 1,000 particles, or where fewer than three have that many, of 100, 10 or 1."""
    limit = next((limit for limit in (1000, 100, 10) if (counts >= limit).sum() >= 3), 1)
    return counts >= limit


def change(first, last, counts, allowed):
    """Relative changes, and what is allowed: more where few particles scatter (three times what two samples differ by)."""
    chosen = enough(counts) & (np.array(first) != 0) & np.isfinite(first) & np.isfinite(last)
    noise = np.where(counts >= 1000, 0, 3 * np.sqrt(2 / np.maximum(counts, 1)))
    return (np.array(last)[chosen] / np.array(first)[chosen] - 1), (allowed + noise)[chosen]


def virial_change(folder, particles):
    rows, _ = table(pathlib.Path(folder) / "energy.csv")
    ratio = -2 * rows["kinetic"] / rows["potential"]
    return ratio / ratio[0] - 1, np.full(len(ratio), 0.01 + (0 if particles >= 1e5 else 3 / np.sqrt(particles)))


def halo_counts(halo, particles):
    """About how many halo particles each shell holds: its share of the halo, which has six in ten of all."""
    masses = np.array(halo["density"]) * np.diff(np.array(SHELLS) ** 3)
    return masses / max(masses.sum(), 1e-300) * 0.6 * particles


def measured(ends, *options):
    try:
        return analyze(ends, *options)
    except NotMeasured as why:
        print(f"left out: {why}")
        return None


def compare(folder):
    """{name: (changes, allowed)}, and the discs of first and last snapshot for the plot; None where there is none."""
    files = snapshots(folder)
    ends = [files[0], files[-1]]
    particles = json.loads((pathlib.Path(folder) / "run.json").read_text())["totals"]["particles"]
    changes, discs = {}, None
    if found := measured(ends, "--disc", "--edges", *RINGS):
        discs = common(*(m["disc"] for m in found))
        counts = np.minimum(discs[0]["count"], discs[1]["count"])
        for name, allowed in [("surface_density", 0.10), ("circular_velocity", 0.05), ("scale_height", 0.20)]:
            changes[name] = change(discs[0][name], discs[1][name], counts, allowed)
    if halos := measured(ends, "--profile", "--types", "halo", "--edges", *SHELLS):
        counts = np.minimum(*(halo_counts(halo, particles) for halo in halos))
        changes["halo density"] = change(halos[0]["density"], halos[1]["density"], counts, 0.05)
    changes["virial ratio"] = virial_change(folder, particles)
    return changes, discs


def plot(discs, picture):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    names = ["surface_density", "circular_velocity", "scale_height", "toomre_q", "radial_dispersion",
             "vertical_dispersion"]
    figure, axes = plt.subplots(2, 3, figsize=(12, 7), layout="constrained")
    for axis, name in zip(axes.flat, names):
        for disc, label in zip(discs, ["first", "last"]):
            axis.plot(disc["radius"], disc[name], label=label)
        axis.set_xlabel("R")
        axis.set_ylabel(name.replace("_", " "))
        axis.set_yscale("log" if name == "surface_density" else "linear")
        axis.set_ylim(bottom=None if name == "surface_density" else 0)
    axes.flat[0].legend()
    figure.savefig(picture, dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("-o", "--output", help="picture to draw")
    arguments = parser.parse_args()
    changes, discs = compare(arguments.folder)
    stays = True
    for name, (values, allowed) in changes.items():
        if len(values) == 0:
            print(f"{name:18} nothing to compare")
            continue
        stay = bool(np.all(np.abs(values) <= allowed))
        stays &= stay
        limit = f"{100 * allowed.min():.0f}" + (f" to {100 * allowed.max():.0f}" if allowed.max() > allowed.min() else "")
        print(f"{name.replace('_', ' '):18} {len(values):4} values  largest change {100 * np.abs(values).max():5.1f} %  "
              f"mean {100 * values.mean():+5.1f} %  allowed {limit} %  {'ok' if stay else 'TOO MUCH'}")
    if arguments.output and discs:
        plot(discs, arguments.output)
    return 0 if stays else 1


if __name__ == "__main__":
    sys.exit(main())
