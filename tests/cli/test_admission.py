# SPDX-License-Identifier: Apache-2.0
"""Limits of memory: the least limit at which a run of each module begins is one at which it ends well; below it is
refused in one line before it begins. What other limits do is in test_limits.py."""

import functools
import re
import resource
import subprocess

import pytest

from conftest import not_sanitized

pytestmark = not_sanitized
KEPT_FREE = 24  # MB, of src/memory/need.cpp
LIMITS = {"ulimit -d": resource.RLIMIT_DATA, "ulimit -v": resource.RLIMIT_AS}
LIBRARIES = 1  # MB that the starts of libraries ask for, which end a process in their own words if they get none


def limited(kind, mb):
    return lambda: resource.setrlimit(LIMITS[kind], (int(mb * 1e6), int(mb * 1e6)))


@functools.cache
def least_start(program):
    """MB of addresses from which the program begins. Its size differs: CUDA's code for each generation is in it."""
    low, high = 10, 2000
    while high - low > 0.5:
        middle = (low + high) / 2
        done = subprocess.run([program, "--version"], capture_output=True, preexec_fn=limited("ulimit -v", middle))
        low, high = (low, middle) if done.returncode == 0 else (middle, high)
    return high + LIBRARIES


def toml(ic, rest, time, output=""):
    return (f'[ic]\n{ic}\n{rest}\n[time]\n{time}\n[device]\nbackend = "cpu"\nthreads = 1\n[output]\ndirectory = "r"\n'
            f'{output}\n[watchdog]\nenergy = 0\nrunaway = 0\ncollapse = false\n')


N, MANY = 30_000, 100_000  # many: of which what was forgotten exceeds what is kept free
PLUMMER, EVRARD, MANY_STARS, MUCH_GAS = (f'model = "{model}"\nn = {n}' for n in (N, MANY) for model in ("plummer", "evrard"))
GRAVITY = "[gravity]\neps = 0.02\ntheta = 1.5\n"
GAS = '[gas]\neos = "ideal"\n'
RING = 'model = "ring"\nsurface_density = 400\nparticle_density = 400\nradius_min = 1\nradius_max = 4'
SHEET = (f'[units]\nsystem = "si"\n[gravity]\ntheta = 1.5\neps = 0.1\n[boundary]\nkind = "shear"\nsize = [1100, 1100, 0]\n'
         'omega = 1.3143527e-4\n[collisions]\nlaw = "bridges"\nminimum_velocity = 1e-4')
SHARED, BLOCK = "dt = 0.01\nend = 0.02", 'dt = 0.02\nend = 0.02\nsteps = "block"\nmax_rung = 2'
GROUPS = "groups_every = 1\ngroups_linking_fraction = 12"  # nearly all are of one
RUNS = {
    "gravity": toml(PLUMMER, GRAVITY, SHARED),
    "without files": toml(PLUMMER, GRAVITY, SHARED, "snapshots = false\ncheckpoints = false"),
    "all formats": toml(PLUMMER, GRAVITY, SHARED, 'formats = ["hdf5", "csv", "npz", "tipsy", "gadget2"]'),
    "expansion 6": toml(PLUMMER, GRAVITY + "expansion = 6", SHARED),
    "block steps": toml(PLUMMER, GRAVITY, BLOCK),
    "symmetrised": toml(PLUMMER, GRAVITY, 'dt = 0.02\nend = 0.02\nsteps = "symmetrised"'),
    "images": toml(PLUMMER, GRAVITY + '[boundary]\nkind = "periodic"\nsize = [30, 30, 30]\nn_ghost_x = 1', SHARED),
    "groups": toml(MANY_STARS, GRAVITY, SHARED, GROUPS),
    "groups unbound": toml(MANY_STARS, GRAVITY, SHARED, GROUPS + "\ngroups_unbind = true"),
    "groups of a family": toml(MANY_STARS, GRAVITY, SHARED, GROUPS + '\ngroups_types = ["halo"]'),
    "gas": toml(EVRARD, GRAVITY + GAS, "dt = 0.001\nend = 0.001"),
    "gas reconstruct": toml(MUCH_GAS, GRAVITY + GAS + "reconstruct = true", "dt = 0.001\nend = 0.001"),
    "gas softened": toml(EVRARD, GRAVITY + 'softening = "spline"\n' + GAS + 'softening = "adaptive"',
                         "dt = 0.001\nend = 0.001"),
    "gas in blocks": toml(EVRARD, GRAVITY + GAS, 'dt = 0.002\nend = 0.002\nsteps = "block"\nmax_rung = 3'),
    "ring": toml(RING, SHEET, "dt = 47.8\nend = 95.6", "ring_every = 47.8"),
}


def least_limit(hornbeam, kind, low, *command):
    """Of that kind in MB, from what the command says at a low one; and how many particles it names."""
    text = hornbeam.error(1, *command, preexec_fn=limited(kind, low))
    found = re.match(r"memory: (\d+) particles need about (\d+) MB \(.*\), and (\d+) MB are available within the limit (ulimit -.)",
                     text)
    assert found and found[4] == kind, text
    return low + float(found[2]) - float(found[3]) + KEPT_FREE


BY_ADDRESSES = ("gravity", "groups unbound", "gas reconstruct", "ring")  # which differ in what they reserve


@pytest.mark.parametrize("name, kind", [(name, "ulimit -d") for name in RUNS] + [(name, "ulimit -v") for name in BY_ADDRESSES])
def test_a_run_that_begins_ends_well(hornbeam, name, kind):
    # a ring has drawn its particles before it knows how many they are: 6 MB
    low = {"ulimit -d": 10, "ulimit -v": least_start(hornbeam.program) + 15}[kind]
    (hornbeam.folder / "r.toml").write_text(RUNS[name])
    least = least_limit(hornbeam, kind, low, "run", "r.toml")
    refusal = hornbeam.error(1, "run", "r.toml", preexec_fn=limited(kind, least - 3))
    assert refusal.startswith("memory: ") and " particles need about " in refusal
    assert not (hornbeam.folder / "r").exists()
    hornbeam.ok("run", "r.toml", preexec_fn=limited(kind, least + 1.5))  # both are told in whole MB


@pytest.mark.parametrize("flags", [(), ("--types", "halo"), ("--unbind", "-o", "g.hdf5")])
def test_groups_that_are_begun_are_found(hornbeam, flags):
    command = ("analyze", "p.hdf5", "--groups", "--linking-fraction", 12, "--threads", 2, *flags)
    hornbeam.ok("ic", "plummer", "-n", 100_000, "-o", "p.hdf5")
    least = least_limit(hornbeam, "ulimit -d", 58, *command)
    hornbeam.error(1, *command, preexec_fn=limited("ulimit -d", least - 3))
    hornbeam.ok(*command, preexec_fn=limited("ulimit -d", least + 1.5))


def test_gas_names_no_steps_as_a_remedy_that_it_has(hornbeam):
    (hornbeam.folder / "r.toml").write_text(RUNS["gas"])
    assert "shared" not in hornbeam.error(1, "run", "r.toml", preexec_fn=limited("ulimit -d", 10))
