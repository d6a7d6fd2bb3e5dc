# SPDX-License-Identifier: Apache-2.0
"""From keywords to the configuration's text, which the library alone reads: names are those of its table."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from . import _core
from .carried_units import carries_unit
from .checks import path as _path, text
from .dimensions import of_key
from .errors import Error, UsageError
from .quantities import Ones, System

_sections = [name for name, _ in _core.sections()]
_sections_of = {}
for _section, _key, _, _ in _core.option_table():
    _sections_of.setdefault(_key, []).append(_section)
# What other codes and papers call them.
_of_others = {"timestep": "dt", "time_step": "dt", "step": "dt", "h": "dt", "tend": "end", "t_end": "end", "tmax": "end",
              "t_max": "end", "epsilon": "eps", "softening_length": "eps", "soft": "eps", "opening_angle": "theta"}
# By their names in Python, of each model.
_options_of_model = {name: {option[0].replace("-", "_"): option[0] for option in options}
                     for name, _, options in _core.models()}
_of_models = set().union(*_options_of_model.values())
# Options of models that a run has, too, and that count for both.
_of_both = {"eps": "gravity", "gamma": "gas", "omega": "boundary"}


def refuse_unknown(model, options, where):
    """The library's names of the model's options, by those in Python; {} of no model. UsageError for an option that it
    does not have."""
    known = _options_of_model.get(model, {})
    for name in options:
        if known and name not in known:
            of = "" if where == model else f" of {model}"
            raise UsageError(f"{where}: unknown option {name}{of} ({_core.suggestion(name, list(known))})")
    return known


def _value(value, name, system, model=None):
    """As TOML writes it. name: "section.key"; model: whose options [ic] holds."""
    if carries_unit(value):
        value = system.numbers(value, name, of_key(name, model))
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(text(os.fspath(value), name), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(one, name, system, model) for one in value) + "]"
    raise UsageError(f"{name}: received {value!r} ({type(value).__name__}) (must be a number, a text, True, False or a "
                     "list of these)")


def _section_of(name, where, value, model):
    if name == "softening" and not isinstance(value, str):
        raise UsageError(f"{where}: softening: received {value!r} (must be the name of a kernel, as in gravity={{\"softening\": \"spline\"}}; "
                         "the softening length is eps)")
    found = _sections_of.get(name, [])
    of_this_model = name.replace("-", "_") in _options_of_model.get(str(model), ()) and _of_both.get(name) not in found
    if len(found) == 1 and not of_this_model:
        return found[0]
    if found:
        of_model = name.replace("-", "_") in _of_models
        ways = [f'ic={{"{name}": {value!r}}}'] * of_model + [f'{section}={{"{name}": ...}}' for section in found]
        sections = f"{len(found)} sections" if len(found) > 1 else f"[{found[0]}]"
        raise UsageError(f"{where}: {name} is a key of {sections}{' and of models' * of_model} (write "
                         f"{' or '.join(ways)})")
    meant = _of_others.get(name.lower())
    if name.replace("-", "_") in _of_models and not meant:
        raise UsageError(f"{where}: {name} is an option of models (write ic={{\"{name}\": {value!r}}})")
    hint = f"did you mean {meant}?" if meant else _core.suggestion(name, _by_use())
    raise UsageError(f"{where}: unknown option {name} ({hint})")


def _by_use():
    """All names, those that are given most often first: of equally near names the first one is suggested."""
    often = ("gravity", "time", "device", "gas")
    first = [key for section in often for key, found in _sections_of.items() if section in found]
    return list(dict.fromkeys([*first, *_sections, *_sections_of]))


def _entries(name, value):
    """Of one keyword: [(section, key, value)], or [(section, None, dict)] for a table of its own."""
    if name == "units" and isinstance(value, str):
        parts = [part.strip() for part in value.split(",")]
        return ([("units", "system", value)] if len(parts) != 3 else
                [("units", key, part) for key, part in zip(("length", "mass", "velocity"), parts)])
    if name == "potential" and isinstance(value, (list, tuple, str)):  # a text: the name of a kind
        several = [value] if isinstance(value, str) else value
        return [("potential", None, {"kind": one} if isinstance(one, str) else one) for one in several]
    if name in _sections:
        if not isinstance(value, dict) and _sections_of.get(name) == [name]:
            return None  # device=1 is the key of its section
        if not isinstance(value, dict):
            raise UsageError(f"{name}: received {value!r} (must be a dict of the keys of [{name}])")
        return [("potential", None, value)] if name == "potential" else [(name, *pair) for pair in value.items()]
    return None


def sections_of(given: dict[str, Any], where: str) -> tuple[dict[str, Any], list[Any]]:
    """{section: {key: value}} of keywords: keys of one section alone, whole sections as dicts, "section.key"."""
    tables: dict[str, Any] = {}
    potentials: list[Any] = []
    drawn = given.get("ic")
    model = given.get("model") or (drawn.get("model") if isinstance(drawn, dict) else None)
    for name, value in given.items():
        if value is None:
            continue
        entries = _entries(name, value)
        if entries is None and "." in name:
            entries = [(*name.split(".", 1), value)]
        elif entries is None:
            entries = [(_section_of(name, where, value, model), name, value)]
        for section, key, one in entries:
            if key is None:
                potentials.append(one)
            elif key in tables.setdefault(section, {}):
                raise UsageError(f"{where}: received {section}.{key} twice")
            elif one is not None:
                tables[section][key] = one
    return tables, potentials


def toml_of(given: dict[str, Any], where: str, system: System) -> str:
    tables, potentials = sections_of(given, where)
    lines, model = [], tables.get("ic", {}).get("model")
    for section, keys in tables.items():
        lines.append(f"[{_quoted(section)}]")
        lines += [f"{_quoted(key)} = {_value(value, f'{section}.{key}', system, model)}" for key, value in keys.items()]
    for potential in potentials:
        if not isinstance(potential, dict):
            raise UsageError(f"potential: received {potential!r} (must be a dict of the keys of [potential])")
        lines.append("[[potential]]")
        lines += [f"{_quoted(key)} = {_value(value, f'potential.{key}', system)}" for key, value in potential.items()]
    return "\n".join(lines) + "\n"


def overrides_of(given: dict[str, Any], where: str, system: System) -> list[str]:
    """["section.key=value"], of options over what a file says."""
    tables, potentials = sections_of(given, where)
    if potentials:
        raise UsageError(f"{where}: received potential (must be in the file)")
    return [f"{section}.{key}={_value(value, f'{section}.{key}', system)}" for section, keys in tables.items()
            for key, value in keys.items()]


def text_of(write, given=None):
    """The configuration that write(system) gives. Quantities in it are in the units that it comes to itself, or those
    of the particles that are given."""
    return write(System(lambda: _core.units_of(write(Ones()), given)))


def _quoted(key):
    plain = isinstance(key, str) and key and all(c.isascii() and (c.isalnum() or c in "_-") for c in key)
    return key if plain else json.dumps(str(key), ensure_ascii=False)


def _read_text(path):
    try:
        return Path(_path(path)).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is not UTF-8 text"
        raise Error(f"{os.fspath(path)}: {reason}") from error


def of_file(file, options, where):
    """The configuration of a file, with options over what it says."""
    toml, file = _read_text(file), _path(file)
    return text_of(lambda system: _core.Text(toml, overrides_of(options, where, system), file, str(Path(file).parent)))
