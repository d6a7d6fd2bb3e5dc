# SPDX-License-Identifier: Apache-2.0
"""Hornbeam's codes for AMUSE (docs/amuse.md): `from hornbeam.amuse import Hornbeam`.

Hornbeam       gravitational dynamics
HornbeamKick   gravity at points, in place of FastKick
Codes are what scripts use, NAMEInterface says which calls a worker takes, and the workers, Python processes of their own, are
in amuse_worker/. Numbers between them are AMUSE's N-body units, G = 1. Tried with amuse-framework 2024.6."""

import tempfile

from amuse.community.interface.common import CommonCode, CommonCodeInterface
from amuse.community.interface.gd import (GravitationalDynamics, GravitationalDynamicsInterface, GravityFieldCode,
                                          GravityFieldInterface)
from amuse.community.interface.stopping_conditions import StoppingConditionInterface, StoppingConditions
from amuse.rfi.core import LegacyFunctionSpecification, PythonCodeInterface, legacy_function
from amuse.support.literature import LiteratureReferencesMixIn
from amuse.units import nbody_system

from .about import __version__
from .amuse_worker import start_field_worker, start_worker
from .amuse_worker.parameters import FIELD_PARAMETERS, GRAVITY_PARAMETERS

__all__ = ["Hornbeam", "HornbeamInterface", "HornbeamKick", "HornbeamKickInterface"]

_length, _time = nbody_system.length, nbody_system.time
_units = {"length**2": _length**2, "time": _time, "speed": nbody_system.speed, "": None}


def _function(name, takes=(), gives=(), dtypes=None, defaults=None):
    """A call that is handed over once for all particles, not once for each."""
    def specification():
        function = LegacyFunctionSpecification()
        function.name = name
        for names, direction in ((takes, function.IN), (gives, function.OUT)):
            for parameter in names:
                default = (defaults or {}).get(parameter) if direction == function.IN else None
                function.addParameter(parameter, dtype=(dtypes or {}).get(parameter, "float64"), direction=direction,
                                      default=default)
        function.result_type = "int32"
        function.must_handle_array = True
        return function

    specification.__name__, specification.__doc__ = name, f"{name} of the worker: see hornbeam/amuse_worker/"
    return legacy_function(specification)


_index = "index_of_the_particle"
_state = ("mass", "x", "y", "z", "vx", "vy", "vz", "radius")


def _add_calls(interface, of_particles, others, parameters):
    """Adds get_NAME and set_NAME of the numbers of particles {NAME: names} and of parameters, and other calls
    {name: (takes, gives)}. A radius that is not given is 0."""
    calls = dict(others)
    for what, numbers in of_particles.items():
        calls[f"get_{what}"] = ((_index,), numbers)
        calls[f"set_{what}"] = ((_index, *numbers), ())
    for name, (takes, gives) in calls.items():
        defaults = {"radius": 0.0} if len(takes) > 2 else None
        setattr(interface, name, _function(name, takes, gives, {_index: "int32"}, defaults))
    for parameter in parameters.values():
        dtypes = {parameter.answer: parameter.dtype}
        for name, takes, gives in ((f"get_{parameter.call}", (), (parameter.answer,)),
                                   (f"set_{parameter.call}", (parameter.answer,), ())):
            setattr(interface, name, _function(name, takes, gives, dtypes))


def _add_parameters(handler, parameters):
    """For define_parameters()."""
    for name, parameter in parameters.items():
        unit = _units[parameter.unit]
        handler.add_method_parameter(f"get_{parameter.call}", f"set_{parameter.call}", name, parameter.help,
                                     default_value=parameter.value if unit is None else parameter.value | unit)


def _add_units_of_parameters(handler, parameters):
    """For define_methods()."""
    for parameter in parameters.values():
        unit = _units[parameter.unit] or handler.NO_UNIT
        handler.add_method(f"get_{parameter.call}", (), (unit, handler.ERROR_CODE))
        handler.add_method(f"set_{parameter.call}", (unit,), (handler.ERROR_CODE,))


class _Worker(PythonCodeInterface, LiteratureReferencesMixIn):
    """The process behind an interface. Base of those that follow."""

    start = None  # what it begins with

    def __init__(self, **options):
        if options.get("channel_type") == "sockets":
            options.setdefault("initialize_mpi", False)  # mpiexec would bind the worker, and its threads, to one core
        LiteratureReferencesMixIn.__init__(self)
        with tempfile.TemporaryDirectory() as folder:  # of the script that AMUSE writes; it has been read once it answers
            PythonCodeInterface.__init__(self, type(self).start, worker_dir=folder, **options)

    @classmethod
    def version(cls):
        return __version__


class HornbeamInterface(_Worker, GravitationalDynamicsInterface, StoppingConditionInterface, GravityFieldInterface):
    """The calls of the worker, one for one. options: channel_type="sockets" or "mpi", redirection="none", ...

    .. [#] ADS:1986Natur.324..446B (Barnes, J. & Hut, P., 1986)
    .. [#] ADS:2002JCoPh.179...27D (Dehnen, W., 2002)
    .. [#] ADS:2012JCoPh.231.2825B (Bedorf, J., Gaburov, E. & Portegies Zwart, S., 2012)
    """

    start = staticmethod(start_worker)


# what is computed is skipped: copies of all attributes set it
_add_calls(HornbeamInterface, {"state": _state, "mass": ("mass",), "radius": ("radius",), "position": ("x", "y", "z"),
                               "velocity": ("vx", "vy", "vz")},
           {"new_particle": (_state, (_index,)), "delete_particle": ((_index,), ()),
            "get_acceleration": ((_index,), ("ax", "ay", "az")), "get_potential": ((_index,), ("potential",)),
            "skip_acceleration": ((_index, "ax", "ay", "az"), ()), "skip_potential": ((_index, "potential"), ())},
           GRAVITY_PARAMETERS)


