#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""REBOUND's shearing sheet from Python (pip install rebound), which ring_states.py and bench occlude put beside ours.

Usage: bench/rebound_sheet.py time STATE.csv OPTIONS.json STEPS ANSWER.json     (seconds a step and REBOUND's version)
       bench/rebound_sheet.py snapshots OPTIONS.json ORBITS EVERY OUT.npz     (times t, positions x[k], radii r[k])
"""
import csv
import ctypes
import json
import math
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np
import rebound

OMEGA = 1.3143527e-4
ORBIT = 2 * math.pi / OMEGA
USUAL = {"edge": 200, "surface_density": 400, "particle_density": 400, "radius_min": 1, "radius_max": 4, "slope": -3,
         "height": 1, "self_gravity": True, "theta": math.sqrt(0.5), "ghosts": 2, "eps": 0.1, "law": "bridges",
         "scale": 0.32, "exponent": -0.234, "speed": 0.01, "restitution": 0.5, "minimum_velocity": 1e-3 * OMEGA,
         "dt": 1e-3 * ORBIT, "G": 6.67428e-11, "seed": 1}


def sheet(**changes):
    """An empty sheet; the options are the configuration's of hornbeam."""
    o = {**USUAL, **changes}
    sim = rebound.Simulation()
    sim.integrator, sim.boundary = "sei", "shear"
    sim.gravity = "tree" if o["self_gravity"] else "none"
    sim.collision, sim.collision_resolve = "tree", "hardsphere"
    sim.OMEGA = sim.OMEGAZ = OMEGA
    sim.G, sim.softening, sim.dt, sim.opening_angle2 = o["G"], o["eps"], o["dt"], o["theta"]**2
    sim.N_ghost_x = sim.N_ghost_y = o["ghosts"]
    sim.minimum_collision_velocity = o["minimum_velocity"]
    sim.rand_seed = o["seed"]
    sim.root_size = o["edge"]
    set_law(sim, *((o["restitution"], 1, 0) if o["law"] == "constant" else (o["scale"], o["speed"], o["exponent"])))
    return sim


LAW = """#include <math.h>
double law(const void* sim, double v) {
  return v == 0 && %(exponent)r < 0 ? 1 : fmin(1, %(scale)r * pow(fabs(v) / %(speed)r, %(exponent)r));
}
"""


def set_law(sim, scale, speed, exponent):
    """In C where there is a compiler: a call of Python would cost more than the collision."""
    compiler = shutil.which("cc")
    if compiler is None:
        sim.coefficient_of_restitution = (
            lambda _, v: 1.0 if v == 0 and exponent < 0 else min(1.0, scale * (abs(v) / speed)**exponent))
        return
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/law.c", "w") as file:
            file.write(LAW % {"scale": float(scale), "speed": float(speed), "exponent": float(exponent)})
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", f"{folder}/law.so", f"{folder}/law.c", "-lm"], check=True)
        kind = dict(rebound.Simulation._fields_)["_coefficient_of_restitution"]
        sim._corfp = ctypes.CDLL(f"{folder}/law.so")  # kept as long as the simulation
        sim._coefficient_of_restitution = ctypes.cast(sim._corfp.law, kind)


def fill(sim, **changes):
    """Bodies as `ic ring` draws them, with REBOUND's or numpy's random numbers in place of ours."""
    o = {**USUAL, **changes}
    random = np.random.default_rng(o["seed"])
    power = o["slope"] + 1
    low, high = o["radius_min"]**power, o["radius_max"]**power
    mass = 0
    while mass < o["surface_density"] * o["edge"]**2:
        radius = (low + random.random() * (high - low))**(1 / power)
        x, y = o["edge"] * (random.random(2) - 0.5)
        one = 4 / 3 * math.pi * o["particle_density"] * radius**3
        sim.add(m=one, r=radius, x=x, y=y, z=o["height"] * random.normal(), vx=0, vy=-1.5 * x * OMEGA, vz=0)
        mass += one
    return sim


def arrays(sim):
    """Masses, radii, positions and velocities."""
    n = sim.N
    m, r, x, v = np.zeros(n), np.zeros(n), np.zeros((n, 3)), np.zeros((n, 3))
    sim.serialize_particle_data(m=m, r=r, xyz=x, vxvyvz=v)
    return m, r, x, v


def read_state(path):
    """Masses, radii, positions and velocities of a CSV file of hornbeam."""
    with open(path, newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        columns = {name.split(" ")[0]: name for name in rows.fieldnames}
        values = np.array([[float(row[columns[name]]) for name in ("mass", "radius", "x", "y", "z", "vx", "vy", "vz")]
                           for row in rows])
    return values[:, 0], values[:, 1], values[:, 2:5], values[:, 5:8]


def time_steps(state, options, steps):
    sim = sheet(**options)
    for m, r, x, v in zip(*read_state(state)):
        sim.add(m=m, r=r, x=x[0], y=x[1], z=x[2], vx=v[0], vy=v[1], vz=v[2])
    sim.steps(1)  # which makes the tree
    before = sim.collisions_log_n
    began, used = time.perf_counter(), time.process_time()
    sim.steps(steps)
    return {"seconds": (time.perf_counter() - began) / steps, "cpu_seconds": (time.process_time() - used) / steps,
            "collisions": (sim.collisions_log_n - before) / steps, "n": sim.N, "version": rebound.__version__}


def snapshots(options, orbits, every):
    sim = fill(sheet(**options), **options)
    times, positions, radii = [], [], None
    for k in range(round(orbits / every) + 1):
        sim.integrate(k * every * ORBIT, exact_finish_time=0)
        _, radii, x, _ = arrays(sim)
        times.append(sim.t)
        positions.append(x)
    return np.array(times), np.array(positions), radii


def main():
    if len(sys.argv) != 6 or sys.argv[1] not in ("time", "snapshots"):
        sys.exit(__doc__)
    if sys.argv[1] == "time":
        with open(sys.argv[3]) as file:
            answer = time_steps(sys.argv[2], json.load(file), int(sys.argv[4]))
        with open(sys.argv[5], "w") as file:
            json.dump(answer, file)
        return
    with open(sys.argv[2]) as file:
        t, x, r = snapshots(json.load(file), float(sys.argv[3]), float(sys.argv[4]))
    np.savez(sys.argv[5], t=t, x=x, r=r)


if __name__ == "__main__":
    main()
