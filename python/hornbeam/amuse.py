# SPDX-License-Identifier: Apache-2.0
"""Hornbeam's codes for AMUSE (docs/amuse.md): `from hornbeam.amuse import Hornbeam`.

Hornbeam       gravitational dynamics
HornbeamGas    gas, dark matter and stars, in place of Fi and Gadget2
HornbeamKick   gravity at points, in place of FastKick
Codes are what scripts use, NAMEInterface says which calls a worker takes, and the workers, Python processes of their own, are
in amuse_worker/. Numbers between them are AMUSE's N-body units, G = 1. Tried with amuse-framework 2024.6."""

import tempfile

from amuse.community.interface.common import CommonCode, CommonCodeInterface
from amuse.community.interface.gd import (GravitationalDynamics, GravitationalDynamicsInterface, GravityFieldCode,
                                          GravityFieldInterface)
from amuse.community.interface.stopping_conditions import StoppingConditionInterface, StoppingConditions
from amuse.rfi.core import LegacyFunctionSpecification, PythonCodeInterface, legacy_function
from amuse.support.exceptions import AmuseException
from amuse.support.literature import LiteratureReferencesMixIn
from amuse.units import constants, nbody_system

from .about import __version__
from .amuse_worker import start_field_worker, start_gas_worker, start_worker
from .amuse_worker.parameters import FIELD_PARAMETERS, GAS_PARAMETERS, GRAVITY_PARAMETERS

__all__ = ["Hornbeam", "HornbeamGas", "HornbeamGasInterface", "HornbeamInterface", "HornbeamKick", "HornbeamKickInterface"]

_length, _time = nbody_system.length, nbody_system.time
_units = {"length**2": _length**2, "time": _time, "speed": nbody_system.speed, "mass": nbody_system.mass, "": None}


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
    """Adds get_NAME and set_NAME of the values of particles {NAME: names} and of parameters, and other calls
    {name: (takes, gives)}. A radius that is not given is 0, and so is a velocity of points."""
    calls = dict(others)
    for what, numbers in of_particles.items():
        calls[f"get_{what}"] = ((_index,), numbers)
        calls[f"set_{what}"] = ((_index, *numbers), ())
    for name, (takes, gives) in calls.items():
        defaults = {"radius": 0.0} if len(takes) > 2 else {}
        if name.endswith("at_point"):
            defaults = dict.fromkeys(("vx", "vy", "vz"), 0.0)
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


_moving = {"mass": ("mass",), "position": ("x", "y", "z"), "velocity": ("vx", "vy", "vz"), "radius": ("radius",)}
# what is computed is skipped: copies of all attributes set it
_attracted = {"get_acceleration": ((_index,), ("ax", "ay", "az")), "get_potential": ((_index,), ("potential",)),
              "skip_acceleration": ((_index, "ax", "ay", "az"), ()), "skip_potential": ((_index, "potential"), ())}
_add_calls(HornbeamInterface, {"state": _state, **_moving},
           {"new_particle": (_state, (_index,)), "delete_particle": ((_index,), ()), **_attracted}, GRAVITY_PARAMETERS)


def _demand_one(converter):
    """Values of the workers have G = 1, which converters of three free units need not have."""
    if converter is not None:
        size, weight, duration = (converter.to_si(1 | unit) for unit in (_length, nbody_system.mass, _time))
        G = constants.G * weight * duration**2 / size**3
        if abs(G - 1) > 1e-6:
            raise AmuseException(f"converter: received units in which G is {G:g}; G must be 1 (give nbody_system.nbody_to_si("
                                 "mass, length), whose unit of time follows)")


