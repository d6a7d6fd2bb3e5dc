# SPDX-License-Identifier: Apache-2.0
"""Which dimension a key of the configuration or an option of a model has: powers of length, mass and velocity, or the
name of a unit where it is always in that one. What is not here is a number, a text or a file; tests/python/test_units.py
goes over all that there are. The library has the table, and options of models have theirs."""

from . import _core

LENGTH, MASS, VELOCITY = (1, 0, 0), (0, 1, 0), (0, 0, 1)
TIME, FREQUENCY = (1, 0, -1), (-1, 0, 1)
DENSITY, AREA_DENSITY = (-3, 1, 0), (-2, 1, 0)
ENERGY = (0, 1, 2)

_of_keys: dict[str, dict[str, object]] = {}
for _section, _key, _of in _core.key_dimensions():
    _of_keys.setdefault(_section, {})[_key] = _of

_of_options = {model: {option[0].replace("-", "_"): option[4] for option in options}
               for model, _, options in _core.models()}


def of_key(name, model=None):
    """Of "section.key"; of [ic] that of the model's option. None where it has none."""
    section, _, key = name.partition(".")
    return of_option(model, key) if section == "ic" else _of_keys.get(section, {}).get(key)


def of_option(model, option):
    """None where it has none. Names have _ for -. Where the model is not known, that of any model's option."""
    models = [_of_options[model]] if model in _of_options else _of_options.values()
    return next((one[option] for one in models if one.get(option) is not None), None)
