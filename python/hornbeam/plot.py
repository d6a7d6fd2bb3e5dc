# SPDX-License-Identifier: Apache-2.0
"""Pictures with matplotlib, one call each. All return the axes that they have drawn into, of their own or `ax=`."""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import Any

import numpy as np

from . import analysis
from .errors import Error, UsageError
from .snapshot import Snapshot


def _axes(ax):
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise Error("plot: matplotlib is not there (pip install matplotlib)") from error
    return plt.subplots(constrained_layout=True)[1]


def _snapshot(what):
    return Snapshot.from_any(getattr(what, "particles", what))


def _named(name, unit):
    return f"{name} [{unit}]" if unit else name


_planes = {"z": (0, 1), "y": (0, 2), "x": (1, 2)}


def density(what: Any, axis: str = "z", extent: Any = None, bins: int = 256, family: Any = None, ax: Any = None,
            cmap: str = "inferno") -> Any:
    """Surface density along an axis, on a logarithmic scale.

    extent  half the width of the picture about the centre of density; none: that which holds 95 % of the mass
    family  of these particles alone: "star", or several
    """
    if axis not in _planes:
        raise UsageError(f"axis: received {axis!r} (must be \"x\", \"y\" or \"z\")")
    snapshot = _snapshot(what)
    centre = analysis.centre_of_density(snapshot)
    if family is not None:
        from .snapshot import Family

        names = [family] if isinstance(family, str) else list(family)
        unknown = [name for name in names if name not in Family.__members__]
        if unknown:
            raise UsageError(f"family: received {unknown[0]!r} (there are {', '.join(Family.__members__)})")
        snapshot = snapshot.select(np.isin(snapshot.family, [Family[name] for name in names]))
    place = snapshot.position - centre
    if extent is None:
        radius = np.sort(np.linalg.norm(place, axis=1))
        extent = 1.05 * radius[int(0.95 * (len(radius) - 1))] if len(radius) else 1.0
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
    snapshot = _snapshot(what)
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
    snapshot = _snapshot(what)
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
