// SPDX-License-Identifier: Apache-2.0
// A plane wave along x in gas: its density, and what its particles then have.
#pragma once

#include <cmath>
#include <vector>

#include "hornbeam/particles.h"
#include "ics/gas/lattice.h"

namespace hornbeam::ics {

/// Density 1 + amplitude sin k x.
struct GasWave {
  double amplitude, k;
  double low, high;  ///< of the box along x

  /// Moves uniform places to where that density has them.
  void compress(std::vector<Vec3>& places) const {
    stretch_along(places, 0, low, high, [&](double x) { return x - amplitude / k * std::cos(k * x); });
  }
  [[nodiscard]] double excess(double x) const { return amplitude * std::sin(k * x); }
  /// Internal energies on the adiabat of that sound speed.
  void heat(Particles& p, double sound, double gamma) const {
    for (std::size_t i = 0; i < p.size(); ++i) {
      p.internal_energy[i] = sound * sound / (gamma * (gamma - 1)) * std::pow(1 + excess(p.position[i][0]), gamma - 1);
    }
  }
};

}  // namespace hornbeam::ics
