// SPDX-License-Identifier: Apache-2.0
// Particles and places in arrays of a caller that lie on the device, and what a look at them has found.
#pragma once

#include "hornbeam/device_arrays.h"
#include "hornbeam/vec3.h"

namespace hornbeam {

struct LentParticles {
  ParticlesOnDevice arrays;
  double mass = 0;    ///< of all
  double extent = 0;  ///< the largest coordinate
  bool own_eps = false;
  double least_eps = 0;  ///< where they have their own

  [[nodiscard]] std::size_t size() const { return arrays.position.rows; }
};

/// Places in a caller's array on the device.
struct LentPlaces {
  ArrayOnDevice position;
  double period = 0;  ///< of a cube from the origin on, into which they are taken; 0: none
  /// Where there are some: places are those that are reached by them within the time.
  std::optional<ArrayOnDevice> velocity = {};
  double time = 0;
};

/// Places that are pulled without being among the particles, in arrays of a caller on the device.
struct LentTargets {
  ArrayOnDevice position;
  std::optional<ArrayOnDevice> eps;
  Vec3 period{};  ///< of a box about the origin, into which they are taken; 0: an open axis
};

}  // namespace hornbeam
