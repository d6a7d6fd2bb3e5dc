# SPDX-License-Identifier: Apache-2.0
"""Pictures and movies as `hornbeam render` and `hornbeam movie` draw them (docs/pictures.md)."""

import os
import shutil
import typing
import warnings
from pathlib import Path

import numpy as np

from . import _core
from .analysis import _record_of
from .arrays import numbers
from .checks import function, number, path as _path, truth, whole
from .dimensions import LENGTH
from .errors import HornbeamWarning, UsageError, warn_of
from .quantities import System
from .snapshot import Family, Snapshot, snapshot_of

_names = ("width", "height", "axis", "turn", "tilt", "extent", "centre", "types", "style", "light", "perspective", "decades",
          "gamma", "field", "slice", "scale", "vmin", "vmax", "cmap", "shade", "mu", "labels")
_words = {"axis": ["x", "y", "z"], "style": ["auto", "points", "spheres"], "scale": ["log", "linear"],
          "field": _core.gas_quantities, "cmap": _core.colour_maps}
_vectors = {"centre": 3, "light": 2}
_lengths = ("centre", "extent")  # also as Quantities


def _one_of(value, name, known):
    if not isinstance(value, str) or value not in known:
        raise UsageError(f"{name}: received {value!r} ({_core.suggestion(str(value), list(known))})")
    return list(known).index(value)


def _row(value, name, count, system):
    array = numbers(value, name, system, LENGTH)
    if array.shape != (count,) or not np.isfinite(array).all():
        raise UsageError(f"{name}: received {value!r} (must be {count} finite numbers)")
    return array.tolist()


def _whole(value, name):
    """Of what the library's table says the limits."""
    return int(np.clip(whole(value, name, -2**63), -1, 1 << 20))


def _checked(value, name, system):
    """As the library's table of options takes it."""
    if name in _words:
        return _one_of(value, name, _words[name])
    if name in ("width", "height"):
        return _whole(value, name)
    if name in ("shade", "labels"):
        return truth(value, name)
    if name == "types":
        return [_one_of(one, name, Family.__members__) for one in ([value] if isinstance(value, str) else value)]
    system = system if name in _lengths else None
    return _row(value, name, _vectors[name], system) if name in _vectors else number(value, name, None, system, LENGTH)


def _cut(value, axis):
    """The axis and the place of "z=0"."""
    along, equals, place = value.partition("=") if isinstance(value, str) else ("", "", "")
    try:
        place = float(place)
    except ValueError:
        equals = ""
    if not equals or along not in _words["axis"]:
        raise UsageError(f"slice: received {value!r} (write AXIS=POSITION, as in \"z=0\")")
    if axis not in (None, along):
        raise UsageError(f"slice: {value} is seen along its own axis (leave axis out)")
    return along, place


def _options(given, caller, system):
    """Those that are given; the others, and None, are as the library has them (hornbeam/render.h)."""
    for name in given:
        if name not in _names:
            raise UsageError(f"{caller}: unknown option {name} ({_core.suggestion(name, list(_names))})")
    options = {name: value for name, value in given.items() if value is not None}
    if "slice" in options:
        options["axis"], options["slice"] = _cut(options["slice"], options.get("axis"))
    return {name: _checked(value, name, system) for name, value in options.items()}


class Drawing(typing.NamedTuple):
    pixels: np.ndarray
    centre: tuple
    extent: float
    axis: str


def draw(what, snapshot, path, options, caller, numbers=None):
    """A picture of the snapshot_of(what), and what it shows: its middle, its width in length units, and along which axis
    one looks. numbers: a file for those of its field."""
    checked = _options(options, caller, System(lambda: snapshot._core))
    subject = os.fspath(what) if isinstance(what, (str, os.PathLike)) else type(what).__name__
    field = _core.gas_quantities[checked["field"]] if "field" in checked else None
    if (field in ("pressure", "temperature") and isinstance(what, (Snapshot, dict)) and snapshot.gamma is None
            and getattr(snapshot, field) is None):
        raise UsageError(f"field: {field} needs the run's equation of state, which these particles do not have (set their "
                         "gamma, or give the file's path or the Simulation)")
    file = None if path is None else _path(path)
    numbers = None if numbers is None else _path(numbers, "numbers")
    found = _core.picture(snapshot._core, _record_of(what), subject, file, numbers, checked)
    warn_of([found[4]])
    return Drawing(*found[:3], _words["axis"][found[3]])


