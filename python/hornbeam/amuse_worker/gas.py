# SPDX-License-Identifier: Apache-2.0
"""A code of gas, dark matter and stars: AMUSE's calls on a hornbeam.Simulation with SPH, as Fi and Gadget2 have them."""

import numpy as np

from ..errors import UsageError
from ..snapshot import Family
from .conditions import DENSITY, INTERNAL_ENERGY, Conditions
from .gas_points import gas_at
from .gravity import Worker
from .parameters import GAS_PARAMETERS
from .particles import FIELDS, codes


class GasWorker(Worker):
    """Particles of one table of indices: gas, whose internal energy is `u`, dark matter and stars."""

    parameters = GAS_PARAMETERS
    supported = Conditions.supported | {DENSITY, INTERNAL_ENERGY}
    fields = {**FIELDS, "internal_energy": ("u",)}

    def is_gas(self):
        return self.particles.family == Family.gas

    def options(self):
        value, options = self.values, super().options()
        if not self.is_gas().any():
            return options
        adapts = value["eps_is_h"] and value["self_gravity_flag"]
        if adapts and value["softening"] != "spline":
            raise UsageError(f"eps_is_h_flag: received True with softening = {value['softening']} (must be spline, or set "
                             "eps_is_h_flag to False)")
        gas = {"eos": value["equation_of_state"], "gamma": value["gamma"], "self_gravity": value["self_gravity_flag"],
               "kernel": value["sph_kernel"], "alpha": value["alpha"], "beta": value["beta"],
               "viscosity": value["viscosity_switch"], "courant": value["courant"],
               "softening": "adaptive" if adapts else "fixed"}
        if value["equation_of_state"] == "isothermal":
            gas["sound_speed"] = value["sound_speed"]
        if value["nsmooth"] != 0:
            gas["neighbours"] = value["nsmooth"]
        return {**options, "gas": gas}

    def advance(self, span, longest, time):
        """Gas in shared steps chooses their length, and ends where it is to end: such a run has one simulation."""
        if self.values["block_steps"] or not self.is_gas().any():
            super().advance(span, longest, time)
            return
        simulation, watch = self.start(longest), self.watch() if self.enabled else None
        end = simulation.time + span
        simulation.run(end, watch)
        self.time = self.time + (simulation.time - (end - span)) if self.met else time

    # -- calls: particles

    def new_sph_particle(self, index_of_the_particle, u, **state):
        return self.add(index_of_the_particle, state, family="gas", internal_energy=u)

    def new_dm_particle(self, index_of_the_particle, **state):
        return self.add(index_of_the_particle, state, family="halo", internal_energy=0.0)

    new_particle = new_dm_particle

    def new_star_particle(self, index_of_the_particle, **state):
        return self.add(index_of_the_particle, state, family="star", internal_energy=0.0)

    def assign(self, field, index, columns):
        if field == "internal_energy" and self.values["equation_of_state"] != "ideal":
            return codes(self.places(index)[1])  # made from the density: what a copy brings is skipped
        return super().assign(field, index, columns)

    def get_state_sph(self, index_of_the_particle, **holders):
        return self.get_state(index_of_the_particle, **holders)

    def set_state_sph(self, index_of_the_particle, **state):
        return self.set_state(index_of_the_particle, **state)

    get_state_star, set_state_star = get_state_sph, set_state_sph

    # -- calls: what the flow finds

    def get_density(self, index_of_the_particle, rho):
        return self.found_by_forces("density", index_of_the_particle, [rho])

    def get_pressure(self, index_of_the_particle, pressure):
        return self.found_by_forces("pressure", index_of_the_particle, [pressure])

    def get_smoothing_length(self, index_of_the_particle, h_smooth):
        """Half of the radius at which the kernel ends, as AMUSE's codes have it."""
        code = self.found_by_forces("smoothing_length", index_of_the_particle, [h_smooth])
        h_smooth.value = 0.5 * h_smooth.value
        return code

    def get_dinternal_energy_dt(self, index_of_the_particle, du_dt):
        place, is_there = self.places(index_of_the_particle)
        rates = self.started().internal_energy_rate if is_there.any() else None
        du_dt.value = np.where(is_there, 0.0 if rates is None else rates[place], np.nan)
        return codes(is_there)

    # copies of all attributes from another set set what is computed here, too
    skip_density = skip_pressure = skip_smoothing_length = skip_dinternal_energy_dt = Worker.skip_acceleration

    def get_hydro_state_at_point(self, x, y, z, vx, vy, vz, rho, rhovx, rhovy, rhovz, rhoe):
        holders, n = (rho, rhovx, rhovy, rhovz, rhoe), len(x)
        found = np.zeros((5, n))
        if self.is_gas().any():
            device = self.gravity()[1]
            density, momentum, energy = gas_at(self.started(), np.column_stack([x, y, z]), np.column_stack([vx, vy, vz]),
                                               self.values["sph_kernel"], device)
            found = np.vstack([density, momentum.T, energy])
        for holder, value in zip(holders, found):
            holder.value = value
        return 0

    def get_thermal_energy(self, thermal_energy):
        thermal_energy.value = self.energy("thermal")
        return 0