class _Code(GravitationalDynamics, GravityFieldCode):
    """What both codes have, with the calls of `interface` and the parameters of `table`."""

    def __init__(self, convert_nbody=None, **options):
        _demand_one(convert_nbody)
        self.stopping_conditions = StoppingConditions(self)
        GravitationalDynamics.__init__(self, self.interface(**options), convert_nbody, **options)

    def define_parameters(self, handler):
        _add_parameters(handler, self.table)
        self.stopping_conditions.define_parameters(handler)

    def define_methods(self, handler):
        GravitationalDynamics.define_methods(self, handler)
        index, code = handler.INDEX, handler.ERROR_CODE
        handler.add_method("skip_acceleration", (index, *[nbody_system.acceleration] * 3), (code,))
        handler.add_method("skip_potential", (index, nbody_system.potential), (code,))
        _add_units_of_parameters(handler, self.table)
        self.stopping_conditions.define_methods(handler)


class Hornbeam(_Code):
    """A code of AMUSE: Hornbeam(converter), Hornbeam(redirection="none"), with particles, evolve_model(),
    get_gravity_at_point(), get_potential_at_point(), stopping_conditions and parameters."""

    interface, table = HornbeamInterface, GRAVITY_PARAMETERS

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


class HornbeamGasInterface(_Worker, GravitationalDynamicsInterface, StoppingConditionInterface, GravityFieldInterface):
    """The calls of the worker, one for one.

    .. [#] ADS:2002MNRAS.333..649S (Springel, V. & Hernquist, L., 2002)
    .. [#] ADS:2012MNRAS.425.1068D (Dehnen, W. & Aly, H., 2012)
    .. [#] ADS:2010MNRAS.408..669C (Cullen, L. & Dehnen, W., 2010)
    .. [#] ADS:2018PASA...35...31P (Price, D. J. et al., 2018)
    .. [#] ADS:1986Natur.324..446B (Barnes, J. & Hut, P., 1986)
    .. [#] ADS:2002JCoPh.179...27D (Dehnen, W., 2002)
    """

    start = staticmethod(start_gas_worker)


_state_of_gas = ("mass", "x", "y", "z", "vx", "vy", "vz", "u")
_flow = {"density": ("rho", "density"), "pressure": ("pressure",), "smoothing_length": ("h_smooth",),
         "dinternal_energy_dt": ("du_dt",)}
_at_point = ("rho", "rhovx", "rhovy", "rhovz", "rhoe")
_add_calls(HornbeamGasInterface, {"state": _state, "state_star": _state, "state_sph": _state_of_gas, **_moving,
                                  "internal_energy": ("u",)},
           {"new_particle": (_state, (_index,)), "new_dm_particle": (_state, (_index,)),
            "new_star_particle": (_state, (_index,)), "new_sph_particle": (_state_of_gas, (_index,)),
            "delete_particle": ((_index,), ()), **_attracted,
            **{f"get_{name}": ((_index,), (names[0],)) for name, names in _flow.items()},
            **{f"skip_{name}": ((_index, names[0]), ()) for name, names in _flow.items()},
            "get_thermal_energy": ((), ("thermal_energy",)),
            "get_hydro_state_at_point": (("x", "y", "z", "vx", "vy", "vz"), _at_point)}, GAS_PARAMETERS)


