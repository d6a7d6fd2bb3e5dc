# SPDX-License-Identifier: Apache-2.0
"""Panels of plots, each drawn on matplotlib's axes from plain data: numbers, lists or arrays, and dicts of these.

hornbeam.plot calls them with what hornbeam.analysis has measured. The command `hornbeam analyze --plot` has this file compiled in
and gives it to a Python that need not have the package: PYTHON -c TEXT MEASURES.JSON PICTURE.PNG. So it imports nothing
but matplotlib and NumPy, and these once they are needed. units: a dict of the names of units by what is measured."""

from __future__ import annotations

import json
import math
import pathlib
import sys

PLANES = {"z": (0, 1), "y": (0, 2), "x": (1, 2)}
STEEP = {"density", "surface_density", "mass", "radii"}
EVEN = {"disc", "bar"}  # whose bins are equally wide
WORKINGS = {"iterations", "change"}  # of how a measure was found: not drawn over time
MOTIONS = ["circular_velocity", "rotation", "radial_dispersion", "vertical_dispersion"]
TOGETHER = {"energy": ["kinetic", "potential", "thermal", "total"],
            "mass": ["planet_mass", "disc_mass", "escaping_mass"],
            "particles": ["planet_particles", "disc_particles", "escaping_particles"],
            "angular momentum": ["planet_angular_momentum", "disc_angular_momentum", "escaping_angular_momentum"]}


def words(key):
    return "Toomre's Q" if key == "toomre_q" else key.replace("_", " ")


def named(name, unit):
    """A label with its unit, whose powers are raised: "density [Msun/pc³]"."""
    return f"{name} [{unit.replace('^2', '²').replace('^3', '³')}]" if unit else name


def label(key, units):
    return named(words(key), units.get(key))


def time_of(time, units):
    """"t = 97.78 Myr", of a unit as "977.792 Myr"; of none the number."""
    size, _, name = (units.get("time") or "").rpartition(" ")
    return f"t = {time * float(size or 1):.4g} {name}".rstrip()


def picture(axes, view, units):
    """A picture on axes with lengths. view: rgb (height, width, 3), centre, extent (the width), axis, time, and `turned`
    where it is not seen along this axis; of a ring its box, [length, width]."""
    across, up = PLANES[view["axis"]]
    turned = view.get("turned", False)
    x, y = (0.0, 0.0) if turned else (view["centre"][across], view["centre"][up])
    half = view["extent"] / 2
    high = half * len(view["rgb"]) / len(view["rgb"][0])
    axes.imshow(view["rgb"], extent=(x - half, x + half, y - high, y + high), interpolation="bilinear")
    length = units.get("position")
    names = ("", "") if turned else ("xyz"[across], "xyz"[up])
    axes.set(xlabel=named(names[0], length).strip(), ylabel=named(names[1], length).strip(), title=time_of(view["time"], units))
    if "box" in view:
        from matplotlib.patches import Rectangle

        size = view["box"]
        axes.add_patch(Rectangle((-size[0] / 2, -size[1] / 2), *size, fill=False, color="tab:orange", linewidth=1.2))
    if view.get("title"):
        axes.set_title(f"{view['title']}, {time_of(view['time'], units)}")


def density(axes, view, units, cmap="inferno"):
    """Surface density on a logarithmic scale. view: surface_density (rows, the lowest first), centre, extent (the width),
    axis, time."""
    import numpy as np
    from matplotlib.colors import LogNorm

    surface, half = np.asarray(view["surface_density"]), view["extent"] / 2
    across, up = PLANES[view["axis"]]
    edges = [view["centre"][axis] + side for axis in (across, up) for side in (-half, half)]
    seen = surface[surface > 0]
    most = seen.max() if seen.size else 1.0
    least = max(seen.min(), most / 1e4) if seen.size else 0.1
    image = axes.imshow(surface, origin="lower", extent=edges, cmap=cmap,
                        norm=LogNorm(least, most if most > least else 2 * least))
    axes.set_facecolor(image.cmap(0.0))  # where there is nothing
    length = units.get("position")
    axes.set(xlabel=named("xyz"[across], length), ylabel=named("xyz"[up], length), title=time_of(view["time"], units))
    axes.figure.colorbar(image, ax=axes, label=label("surface_density", units))


