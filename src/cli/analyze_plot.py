# SPDX-License-Identifier: Apache-2.0
"""Draws the measures that `hornbeam analyze --plot` hands over: PYTHON -c SCRIPT MEASURES.JSON PICTURE.PNG

Arrays are drawn over the first of them (the radius), a line a file; numbers over time, a point a file; Lagrangian radii of
several files over time, a line a fraction."""

import json
import pathlib
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("it has no matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt

TOGETHER = [["kinetic", "potential", "total"], ["momentum"], ["angular_momentum"]]
STEEP = {"density", "surface_density", "mass"}
EVEN = {"disc", "bar"}  # whose bins are equally wide


def label(key, units):
    return key.replace("_", " ") + (f" [{units[key]}]" if units.get(key) else "")


def flat(values):
    """Objects within are taken apart; the time stands by itself."""
    found = {}
    for key, value in values.items():
        if isinstance(value, dict):
            found.update(flat(value))
        elif key != "time":
            found[key] = value
    return found


def is_vector(key):
    return key.endswith("momentum")


def over_time(axis, rows, keys, units):
    for key in keys:
        for k, part in enumerate("xyz" if is_vector(key) else [""]):
            points = [(row["time"], row["values"][key][k] if part else row["values"][key]) for row in rows]
            axis.plot(*zip(*sorted(points)), "o-", markersize=3, label=f"{key.replace('_', ' ')} {part}".strip())
    axis.set_xlabel(label("time", units))
    if len(keys) > 1 or is_vector(keys[0]):
        axis.legend(fontsize=7)
    axis.set_ylabel(label(keys[0], units) if len(keys) == 1 else "energy" + label("", {"": units.get(keys[0])}))


def lagrangian(axis, rows, units):
    if len(rows) == 1:
        axis.plot(rows[0]["values"]["fractions"], rows[0]["values"]["radii"], "o-")
        axis.set_xlabel("fraction of the mass")
    else:
        for k, fraction in enumerate(rows[0]["values"]["fractions"]):
            axis.plot(*zip(*sorted((row["time"], row["values"]["radii"][k]) for row in rows)), "o-", markersize=3,
                      label=f"{100 * fraction:g} %")
        axis.set_xlabel(label("time", units))
        axis.legend(fontsize=7)
    axis.set_yscale("log")
    axis.set_ylabel(label("radii", units))


def over_radius(axis, rows, x, key, units, even):
    for row in rows:
        values = row["values"]
        steep = key in STEEP
        points = [(r, v) for r, v in zip(values[x], values[key]) if not steep or v > 0]
        if points:
            axis.plot(*zip(*points), ".-", markersize=4, linewidth=1.2,
                      label=f"{pathlib.Path(row['file']).stem}, t = {row['time']:g}")
    if not even and any(r > 0 for row in rows for r in row["values"][x]):
        axis.set_xscale("log")
    if key in STEEP:
        axis.set_yscale("log")
    axis.set_xlabel(label(x, units))
    axis.set_ylabel(label(key, units))


def panels_of(measure, units):
    """[(title, draw)], a panel each."""
    rows = [{**row, "values": flat(row["values"])} for row in measure["rows"]]
    if not rows:
        return []
    if measure["name"] == "lagrangian":
        return [lambda axis: lagrangian(axis, rows, units)]
    keys = list(rows[0]["values"])
    arrays = [key for key in keys if isinstance(rows[0]["values"][key], list) and not is_vector(key)]
    numbers = [key for key in keys if key not in arrays and key != "count"]
    groups = [[key for key in group if key in numbers] for group in TOGETHER]
    groups = [group for group in groups if group] + [[key] for key in numbers if not any(key in g for g in TOGETHER)]
    panels = [lambda axis, group=group: over_time(axis, rows, group, units) for group in groups]
    panels += [lambda axis, key=key: over_radius(axis, rows, arrays[0], key, units, measure["name"] in EVEN)
               for key in arrays[1:]]
    return panels


def main(source, picture):
    data = json.loads(pathlib.Path(source).read_text())
    panels = [(measure["name"], draw) for measure in data["measures"] for draw in panels_of(measure, data["units"])]
    columns = min(3, len(panels))
    lines = -(-len(panels) // columns)
    figure, axes = plt.subplots(lines, columns, figsize=(4.6 * columns, 3.6 * lines), squeeze=False,
                                layout="constrained")
    for axis, (name, draw) in zip(axes.flat, panels):
        draw(axis)
        axis.set_title(name, fontsize=9)
        axis.grid(alpha=0.3)
    for axis in axes.flat[len(panels):]:
        axis.set_axis_off()
    handles, labels = next(((h, l) for h, l in (axis.get_legend_handles_labels() for axis in axes.flat) if
                            any(", t = " in text for text in l)), ([], []))
    if 1 <= len(labels) <= 12:
        figure.legend(handles, labels, loc="outside lower center", ncols=min(4, len(labels)), fontsize=8)
    figure.savefig(picture, dpi=120, format="png")


main(*sys.argv[-2:])
