// SPDX-License-Identifier: Apache-2.0
// Whether the precision of an evaluation holds the particles' positions: looked at before the path begins.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"
#include "hornbeam/potential.h"

namespace hornbeam {

/// A sentence with the remedy where coordinates, as options.precision rounds them, show neighbours apart so badly that
/// forces are wrong by more than about 1e-3; otherwise none. Of more than 2^22 particles so many are looked at. Another
/// where the same holds for their distances from external potentials, as these are at time 0, and one where
/// unsoftened particles share a place, so that the attraction of such a pair is left out. pulls: whether particles
/// attract one another; without, nothing is reported of gravity.
std::vector<std::string> resolution_notes(const Particles& particles, const GravityOptions& options,
                                          const std::vector<ExternalPotential>& potentials = {}, bool pulls = true);

}  // namespace hornbeam
