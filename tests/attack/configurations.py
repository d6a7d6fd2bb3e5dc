# SPDX-License-Identifier: Apache-2.0
"""Configurations of runs that are valid, and what can be done to them."""

import re

BASES = ["""[input]
file = "plain.csv"
[units]
system = "galactic"
[gravity]
theta = 0.5
eps = 0.1
softening = "spline"
[time]
dt = 0.001
end = 0.002
[output]
directory = "out"
every = 0.001
formats = ["hdf5", "csv"]
""", """[ic]
model = "plummer"
n = 40
seed = 3
[gravity]
eps = 0.05
walk = "group"
expansion = 3
leaf_size = 8
[time]
steps = "block"
dt = 0.0625
eta = 0.2
eta_change = 0.1
max_rung = 6
end = 0.125
[[potential]]
kind = "point"
mass = 0.1
scale = 0.1
centre = [0.0, 1.0, 0.0]
[[potential]]
kind = "logarithmic"
speed = 1.0
scale = 1.0
flattening = 0.9
[output]
directory = "out"
times = [0.05, 0.125]
energy_every = 0.0625
checkpoint_every = 0.0625
wall_limit = 2
[watchdog]
energy = 0.5
runaway = 50
every = 2
""", """[ic]
model = "galaxy"
n = 60
disc_mass = 1
bulge_mass = 0.5
halo_mass = 4
black_hole_mass = 0.01
eps = 0.1
[gravity]
eps = 0.1
[time]
steps = "symmetrised"
dt = 0.01
end = 0.02
eta = 0.3
[output]
directory = "out"
black_holes_every = 0.01
wall_every = 1
[device]
threads = 1
precision = "double"
""", """[ic]
model = "uniform-sphere"
n = 1
[potential]
kind = "hernquist"
mass = 1
scale = 0.5
velocity = [0.1, 0.0, 0.0]
[time]
dt = 0.01
end = 0.03
[output]
directory = "out"
snapshots = false
"""]

VALUES = ["0", "-0.0", "-1", "1e-300", "1e300", "-1e300", "nan", "inf", "-inf", "5e-324", "1e17", "1e9", "9223372036854775807",
          "-9223372036854775808", "9223372036854775808", "1e400", "3.5", "true", "\"\"", "\"x\"", "\"../../..\"",
          "\"/dev/null\"", "\"/dev/zero\"", "\".\"", "[]", "[1]", "[1, 2, 3]", "[nan, 0, 0]", "[1e300, 0, 0]", "[\"a\"]",
          "{}", "{a = 1}", "[[]]", "1979-05-27", "07:32:00", "\"\\u0000\"", "\"\\n\"", "''", "0x10", "1_000", "[[[[[[]]]]]]",
          "\"plain.csv\"", "\"block\"", "\"shared\"", "\"symmetrised\"", "\"relative\"", "\"direct\"", "\"single\"",
          "100", "0.001", "1e-9", "2", "30", "64", "[0.001, 0.002]", "[-1.0]", "[1e300]", "[0.0005, 0.0005]",
          "[\"tipsy\", \"tipsy-native\"]", "[\"csv\", \"agama\"]", "[\"gadget1\", \"gadget2\"]"]


def damaged_configuration(rng):
    """A valid configuration with one to three changes, as bytes."""
    text = rng.choice(BASES)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        text = rng.choice([new_value, new_value, new_value, new_value, lose_line, double_line, swap_lines, rename, noise,
                           bits, nest])(text, rng)
    return text.encode("utf-8", "surrogateescape")


def damaged_overrides(rng):
    """--set and flags with odd texts."""
    keys = sorted(set(re.findall(r"^(\w+) =", "".join(BASES), re.MULTILINE)))
    sections = ["ic", "input", "gravity", "time", "output", "device", "watchdog", "units", "potential", "boundary", "x"]
    arguments = []
    for _ in range(rng.choice([1, 1, 2])):
        value = rng.choice([v for v in VALUES])
        arguments += ["--set", rng.choice([f"{rng.choice(sections)}.{rng.choice(keys)}={value}",
                                           f"{rng.choice(keys)}={value}", "=", ".", "a.b", "a.=1", ".b=1",
                                           f"time.end={value}", f"time.dt={value}", f"output.every={value}"])]
    if rng.random() < 0.2:
        arguments += rng.choice([["--threads", "100000"], ["--threads", "-1"], ["--device", "7"], ["--precision", "half"],
                                 ["--resume"], ["--overwrite"], ["--allow-changes"]])
    return arguments


def new_value(text, rng):
    lines = list(re.finditer(r"^(\w+) = (.*)$", text, re.MULTILINE))
    if not lines:
        return text
    line = rng.choice(lines)
    return text[:line.start(2)] + rng.choice(VALUES) + text[line.end(2):]


def lose_line(text, rng):
    lines = text.split("\n")
    del lines[rng.randrange(len(lines))]
    return "\n".join(lines)


def double_line(text, rng):
    lines = text.split("\n")
    lines.insert(rng.randrange(len(lines)), rng.choice(lines))
    return "\n".join(lines)


def swap_lines(text, rng):
    lines = text.split("\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return "\n".join(lines)


def rename(text, rng):
    words = list(re.finditer(r"\w+", text))
    word = rng.choice(words)
    new = rng.choice(["", "dt", "eps", "x" * 1000, "mass", "kind", "\u00e9", word[0][:-1], word[0].upper()])
    return text[:word.start()] + new + text[word.end():]


def noise(text, rng):
    at = rng.randrange(len(text))
    return text[:at] + rng.choice(["\x00", "\"", "'''", "[", "]", "=", "#", "\\", "\n\n[", "\t", "\r", "\ufeff", "\U0001f600",
                                   "{", ",", "."]) + text[at:]


def bits(text, rng):
    data = bytearray(text.encode("utf-8", "surrogateescape"))
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data.decode("utf-8", "surrogateescape")


def nest(text, rng):
    depth = rng.choice([50, 1000, 100000])
    return text + rng.choice(["deep = " + "[" * depth + "]" * depth, "deep = " + "{a=" * depth + "1" + "}" * depth,
                              "[" + ".".join(["a"] * depth) + "]\n", ".".join(["a"] * depth) + " = 1\n"])
