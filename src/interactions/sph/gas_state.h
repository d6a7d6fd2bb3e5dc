// SPDX-License-Identifier: Apache-2.0
// What snapshots say of gas beyond what devices store: pressures, temperatures, how it flowed, and its state at times
// for which nothing was evaluated.
#pragma once

#include <vector>

#include "hornbeam/gas.h"
#include "hornbeam/materials.h"
#include "hornbeam/particles.h"

namespace hornbeam {

/// Sets pressures and, where units have a size, temperatures of gas from its densities and energies.
void add_gas_state(Particles& particles, const Materials& materials, const Units& units);
/// Predicts gas at a later or earlier time by its saved rates. The internal energy changes over `since`, never to below
/// 0. Density and H change over `step`, the time since they were computed, by the divergence of the flow.
void predict_gas(Particles& particles, const Particles& saved, const std::vector<double>& since, double step);
GasParameters parameters_of(const GasOptions& options);
/// Whether flows without shocks keep another energy of gas with these options than its internal one.
bool has_free_energy(const GasOptions& options);
/// Returns by how much that is larger, per mass (kept_energy() of physics/equation_of_state.h).
double free_energy_beyond(const GasOptions& options, double density);

}  // namespace hornbeam
