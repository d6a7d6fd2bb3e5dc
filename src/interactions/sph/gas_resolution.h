// SPDX-License-Identifier: Apache-2.0
// Whether the precision of an evaluation holds the speeds of gas: a check before the path begins.
#pragma once

#include <string>
#include <vector>

#include "hornbeam/gas.h"
#include "hornbeam/particles.h"

namespace hornbeam {

/// A warning with its remedy if not. Sums over gas know velocities in fp32 unless precision is fp64: too coarse where
/// all gas moves much faster than its parts relative to one another, or where these are small compared with the speeds
/// that gravity would give. pulls: whether particles attract one another.
std::vector<std::string> gas_resolution_notes(const Particles& particles, const GasOptions& gas,
                                              const GravityOptions& gravity, bool pulls = true);

}  // namespace hornbeam