def log_x(axes):
    """A logarithmic scale along x whose numbers do not run into one another: 0.05, 0.1, 0.2, 0.5, 1, not 5 x 10^-2; beside
    powers of ten none where there are two decades or more."""
    axes.set_xscale("log")

    def shown(at, _):
        return f"{at:g}" if 1e-4 < at < 1e5 else f"$10^{{{round(math.log10(at))}}}$"

    def between(at, _):
        least, most = axes.get_xlim()
        digit = round(at / 10 ** math.floor(math.log10(at) + 1e-9))
        few = most < 10 * least
        return f"{at:g}" if most < 100 * least and 1e-4 < at < 1e5 and digit in ((2, 3, 4, 6, 8) if few else (2, 5)) else ""

    axes.xaxis.set_major_formatter(shown)
    axes.xaxis.set_minor_formatter(between)


def over_radius(axes, rows, x, key, units, even=False, **style):
    """A measure over another, most often the radius, a line for each of the rows: label and values, a dict of arrays. What
    falls by decades is drawn on a logarithmic scale, and so is the radius but where bins are equally wide."""
    for row in rows:
        values, steep = row["values"], key in STEEP
        points = [(at, value) for at, value in zip(values[x], values[key]) if not steep or value > 0]
        if points:
            axes.plot(*zip(*points), **{"label": row["label"], "marker": ".", "markersize": 4, "linewidth": 1.2, **style})
    places = [at for row in rows for at in row["values"][x]]
    if not even and places and 0 < 3 * min(places) < max(places):
        log_x(axes)
    if key in STEEP:
        axes.set_yscale("log")
    axes.set(xlabel=label(x, units), ylabel=label(key, units))


def rotation(axes, values, units):
    """Rotation, circular velocity and dispersions of a disc over the radius."""
    for key in MOTIONS:
        axes.plot(values["radius"], values[key], label=words(key))
    axes.set(xlabel=label("radius", units), ylabel=named("velocity", units.get("rotation")))
    axes.legend(fontsize="small")


def beside_exact(axes, rows, x, key, units):
    """The exact flow as a line, and the gas as dots, means of equally many particles; on a logarithmic scale where the flow
    falls by two decades and more from its first place to its last."""
    for k, row in enumerate(rows):
        color = f"C{k % 10}"
        axes.plot(row["values"]["mean_" + x], row["values"]["mean_" + key], ".", markersize=4, color=color, label=row["label"])
        axes.plot(row["values"][x], row["values"][key], "-", linewidth=1.2, color="black" if len(rows) == 1 else color,
                  label="exact" if k == 0 else None)
    curve = rows[0]["values"][key]
    if curve[0] > 100 * curve[-1] > 0:
        axes.set_yscale("log")
    axes.set(xlabel=label(x, units), ylabel=label(key, units))


def by_material(axes, rows, key, units):
    """Masses by material over time; of one moment as bars."""
    numbers = sorted({number for row in rows for number in row["values"]["material"]})
    name = {number: f"material {number:g}" for number in numbers}
    lists = [dict(zip(row["values"]["material"], row["values"][key])) for row in rows]
    if of_one_time(rows):
        axes.bar([name[number] for number in numbers], [lists[0].get(number, 0) for number in numbers])
    else:
        for number in numbers:
            axes.plot(*zip(*sorted((row["time"], found.get(number, 0)) for row, found in zip(rows, lists))), "o-",
                      markersize=3, label=name[number])
        axes.set_xlabel(label("time", units))
        axes.legend(fontsize="small")
    axes.set_ylabel(label(key, units))


def energy_error(axes, times, errors, units, **style):
    """The energy's relative error over time, without moments at which it is none, as the start."""
    axes.semilogy(times, [abs(error) or float("nan") for error in errors], **style)
    axes.set(xlabel=label("time", units), ylabel="|relative error of the energy|")


def going_on(points, period=180.0):
    """Angles of axes, as of bars, that turn on where they begin again: no step is longer than half the period."""
    turned = []
    for time, angle in points:
        turned.append((time, angle if not turned else angle + period * round((turned[-1][1] - angle) / period)))
    return turned


def over_time(axes, name, rows, keys, units):
    """Numbers over time, a line for each; of a vector one for each component, of several their lengths."""
    if len(keys) > 1 and is_vector(rows[0]["values"][keys[0]]):
        rows = [{**row, "values": {f"|{key}|": math.hypot(*row["values"][key]) for key in keys}} for row in rows]
        unit, keys = units.get(keys[0]), [f"|{key}|" for key in keys]
        units = {**units, keys[0]: unit}
    lines = [(key, part) for key in keys for part in (range(3) if is_vector(rows[0]["values"][key]) else [None])]
    for key, part in lines:
        points = [(row["time"], row["values"][key] if part is None else row["values"][key][part]) for row in rows]
        points = sorted(((time, value) for time, value in points if value is not None), key=first)
        axes.plot(*zip(*(going_on(points) if key == "angle" else points)), "o-",
                  markersize=3, label=f"{words(key)} {'' if part is None else 'xyz'[part]}".strip())
    axes.set(xlabel=label("time", units), ylabel=named(name, units.get(keys[0])))
    if len(lines) > 1:
        axes.legend(fontsize="small")


