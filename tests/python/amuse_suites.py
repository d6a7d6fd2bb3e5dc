# SPDX-License-Identifier: Apache-2.0
"""Puts Hornbeam's codes in the place of AMUSE's own, for AMUSE's tests of these: pytest -p amuse_suites, which
test_amuse_suites_long.py calls.

A code that stands in has the calls, parameters and particles of ours. It begins with the defaults that AMUSE's code has, knows
the names that this has for something of ours, and keeps parameters of methods that ours does not have. Sums of codes without a
tree are over all pairs in double precision, as theirs are."""

import collections
import random
import sys
import types

import numpy

from hornbeam import amuse as ours
from hornbeam.amuse_worker import FieldWorker, Worker
from hornbeam.amuse_worker.connection import connect
from hornbeam.amuse_worker.parameters import FIELD_PARAMETERS, GRAVITY_PARAMETERS, Parameter


def pytest_runtest_setup(item):
    """Models are drawn at random, and a few of them have pairs that a shared step cannot follow: the same ones each time."""
    random.seed(1)
    numpy.random.seed(1)


_OPTIONS = ("redirection", "redirect_stdout_file", "redirect_stderr_file", "reuse_worker")
_MODES = dict.fromkeys(("MODE_GPU", "MODE_CPU", "MODE_GRAPE", "MODE_G6LIB", "MODE_PG"), "cpu")


class _HermiteWorker(Worker):
    def field(self, eps, x, y, z):
        """Hermite takes no softening of points."""
        return super().field(0 * eps, x, y, z)


class _HuaynoWorker(Worker):
    def get_index_of_next_particle(self, index_of_the_particle, index_of_the_next_particle):
        """Huayno's code of a missing particle is -2."""
        code = super().get_index_of_next_particle(index_of_the_particle, index_of_the_next_particle)
        return -2 if code == -1 else code


class _IntegratorsOfHuayno:
    """Names of Huayno's integrators; ours is one for all."""

    def __getattr__(self, name):
        return 8


def _kept(call, value, unit="", dtype="float64"):
    return Parameter(call, dtype, unit, value, "a parameter of a method that Hornbeam does not have")


def _stand_in(package, name, paper, first_index=0, worker=Worker, defaults=(), kept=(), calls=(), attributes=()):
    """amuse.community.PACKAGE.interface with NAMEInterface and NAME. Workers find these here, and start_NAME."""
    kick = worker is FieldWorker
    table = dict(FIELD_PARAMETERS if kick else GRAVITY_PARAMETERS)
    for key, value in {"direct": True, **({} if kick else {"timestep": 1 / 2048}), **dict(defaults)}.items():
        table[key] = table[key]._replace(value=value)
    table.update(kept)
    base = (ours.HornbeamKickInterface, ours.HornbeamKick) if kick else (ours.HornbeamInterface, ours.Hornbeam)
    kind = type(f"{name}Worker", (worker,), {"parameters": table, "first_index": first_index})

    def start():
        connect()
        return kind()

    def begin(self, *_, **options):
        base[0].__init__(self, channel_type="sockets", **{key: options[key] for key in options if key in _OPTIONS})

    def begin_code(self, convert_nbody=None, *_, **options):
        base[1].__init__(self, convert_nbody, **{key: options[key] for key in options if key in _OPTIONS})

    start.__name__ = start.__qualname__ = f"start_{name}"
    module = types.ModuleType(f"amuse.community.{package}.interface")
    interface = type(f"{name}Interface", (base[0],), {"__init__": begin, "start": staticmethod(start), "__module__": __name__,
                                                      "__doc__": f".. [#] {paper}", **_MODES})
    ours._add_calls(interface, {}, {}, table)
    for theirs, of_ours in dict(calls).items():
        setattr(interface, theirs, getattr(interface, of_ours))
    code = type(name, (base[1],), {"__init__": begin_code, "interface": interface, "table": table, **_MODES, **dict(attributes),
                                   "__module__": module.__name__})
    for one in (start, interface, code):
        globals()[one.__name__] = one
    setattr(module, interface.__name__, interface)
    setattr(module, code.__name__, code)
    holder = types.ModuleType(f"amuse.community.{package}")
    holder.__path__, holder.interface = [], module
    sys.modules.update({holder.__name__: holder, module.__name__: module})


_stand_in("bhtree", "BHTree", "Barnes, J. & Hut, P.", 1, defaults={
    "epsilon_squared": 0.125, "timestep": 1 / 64, "opening_angle": 0.75, "direct": True},
    kept={"dt_dia": _kept("dt_dia", 1.0, "time"), "ncrit_for_tree": _kept("ncrit_for_tree", 12, dtype="int32"),
          "use_self_gravity": _kept("use_self_gravity", 1, dtype="int32")},
    calls={"get_theta_for_tree": "get_opening_angle", "get_epsilon_squared": "get_eps2", "set_epsilon_squared": "set_eps2"})
_stand_in("hermite", "Hermite", "Hut, P., Makino, J. & McMillan, S.", worker=_HermiteWorker, kept={
    "end_time_accuracy_factor": _kept("end_time_accuracy_factor", 1.0), "dt_param": _kept("dt_param", 0.03),
    "dt_dia": _kept("dt_dia", 1.0, "time")})
_stand_in("huayno", "Huayno", "Pelupessy, F. I.", worker=_HuaynoWorker, defaults={"is_time_reversed_allowed": True}, kept={
    "timestep_parameter": _kept("timestep_parameter", 0.03), "inttype_parameter": _kept("inttype_parameter", 8, dtype="int32"),
    "accelerate_zero_mass": _kept("accelerate_zero_mass", True, dtype="bool"),
    "epsilon_squared": GRAVITY_PARAMETERS["epsilon_squared"]._replace(answer="eps2")},
    attributes={"inttypes": _IntegratorsOfHuayno(), "all_inttypes": collections.defaultdict(lambda: 8)})
_stand_in("mi6", "MI6", "Iwasawa, M.", 1, kept={"smbh_mass": _kept("smbh_mass", 0.0, "mass"),
                                               "timestep_parameter": _kept("eta_fs", 0.1)})
_stand_in("ph4", "ph4", "McMillan, S.", 1, kept={
    "timestep_parameter": _kept("eta_of_steps", 0.14), "use_gpu": _kept("gpu", 0, dtype="int32"),
    "manage_encounters": _kept("manage_encounters", 4, dtype="int32")})
_stand_in("phigrape", "PhiGRAPE", "Harfst, S., Gualandris, A., Merritt, D., Spurzem, R., Portegies Zwart, S., & Berczik, P.",
          1, kept={
    "timestep_parameter": _kept("eta_of_steps", 0.02), "initial_timestep_parameter": _kept("eta_of_first", 0.01),
    "initialize_gpu_once": _kept("initialize_gpu_once", 0, dtype="int32")})
_stand_in("octgrav", "Octgrav", "Gaburov, E.", 1, defaults={"opening_angle": 0.8, "epsilon_squared": 0.01})
_stand_in("bonsai", "Bonsai", "Bedorf, J.", defaults={"epsilon_squared": 0.0025, "timestep": 1 / 64})
_stand_in("petar", "Petar", "Wang, L.", 1)
_stand_in("fastkick", "FastKick", "Pelupessy, F. I.", worker=FieldWorker)
