# SPDX-License-Identifier: Apache-2.0
"""The distance of black holes over time: black_holes.py FOLDER... [-o PICTURE.PNG]

FOLDER is what a run with output.black_holes_every wrote. Of two, their distance and the passages that run.json tells; of one,
how far it is from where it started; of more, how far each is from the first."""

import argparse
import json
import pathlib

import numpy as np
from measures import table


def tracks(folder):
    """{name: (times, distances)} of black_holes.csv, which has a row for each black hole at each time."""
    path = pathlib.Path(folder) / "black_holes.csv"
    if not path.exists():
        raise SystemExit(f"{path} is not there (run with output.black_holes_every)")
    rows, _ = table(path)
    ids = list(dict.fromkeys(rows["id"]))
    places = [np.array([rows[axis][rows["id"] == each] for axis in "xyz"]) for each in ids]
    times = rows["time"][rows["id"] == ids[0]]
    if len(ids) == 1:
        return {f"{folder}, from its start": (times, np.linalg.norm(places[0] - places[0][:, :1], axis=0))}
    return {folder if len(ids) == 2 else f"{folder}, {int(each)}": (times, np.linalg.norm(place - places[0], axis=0))
            for each, place in zip(ids[1:], places[1:])}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("-o", "--output", help="picture to draw")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        told = json.loads((pathlib.Path(folder) / "run.json").read_text()).get("black_holes", {})
        for name, (times, distances) in tracks(folder).items():
            print(f"{name}: {distances[0]:.4g} at t = {times[0]:g}, {distances[-1]:.4g} at t = {times[-1]:g}, "
                  f"between {distances.min():.4g} and {distances.max():.4g}")
        passages = told.get("passages", [])
        for number, passage in enumerate(passages[:3], 1):
            print(f"{folder}: passage {number}: t = {passage['time']:.2f}, {passage['distance']:.2f} apart")
    if arguments.output:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        figure, axis = plt.subplots(figsize=(8, 5), layout="constrained")
        for folder in arguments.folders:
            for name, (times, distances) in tracks(folder).items():
                axis.plot(times, distances, label=name)
        axis.set_xlabel("time")
        axis.set_ylabel("distance of the black hole")
        axis.legend()
        figure.savefig(arguments.output, dpi=120)


if __name__ == "__main__":
    main()
