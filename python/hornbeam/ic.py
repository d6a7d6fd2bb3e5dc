# SPDX-License-Identifier: Apache-2.0
"""Initial conditions: a function for each model of the library's table, as `hornbeam ic MODEL`.

    hornbeam.ic.plummer(100_000, seed=1)
    hornbeam.ic.galaxy(200_000, units="galactic")
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .carried_units import carries_unit
from .checks import number, text, whole
from .dimensions import of_option
from .errors import UsageError, warn_of
from .options import refuse_unknown
from .quantities import System
from .snapshot import Snapshot


def _text(value, name):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        return text(os.fspath(value), name)
    raise UsageError(f"{name}: received {value!r} ({type(value).__name__}) (must be a number, a text, True or False)")


def model(name: str, n: int | None = None, seed: int = 1, units: str | None = None, **options: Any) -> Snapshot:
    """Draws the model called `name` ("kelvin-helmholtz") as a Snapshot: see the function of that name."""
    return _drawn(name, n, seed, units, options)


def _drawn(name, n, seed, units, options):
    units = None if units is None else text(units, "units")
    known, texts = refuse_unknown(text(name, "model"), options, name), {}
    for key, value in options.items():
        if carries_unit(value):
            value = number(value, key, None, System.named(units), of_option(name, key))
        if value is not None:
            texts[known.get(key, key)] = _text(value, key)
    count, seed = None if n is None else whole(n, "n"), whole(seed, "seed", 0, 2**64 - 1)
    drawn = _core.model(name, count, seed, texts, units)
    warn_of(drawn.notes)
    return Snapshot._of(drawn)


def _function(name, summary, options):
    def draw(n=None, seed=1, units=None, **given):
        return _drawn(name, n, seed, units, given)

    draw.__name__ = draw.__qualname__ = name.replace("-", "_")
    draw.__module__ = __name__
    lines = []
    for key, default, kind, help, _ in options:
        known = f" (default: {default})" if default else ""
        lines.append(f"    {key.replace('-', '_')}  {kind}: {help}{known}")
    draw.__doc__ = (f"{summary}\n\n    n      number of particles\n    seed   the same seed gives the same bits\n"
                    "    units  of the options and of what is drawn: nbody (G = 1, the default), galactic, solar, si, "
                    "cgs, saturn,\n           or LENGTH, MASS, VELOCITY as \"pc, Msun, km/s\"\n" + "\n".join(lines) + "\n")
    return draw


models = {}
for _name, _summary, _options in _core.models():
    models[_name] = globals()[_name.replace("-", "_")] = _function(_name, _summary, _options)
__all__ = ["model", "models", *(_name.replace("-", "_") for _name in models)]


def __dir__() -> list[str]:
    return __all__


if TYPE_CHECKING:  # the models, made above from the library's table

    def __getattr__(name: str) -> Callable[..., Snapshot]: ...
