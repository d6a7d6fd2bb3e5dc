# SPDX-License-Identifier: Apache-2.0
"""The parameters of the workers: what each is called in AMUSE's calls, its kind, unit, default and help. The interfaces in
hornbeam.amuse are made of these tables, and workers keep the values."""

import collections

# call: get_CALL and set_CALL; answer: what AMUSE calls their argument
Parameter = collections.namedtuple("Parameter", "call dtype unit value help answer", defaults=("value",))

_devices = {
    "backend": Parameter("backend", "string", "", "auto", "what computes: auto, cpu, cuda, opencl"),
    "device": Parameter("device", "int32", "", 0, "which device of the backend"),
    "threads": Parameter("threads", "int32", "", 0, "CPU threads; 0: all cores"),
}
_tree = {
    "epsilon_squared": Parameter("eps2", "float64", "length**2", 0.0, "softening length of all particles, squared",
                                 "epsilon_squared"),
    "opening_angle": Parameter("opening_angle", "float64", "", 0.6, "theta of the tree; 0: all pairs"),
    "softening": Parameter("softening", "string", "", "plummer", "kernel of the softening: plummer or spline"),
    "direct": Parameter("direct", "bool", "", False, "sums over all pairs in double precision, for few particles"),
}
_steps = {
    "timestep": Parameter("time_step", "float64", "time", 1 / 128,
                          "longest step; evolve_model takes steps of one length that end where it is to end", "time_step"),
    "begin_time": Parameter("begin_time", "float64", "time", 0.0, "model time at the start", "time"),
    "block_steps": Parameter("block_steps", "bool", "", False, "steps of powers of two for each particle"),
    "eta": Parameter("eta", "float64", "", 0.2, "of block steps: a step is at most eta sqrt(eps / |a|)"),
}
FIELD_PARAMETERS = {**_tree, **_devices}
GRAVITY_PARAMETERS = {
    **_tree, **_steps,
    "is_time_reversed_allowed": Parameter("is_time_reversed_allowed", "bool", "", False,
                                          "whether evolve_model goes back to times before the present one"),
    **_devices,
}
GAS_PARAMETERS = {
    **_tree, **_steps,
    "epsilon_squared": _tree["epsilon_squared"]._replace(
        value=1e-4, help="softening length of all particles, squared; if eps_is_h_flag is set, the least one of gas"),
    "softening": _tree["softening"]._replace(value="spline"),
    "eps_is_h_flag": Parameter("eps_is_h", "bool", "", True,
                               "whether gas is softened by its kernel, not by epsilon_squared; with softening spline"),
    "timestep": _steps["timestep"]._replace(help="longest step; gas takes shorter ones by itself"),
    "equation_of_state": Parameter("equation_of_state", "string", "", "ideal", "ideal or isothermal"),
    "polytropic_index_gamma": Parameter("gamma", "float64", "", 5 / 3, "adiabatic index of the gas"),
    "sound_speed": Parameter("sound_speed", "float64", "speed", 1.0, "of isothermal gas"),
    "self_gravity_flag": Parameter("self_gravity_flag", "bool", "", True, "whether particles attract one another"),
    "sph_kernel": Parameter("sph_kernel", "string", "", "wendland-c2",
                            "kernel of sums over neighbours: wendland-c2, wendland-c4, wendland-c6, cubic"),
    "n_smooth": Parameter("nsmooth", "float64", "", 0.0,
                          "neighbours within the kernel, which ends at twice h_smooth; 0: the kernel's own number"),
    "artificial_viscosity_alpha": Parameter("alpha", "float64", "", 1.0, "viscosity in shocks"),
    "artificial_viscosity_beta": Parameter("beta", "float64", "", 2.0, "of the quadratic part of viscosity"),
    "viscosity_switch": Parameter("viscosity_switch", "string", "", "cullen-dehnen",
                                  "what limits viscosity to shocks: fixed (nothing), balsara, cullen-dehnen"),
    "courant": Parameter("courant", "float64", "", 0.3, "a step is at most this times h_smooth over the signal speed"),
    **_devices,
}
