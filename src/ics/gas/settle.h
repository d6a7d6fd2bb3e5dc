// SPDX-License-Identifier: Apache-2.0
// Bodies of gas brought to rest in their own gravity before a run: the last step of models that ask for it.
#pragma once

#include <functional>

#include "hornbeam/gas.h"
#include "hornbeam/particles.h"

namespace hornbeam::ics {

struct Settling {
  int turns = 0;        ///< at most
  double still = 1e-6;  ///< enough where K / |W| is below it
  double G = 1;         ///< in the particles' units
  double spin = 0;      ///< angular velocity about z of the frame in which the particles come to rest
  GasOptions gas;       ///< viscosity does not count: nothing meets
  Units units{};        ///< of materials
  /// The internal energy that a particle of that density keeps on its way: that of its adiabat; null: what it has.
  std::function<double(std::size_t i, double density)> energy;
};

struct Settled {
  int turns = 0;
  double kinetic_over_potential = 0;  ///< K / |W| of the last shifts
};

/// Moves the particles along their accelerations (in a rotating frame with the centrifugal one). Each takes the step
/// that its smoothing length allows, with momentum, a tenth of which is lost at each iteration. Leaves them at rest,
/// with the densities and smoothing lengths of their positions. The particles must have their softening.
Settled settle(Particles& particles, const Settling& settling);

}  // namespace hornbeam::ics
