# SPDX-License-Identifier: Apache-2.0
"""Pictures with matplotlib, one call each. All return the axes that they have drawn into, of their own or `ax=`."""

from __future__ import annotations

import csv
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from . import analysis
from .checks import number, whole
from .dimensions import LENGTH
from .errors import Error, UsageError
from .pictures import draw
from .quantities import System
from .snapshot import Family, snapshot_of


def _axes(ax):
    if ax is not None:
        return ax
    return _pyplot().subplots(constrained_layout=True)[1]


def _pyplot():
    try:
        import matplotlib.pyplot
    except ImportError as error:
        raise Error("plot: matplotlib is not there (pip install matplotlib)") from error
    return matplotlib.pyplot


def _named(name, unit):
    return f"{name} [{unit}]" if unit else name


_planes = {"z": (0, 1), "y": (0, 2), "x": (1, 2)}


def _families(family):
    names = [] if family is None else [family] if isinstance(family, str) else list(family)
    for name in names:
        if name not in Family.__members__:
            raise UsageError(f"family: received {name!r} (there are {', '.join(Family.__members__)})")
    return names


def _draw(what, snapshot, path, options):
    if "family" in options:
        options["types"] = _families(options.pop("family"))
    return draw(what, snapshot, path, options, "plot")


def png(what, width=1600, height=1200, **options):
    """The picture that hb.render() makes (docs/pictures.md), as the bytes of a PNG file: surface density by families and
    stars, bodies with a radius and a box as lit spheres, a quantity of the gas. Needs no matplotlib.

    options  those of hb.render(); family is types
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        _draw(what, snapshot_of(what), path, {"width": width, "height": height, **options})
        return path.read_bytes()


def picture(what, ax=None, pixels=800, **options):
    """The same on axes with lengths, without its own labels. options: as of png(), and `aspect`, width over height."""
    aspect = number(options.pop("aspect", 1.0), "aspect")
    if not aspect > 0:
        raise UsageError(f"aspect: received {aspect!r} (must be above 0)")
    snapshot = snapshot_of(what)
    size = {"width": pixels, "height": max(16, round(whole(pixels, "pixels") / aspect))}
    image, centre, width, axis = _draw(what, snapshot, None, {**size, "labels": False, **options})
    axes = _axes(ax)
    i, j = _planes[axis]
    turned = options.get("turn", 0) or options.get("tilt", 0)
    x, y = (0.0, 0.0) if turned else (centre[i], centre[j])
    half, up = width / 2, width / 2 * image.shape[0] / image.shape[1]
    axes.imshow(image, extent=(x - half, x + half, y - up, y + up), interpolation="bilinear")
    names = ("", "") if turned else ("xyz"[i], "xyz"[j])
    length = snapshot.unit("position")
    axes.set(xlabel=_named(names[0], length).strip(), ylabel=_named(names[1], length).strip(),
             title=f"t = {snapshot.time:.4g}")
    return axes


def ring(what, ax=None, pixels=800, **options):
    """A patch of a ring from above: bodies as spheres of their radii, its box, and the images around it where they have
    drifted by now. options: as of png()."""
    snapshot = snapshot_of(what)
    if snapshot.radius is None:
        raise UsageError("ring: particles have no radius (give Snapshot(..., radius=...), or draw plot.picture)")
    size = snapshot._core.box
    if not min(size) > 0:
        raise UsageError("ring: has no box (draw a simulation with boundary={\"kind\": \"shear\", \"size\": ...}, or a file "
                         "of one)")
    options = {"extent": 1.3 * max(size), "style": "spheres", **options}
    axes = picture(what, ax, pixels, **options)
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((-size[0] / 2, -size[1] / 2), *size, fill=False, color="tab:orange", linewidth=1.2))
    return axes


def galaxy(what, extent=None, family=None, ax=None, pixels=700):
    """Face on and edge on, side by side, each family in its own colours: what disc, bulge, stars and gas fill. ax: two
    axes; they are returned. extent: width in length units; family: of these particles alone."""
    snapshot = snapshot_of(what)
    if ax is None:
        ax = _pyplot().subplots(1, 2, figsize=(11, 5.2), constrained_layout=True)[1]
    if len(ax) != 2:
        raise UsageError(f"ax: received {len(ax)} axes (give two, for face on and edge on)")
    for axes, axis, name in zip(ax, "zy", ("face on", "edge on")):
        picture(what, axes, pixels, axis=axis, extent=extent, family=family)
        axes.set_title(f"{name}, t = {snapshot.time:.4g}")
    return ax


def density(what: Any, axis: str = "z", extent: Any = None, bins: int = 256, family: Any = None, ax: Any = None,
            cmap: str = "inferno") -> Any:
    """Surface density along an axis, on a logarithmic scale.

    extent  half the width of the picture about the centre of density; none: that which holds 95 % of the mass
    family  of these particles alone: "star", or several
    """
    if axis not in _planes:
        raise UsageError(f"axis: received {axis!r} (must be \"x\", \"y\" or \"z\")")
    snapshot = snapshot_of(what)
    centre = analysis.centre_of_density(snapshot)
    if family is not None:
        snapshot = snapshot.select(np.isin(snapshot.family, [Family[name] for name in _families(family)]))
    place = snapshot.position - centre
    if extent is None:
        radius = np.sort(np.linalg.norm(place, axis=1))
        extent = 1.05 * radius[int(0.95 * (len(radius) - 1))] if len(radius) else 1.0
    else:
        extent = number(extent, "extent", None, System(lambda: snapshot._core), LENGTH)
    i, j = _planes[axis]
    edges = np.linspace(-extent, extent, bins + 1)
    mass, _, _ = np.histogram2d(place[:, i], place[:, j], bins=(edges, edges), weights=snapshot.mass)
    surface = mass.T / (edges[1] - edges[0]) ** 2
    axes = _axes(ax)
    seen = surface[surface > 0]
    from matplotlib.colors import LogNorm

    most = seen.max() if seen.size else 1.0
    least = max(seen.min(), most / 1e4) if seen.size else 0.1
    image = axes.imshow(surface, origin="lower", extent=(-extent, extent, -extent, extent), cmap=cmap,
                        norm=LogNorm(least, most if most > least else 2 * least))
    axes.set_facecolor(image.cmap(0.0))  # where there is nothing
    length, weight = snapshot.unit("position"), snapshot.unit("mass")
    axes.set(xlabel=_named("xyz"[i], length), ylabel=_named("xyz"[j], length), title=f"t = {snapshot.time:.4g}")
    axes.figure.colorbar(image, ax=axes, label=_named("surface density", f"{weight}/{length}²" if length else ""))
    return axes


def profile(what: Any, bins: int = 32, ax: Any = None, **style: Any) -> Any:
    """Density against radius, both logarithmic."""
    snapshot = snapshot_of(what)
    found = analysis.profile(snapshot, bins)
    axes = _axes(ax)
    there = found["density"] > 0
    axes.loglog(found["radius"][there], found["density"][there], **{"label": f"t = {snapshot.time:.4g}", **style})
    length, weight = snapshot.unit("position"), snapshot.unit("mass")
    axes.set(xlabel=_named("radius", length), ylabel=_named("density", f"{weight}/{length}³" if length else ""))
    axes.legend()
    return axes


def rotation(what: Any, bins: int = 20, ax: Any = None) -> Any:
    """Rotation, circular velocity and dispersions of a disc against radius."""
    snapshot = snapshot_of(what)
    found = analysis.disc(snapshot, bins)
    axes = _axes(ax)
    for name in ("circular_velocity", "rotation", "radial_dispersion", "vertical_dispersion"):
        axes.plot(found["radius"], found[name], label=name.replace("_", " "))
    axes.set(xlabel=_named("radius", snapshot.unit("position")), ylabel=_named("velocity", snapshot.unit("velocity")))
    axes.legend()
    return axes


def energy(folder: str | os.PathLike[str], ax: Any = None, **style: Any) -> Any:
    """The energy's relative error against time, of a run's folder or its energy.csv."""
    path = Path(folder)
    path = path / "energy.csv" if path.is_dir() else path
    try:
        with open(path, newline="") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        times = [float(row["time"]) for row in rows]
        errors = [abs(float(row["relative_error"])) for row in rows]
    except (OSError, KeyError, ValueError, TypeError) as error:
        raise Error(f"{path}: is no energy.csv of a run ({error})") from error
    axes = _axes(ax)
    axes.semilogy(times, errors, **style)
    axes.set(xlabel="time", ylabel="|relative error of the energy|")
    return axes
