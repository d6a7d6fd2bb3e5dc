# SPDX-License-Identifier: Apache-2.0
"""Plots the energies of a run: plot_energy.py ENERGY.CSV PICTURE.PNG"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


def main(table, picture):
    with open(table) as file:  # "time [Gyr]": units stand in brackets where the run has some
        headings = [heading.split(" [") for heading in file.readline().strip().split(",")]
        rows = np.genfromtxt(file, delimiter=",", names=[heading[0] for heading in headings])
    unit = {heading[0]: " [" + heading[1] if len(heading) > 1 else "" for heading in headings}
    figure, (energies, error) = plt.subplots(2, 1, sharex=True, figsize=(8, 6), layout="constrained")
    for name in ("kinetic", "potential", "total"):
        energies.plot(rows["time"], rows[name], label=name)
    energies.set_ylabel("energy" + unit["total"])
    energies.legend()
    error.plot(rows["time"], rows["relative_error"], color="black")
    error.set_ylabel("(E − E₀) / |E₀|")
    error.set_xlabel("time" + unit["time"])
    figure.savefig(picture, dpi=120)
    print(f"{picture}: {rows.size} rows, largest energy error {np.abs(rows['relative_error']).max():.2e}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
