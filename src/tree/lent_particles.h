// SPDX-License-Identifier: Apache-2.0
// Particles in arrays of a caller that lie on the domain's device, and what a look at them has found.
#pragma once

#include "hornbeam/device_arrays.h"

namespace hornbeam {

struct LentParticles {
  ParticlesOnDevice arrays;
  double mass = 0;    ///< of all
  double extent = 0;  ///< the largest coordinate
  bool own_eps = false;
  double least_eps = 0;  ///< where they have their own

  [[nodiscard]] std::size_t sources() const { return arrays.position.rows; }
  [[nodiscard]] std::size_t targets() const { return arrays.targets ? arrays.targets->rows : 0; }
  [[nodiscard]] std::size_t size() const { return sources() + targets(); }
};

}  // namespace hornbeam
