# SPDX-License-Identifier: Apache-2.0
"""A tube of gas: what tests of gas write and read."""
import csv

BOX = """
[boundary]
kind = "periodic"
size = [2.0, 0.125, 0.125]
"""
# Sod's shock tube in the box that it fills; what a run needs besides follows.
START = """
[ic]
model = "sod"
n = 1152
[gas]
eos = "ideal"
self_gravity = false
""" + BOX
TUBE = START + """
[time]
dt = 0.01
end = {end}
[output]
directory = "{folder}"
every = 0.02
"""


def config(tmp_path, text, name="gas.toml"):
    path = tmp_path / name
    path.write_text(text)
    return path


def rows(folder):
    with open(folder / "energy.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))
