// SPDX-License-Identifier: Apache-2.0
// Forces that Python functions give to a simulation.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "hornbeam/own_force.h"

namespace hornbeam::python {

/// Of functions of (time, positions, velocities, ids), as python/hornbeam/own_forces.py makes them; None: none.
OwnForce own_force(const std::string& name, nanobind::object acceleration, nanobind::object potential,
                   nanobind::object step);

}  // namespace hornbeam::python
