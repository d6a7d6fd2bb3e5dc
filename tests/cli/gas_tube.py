# SPDX-License-Identifier: Apache-2.0
"""A tube of gas: what tests of gas write and read."""
import csv

BOX = """
[boundary]
kind = "periodic"
size = [2.0, 0.125, 0.125]
"""
TUBE = """
[ic]
model = "sod"
n = 1152
[gas]
eos = "ideal"
self_gravity = false
[time]
dt = 0.01
end = {end}
[output]
directory = "{folder}"
every = 0.02
""" + BOX


def config(tmp_path, text, name="gas.toml"):
    path = tmp_path / name
    path.write_text(text)
    return path


def rows(folder):
    with open(folder / "energy.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))
