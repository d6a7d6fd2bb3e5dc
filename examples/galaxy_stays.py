# SPDX-License-Identifier: Apache-2.0
"""Has a galaxy stayed what it was? galaxy_stays.py FOLDER [-o PICTURE.PNG]

Compares the last snapshot of a run with its first, in rings and shells of at least 1,000 particles outside the softening:
surface density and halo density, circular velocity, scale height; and the virial ratio over the whole run. Exit status 1
where one of them has changed by more than is allowed (10 % surface density, 5 % circular velocity and halo, 20 % height,
1 % virial ratio)."""

import argparse
import pathlib
import sys

import numpy as np
from measures import analyze, snapshots

RINGS = [0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0]
SHELLS = [0.3, 0.5, 0.8, 1.2, 1.8, 2.7, 4.0, 6.0, 9.0, 13.0, 20.0, 30.0]


def change(first, last, enough):
    return (np.array(last) / np.array(first) - 1)[enough]


def virial_change(folder):
    rows = np.genfromtxt(pathlib.Path(folder) / "energy.csv", delimiter=",", names=True)
    ratio = -2 * rows["kinetic"] / rows["potential"]
    return ratio / ratio[0] - 1


def compare(folder):
    """{name: (changes, allowed)}, and the discs of all snapshots for the plot."""
    files = snapshots(folder)
    ends = [files[0], files[-1]]
    discs = [m["disc"] for m in analyze(ends, "--disc", "--edges", *RINGS)]
    halos = analyze(ends, "--profile", "--types", "halo", "--edges", *SHELLS)
    rings = np.minimum(discs[0]["count"], discs[1]["count"]) >= 1000
    # Halo particles in a shell: its share of the halo's mass times their number, 1,000 or more.
    masses = np.array(halos[0]["density"]) * np.diff(np.array(SHELLS) ** 3)
    shells = masses / masses.sum() > 0.004
    changes = {"surface density": (change(discs[0]["surface_density"], discs[1]["surface_density"], rings), 0.10),
               "circular velocity": (change(discs[0]["circular_velocity"], discs[1]["circular_velocity"], rings), 0.05),
               "halo density": (change(halos[0]["density"], halos[1]["density"], shells), 0.05),
               "scale height": (change(discs[0]["scale_height"], discs[1]["scale_height"], rings), 0.20),
               "virial ratio": (virial_change(folder), 0.01)}
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
        largest = np.abs(values).max()
        stays &= bool(largest <= allowed)
        print(f"{name:18} {len(values):4} values  largest change {100 * largest:5.1f} %  mean {100 * values.mean():+5.1f} %"
              f"  allowed {100 * allowed:.0f} %  {'ok' if largest <= allowed else 'TOO MUCH'}")
    if arguments.output:
        plot(discs, arguments.output)
    return 0 if stays else 1


if __name__ == "__main__":
    sys.exit(main())
