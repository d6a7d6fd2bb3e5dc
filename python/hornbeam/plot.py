# SPDX-License-Identifier: Apache-2.0
"""Pictures with matplotlib, one call each. All return the axes that they have drawn into, of their own or `ax=`."""

from __future__ import annotations

import csv
import os
import re
import tempfile
from pathlib import Path
from typing import Any

from . import _core, analysis, panels
from .checks import number, whole
from .errors import Error, UsageError
from .pictures import draw
from .progress import draw_with
from .snapshot import family_names, snapshot_of


def _axes(ax):
    if ax is not None:
        return ax
    return _pyplot().subplots(constrained_layout=True)[1]


def _pyplot():
    try:
        import matplotlib.pyplot
    except ImportError as error:
        raise Error("plot: matplotlib is not installed (pip install matplotlib)") from error
    return matplotlib.pyplot


class _Units:
    """The names of a snapshot's units by what is measured, as panels ask for them."""

    def __init__(self, snapshot):
        self._core = snapshot._core

    def get(self, key):
        return self._core.unit_of_measure(key)


def _draw(what, snapshot, path, options):
    if "family" in options:
        options["types"] = family_names(options.pop("family"))
    return draw(what, snapshot, path, options, "plot")


def png(what, width=None, height=None, **options):
    """The picture that hb.render() makes (docs/pictures.md), as the bytes of a PNG file: surface density by families and
    stars, bodies with a radius and a box as lit spheres, a quantity of the gas. Needs no matplotlib.

    options  those of hb.render(); family is types
    """
    size = {name: value for name, value in (("width", width), ("height", height)) if value is not None}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        _draw(what, snapshot_of(what), path, {**size, **options})
        return path.read_bytes()


draw_with(png)


def _picture(what, snapshot, axes, pixels, title, options):
    aspect = number(options.pop("aspect", 1.0), "aspect")
    if not aspect > 0:
        raise UsageError(f"aspect: received {aspect!r} (must be above 0)")
    box = options.pop("box", None)
    size = {"width": pixels, "height": max(16, round(whole(pixels, "pixels") / aspect))}
    labels = options.get("field") is not None or options.get("slice") is not None  # whose colours are numbers
    image, centre, width, axis = _draw(what, snapshot, None, {**size, "labels": labels, **options})
    turned = options.get("turn", 0) or options.get("tilt", 0)
    view = {"rgb": image, "centre": centre, "extent": width, "axis": axis, "turned": bool(turned), "title": title,
            "time": snapshot.time}
    axes = _axes(axes)
    panels.picture(axes, view if box is None else {**view, "box": box}, _Units(snapshot))
    return axes


def picture(what, ax=None, pixels=800, **options):
    """The same on axes with lengths; its own labels only where a field or a slice is requested, as they say what the
    colours mean. options: as of png(), and `aspect`, width over height."""
    return _picture(what, snapshot_of(what), ax, pixels, "", options)


def ring(what, ax=None, pixels=800, **options):
    """A patch of a ring from above: bodies as spheres of their radii, its box, and the images around it where they have
    drifted by now. options: as of png()."""
    snapshot = snapshot_of(what)
    view = _core.view_of_ring(snapshot._core)
    return _picture(what, snapshot, ax, pixels, "", {**view, "box": snapshot._core.box, **options})


def galaxy(what, extent=None, family=None, ax=None, pixels=700):
    """Face on and edge on, side by side, each family in its own colours: what disc, bulge, stars and gas fill. ax: two
    axes; they are returned. extent: width in length units; family: of these particles alone."""
    snapshot = snapshot_of(what)
    if ax is None:
        ax = _pyplot().subplots(1, 2, figsize=(11, 5.2), constrained_layout=True)[1]
    if len(ax) != 2:
        raise UsageError(f"ax: received {len(ax)} axes (give two, for face on and edge on)")
    for axes, axis, name in zip(ax, "zy", ("face on", "edge on")):
        _picture(what, snapshot, axes, pixels, name, {"axis": axis, "extent": extent, "family": family})
    return ax


def density(what: Any, axis: str = "z", extent: Any = None, bins: int | None = None, family: Any = None, ax: Any = None,
            cmap: str = "inferno") -> Any:
    """Surface density along an axis, on a logarithmic scale, by counting particles in squares: gas is better drawn by
    picture().

    extent  width in length units about the centre of density; None: 2.1 times the radius that holds 95 % of the particles
    bins    squares along either side; None: so that some 10 particles are in one, 16 to 256
    family  of these particles alone: "star", or several
    """
    snapshot = snapshot_of(what)
    view = analysis.surface_density(snapshot, axis, extent, bins, family)
    axes = _axes(ax)
    panels.density(axes, {**view, "axis": axis, "time": snapshot.time}, _Units(snapshot), cmap)
    return axes


def profile(what: Any, bins: int = 32, ax: Any = None, **style: Any) -> Any:
    """Density against radius, both logarithmic."""
    snapshot = snapshot_of(what)
    row = {"label": panels.time_of(snapshot.time, _Units(snapshot)), "values": analysis.profile(snapshot, bins)}
    axes = _axes(ax)
    panels.over_radius(axes, [row], "radius", "density", _Units(snapshot), **style)
    axes.legend()
    return axes


def rotation(what: Any, bins: int = 20, ax: Any = None) -> Any:
    """Rotation, circular velocity and dispersions of a disc against radius."""
    snapshot = snapshot_of(what)
    found = analysis.disc(snapshot, bins)
    axes = _axes(ax)
    panels.rotation(axes, found, _Units(snapshot))
    return axes


def energy(folder: str | os.PathLike[str], ax: Any = None, **style: Any) -> Any:
    """The energy's relative error against time, of a run's folder or its energy.csv."""
    path = Path(folder)
    path = path / "energy.csv" if path.is_dir() else path
    try:
        with open(path, newline="") as file:
            heading, *rows = csv.reader(line for line in file if not line.startswith("#"))
        names, units = zip(*(re.fullmatch(r"(\S+)(?: \[(.*)\])?", word).groups() for word in heading))
        rows = [dict(zip(names, row, strict=True)) for row in rows]
        times = [float(row["time"]) for row in rows]
        errors = [float(row["relative_error"]) for row in rows]
    except (OSError, KeyError, ValueError, TypeError, AttributeError) as error:
        raise Error(f"{path}: is not the energy.csv of a run ({error})") from error
    axes = _axes(ax)
    panels.energy_error(axes, times, errors, dict(zip(names, units)), **style)
    return axes
