# SPDX-License-Identifier: Apache-2.0
"""Milliseconds a step of REBOUND's ring (set A of peers/cpu.md) by stage: python3 bench/ring.py PROGRAM BACKEND [OUT.json]"""

import csv
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

OMEGA = 1.3143527e-4
DT = 2e-3 * math.pi / OMEGA
STAGES = ("walk", "collisions", "bound", "key", "sort", "reorder", "build", "moments", "kick_drift")
# name, bodies, self-gravity, steps, largest radius
CASES = (("1e5", 1e5, True, 200, 4), ("1e6", 1e6, True, 200, 4), ("1e6 no gravity", 1e6, False, 300, 4),
         ("1e6 equal, no gravity", 1e6, False, 200, 1), ("1e7", 1e7, True, 20, 4))

CONFIGURATION = """[ic]
model = "ring"
size_x = {edge}
size_y = {edge}
radius_max = {largest}
[units]
system = "si"
[gravity]
theta = 0.70711
[boundary]
kind = "shear"
size = [{edge}, {edge}, 0]
n_ghost_x = 2
n_ghost_y = 2
omega = {omega}
self_gravity = {gravity}
[collisions]
law = "bridges"
scale = 0.32
minimum_velocity = {least}
[time]
dt = {dt}
end = {end}
[output]
directory = "ring"
snapshots = false
checkpoints = false
ring_every = {end}
[watchdog]
every = 0
[device]
backend = "{backend}"
"""


def measure(program, backend, folder, case):
    name, bodies, gravity, steps, largest = case
    bodies_of_metre2 = 1441 / 200**2 if largest == 4 else 3 / (4 * math.pi)
    edge = math.sqrt(bodies / bodies_of_metre2)
    (folder / "ring.toml").write_text(CONFIGURATION.format(edge=edge, largest=largest, omega=OMEGA, dt=DT,
                                                           gravity=str(gravity).lower(), least=1e-3 * OMEGA,
                                                           end=steps * DT, backend=backend))
    subprocess.run([program, "run", "ring.toml", "--overwrite"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    seconds = json.loads((folder / "ring" / "run.json").read_text())["seconds"]
    with open(folder / "ring" / "ring.csv", newline="") as file:
        last = list(csv.DictReader(file))[-1]
    stages = {stage: 1e3 * seconds[stage] / steps for stage in STAGES}
    return {"name": name, "bodies": int(last["bodies"]), "steps": steps, "milliseconds": stages,
            "collisions_a_step": int(last["collisions"]) / steps}


def main():
    program, backend = str(Path(sys.argv[1]).resolve()), sys.argv[2]
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            done = measure(program, backend, Path(folder), case)
            results.append(done)
            all_stages = sum(done["milliseconds"].values())
            print(f"{done['name']:24}{done['bodies']:>10} {all_stages:8.3f} ms, gravity {done['milliseconds']['walk']:.3f},"
                  f" collisions {done['milliseconds']['collisions']:.3f}", flush=True)
    if len(sys.argv) > 3:
        Path(sys.argv[3]).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
