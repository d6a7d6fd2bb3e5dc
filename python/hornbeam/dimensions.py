# SPDX-License-Identifier: Apache-2.0
"""Which dimension a key of the configuration or an option of a model has: powers of length, mass and velocity, or the
name of a unit where it is always in that one. What is not here is a number, a text or a file; tests/python/test_units.py
goes over all that there are."""

LENGTH, MASS, VELOCITY = (1, 0, 0), (0, 1, 0), (0, 0, 1)
TIME, FREQUENCY = (1, 0, -1), (-1, 0, 1)
DENSITY, AREA_DENSITY = (-3, 1, 0), (-2, 1, 0)
PRESSURE, ENERGY, ENERGY_PER_MASS = (-3, 1, 2), (0, 1, 2), (0, 0, 2)

_of_keys = {
    "gravity": {"eps": LENGTH},
    "potential": {"mass": MASS, "speed": VELOCITY, "scale": LENGTH, "height": LENGTH, "centre": LENGTH,
                  "velocity": VELOCITY},
    "time": {"dt": TIME, "start": TIME, "end": TIME},
    "boundary": {"size": LENGTH, "omega": FREQUENCY, "omega_z": FREQUENCY},
    "collisions": {"speed": VELOCITY, "speeds": VELOCITY, "minimum_velocity": VELOCITY},
    "gas": {"sound_speed": VELOCITY, "critical_density": DENSITY, "densities": DENSITY, "max_smoothing_length": LENGTH},
    "output": {"every": TIME, "times": TIME, "energy_every": TIME, "black_holes_every": TIME, "ring_every": TIME,
               "checkpoint_every": TIME, "groups_linking_length": LENGTH, "groups_linking_density": DENSITY,
               "wall_every": "s", "wall_limit": "s"},
}

_of_options = {
    LENGTH: ["scale", "radius", "edge", "body_radius", "disc_scale", "disc_height", "disc_truncation", "disc_taper",
             "q_radius", "bulge_scale", "bulge_truncation", "halo_scale", "halo_truncation", "gas_scale", "pericentre",
             "separation", "size_x", "size_y", "radius_min", "radius_max", "height", "moonlet_radius", "width", "length",
             "target_radius", "impactor_radius", "eps"],
    MASS: ["mass", "disc_mass", "bulge_mass", "halo_mass", "gas_mass", "black_hole_mass", "target_mass",
           "impactor_mass"],
    VELOCITY: ["gas_sound_speed", "sound_speed", "speed"],
    FREQUENCY: ["omega", "spin", "target_spin", "impactor_spin"],
    TIME: ["before"],
    DENSITY: ["density", "particle_density", "moonlet_density"],
    AREA_DENSITY: ["surface_density"],
    PRESSURE: ["pressure", "pressure_right"],
    ENERGY_PER_MASS: ["background"],
    "K": ["gas_temperature", "temperature", "target_temperature", "impactor_temperature"],
    "deg": ["inclination1", "inclination2", "node1", "node2", "angle"],
}
_by_option = {option: dimension for dimension, options in _of_options.items() for option in options}
_by_model = {"sedov": {"energy": ENERGY}, "impact": {"speed": None}, "kelvin-helmholtz": {"amplitude": VELOCITY}}


def of_key(name, model=None):
    """Of "section.key"; of [ic] that of the model's option. None where it has none."""
    section, _, key = name.partition(".")
    return of_option(model, key) if section == "ic" else _of_keys.get(section, {}).get(key)


def of_option(model, option):
    """None where it has none. Names have _ for -."""
    return _by_model.get(model, {}).get(option, _by_option.get(option))
