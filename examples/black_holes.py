# SPDX-License-Identifier: Apache-2.0
"""The distance of two black holes over time: black_holes.py SNAPSHOT... [-o PICTURE.PNG]

Prints the passages, which are the minima of the distance between larger ones."""

import argparse

from measures import analyze


def passages(times, distances):
    """(time, distance) where the distance is less than its neighbours and had been 1.5 times that before and after."""
    found = []
    for i in range(1, len(times) - 1):
        if not distances[i - 1] > distances[i] <= distances[i + 1]:
            continue
        since = max(distances[(times.index(found[-1][0]) if found else 0):i])
        until = max(distances[i:])
        if since > 1.5 * distances[i] and until > 1.5 * distances[i]:
            found.append((times[i], distances[i]))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("snapshots", nargs="+")
    parser.add_argument("-o", "--output", help="picture to draw")
    arguments = parser.parse_args()
    measured = analyze(sorted(arguments.snapshots), "--black-holes")
    times = [m["time"] for m in measured]
    distances = [m["black_holes"]["distance"] for m in measured]
    for number, (time, distance) in enumerate(passages(times, distances)[:3], 1):
        print(f"passage {number}: t = {time:g}, {distance:.2f} apart")
    if arguments.output:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        figure, axis = plt.subplots(figsize=(8, 5), layout="constrained")
        axis.plot(times, distances, color="black")
        axis.set_xlabel("time")
        axis.set_ylabel("distance of the black holes")
        figure.savefig(arguments.output, dpi=120)


if __name__ == "__main__":
    main()
