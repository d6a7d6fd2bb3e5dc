// SPDX-License-Identifier: Apache-2.0
// Particles and places in arrays of a caller, and what a look at them has found.
#pragma once

#include <optional>
#include <vector>

#include "hornbeam/device_arrays.h"
#include "hornbeam/vec3.h"

namespace hornbeam {

/// Arrays of the host.
inline ArrayOnDevice column_of(const double* values, std::size_t rows, std::int64_t axes) {
  ArrayOnDevice column;
  column.data = values;
  column.on_host = true;
  column.rows = rows;
  column.row_stride = axes;
  return column;
}
inline ArrayOnDevice column_of(const std::vector<double>& values) { return column_of(values.data(), values.size(), 1); }
inline ArrayOnDevice column_of(const std::vector<Vec3>& values) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  return column_of(values.empty() ? nullptr : values.front().data(), values.size(), 3);
}

struct LentParticles {
  ParticlesOnDevice arrays;
  double mass = 0;    ///< of all
  double extent = 0;  ///< the largest coordinate
  bool own_eps = false;
  double least_eps = 0;  ///< where they have their own

  [[nodiscard]] std::size_t size() const { return arrays.position.rows; }
};

/// Places in a caller's array. Those of the host are neither moved nor taken into a cube.
struct LentPlaces {
  ArrayOnDevice position;
  Vec3 period{};  ///< of a box from the origin on, into which they are taken; 0: an open axis
  /// Where there are some: places are those that are reached by them within the time.
  std::optional<ArrayOnDevice> velocity = {};
  double time = 0;
};

inline LentPlaces places_of(const std::vector<Vec3>& positions) { return {column_of(positions)}; }

/// Places that are attracted without being among the particles, in arrays of a caller on the device.
struct LentTargets {
  ArrayOnDevice position;
  std::optional<ArrayOnDevice> eps;
  Vec3 period{};  ///< of a box about the origin, into which they are taken; 0: an open axis
};

}  // namespace hornbeam