def lagrangian(axes, rows, units):
    """Radii that hold fractions of the mass: over the fraction, or where rows are of several times over these."""
    if of_one_time(rows):
        for row in rows:
            axes.plot(row["values"]["fractions"], row["values"]["radii"], "o-", markersize=3, label=row["label"])
        axes.set_xlabel("fraction of the mass")
    else:
        for k, fraction in enumerate(rows[0]["values"]["fractions"]):
            axes.plot(*zip(*sorted((row["time"], row["values"]["radii"][k]) for row in rows)), "o-", markersize=3,
                      label=f"{100 * fraction:g} %")
        axes.set_xlabel(label("time", units))
        axes.legend(fontsize="small")
    axes.set(yscale="log", ylabel=label("radii", units))


def masses(axes, rows, units):
    """How many of the groups that are listed have at least a mass."""
    for row in rows:
        mass = sorted(row["values"]["mass"], reverse=True)
        axes.plot(mass, range(1, len(mass) + 1), ".-", markersize=4, linewidth=1.2, label=row["label"])
    log_x(axes)
    axes.set(yscale="log", xlabel=label("mass", units), ylabel="groups of at least this mass")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter(lambda at, _: f"{at:g}" if at in (2, 5) else "")


def circles(axes, values, axis):
    """Groups as circles of their half-mass radii on a picture of the particles."""
    from matplotlib.patches import Circle

    across, up = ("xyz"[k] for k in PLANES[axis])
    for x, y, radius in zip(values[across], values[up], values["half_mass_radius"]):
        axes.add_patch(Circle((x, y), radius, fill=False, color="tab:cyan", linewidth=0.8))


def table(axes, heading, values, units):
    """Values of one time, as text."""
    axes.set_axis_off()
    rows = [(heading, "", "")]
    for key, value in values.items():
        parts = value if isinstance(value, list) else [value]
        numbers = "  ".join("none" if part is None else f"{part:.5g}" for part in parts)
        rows.append((words(key), numbers, named("", units.get(key)).strip()))
    step = min(0.09, 0.96 / max(1, len(rows)))
    for k, (name, numbers, unit) in enumerate(rows):
        for at, text in ((0.0, name), (0.48, f"{numbers} {unit}".strip())):
            axes.text(at, 0.96 - k * step, text, fontsize=8 if step > 0.06 else 6, va="top", transform=axes.transAxes)


# ---- a sheet of panels, of what `hornbeam analyze` has measured


def first(pair):
    return pair[0]


def of_one_time(rows):
    return len({row["time"] for row in rows}) == 1


def is_vector(value):
    return isinstance(value, list) and len(value) == 3


def flat(values):
    """Objects within are taken apart; the time stands by itself, and how long measuring took is not shown."""
    found = {}
    for key, value in values.items():
        if isinstance(value, dict):
            found.update(flat(value))
        elif key != "time" and not key.startswith("seconds_"):
            found[key] = value
    return found


def changes(rows):
    """Times and relative errors of the energy since the earliest of the rows."""
    totals = sorted((row["time"], row["values"]["total"]) for row in rows)
    start = totals[0][1]
    return [time for time, _ in totals], [(total - start) / abs(start) if start else 0.0 for _, total in totals]


def panels_of_numbers(rows, keys, units):
    """Of one moment a table for each row; of several what belongs together over time, a panel each."""
    if not keys:
        return []
    if of_one_time(rows):
        return [lambda axes, row=row: table(axes, row["label"], {key: row["values"][key] for key in keys}, units)
                for row in rows]
    keys = [key for key in keys if key not in WORKINGS]
    groups = {name: [key for key in group if key in keys] for name, group in TOGETHER.items()}
    taken = {key for group in groups.values() for key in group}
    groups.update({words(key): [key] for key in keys if key not in taken})
    panels = [lambda axes, name=name, group=group: over_time(axes, name, rows, group, units)
              for name, group in groups.items() if group]
    if "total" in keys:
        panels.insert(1, lambda axes: energy_error(axes, *changes(rows), units, marker="o", markersize=3))
    return panels


