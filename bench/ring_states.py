# SPDX-License-Identifier: Apache-2.0
"""The steady states of docs/collisions.md beside REBOUND's: python3 bench/ring_states.py PROGRAM BACKEND [ORBITS]"""

import csv
import math
import subprocess
import sys
import tempfile
from pathlib import Path

OMEGA = 1.3143527e-4
ORBIT = 2 * math.pi / OMEGA
COLUMNS = ("c_x", "c_z", "filling_factor", "nu_trans", "nu_coll", "collisions_per_orbit")
# law, optical depth, edge of the box; then REBOUND 5.0's values of the columns
CASES = ((0.5, 0.1, 150, (2.79, 1.72, 0.029, 0.162, 0.061, 1.96)),
         (0.5, 0.5, 100, (2.18, 1.47, 0.138, 0.461, 0.367, 9.84)),
         (0.5, 1.0, 100, (1.62, 1.18, 0.257, 0.410, 0.800, 21.6)),
         ("bridges", 0.5, 100, (2.98, 2.02, 0.105, 0.851, 0.398, 9.00)),
         ("bridges", 1.0, 100, (2.19, 1.61, 0.207, 0.726, 0.844, 18.8)))

CONFIGURATION = """[ic]
model = "ring"
size_x = {edge}
size_y = {edge}
surface_density = {density}
height = 3
[units]
system = "si"
[boundary]
kind = "shear"
size = [{edge}, {edge}, 0]
omega = {omega}
self_gravity = false
[collisions]
{law}
minimum_velocity = {least}
[time]
dt = {dt}
end = {end}
[output]
directory = "ring"
snapshots = false
checkpoints = false
ring_every = {every}
[watchdog]
every = 0
[device]
backend = "{backend}"
"""


def measure(program, backend, orbits, folder, case):
    law, depth, edge, _ = case
    words = 'law = "bridges"\nscale = 0.32' if law == "bridges" else f'law = "constant"\nrestitution = {law}'
    (folder / "ring.toml").write_text(CONFIGURATION.format(edge=edge, density=depth * 400 * 4 / 3, omega=OMEGA, law=words,
                                                           least=1e-3 * OMEGA, dt=1e-3 * ORBIT, end=orbits * ORBIT,
                                                           every=ORBIT / 4, backend=backend))
    subprocess.run([program, "run", "ring.toml", "--overwrite"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    with open(folder / "ring" / "ring.csv", newline="") as file:
        rows = [{name.split(" ")[0]: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    rows = rows[len(rows) // 2:]
    means = [sum(row[name] for row in rows) / len(rows) for name in COLUMNS]
    scales = (OMEGA, OMEGA, 1, OMEGA, OMEGA, 1)  # spheres of 1 m
    return [mean / scale for mean, scale in zip(means, scales)]


def main():
    program, backend = str(Path(sys.argv[1]).resolve()), sys.argv[2]
    orbits = float(sys.argv[3]) if len(sys.argv) > 3 else 40
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            found = measure(program, backend, orbits, Path(folder), case)
            pairs = ", ".join(f"{name} {value:.3g} ({expected})" for name, value, expected in zip(COLUMNS, found, case[3]))
            print(f"{case[0]}, depth {case[1]}: {pairs}", flush=True)


if __name__ == "__main__":
    main()
