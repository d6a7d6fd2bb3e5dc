// SPDX-License-Identifier: Apache-2.0
// What snapshots say of gas beyond what devices keep: pressures, temperatures and how it flowed.
#pragma once

#include "hornbeam/gas.h"
#include "hornbeam/materials.h"
#include "hornbeam/particles.h"

namespace hornbeam {

/// Sets pressures and, where units have a size, temperatures of gas from its densities and energies.
void add_gas_state(Particles& particles, const Materials& materials, const Units& units);
GasParameters parameters_of(const GasOptions& options);

}  // namespace hornbeam
