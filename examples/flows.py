#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures of gas beside its exact or reference flow: of sod, sedov, noh, gresho and evrard the particles of the last
snapshot and the exact curves, of others the density in the plane of x and y at some times and what is measured of it against time.

Usage: examples/flows.py DIRECTORY -o PNG [--hornbeam PROGRAM]
"""
import argparse
import json
import pathlib
import subprocess

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

import measures  # noqa: E402

OURS, EXACT = "#0072B2", "#D55E00"


def read(path):
    """Time, model, gamma and the gas of a snapshot."""
    with h5py.File(path) as file:
        configuration = json.loads(file["Hornbeam/Record"][()].tobytes())["configuration"]
        gas = {name: file["PartType0"][name][:] for name in
               ("Coordinates", "Velocities", "Density", "InternalEnergy", "SmoothingLength")}
        return float(file["Header"].attrs["Time"]), configuration["ic"]["model"], configuration["gas"]["gamma"], gas


def measured(program, paths):
    found = json.loads(subprocess.run([program, "analyze", *map(str, paths), "--exact", "--json"], check=True,
                                      capture_output=True, text=True).stdout)
    return [one["exact"] for one in (found if isinstance(found, list) else [found])]


def curves(path, program, out):
    """Density, velocity and pressure along x or the radius, with the exact ones."""
    time, model, gamma, gas = read(path)
    exact = measured(program, [path])[0]
    x, v = gas["Coordinates"], gas["Velocities"]
    if "x" in exact:
        along, speed, word = x[:, 0], v[:, 0], "x"
    elif model == "gresho":
        along = np.hypot(x[:, 0], x[:, 1])
        speed, word = (x[:, 0] * v[:, 1] - x[:, 1] * v[:, 0]) / along, "radius"
    else:
        along = np.linalg.norm(x, axis=1)
        speed, word = (x * v).sum(axis=1) / along, "radius"
    places = np.asarray(exact[word])
    shown = (along >= min(places[0], 0)) & (along <= places[-1])
    values = (gas["Density"], speed, (gamma - 1) * gas["Density"] * gas["InternalEnergy"])
    figure, panels = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
    for axes, name, value in zip(panels, ("density", "velocity", "pressure"), values):
        axes.plot(along[shown], value[shown], ".", color=OURS, markersize=1.5, alpha=0.4, rasterized=True,
                  label=f"{len(value)} particles")
        axes.plot(places, exact[name], color=EXACT, linewidth=1.4, label="exact")
        axes.set(xlabel=word, ylabel=name)
        if exact[name][0] > 100 * exact[name][-1] > 0:
            axes.set_yscale("log")
        axes.legend(fontsize=8)
    figure.suptitle(f"{model}, t = {time:.3g}", fontsize=11)
    figure.savefig(out, dpi=100)


def density_in_plane(axes, gas, time):
    """The layer nearest to the middle, each particle as wide as the kernel's half."""
    x = gas["Coordinates"]
    near = np.abs(x[:, 2]) < 0.35 * np.median(gas["SmoothingLength"])
    axes.set(aspect="equal", title=f"t = {time:.3g}", xlabel="x")
    return axes.tricontourf(x[near, 0], x[near, 1], gas["Density"][near], levels=40, cmap="viridis")


def planes(paths, program, out):
    pictures = [paths[k] for k in sorted({len(paths) // 3, 2 * len(paths) // 3, len(paths) - 1})]
    found = measured(program, paths[1:])
    figure, panels = plt.subplots(1, len(pictures) + 1, figsize=(4.2 * (len(pictures) + 1), 4.2), layout="constrained")
    for axes, path in zip(panels, pictures):
        time, model, _, gas = read(path)
        drawn = density_in_plane(axes, gas, time)
    panels[0].set_ylabel("y")
    figure.colorbar(drawn, ax=panels[:-1], label="density", shrink=0.8)
    times = [read(path)[0] for path in paths[1:]]
    axes = panels[-1]
    for key, style, label in (("amplitude", OURS, "amplitude"), ("reference_amplitude", EXACT, "reference"),
                              ("corner", OURS, "reach of the corners"), ("cloud_mass", OURS, "share of the cloud")):
        pairs = [(t, one[key]) for t, one in zip(times, found) if key in one]
        if pairs:
            axes.plot(*zip(*pairs), marker="o", markersize=3, color=style, label=label)
    if model == "kelvin-helmholtz":
        axes.set_yscale("log")
    axes.set(xlabel="t", title=model)
    axes.legend(fontsize=8)
    figure.savefig(out, dpi=100)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("-o", required=True, dest="out")
    parser.add_argument("--hornbeam", help="the program (default: that of build/, or the one on PATH)")
    options = parser.parse_args()
    options.hornbeam = options.hornbeam or measures.program()
    paths = sorted(options.directory.glob("snapshot_*.hdf5"))
    if len(paths) < 2:
        parser.error(f"{options.directory} holds {len(paths)} snapshots, and needs two")
    if read(paths[-1])[1] in ("sod", "sedov", "noh", "gresho", "evrard"):
        curves(paths[-1], options.hornbeam, options.out)
    else:
        planes(paths, options.hornbeam, options.out)


if __name__ == "__main__":
    main()
