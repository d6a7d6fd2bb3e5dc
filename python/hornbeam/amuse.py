# SPDX-License-Identifier: Apache-2.0
"""Hornbeam as a gravitational-dynamics code of AMUSE (docs/amuse.md): `from hornbeam.amuse import Hornbeam`.

`Hornbeam` is what scripts use, `HornbeamInterface` says which calls the worker takes, and the worker, a Python process of
its own, is amuse_worker.py. Numbers between them are AMUSE's N-body units, G = 1. Tried with amuse-framework 2024.6."""

import tempfile

from amuse.community.interface.gd import (GravitationalDynamics, GravitationalDynamicsInterface, GravityFieldCode,
                                          GravityFieldInterface)
from amuse.community.interface.stopping_conditions import StoppingConditionInterface, StoppingConditions
from amuse.rfi.core import LegacyFunctionSpecification, PythonCodeInterface, legacy_function
from amuse.units import nbody_system

from .amuse_worker import PARAMETERS, start_worker

__all__ = ["Hornbeam", "HornbeamInterface"]

_length, _time = nbody_system.length, nbody_system.time
_units = {"length**2": _length**2, "time": _time, "": None}


def _function(name, takes=(), gives=(), dtypes=None):
    """A call that is handed over once for all particles, not once for each."""
    def specification():
        function = LegacyFunctionSpecification()
        function.name = name
        for names, direction in ((takes, function.IN), (gives, function.OUT)):
            for parameter in names:
                dtype = (dtypes or {}).get(parameter, "float64")
                default = 0.0 if parameter == "radius" and direction == function.IN and len(takes) > 2 else None
                function.addParameter(parameter, dtype=dtype, direction=direction, default=default)
        function.result_type = "int32"
        function.must_handle_array = True
        return function

    specification.__name__, specification.__doc__ = name, f"{name} of the worker: see hornbeam/amuse_worker.py"
    return legacy_function(specification)


_index = "index_of_the_particle"
_state = ("mass", "x", "y", "z", "vx", "vy", "vz", "radius")
_of_particles = {"state": _state, "mass": ("mass",), "radius": ("radius",), "position": ("x", "y", "z"),
                 "velocity": ("vx", "vy", "vz")}
_calls = {"new_particle": (_state, (_index,)), "delete_particle": ((_index,), ()),
          "get_acceleration": ((_index,), ("ax", "ay", "az")), "get_potential": ((_index,), ("value",)),
          # computed, so that only copies of all attributes set them
          "skip_acceleration": ((_index, "ax", "ay", "az"), ()), "skip_potential": ((_index, "value"), ())}
for _what, _numbers in _of_particles.items():
    _calls[f"get_{_what}"] = ((_index,), _numbers)
    _calls[f"set_{_what}"] = ((_index, *_numbers), ())
for _name, _parameter in PARAMETERS.items():
    _calls[f"get_{_parameter.call}"] = ((), ("value",))
    _calls[f"set_{_parameter.call}"] = (("value",), ())


class HornbeamInterface(PythonCodeInterface, GravitationalDynamicsInterface, StoppingConditionInterface,
                        GravityFieldInterface):
    """The calls of the worker, one for one. options: channel_type="sockets" or "mpi", redirection="none", ..."""

    def __init__(self, **options):
        if options.get("channel_type") == "sockets":
            options.setdefault("initialize_mpi", False)  # mpiexec would bind the worker, and its threads, to one core
        with tempfile.TemporaryDirectory() as folder:  # of the script that AMUSE writes; it has been read once it answers
            PythonCodeInterface.__init__(self, start_worker, worker_dir=folder, **options)


for _name, (_takes, _gives) in _calls.items():
    _dtypes = {_index: "int32"}
    if _name[:4] in ("get_", "set_"):
        _dtypes |= {"value": p.dtype for p in PARAMETERS.values() if p.call == _name[4:]}
    setattr(HornbeamInterface, _name, _function(_name, _takes, _gives, _dtypes))


class Hornbeam(GravitationalDynamics, GravityFieldCode):
    """A code of AMUSE: Hornbeam(converter), Hornbeam(redirection="none"), with particles, evolve_model(),
    get_gravity_at_point(), get_potential_at_point(), stopping_conditions and parameters."""

    def __init__(self, convert_nbody=None, **options):
        self.stopping_conditions = StoppingConditions(self)
        GravitationalDynamics.__init__(self, HornbeamInterface(**options), convert_nbody, **options)

    def define_parameters(self, handler):
        for name, parameter in PARAMETERS.items():
            unit = _units[parameter.unit]
            handler.add_method_parameter(f"get_{parameter.call}", f"set_{parameter.call}", name, parameter.help,
                                         default_value=parameter.value if unit is None else parameter.value | unit)
        self.stopping_conditions.define_parameters(handler)

    def define_methods(self, handler):
        GravitationalDynamics.define_methods(self, handler)
        index, code = handler.INDEX, handler.ERROR_CODE
        handler.add_method("skip_acceleration", (index, *[nbody_system.acceleration] * 3), (code,))
        handler.add_method("skip_potential", (index, nbody_system.potential), (code,))
        for parameter in PARAMETERS.values():
            unit = _units[parameter.unit] or handler.NO_UNIT
            handler.add_method(f"get_{parameter.call}", (), (unit, handler.ERROR_CODE))
            handler.add_method(f"set_{parameter.call}", (unit,), (handler.ERROR_CODE,))
        self.stopping_conditions.define_methods(handler)

    def define_state(self, handler):
        GravitationalDynamics.define_state(self, handler)
        GravityFieldCode.define_state(self, handler)
        self.stopping_conditions.define_state(handler)

    def define_particle_sets(self, handler):
        GravitationalDynamics.define_particle_sets(self, handler)
        handler.add_getter("particles", "get_acceleration", names=("ax", "ay", "az"))
        handler.add_getter("particles", "get_potential", names=("potential_in_code",))
        handler.add_setter("particles", "skip_acceleration", names=("ax", "ay", "az"))
        handler.add_setter("particles", "skip_potential", names=("potential_in_code",))
        self.stopping_conditions.define_particle_set(handler)
