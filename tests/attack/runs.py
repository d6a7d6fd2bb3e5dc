# SPDX-License-Identifier: Apache-2.0
"""Short runs with every kind of step, and whether two folders hold the same run."""

import csv
import hashlib
import re

import h5py

HEAD = """[ic]
model = "{model}"
n = {n}
seed = {seed}
[gravity]
eps = {eps}
{gravity}[time]
dt = {dt}
end = {end}
{time}[output]
directory = "out"
every = {every}
{output}"""

KINDS = {
    "shared": dict(model="plummer", eps=0.05, dt=0.015625, every=0.125, gravity="", time="",
                   output="energy_every = 0.03125\n"),
    "relative": dict(model="plummer", eps=0.05, dt=0.03125, every=0.125, gravity='mac = "relative"\n', time="",
                     output='checkpoint_every = 0.0625\nformats = ["hdf5", "csv"]\n'),
    "block": dict(model="hernquist", eps=0.05, dt=0.0625, every=0.125, gravity="",
                  time='steps = "block"\neta_change = 0.1\n',
                  output="times = [0.1, 0.2]\nenergy_every = 0.0625\n[watchdog]\ncollapse = false\n"),
    "symmetrised": dict(model="plummer", eps=0.1, dt=0.0625, every=0.125, gravity='walk = "stackless"\n',
                        time='steps = "symmetrised"\n', output="energy_every = 0.0625\n"),
}



# Runs with tables and catalogues of their own, whole configurations.
WITH_TABLES = {
    "ring": """[ic]
model = "ring"
surface_density = 400
particle_density = 400
radius_min = 1
radius_max = 4
[units]
system = "si"
[gravity]
eps = 0.1
[boundary]
kind = "shear"
size = [60, 60, 0]
omega = 1.3143527e-4
[collisions]
law = "bridges"
minimum_velocity = 1.3e-4
[time]
dt = 47.8
end = 4780
[output]
directory = "out"
every = 1434
ring_every = 478
""",
    "black holes": """[ic]
model = "galaxy"
n = 250
disc_mass = 0
black_hole_mass = 0.02
[gravity]
eps = 0.05
[time]
steps = "block"
dt = 0.0625
end = 1
[output]
directory = "out"
every = 0.25
times = [0.3, 0.55]
black_holes_every = 0.125
energy_every = 0.0625
[watchdog]
collapse = false
""",
    "groups": """[ic]
model = "plummer"
n = 400
[gravity]
eps = 0.05
[time]
dt = 0.0625
end = 1
[output]
directory = "out"
every = 0.25
checkpoint_every = 0.5
formats = ["hdf5", "npz", "csv", "tipsy"]
groups_every = 2
groups_linking_fraction = 0.5
groups_min_members = 5
groups_unbind = true
""",
    "gas": """[ic]
model = "evrard"
n = 300
[gas]
eos = "ideal"
[gravity]
eps = 0.05
[time]
steps = "block"
dt = 0.05
end = 0.8
[output]
directory = "out"
every = 0.2
energy_every = 0.1
formats = ["hdf5", "csv"]
[watchdog]
collapse = false
""",
}


# Particles of runs that are short, and long enough to be disturbed.
SIZES = {"shared": 250, "relative": 200, "block": 250, "symmetrised": 100}


def configuration(kind, n, end=0.5, seed=3):
    return HEAD.format(n=n, end=end, seed=seed, **KINDS[kind])


def all_configurations():
    """Those that are to be disturbed, by kind."""
    return {kind: configuration(kind, SIZES[kind], end=1.0) for kind in KINDS} | WITH_TABLES


def mode_to_go_on(out):
    """As a user would: resume if there is a checkpoint, otherwise begin again."""
    if any((out / name).exists() for name in ("checkpoint.hdf5", "checkpoint_previous.hdf5")):
        return ["--resume"]
    return ["--overwrite"] if out.exists() else []


def energies(folder):
    """Rows of energy.csv without the seconds, which differ from run to run; None where it is not there."""
    return rows_of(folder / "energy.csv", -1)


def rows_of(path, end=None):
    """Rows of a table, each up to column `end`; None where it is not there."""
    if not path.is_file():
        return None
    with open(path, newline="", errors="replace") as file:
        return [tuple(row[:end]) for row in csv.reader(file)]


def digest(path):
    """Of all that a snapshot says: its datasets and its header's numbers. Of text: its bytes."""
    sums = hashlib.sha256()
    if path.suffix != ".hdf5":
        return hashlib.sha256(path.read_bytes()).hexdigest()
    with h5py.File(path) as file:
        found = []
        file.visititems(lambda name, item: found.append(name))
        for name in sorted(found):
            item = file[name]
            sums.update(name.encode())
            if isinstance(item, h5py.Dataset):
                sums.update(item[()].tobytes())
        for key in ("Time", "NumPart_ThisFile"):
            if key in file["Header"].attrs:  # not in catalogues of groups
                sums.update(file["Header"].attrs[key].tobytes())
    return sums.hexdigest()


def snapshots(folder):
    """Digests of snapshots and of catalogues of groups, by name."""
    files = [*folder.glob("snapshot_*"), *folder.glob("groups_*.hdf5")]
    return {path.name: digest(path) for path in sorted(files)}


def largest_error(out):
    found = re.search(r"largest (\S+)", out)
    return float(found[1]) if found else float("nan")


def differences(folder, whole, out=None, expected_out=None, shared=False):
    """What of the run in `folder` is otherwise than in `whole`, which nobody disturbed: sentences. `shared`: only what
    both have reached counts."""
    here, there = snapshots(folder), snapshots(whole)
    found = []
    if not shared and set(here) != set(there):
        found.append(f"snapshots {sorted(set(here) ^ set(there))} are not in both folders")
    wrong = [name for name in here if name in there and here[name] != there[name]]
    if wrong:
        found.append(f"{', '.join(wrong)} differ from those of the undisturbed run")
    rows, expected = energies(folder), energies(whole)
    if shared and rows is not None:
        rows, expected = rows[:len(expected)], expected[:len(rows)]
    if rows != expected:
        found.append("energy.csv: " + difference_of_rows(rows, expected))
    for table in ("ring.csv", "black_holes.csv"):
        rows, expected = rows_of(folder / table), rows_of(whole / table)
        if not shared and rows != expected:
            found.append(f"{table}: " + difference_of_rows(rows, expected))
    if out is not None and not found:
        found += differences_of_largest(folder, out, expected_out)
    return found


def differences_of_largest(folder, out, expected_out):
    """The largest error that the last line tells is of the whole run: at least that of the table's rows."""
    column = 5
    rows = energies(folder)[1:]
    least, most = max(abs(float(row[column])) for row in rows), largest_error(expected_out)
    if most != most:  # of a run that does not conserve energy none is told
        return []
    if 0.99 * least <= largest_error(out) <= 1.01 * most:
        return []
    return [f"the largest error told is {largest_error(out):.2e}, that of the rows {least:.2e}, of the whole run {most:.2e}"]


def difference_of_rows(here, there):
    if here is None:
        return "does not exist"
    if len(set(here)) < len(here):
        return "has a row twice"
    if len(here) < len(there):
        return f"has a gap: {len(here)} rows instead of {len(there)}"
    return f"differs from the undisturbed run's: {len(here)} rows and {len(there)}"
