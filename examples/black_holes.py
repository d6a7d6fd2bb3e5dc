# SPDX-License-Identifier: Apache-2.0
"""The distance of two black holes over time: black_holes.py FOLDER... [-o PICTURE.PNG]

FOLDER is what a run with output.black_holes_every wrote. Prints the passages that run.json tells."""

import argparse
import json
import pathlib

import numpy as np


def track(folder):
    """Times and distances of black_holes.csv, which has a row for each of the two at each time."""
    rows = np.genfromtxt(pathlib.Path(folder) / "black_holes.csv", delimiter=",", names=True)
    first, second = rows[0::2], rows[1::2]
    return first["time"], np.sqrt(sum((first[axis] - second[axis]) ** 2 for axis in "xyz"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("-o", "--output", help="picture to draw")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        passages = json.loads((pathlib.Path(folder) / "run.json").read_text())["black_holes"]["passages"]
        for number, passage in enumerate(passages[:3], 1):
            print(f"{folder}: passage {number}: t = {passage['time']:.2f}, {passage['distance']:.2f} apart")
    if arguments.output:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        figure, axis = plt.subplots(figsize=(8, 5), layout="constrained")
        for folder in arguments.folders:
            axis.plot(*track(folder), label=folder)
        axis.set_xlabel("time")
        axis.set_ylabel("distance of the black holes")
        axis.legend()
        figure.savefig(arguments.output, dpi=120)


if __name__ == "__main__":
    main()