def render(what, path=None, numbers=None, **options):
    """A picture of a snapshot's file, a Snapshot or a Simulation: surface density by family with stars over it, bodies
    that have radii as lit spheres, or a quantity of the gas. Returns the pixels, (height, width, 3) of 8 bits, and
    writes them where `path`, a .png, is given. None stands for an option's default.

    numbers        also write the numbers of a field, an array (height, width), to this .npy file: numpy.load() reads it
    width, height  pixels (default: 1600, 1200)
    axis           "x", "y" or "z": the axis along which one looks (default: "z")
    turn, tilt     degrees by which one walks around it, then leans down from it; a tilt of 90 shows the side
    extent         width of the picture in length units (default: what the visible matter fills)
    centre         (x, y, z) in the middle of the picture (default: that of the visible matter)
    types          families to show, as "disc" or ["disc", "bulge"] (default: all)
    style          "spheres", "points", or "auto": spheres where there are radii and a box
    light          of spheres, (around, above) in degrees (default: from the upper left)
    perspective    of spheres, degrees that the picture is wide (default: 0, from far away)
    decades        of surface density, from full brightness down to black (default: 3)
    gamma          above 1 darkens the faint parts (default: 1)
    field          of gas: "density", "internal-energy", "temperature", "pressure", "speed", "vx", "vy" or "vz"
    slice          the field on a plane, as "z=0", in place of what is seen through
    scale          of the field's colours, "log" or "linear" (default: log, of velocities linear)
    vmin, vmax     the numbers at their ends (default: what the picture holds)
    cmap           "inferno", "viridis", "magma", "coolwarm" or "gray"
    shade          True: a field's colours are darker where there is less gas along the line of sight
    mu             of temperature, the mean molecular weight (default: 0.6, or that of the run)
    labels         False: without scale bar, time and legend
    """
    return draw(what, snapshot_of(what), path, options, "render", numbers).pixels


def _ffmpeg():
    """Its path where ffmpeg is installed, or comes with the package imageio-ffmpeg; otherwise None."""
    found = shutil.which("ffmpeg")
    if found is None:
        try:
            import imageio_ffmpeg

            found = imageio_ffmpeg.get_ffmpeg_exe()
        except (ImportError, RuntimeError):
            pass
    return found


def movie(what, path, fps=None, tell=None, keep_frames=False, **options):
    """A movie of a run's snapshots with one camera and brightness: .mp4, .webm or .gif, as `path` ends. Returns the path
    of what was written: without ffmpeg (that of `pip install imageio-ffmpeg` will do) a contact sheet, NAME_sheet.png, with a
    HornbeamWarning. The single pictures are removed once the movie is made of them.

    what         the folder of a run, or a list of files
    fps          pictures a second (default: 24, or fewer so that it lasts 5 seconds)
    tell         called as tell(done, all) after each picture
    keep_frames  keep the single pictures, in a folder whose name ends in _frames
    options      those of render()
    """
    if isinstance(what, (str, os.PathLike)):
        files = _core.snapshot_files(_path(what, "folder"))
    else:
        files = [_path(file, "file") for file in what]
    checked = _options(options, "movie", System(lambda: _core.read(files[0], None)))
    rate = None if fps is None else _whole(fps, "fps")
    ffmpeg = _ffmpeg()
    said = _core.movie(files, _path(path), rate, ffmpeg, bool(keep_frames), function(tell, "tell"), checked)
    if ffmpeg is not None:
        return Path(path)
    warnings.warn(said, HornbeamWarning, stacklevel=2)
    return Path(path).with_name(Path(path).stem + "_sheet.png")
