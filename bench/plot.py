#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what `hornbeam-bench SUITE` measured.

Usage: bench/plot.py bench_SUITE.json [PNG]      (PNG: beside the JSON unless given)
Filled symbols and lines are ours, open symbols the figures of others. Long: a figure a suite.
"""
import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of the backend)

# Okabe & Ito's colours, which people tell apart whatever their eyes
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
THEIRS = {"linestyle": "none", "marker": "o", "markerfacecolor": "none", "markersize": 7, "markeredgewidth": 1.4}
OURS = {"marker": "o", "markersize": 3.5, "linewidth": 1.5}


def value(row, path):
    """The entry at "a/b/c" of a row, or None."""
    for key in path.split("/"):
        if not isinstance(row, dict) or row.get(key) is None:
            return None
        row = row[key]
    return row


def of_part(data, part, **wanted):
    return [row for row in data["rows"]
            if row["part"] == part and all(row.get(key) == entry for key, entry in wanted.items())]


def points(rows, x, y):
    """Sorted x and y of the rows that have both."""
    pairs = sorted((value(row, x), value(row, y)) for row in rows
                   if value(row, x) is not None and value(row, y) is not None)
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def distinct(rows, key):
    return list(dict.fromkeys(row[key] for row in rows))


def draw(axes, rows, x, y, label, colour, style=None):
    """A line of ours, or with style=THEIRS the points of others; nothing where there are none."""
    xs, ys = points(rows, x, y)
    if xs:
        axes.plot(xs, ys, label=label, color=colour, **(OURS if style is None else style))


def finish(axes, title, x, y, log="xy"):
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if "x" in log:
        axes.set_xscale("log")
    if "y" in log:
        axes.set_yscale("log")
    axes.grid(True, which="major", alpha=0.3)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=7.5)



def devices(data):
    return "; ".join(f"{backend}: {name}" for backend, name in data["devices"].items())


# --- nakasato ---------------------------------------------------------------------------------------------------------

def nakasato(data):
    with_galaxy = bool(of_part(data, "galaxy"))
    figure, panels = plt.subplots(2, 3 if with_galaxy else 2, figsize=(15 if with_galaxy else 10.5, 8.5))
    tree_and_brute_force(panels[0, 0], data)
    flops(panels[0, 1], data)
    opening_angles(panels[1, 0], data)
    backends(panels[1, 1], data)
    if with_galaxy:
        galaxy(panels[0, 2], data, "acc_mean", "Table 6: acceleration of a galaxy")
        galaxy(panels[1, 2], data, "pot_mean", "Table 7: potential of a galaxy")
    return figure


def tree_and_brute_force(axes, data):
    lines = [("unsorted", "stackless, random order"), ("morton", "stackless, Morton order"),
             ("hilbert", "stackless, Hilbert order"), ("defaults", "defaults (group walk)")]
    for (part, label), colour in zip(lines, COLOURS):
        rows = of_part(data, part)
        draw(axes, rows, "n", "seconds/total", label, colour)
        draw(axes, rows, "n", "paper/total", f"Nakasato, {'Morton' if part == 'morton' else 'random'}", colour, THEIRS)
    rows = of_part(data, "brute-force", precision="mixed")
    draw(axes, rows, "n", "seconds/total", "brute force", COLOURS[6])
    draw(axes, of_part(data, "brute-force", precision="single"), "n", "paper/total", "Nakasato, brute force", COLOURS[6],
         THEIRS)
    finish(axes, "Tables 2 and 3, Fig. 9: uniform sphere, θ = 0.6", "N", "seconds")


def flops(axes, data):
    for precision, colour in (("single", COLOURS[0]), ("mixed", COLOURS[1])):
        rows = of_part(data, "brute-force", precision=precision)
        draw(axes, rows, "n", "gflops", f"brute force, {precision}", colour)
        if precision == "single":
            draw(axes, rows, "n", "paper/gflops", "Nakasato, Radeon HD 5870", colour, THEIRS)
    finish(axes, "Fig. 2: brute force, 38 operations an interaction", "N", "Gflop/s")


def opening_angles(axes, data):
    rows = of_part(data, "theta")
    size = rows[0]["n"] if rows else 0
    draw(axes, rows, "theta", "seconds/total", f"stackless, N = {size}", COLOURS[0])
    draw(axes, rows, "theta", "paper/total", "Nakasato, N = 819200", COLOURS[0], THEIRS)
    finish(axes, "Table 5: Morton order against θ", "θ", "seconds", log="y")


def backends(axes, data):
    rows = of_part(data, "morton") + of_part(data, "backends")
    for backend, colour in zip(distinct(rows, "backend"), COLOURS):
        draw(axes, [row for row in rows if row["backend"] == backend], "n", "seconds/total", backend, colour)
    draw(axes, rows, "n", "paper/total", "Nakasato, Radeon HD 5870 (IL)", COLOURS[6], THEIRS)
    finish(axes, "Fig. 10: one walk on every backend, Morton order", "N", "seconds")


def galaxy(axes, data, error, title):
    rows = of_part(data, "galaxy")
    for n, colour in zip(distinct(rows, "n"), COLOURS):
        def of(walk, order):
            return [row for row in rows if (row["n"], row["walk"], row["order"]) == (n, walk, order)]

        draw(axes, of("stackless", 0), "theta", f"error/{error}", f"N = {n}", colour)
        draw(axes, of("group", 0), "theta", f"error/{error}", f"{n}, groups", colour, {**OURS, "linestyle": "--"})
        draw(axes, of("group", 2), "theta", f"error/{error}", f"{n}, groups, order 2", colour, {**OURS, "linestyle": ":"})
        draw(axes, of("stackless", 0), "theta", f"paper/{error}", f"Nakasato, {n}", colour, THEIRS)
    finish(axes, title, "θ", "mean relative error", log="y")


# --- gasphia ----------------------------------------------------------------------------------------------------------

def gasphia(data):
    figure, panels = plt.subplots(2, 2, figsize=(11, 8.5))
    walk_bars(panels[0, 0], data)
    rows = of_part(data, "theta")
    for walk, colour in zip(distinct(rows, "walk"), COLOURS):
        chosen = [row for row in rows if row["walk"] == walk]
        draw(panels[0, 1], chosen, "theta", "seconds/total", f"{walk} walk", colour)
        draw(panels[1, 0], chosen, "theta", "error/acc_mean", f"{walk}, mean", colour)
        draw(panels[1, 0], chosen, "theta", "error/acc_max", f"{walk}, largest", colour,
             {**OURS, "linestyle": "--", "marker": "^"})
        draw(panels[1, 1], chosen, "theta", "speed_up", f"{walk} walk", colour)
    theirs = rows[:len(rows) // max(len(distinct(rows, "walk")), 1)]
    draw(panels[0, 1], theirs, "theta", "paper/total", "GASPHiA, 1e6", COLOURS[6], THEIRS)
    draw(panels[1, 0], theirs, "theta", "paper/acc_mean", "GASPHiA, mean", COLOURS[6], THEIRS)
    draw(panels[1, 0], theirs, "theta", "paper/acc_max", "GASPHiA, largest", COLOURS[6], {**THEIRS, "marker": "^"})
    draw(panels[1, 1], theirs, "theta", "paper/speed_up", "GASPHiA, 1e6", COLOURS[6], THEIRS)
    size = rows[0]["n"] if rows else 0
    finish(panels[0, 1], f"Lattice of {size}, shuffled", "θ", "seconds", log="y")
    finish(panels[1, 0], "Relative error of the acceleration", "θ", "error", log="y")
    finish(panels[1, 1], "Speed-up over brute force", "θ", "brute force / tree", log="y")
    return figure


def walk_bars(axes, data):
    rows = of_part(data, "order")
    for i, row in enumerate(rows):
        colour = COLOURS[0] if row["walk"] != "group" else COLOURS[1]
        axes.bar(i, row["seconds"]["walk"], color=colour, width=0.6)
        if value(row, "paper/walk"):
            axes.plot(i, row["paper"]["walk"], color=COLOURS[6], **THEIRS)
    axes.plot([], [], color=COLOURS[6], label="GASPHiA, 1e6", **THEIRS)
    axes.set_axisbelow(True)
    axes.set_xticks(range(len(rows)), [f"{row['label']}\n{row['walk']}" for row in rows], fontsize=7.5)
    finish(axes, "Particle order, θ = 0.5", "", "seconds of the walk", log="y")


# --- bonsai -----------------------------------------------------------------------------------------------------------

def bonsai(data):
    figure, panels = plt.subplots(3, 3, figsize=(15, 12.5))
    for axes, theta in zip(panels[0], (0.5, 0.75)):
        stages(axes, of_part(data, "stages", theta=theta), theta)
    rates(panels[0, 2], of_part(data, "stages"))
    rows = of_part(data, "errors")
    sizes = distinct(rows, "n")
    for axes, n in zip(panels[1], sizes):
        distribution(axes, [row for row in rows if row["n"] == n], n)
    for axes in panels[1, len(sizes):]:
        axes.set_axis_off()
    for axes, label in zip(panels[2], distinct(rows, "label")):
        percentiles(axes, [row for row in rows if row["label"] == label], of_part(data, "reference"), label)
    interactions(panels[2, 2], of_part(data, "stages"))
    return figure


def stages(axes, rows, theta):
    own = [row for row in rows if row["expansion"] == 0]
    for stage, colour in zip(("sort", "reorder", "build", "moments", "walk"), COLOURS):
        draw(axes, own, "n", f"seconds/{stage}", stage, colour)
    expanding = [row for row in rows if row["expansion"] > 0]
    draw(axes, expanding, "n", "seconds/walk", "walk, expansions", COLOURS[4], {**OURS, "linestyle": "--"})
    draw(axes, expanding, "n", "seconds/moments", "moments, expansions", COLOURS[3], {**OURS, "linestyle": "--"})
    draw(axes, own, "n", "paper/walk", "Bonsai, GTX 480, walk", COLOURS[4], THEIRS)
    draw(axes, own, "n", "paper/h200/walk", "Bonsai, H200, walk", COLOURS[4], {**THEIRS, "marker": "s"})
    finish(axes, f"Fig. 6: seconds by stage, Plummer, θ = {theta}", "N", "seconds")


def rates(axes, rows):
    colours = iter(COLOURS)
    for theta in distinct(rows, "theta"):
        colour = next(colours)
        for expansion, line in ((0, "-"), (4, "--")):
            chosen = [row for row in rows if row["theta"] == theta and row["expansion"] == expansion]
            name = "expansions" if expansion else "Bonsai's method"
            draw(axes, chosen, "n", "particles_per_second", f"θ {theta}, {name}", colour, {**OURS, "linestyle": line})
        draw(axes, chosen, "n", "paper/h200/rate", f"θ {theta}, Bonsai, H200", colour, {**THEIRS, "marker": "s"})
    finish(axes, "Whole force step", "N", "particles / s")


def distribution(axes, rows, n):
    colours = dict(zip(distinct(rows, "theta"), COLOURS))
    for row in rows:
        own = row["expansion"] == 0
        axes.plot(row["distribution"]["error"], row["distribution"]["fraction"], color=colours[row["theta"]],
                  linewidth=1.3, linestyle="-" if own else "--", label=f"θ = {row['theta']}" if own else None)
    axes.plot([], [], color="grey", linestyle="--", label="with expansions")
    for level in (0.5, 0.1, 0.01):
        axes.axhline(level, color="grey", linestyle=":", linewidth=0.9)
    # the few smallest errors are chance, and would take half of the axis
    axes.set_xlim(left=0.3 * min(row["distribution"]["error"][3] for row in rows))
    finish(axes, f"Fig. 8: N = {n}", "Δa / a", "fraction with a larger error")


def percentiles(axes, rows, reference, label):
    for n, colour in zip(distinct(rows, "n"), COLOURS):
        chosen = [row for row in rows if row["n"] == n]
        draw(axes, chosen, "theta", "error/acc_p99", f"N = {n}, 99 %", colour)
        draw(axes, chosen, "theta", "error/acc_median", f"N = {n}, median", colour, {**OURS, "linestyle": "--"})
    draw(axes, reference, "theta", "paper/acc_median", "Bonsai, H200, N = 2^22, median", COLOURS[6],
         {**THEIRS, "marker": "s"})
    finish(axes, f"Fig. 9: {label} method" if label != "expansions" else "Fig. 9: with expansions", "θ", "Δa / a",
           log="y")


def interactions(axes, rows):
    chosen = [row for row in rows if row["theta"] == 0.75]
    for expansion, line in ((0, "-"), (4, "--")):
        own = [row for row in chosen if row["expansion"] == expansion]
        name = "expansions" if expansion else "Bonsai's method"
        for kind, colour in (("particle", COLOURS[0]), ("cell", COLOURS[1])):
            draw(axes, own, "n", f"interactions_per_particle/{kind}", f"{kind}s, {name}", colour,
                 {**OURS, "linestyle": line})
    finish(axes, "Fig. 6, inset: interactions a particle, θ = 0.75", "N", "interactions")


# --- scaling ----------------------------------------------------------------------------------------------------------

def scaling(data):
    figure, panels = plt.subplots(2, 3, figsize=(16, 9))
    rows = of_part(data, "size")
    lines = {"plummer": "-", "hernquist": "--", "uniform-cube": ":"}
    for backend, colour in zip(distinct(rows, "backend"), COLOURS):
        for model, line in lines.items():
            chosen = [row for row in rows if row["backend"] == backend and row["model"] == model]
            style = {**OURS, "linestyle": line}
            draw(panels[0, 0], chosen, "n", "seconds/total", f"{backend}, {model}", colour, style)
            draw(panels[0, 1], chosen, "n", "particles_per_second", f"{backend}, {model}", colour, style)
            draw(panels[0, 2], chosen, "n", "bytes_per_particle", f"{backend}, {model}", colour, style)
    finish(panels[0, 0], "Time of a force evaluation, defaults", "N", "seconds")
    finish(panels[0, 1], "Rate", "N", "particles / s")
    finish(panels[0, 2], "Memory: particles, tree and scratch", "N", "bytes a particle", log="x")
    panels[0, 2].set_ylim(bottom=0)
    relative_bars(panels[1, 0], of_part(data, "distribution"), lambda row: row["model"],
                  "Distributions: time a particle over Plummer's", 3)
    relative_bars(panels[1, 1], of_part(data, "order"), lambda row: f"{row['model']}\n{row['input']}",
                  "Order on input: time over that as made", 1)
    draw(panels[1, 2], of_part(data, "threads"), "threads", "relative", "cpu", COLOURS[0])
    finish(panels[1, 2], "Threads: time over that of one", "threads", "relative")
    return figure


def relative_bars(axes, rows, name, title, limit):
    names, backend_names = list(dict.fromkeys(map(name, rows))), distinct(rows, "backend")
    width = 0.8 / max(len(backend_names), 1)
    for k, (backend, colour) in enumerate(zip(backend_names, COLOURS)):
        chosen = {name(row): row["relative"] for row in rows if row["backend"] == backend}
        axes.bar([i + k * width for i in range(len(names))], [chosen.get(each) or 0 for each in names], width,
                 label=backend, color=colour)
    axes.axhline(limit, color="grey", linestyle=":")
    axes.set_axisbelow(True)
    axes.set_xticks([i + 0.4 - width / 2 for i in range(len(names))], names, rotation=40, ha="right", fontsize=7.5)
    finish(axes, title, "", "relative", log="")


# --- peers ------------------------------------------------------------------------------------------------------------

def peers(data):
    figure, axes = plt.subplots(figsize=(8, 6))
    kinds = list(dict.fromkeys((row["model"], row["n"]) for row in data["rows"]))
    for i, (model, n) in enumerate(kinds):
        rows = [row for row in data["rows"] if (row["model"], row["n"]) == (model, n)]
        colour = COLOURS[i % len(COLOURS)]
        draw(axes, rows, "error/acc_p99", "particles_per_second", f"{model}, N = {n}", colour,
             {**OURS, "linestyle": "none", "markersize": 6})
        draw(axes, rows, "paper/acc_p99", "paper/rate", f"others, {model}, N = {n}", colour, THEIRS)
        for row in rows:
            if "paper" in row:
                axes.plot([row["error"]["acc_p99"], row["paper"]["acc_p99"]],
                          [row["particles_per_second"], row["paper"]["rate"]], color=colour, linewidth=0.6, alpha=0.5)
    finish(axes, "Rate at equal errors; lines join rows of one comparison", "99 % error of the acceleration",
           "particles / s")
    return figure


# --- merger -----------------------------------------------------------------------------------------------------------

def merger(data):
    figure, panels = plt.subplots(2, 3, figsize=(15, 8.5))
    rows = of_part(data, "merger")
    for row, colour in zip(rows, COLOURS):
        line = "--" if row["theta"] == 0 else "-"
        panels[0, 0].plot(row["energy"]["time"], [abs(error) or None for error in row["energy"]["error"]],
                          color=colour, linewidth=1, linestyle=line, label=f"{row['label']}: {row['energy_error']:.1e}")
        if value(row, "paper/energy_error"):
            panels[0, 0].axhline(row["paper"]["energy_error"], color=colour, linestyle=":", linewidth=1)
        for axes in panels[0, 1:]:
            axes.plot(row["black_holes"]["time"], row["black_holes"]["distance"], color=colour, linewidth=1.2,
                      linestyle=line, label=row["label"])
    finish(panels[0, 0], "Energy error (dotted: Bonsai's largest)", "t", "|dE / E|", log="y")
    finish(panels[0, 1], "Fig. 10: distance of the black holes", "t", "distance", log="")
    finish(panels[0, 2], "The same until the third passage", "t", "distance", log="y")
    passed = [row["passages"][2]["time"] for row in rows if len(row["passages"]) > 2]
    if passed:
        panels[0, 2].set_xlim(min(passed) - 40, max(passed) + 15)
    for axes, measure in zip(panels[1], ("density", "mass", "circular_velocity")):
        remnants(axes, rows, measure)
    return figure


def remnants(axes, rows, measure):
    """Profiles of the last time that all runs have, and of the last one of each."""
    times = [{profile["time"] for profile in row["profiles"]} for row in rows]
    common = max(set.intersection(*times), default=None) if times else None
    for row, colour in zip(rows, COLOURS):
        for profile in row["profiles"]:
            if profile["time"] not in (common, max(p["time"] for p in row["profiles"])):
                continue
            pairs = [(r, v) for r, v in zip(profile["radius"], profile[measure]) if v > 0]
            line = ("--" if row["theta"] == 0 else "-") if profile["time"] == common else ":"
            axes.plot(*zip(*pairs), color=colour, linewidth=1.3, linestyle=line,
                      label=f"{row['label']}, t = {profile['time']:g}")
    title = {"density": "Density", "mass": "Mass within", "circular_velocity": "Circular velocity"}[measure]
    finish(axes, f"Remnant: {title.lower()}", "radius", title.lower(), log="x" if measure.startswith("c") else "xy")


# --- occlude ----------------------------------------------------------------------------------------------------------

def occlude(data):
    figure, panels = plt.subplots(1, 3, figsize=(15, 5))
    for part, label, colour in (("set-a", "REBOUND's example", COLOURS[0]), ("set-b", "OCCLUDE's patch", COLOURS[1]),
                                ("collisions", "no self-gravity", COLOURS[2])):
        rows = of_part(data, part)
        draw(panels[0], rows, "n", "seconds/total", label, colour)
        draw(panels[0], rows, "n", "rebound/seconds", f"{label}, REBOUND here, 1 thread", colour, THEIRS)
        draw(panels[0], rows, "n", "paper/seconds_2_threads", f"{label}, REBOUND, 2 cores", colour,
             {**THEIRS, "marker": "s"})
    finish(panels[0], "Fig. 28: against N", "bodies", "seconds a step")
    for axes, row, number in zip(panels[1:], of_part(data, "places"), (26, 27)):
        axes.scatter(row["y"], row["x"], s=2, color=COLOURS[0], linewidths=0)
        half = row["edge"] / 2
        axes.set(xlim=(-half, half), ylim=(-half, half), aspect="equal")
        finish(axes, f"Fig. {number}: after {row['orbits']:g} orbits", "y (along the orbit)", "x (outwards)", log="")
    return figure


# --- sph --------------------------------------------------------------------------------------------------------------

# of each flow the measures that fall with the number of particles
NORMS = {"sod": ("density_error", "velocity_error", "pressure_error"), "sedov": ("density_error", "velocity_error", "pressure_error"),
         "gresho": ("velocity_error",), "sound-wave": ("velocity_error",), "kelvin-helmholtz": ("relative_error",)}


def sph(data):
    figure, panels = plt.subplots(2, 3, figsize=(15, 9))
    for axes, (test, measures) in zip(panels.flat, NORMS.items()):
        rows = [dict(row, size=abs(row["value"])) for row in of_part(data, "flows", test=test) if "value" in row]
        for colour, measure in zip(COLOURS, measures):
            some = [row for row in rows if row["measure"] == measure]
            # one line of what differs in size alone
            kinds = distinct([dict(row, kind=" ".join(word for word in row["label"].split(", ")
                                                      if "cells" not in word and "^3" not in word)) for row in some], "kind")
            for kind in kinds:
                line = [row for row in some if all(word in row["label"] for word in kind.split(" "))
                        and len(row["label"].split(", ")) <= len(kind.split(" ")) + 1]
                draw(axes, line, "n", "size", f"{measure} {kind}".replace("_", " "), colour)
            draw(axes, some, "n", "paper/value", f"{measure}, others".replace("_", " "), colour, THEIRS)
        finish(axes, test, "N", "mean |f - exact|" if test != "kelvin-helmholtz" else "|amplitude / reference - 1|")
    for colour, part in zip(COLOURS, ("step", "density", "forces")):
        draw(panels[1, 2], of_part(data, "rates", precision="mixed"), "n", f"rate/{part}", part, colour)
    finish(panels[1, 2], "Uniform gas, C2/100, mixed", "N", "particles / s")
    return figure


SUITES = {"nakasato": nakasato, "gasphia": gasphia, "bonsai": bonsai, "scaling": scaling, "peers": peers,
          "merger": merger, "occlude": occlude, "sph": sph}


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    source = pathlib.Path(sys.argv[1])
    data = json.loads(source.read_text())
    figure = SUITES[data["suite"]](data)
    figure.suptitle(f"hornbeam-bench {data['suite']}, {data['date'][:10]}, {data['commit']}\n{devices(data)}", fontsize=9)
    figure.tight_layout()
    figure.savefig(sys.argv[2] if len(sys.argv) == 3 else source.with_suffix(".png"), dpi=110)


if __name__ == "__main__":
    main()
