# SPDX-License-Identifier: Apache-2.0
"""Plots the energies of a run: plot_energy.py ENERGY.CSV PICTURE.PNG"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import measures
import numpy as np


def main(table, picture):
    rows, units = measures.table(table)
    figure, (energies, error) = plt.subplots(2, 1, sharex=True, figsize=(8, 6), layout="constrained")
    for name in [name for name in ("kinetic", "potential", "thermal", "total") if name in rows]:
        energies.plot(rows["time"], rows[name], label=name)
    energies.set_ylabel("energy" + units["total"])
    energies.legend()
    error.plot(rows["time"], rows["relative_error"], color="black")
    error.set_ylabel("(E − E₀) / |E₀|")
    error.set_xlabel("time" + units["time"])
    figure.savefig(picture, dpi=120)
    print(f"{picture}: {rows['time'].size} rows, largest energy error {np.abs(rows['relative_error']).max():.2e}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