class Hornbeam(GravitationalDynamics, GravityFieldCode):
    """A code of AMUSE: Hornbeam(converter), Hornbeam(redirection="none"), with particles, evolve_model(),
    get_gravity_at_point(), get_potential_at_point(), stopping_conditions and parameters."""

    def __init__(self, convert_nbody=None, **options):
        self.stopping_conditions = StoppingConditions(self)
        GravitationalDynamics.__init__(self, HornbeamInterface(**options), convert_nbody, **options)

    def define_parameters(self, handler):
        _add_parameters(handler, GRAVITY_PARAMETERS)
        self.stopping_conditions.define_parameters(handler)

    def define_methods(self, handler):
        GravitationalDynamics.define_methods(self, handler)
        index, code = handler.INDEX, handler.ERROR_CODE
        handler.add_method("skip_acceleration", (index, *[nbody_system.acceleration] * 3), (code,))
        handler.add_method("skip_potential", (index, nbody_system.potential), (code,))
        _add_units_of_parameters(handler, GRAVITY_PARAMETERS)
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


class HornbeamKickInterface(_Worker, CommonCodeInterface, GravityFieldInterface):
    """The calls of the worker, one for one.

    .. [#] ADS:1986Natur.324..446B (Barnes, J. & Hut, P., 1986)
    .. [#] ADS:2002JCoPh.179...27D (Dehnen, W., 2002)
    """

    start = staticmethod(start_field_worker)


_add_calls(HornbeamKickInterface, {"mass": ("mass",), "position": ("x", "y", "z")},
           {"new_particle": (("mass", "x", "y", "z"), (_index,)), "delete_particle": ((_index,), ()),
            "commit_particles": ((), ()), "recommit_particles": ((), ()),
            "get_potential_energy": ((), ("potential_energy",))}, FIELD_PARAMETERS)


class HornbeamKick(CommonCode, GravityFieldCode):
    """Gravity of particles at points, by a tree: get_gravity_at_point(), get_potential_at_point(), potential_energy. It takes
    the place of FastKick, as in CalculateFieldForCodes(HornbeamKick(converter), [codes]) of a bridge."""

    def __init__(self, convert_nbody=None, **options):
        self.unit_converter = convert_nbody
        CommonCode.__init__(self, HornbeamKickInterface(**options), **options)

    def define_converter(self, handler):
        if self.unit_converter is not None:
            handler.set_converter(self.unit_converter.as_converter_from_si_to_generic())

    def define_parameters(self, handler):
        _add_parameters(handler, FIELD_PARAMETERS)

    def define_properties(self, handler):
        handler.add_property("get_potential_energy")

    def define_methods(self, handler):
        CommonCode.define_methods(self, handler)
        index, code = handler.INDEX, handler.ERROR_CODE
        mass, place = nbody_system.mass, [_length] * 3
        handler.add_method("new_particle", (mass, *place), (index, code))
        handler.add_method("delete_particle", (index,), (code,))
        for name, units in (("mass", [mass]), ("position", place)):
            handler.add_method(f"get_{name}", (index,), (*units, code))
            handler.add_method(f"set_{name}", (index, *units), (code,))
        handler.add_method("get_potential_energy", (), (nbody_system.energy, code))
        for name in ("commit_particles", "recommit_particles"):
            handler.add_method(name, (), (code,))
        _add_units_of_parameters(handler, FIELD_PARAMETERS)

    def define_state(self, handler):
        CommonCode.define_state(self, handler)
        handler.add_transition("END", "INITIALIZED", "initialize_code", False)
        handler.add_transition("INITIALIZED", "EDIT", "commit_parameters")
        for state in ("RUN", "EDIT", "UPDATE"):
            handler.add_transition(state, f"CHANGE_PARAMETERS_{state}", "before_set_parameter", False)
            handler.add_transition(f"CHANGE_PARAMETERS_{state}", state, "recommit_parameters")
            handler.add_method(f"CHANGE_PARAMETERS_{state}", "before_set_parameter")
            handler.add_method(f"CHANGE_PARAMETERS_{state}", "before_get_parameter")
            handler.add_method(state, "before_get_parameter")
        for call in ("new_particle", "delete_particle"):
            handler.add_method("EDIT", call)
            handler.add_method("UPDATE", call)
            handler.add_transition("RUN", "UPDATE", call, False)
        handler.add_transition("EDIT", "RUN", "commit_particles")
        handler.add_transition("UPDATE", "RUN", "recommit_particles")
        GravityFieldCode.define_state(self, handler)
        handler.add_method("RUN", "get_potential_energy")

    def define_particle_sets(self, handler):
        handler.define_set("particles", _index)
        handler.set_new("particles", "new_particle")
        handler.set_delete("particles", "delete_particle")
        for name, numbers in (("mass", ("mass",)), ("position", ("x", "y", "z"))):
            handler.add_setter("particles", f"set_{name}", names=numbers)
            handler.add_getter("particles", f"get_{name}", names=numbers)

    def commit_parameters(self):
        self.parameters.send_not_set_parameters_to_code()
        self.parameters.send_cached_parameters_to_code()
        self.overridden().commit_parameters()

    def cleanup_code(self):
        self.overridden().cleanup_code()
        self.get_handler("PARTICLES")._cleanup_instances()

    def reset(self):
        """Without particles, and with the parameters that it has."""
        parameters = self.parameters.copy()
        self.cleanup_code()
        self.initialize_code()
        self.parameters.reset_from_memento(parameters)
