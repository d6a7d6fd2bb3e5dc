// SPDX-License-Identifier: Apache-2.0
// What becomes of fields when Python writes to a simulation's particles.
#pragma once

#include <string>
#include <vector>

#include "hornbeam/gas.h"
#include "hornbeam/particles.h"

namespace hornbeam::python {

/// Names of those that follow from the others: what is written to them is lost.
std::vector<std::string> computed_fields(const GasOptions& gas);

/// Gas that stays has the viscosity that it `had`: its own particles, of others those with the id and at the place of
/// one of them; the rest begin with `starting`.
void keep_viscosity(Particles& p, Particles had, bool others, double starting);

}  // namespace hornbeam::python
