# SPDX-License-Identifier: Apache-2.0
"""Spherical profiles of snapshots side by side: profiles.py SNAPSHOT... -o PICTURE.PNG [--types FAMILY...]"""

import argparse
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from measures import analyze


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("snapshots", nargs="+")
    parser.add_argument("-o", "--output", required=True, help="picture to draw")
    parser.add_argument("--types", nargs="+", default=[], help="families to look at: halo, disc, bulge, star, ...")
    arguments = parser.parse_args()
    types = ["--types", *arguments.types] if arguments.types else []
    measured = analyze(arguments.snapshots, "--profile", "--anisotropy", *types)
    for file, each in zip(arguments.snapshots, measured):
        for measure, why in each.get("errors", {}).items():
            print(f"{file}: no {measure}: {why}")

    figure, axes = plt.subplots(2, 2, sharex=True, figsize=(9, 7), layout="constrained")
    for file, each in zip(arguments.snapshots, measured):
        for axis, name in zip(axes.flat, ["density", "mass", "circular_velocity"]):
            if name in each:
                axis.loglog(each["radius"], each[name], ".-", label=pathlib.Path(file).stem)
            axis.set_ylabel(name.replace("_", " "))
        if "anisotropy" in each:
            axes[1, 1].semilogx(each["anisotropy"]["radius"], each["anisotropy"]["beta"], ".-")
    axes[1, 1].set_ylabel("anisotropy β")
    axes[1, 1].set_ylim(-1, 1)
    axes[0, 0].legend()
    for axis in axes[1]:
        axis.set_xlabel("radius")
    figure.savefig(arguments.output, dpi=120)


if __name__ == "__main__":
    main()
