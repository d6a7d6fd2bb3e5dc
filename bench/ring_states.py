# SPDX-License-Identifier: Apache-2.0
"""Steady states of equal spheres beside REBOUND's (docs/collisions.md): second half of ORBITS (40), no self-gravity.

Usage: python3 bench/ring_states.py PROGRAM BACKEND [ORBITS]     beside the values of REBOUND 5.0 kept here
       python3 bench/ring_states.py rebound [ORBITS]             REBOUND's own, where `import rebound` works
"""
import csv
import math
import subprocess
import sys
import tempfile
from pathlib import Path

OMEGA = 1.3143527e-4
ORBIT = 2 * math.pi / OMEGA
COLUMNS = ("radial_dispersion", "vertical_dispersion", "filling_factor", "translational_viscosity",
           "collisional_viscosity", "collisions_per_orbit")
SCALES = (OMEGA, OMEGA, 1, OMEGA, OMEGA, 1)  # of spheres of 1 m
BRIDGES = {"law": "bridges", "scale": 0.32}
# law, optical depth, edge of the box; then REBOUND's values of the columns: 5.0.0, the last three 5.2.2
CASES = (({"law": "constant", "restitution": 0.5}, 0.1, 150, (2.79, 1.72, 0.029, 0.162, 0.061, 1.96)),
         ({"law": "constant", "restitution": 0.5}, 0.5, 100, (2.18, 1.47, 0.138, 0.461, 0.367, 9.84)),
         ({"law": "constant", "restitution": 0.5}, 1.0, 100, (1.62, 1.18, 0.257, 0.410, 0.800, 21.6)),
         (BRIDGES, 0.5, 100, (2.98, 2.02, 0.105, 0.851, 0.398, 9.00)),
         (BRIDGES, 1.0, 100, (2.19, 1.61, 0.207, 0.726, 0.844, 18.8)),
         ({"law": "constant", "restitution": 0.3}, 0.75, 60,
          (1.24, 0.850, 0.267, 0.207, 0.520, 33.4)),
         ({"law": "power", "scale": 0.5, "exponent": -0.15, "speed": 0.001}, 0.3, 80,
          (2.79, 1.82, 0.0767, 0.458, 0.214, 5.41)),
         ({"law": "power", "scale": 0.4, "exponent": -0.5, "speed": 0.0005}, 0.75, 60,
          (1.54, 1.08, 0.224, 0.310, 0.529, 14.7)))

CONFIGURATION = """[ic]
model = "ring"
size_x = {edge}
size_y = {edge}
surface_density = {density}
radius_max = {largest}
height = {height}
[units]
system = "si"
[boundary]
kind = "shear"
size = [{edge}, {edge}, 0]
n_ghost_x = {ghosts}
n_ghost_y = {ghosts}
omega = {omega}
self_gravity = {gravity}
[collisions]
{law}
minimum_velocity = {least}
[time]
dt = {dt}
end = {end}
[output]
directory = "ring"
every = {every}
ring_every = {ring_every}
"""


def configuration(edge, density, law, end, dt=0.001, every=None, ring_every=0.25, largest=1, height=3, ghosts=0,
                  gravity="false"):
    """A ring's configuration; times in orbits."""
    words = "\n".join(f'{key} = "{value}"' if key == "law" else f"{key} = {value}" for key, value in law.items())
    return CONFIGURATION.format(edge=edge, density=density, law=words, largest=largest, height=height, ghosts=ghosts,
                                gravity=gravity, omega=OMEGA, least=1e-3 * OMEGA, dt=dt * ORBIT, end=end * ORBIT,
                                every=(every or end) * ORBIT, ring_every=ring_every * ORBIT)


def density_of(depth):
    """Of spheres of 1 m and 400 kg / m^3."""
    return depth * 400 * 4 / 3


def rows_of(path):
    """Those of a ring.csv, without the units in its headings."""
    with open(path, newline="") as file:
        return [{name.split(" ")[0]: float(value) for name, value in row.items()} for row in csv.DictReader(file)]


def ours(program, backend, orbits, folder, law, depth, edge):
    (folder / "ring.toml").write_text(configuration(edge, density_of(depth), law, orbits)
                                      + f'snapshots = false\ncheckpoints = false\n[watchdog]\nevery = 0\n'
                                        f'[device]\nbackend = "{backend}"\n')
    subprocess.run([program, "run", "ring.toml", "--overwrite"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    rows = rows_of(folder / "ring" / "ring.csv")
    rows = rows[len(rows) // 2:]
    return [sum(row[name] for row in rows) / len(rows) / scale for name, scale in zip(COLUMNS, SCALES)]


def theirs(orbits, law, depth, edge):
    import numpy as np
    import rebound_sheet
    options = {**law, "edge": edge, "surface_density": density_of(depth), "radius_max": 1 + 1e-9, "height": 3,
               "self_gravity": False, "ghosts": 1}
    sim = rebound_sheet.fill(rebound_sheet.sheet(**options), **options)
    sums, rows = np.zeros(4), 0
    for quarter in range(2 * round(orbits), 4 * round(orbits) + 1):
        sim.integrate(quarter * ORBIT / 4, exact_finish_time=0)
        if rows == 0:
            since, flux, number = sim.t, sim.collisions_plog, sim.collisions_log_n
        m, r, x, v = rebound_sheet.arrays(sim)
        v[:, 1] += 1.5 * OMEGA * x[:, 0]
        cut = np.sum(np.maximum(r**2 - x[:, 2]**2, 0)) * math.pi / edge**2
        sums += [np.sqrt(np.mean(v[:, 0]**2)), np.sqrt(np.mean(v[:, 2]**2)), cut,
                 2 / 3 * np.sum(m * v[:, 0] * v[:, 1]) / m.sum() / OMEGA]
        rows += 1
    passed = sim.t - since
    coll = 2 / 3 * (sim.collisions_plog - flux) / (OMEGA * m.sum() * passed)
    rate = 2 * (sim.collisions_log_n - number) / len(m) / (passed / ORBIT)
    return [value / scale for value, scale in zip([*(sums / rows), coll, rate], SCALES)]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    rebound = sys.argv[1] == "rebound"
    last = sys.argv[2 if rebound else 3:]
    orbits = float(last[0]) if last else 40
    with tempfile.TemporaryDirectory() as folder:
        for law, depth, edge, known in CASES:
            if rebound:
                found = theirs(orbits, law, depth, edge)
            else:
                found = ours(str(Path(sys.argv[1]).resolve()), sys.argv[2], orbits, Path(folder), law, depth, edge)
            beside = [""] * len(COLUMNS) if rebound else [f" ({value})" for value in known]
            text = ", ".join(f"{name} {value:.3g}{other}" for name, value, other in zip(COLUMNS, found, beside))
            print(f"{law}, depth {depth}: {text}", flush=True)


if __name__ == "__main__":
    main()