class HornbeamGas(_Code):
    """A code of AMUSE for gas_particles, dm_particles and star_particles, all of which are `particles`, too. As Hornbeam, with
    thermal_energy and get_hydro_state_at_point()."""

    interface, table = HornbeamGasInterface, GAS_PARAMETERS

    def define_properties(self, handler):
        GravitationalDynamics.define_properties(self, handler)
        handler.add_property("get_thermal_energy")
        handler.add_property("get_total_energy")

    def get_total_energy(self):
        return self.get_potential_energy() + self.get_kinetic_energy() + self.get_thermal_energy()

    def define_methods(self, handler):
        _Code.define_methods(self, handler)
        index, code, n = handler.INDEX, handler.ERROR_CODE, nbody_system
        moving = (n.mass, *[_length] * 3, *[n.speed] * 3)
        for name, last in (("dm", _length), ("star", _length), ("sph", n.specific_energy)):
            handler.add_method(f"new_{name}_particle", (*moving, last), (index, code))
            if name != "dm":
                handler.add_method(f"get_state_{name}", (index,), (*moving, last, code))
                handler.add_method(f"set_state_{name}", (index, *moving, last), (code,))
        for name, unit in (("density", n.density), ("pressure", n.mass / _length / _time**2), ("smoothing_length", _length),
                           ("dinternal_energy_dt", n.specific_energy / _time)):
            handler.add_method(f"get_{name}", (index,), (unit, code))
            handler.add_method(f"skip_{name}", (index, unit), (code,))
        handler.add_method("get_internal_energy", (index,), (n.specific_energy, code))
        handler.add_method("set_internal_energy", (index, n.specific_energy), (code,))
        handler.add_method("get_thermal_energy", (), (n.energy, code))
        handler.add_method("get_hydro_state_at_point", (*[_length] * 3, *[n.speed] * 3),
                           (n.density, *[n.momentum_density] * 3, n.energy_density, code))

    def define_state(self, handler):
        GravitationalDynamics.define_state(self, handler)
        GravityFieldCode.define_state(self, handler)
        for call in ("new_dm_particle", "new_star_particle", "new_sph_particle"):
            handler.add_method("EDIT", call)
            handler.add_method("UPDATE", call)
            handler.add_transition("RUN", "UPDATE", call, False)
        for call in ("set_state", "set_state_sph", "set_state_star", "set_internal_energy"):
            handler.add_method("UPDATE", call)
            handler.add_transition("RUN", "UPDATE", call, False)
        for call in ("get_state_sph", "get_state_star", "get_internal_energy", "get_acceleration", "get_thermal_energy",
                     "get_hydro_state_at_point", *[f"get_{name}" for name in _flow]):
            handler.add_method("RUN", call)
        self.stopping_conditions.define_state(handler)

    def define_particle_sets(self, handler):
        handler.define_super_set("particles", ["dm_particles", "gas_particles", "star_particles"], index_to_default_set=0)
        for name, state in (("dm", "state"), ("gas", "state_sph"), ("star", "state_star")):
            particles = f"{name}_particles"
            handler.define_set(particles, _index)
            handler.set_new(particles, f"new_{'sph' if name == 'gas' else name}_particle")
            handler.set_delete(particles, "delete_particle")
            for what, numbers in ((state, _state_of_gas if name == "gas" else _state), *_moving.items()):
                handler.add_setter(particles, f"set_{what}", names=numbers)
                handler.add_getter(particles, f"get_{what}", names=numbers)
            for what, numbers in (("acceleration", ("ax", "ay", "az")), ("potential", ("potential_in_code",))):
                handler.add_getter(particles, f"get_{what}", names=numbers)
                handler.add_setter(particles, f"skip_{what}", names=numbers)
        handler.add_setter("gas_particles", "set_internal_energy", names=("u",))
        handler.add_getter("gas_particles", "get_internal_energy", names=("u",))
        for what, names in _flow.items():
            for name in names:
                handler.add_getter("gas_particles", f"get_{what}", names=(name,))
                handler.add_setter("gas_particles", f"skip_{what}", names=(name,))
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
    the place of FastKick, as in CalculateFieldForCodesUsingReinitialize(HornbeamKick(converter), [codes]) of a bridge."""

    interface, table = HornbeamKickInterface, FIELD_PARAMETERS

    def __init__(self, convert_nbody=None, **options):
        _demand_one(convert_nbody)
        self.unit_converter = convert_nbody
        CommonCode.__init__(self, self.interface(**options), **options)

    def define_converter(self, handler):
        if self.unit_converter is not None:
            handler.set_converter(self.unit_converter.as_converter_from_si_to_generic())

    def define_parameters(self, handler):
        _add_parameters(handler, self.table)

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
        _add_units_of_parameters(handler, self.table)

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