def panels_of_arrays(name, rows, arrays, units):
    """A panel each over the first, with a line for each row; of one disc its motions together."""
    x, panels = arrays[0], []
    if x == "material":
        return [lambda axes, key=key: by_material(axes, rows, key, units) for key in arrays[1:]]
    if "mean_" + x in arrays:
        keys = [key for key in arrays[1:] if "mean_" + key in arrays]
        return [lambda axes, key=key: beside_exact(axes, rows, x, key, units) for key in keys]
    if name == "disc" and len(rows) == 1:
        panels.append(lambda axes: rotation(axes, rows[0]["values"], units))
        arrays = [key for key in arrays if key not in MOTIONS]
    return panels + [lambda axes, key=key: over_radius(axes, rows, x, key, units, name in EVEN) for key in arrays[1:]]


def panels_of(measure, units):
    """What draws the panels of a measure, each a function of axes."""
    rows = [{"time": row["time"], "values": flat(row["values"]),
             "label": f"{pathlib.Path(row['file']).stem}, {time_of(row['time'], units)}"} for row in measure["rows"]]
    if not rows:
        return []
    if measure["name"] == "lagrangian":
        return [lambda axes: lagrangian(axes, rows, units)]
    values = rows[0]["values"]
    arrays = [key for key in values if isinstance(values[key], list) and not key.endswith("momentum")]
    panels = panels_of_numbers(rows, [key for key in values if key not in arrays], units)
    if measure["name"] == "groups":
        return [*panels, lambda axes: masses(axes, rows, units)]
    return panels + (panels_of_arrays(measure["name"], rows, arrays, units) if arrays else [])


def panel_of(view, data):
    """What draws a picture or a map, and the groups on it."""
    def draw(axes):
        if view["panel"] == "density":
            density(axes, view, data["units"])
            return
        picture(axes, view, data["units"])
        for row in (row for measure in data["measures"] if measure["name"] == view["of"] == "groups"
                    for row in measure["rows"] if row["file"] == view["file"]):
            circles(axes, flat(row["values"]), view["axis"])

    return draw


def title_of(view, units):
    title = f"{pathlib.Path(view['file']).stem}, {time_of(view['time'], units)}"
    return ": ".join(part for part in (view["of"], ", ".join(part for part in (view["title"], title) if part)) if part)


def unpacked(view):
    """Pixels come as text, two hexadecimal digits a byte."""
    if "rgb" not in view:
        return view
    import numpy as np

    pixels = np.frombuffer(bytes.fromhex(view["rgb"]), np.uint8)
    return {**view, "rgb": pixels.reshape(view["height"], view["width"], 3)}


def sheet(data):
    """A figure of all panels: pictures and maps of the snapshots first, then the measures in turn."""
    import matplotlib.pyplot as plt
    from matplotlib.ticker import AutoLocator

    panels = [(title_of(view, data["units"]), panel_of(unpacked(view), data)) for view in data["views"]]
    panels += [(measure["name"], draw) for measure in data["measures"] for draw in panels_of(measure, data["units"])]
    columns = min(3, len(panels))
    if columns == 3 and len(panels) == 4:
        columns = 2
    lines = -(-len(panels) // columns)
    figure, axes = plt.subplots(lines, columns, figsize=(4.6 * columns, 3.8 * lines), squeeze=False, layout="constrained")
    for one, (title, draw) in zip(axes.flat, panels):
        draw(one)
        quantity = one.get_ylabel().split(" [")[0]
        one.set_title(f"{title}: {quantity}" if quantity and quantity != title and not one.images else title, fontsize=9)
        if not one.images:
            one.grid(alpha=0.3)
        if isinstance(one.xaxis.get_major_locator(), AutoLocator):
            one.locator_params(axis="x", nbins=6)  # numbers of four digits have room
    for one in axes.flat[len(panels):]:
        one.set_axis_off()
    handles, labels = next(((h, l) for h, l in (one.get_legend_handles_labels() for one in axes.flat) if
                            any(", t = " in text for text in l)), ([], []))
    if 1 <= len(labels) <= 12:
        figure.legend(handles, labels, loc="outside lower center", ncols=min(4, len(labels)), fontsize=8)
    return figure


def main(source, target):
    try:
        import matplotlib
    except ImportError:
        sys.exit("it has no matplotlib")
    matplotlib.use("Agg")
    sheet(json.loads(pathlib.Path(source).read_text())).savefig(target, dpi=120, format="png")


if __name__ == "__main__":
    main(*sys.argv[-2:])
