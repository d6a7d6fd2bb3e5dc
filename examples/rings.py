#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures of rings and other bodies that collide, from above, or of the surface density across a ring against time.

Usage: examples/rings.py above SNAPSHOT... -o PNG       (one panel each; of a ring the orbit goes to the right)
       examples/rings.py waves DIRECTORY -o PNG         (of all snapshots there)
"""
import argparse
import json
import math
import pathlib

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.collections  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402


def read(path):
    """Orbits since time 0 (of a box that does not orbit the time), the box, and of the bodies x, radii and masses."""
    with h5py.File(path) as file:
        group = next(file[name] for name in file if name.startswith("PartType"))
        box = json.loads(file["Hornbeam/Record"][()].tobytes())["configuration"]["boundary"]
        orbits = float(file["Header"].attrs["Time"]) * (box["omega"] / (2 * math.pi) if box["kind"] == "shear" else 1)
        return orbits, box, group["Coordinates"][:], group["Radius"][:], group["Masses"][:]


def unit_of_length(path):
    """To be put behind the name of an axis: " [m]", or nothing where it has no name of its own."""
    with h5py.File(path) as file:
        length = file["Units"].attrs["UnitLength_in_cm"] if "Units" in file else 0
    return {1e2: " [m]", 1e5: " [km]", 6.0268e9: " [Rsaturn]"}.get(float(length), "")


def above(paths, out):
    _, box, x, *_ = read(paths[0])
    sheet = box["kind"] == "shear"
    # the orbit goes to the right; other boxes are drawn as far as bodies reach
    across, along = (box["size"][0] / 2, box["size"][1] / 2) if sheet else 2 * [1.05 * abs(x[:, :2]).max()]
    wide = along > 2 * across
    shape = (len(paths), 1) if wide else (1, len(paths))
    size = (10, 2.4 * len(paths)) if wide else (4.6 * len(paths), 4.8)
    unit = unit_of_length(paths[0])
    figure, panels = plt.subplots(*shape, figsize=size, squeeze=False, layout="constrained")
    for axes, path in zip(panels.flat, paths):
        orbits, _, x, radius, _ = read(path)
        order = np.argsort(x[:, 2])
        x, radius = x[order], radius[order]
        axes.add_collection(matplotlib.collections.EllipseCollection(
            2 * radius, 2 * radius, np.zeros(len(x)), units="xy", offsets=x[:, [1, 0] if sheet else [0, 1]],
            transOffset=axes.transData, facecolor="0.85", edgecolor="0.35", linewidth=0.2))
        axes.set(xlim=(-along, along), ylim=(-across, across), aspect="equal", facecolor="black",
                 title=f"after {orbits:.1f} orbits" if sheet else f"t = {orbits:.3g}, {len(x)} bodies",
                 xlabel=("along the orbit" if sheet else "x") + unit)
    panels[0, 0].set_ylabel(("outwards" if sheet else "y") + unit)
    figure.savefig(out, dpi=100)


def waves(directory, out):
    """Once an orbit, which stops what oscillates with it, and all snapshots of the last three orbits."""
    times, rows = [], []
    for path in sorted(pathlib.Path(directory).glob("snapshot_*.hdf5")):
        orbits, box, x, _, mass = read(path)
        bins = max(16, round(box["size"][0] / 4))
        row, edges = np.histogram(x[:, 0], bins=bins, range=(-box["size"][0] / 2, box["size"][0] / 2), weights=mass)
        times.append(orbits)
        rows.append(row / mass.sum() * bins)
    times, rows = np.array(times), np.array(rows)
    whole = [np.argmin(abs(times - k)) for k in range(math.floor(times[-1] + 0.1) + 1)]
    figure, panels = plt.subplots(1, 2, figsize=(10, 5.5), layout="constrained", sharex=True)
    for axes, which in zip(panels, (whole, np.flatnonzero(times > times[-1] - 3))):
        image = axes.pcolormesh((edges[1:] + edges[:-1]) / 2, times[which], rows[which], cmap="magma", vmin=0.4, vmax=1.8,
                                shading="nearest")
        axes.set(xlabel="outwards", ylabel="orbits")
    figure.colorbar(image, label="surface density over its mean")
    figure.savefig(out, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("picture", choices=("above", "waves"))
    parser.add_argument("files", nargs="+")
    parser.add_argument("-o", required=True)
    arguments = parser.parse_args()
    if arguments.picture == "above":
        above(arguments.files, arguments.o)
    else:
        waves(arguments.files[0], arguments.o)


if __name__ == "__main__":
    main()
