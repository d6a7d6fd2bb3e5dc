// SPDX-License-Identifier: Apache-2.0
// The cells of a tree, for those who build on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hornbeam/vec3.h"

namespace hornbeam {

/// Cells level by level, the root first and the children of a cell side by side; all in the user's units.
struct TreeNodes {
  std::vector<Vec3> centre;     ///< of the cube; a far outlier can lie outside of the cubes that hold it
  std::vector<double> edge;     ///< of the cube
  std::vector<Vec3> low, high;  ///< of the smallest box about the particles
  std::vector<double> mass;
  std::vector<Vec3> centre_of_mass;
  std::vector<Tensor> moment;                 ///< sum of m d d^T, where d is the distance from the centre of mass
  std::vector<std::int32_t> first, count;     ///< its particles: first to first + count - 1 of `order`
  std::vector<std::int32_t> child, children;  ///< its first child, and how many there are; 0 of a leaf
  std::vector<std::int64_t> order;  ///< the particle at each place along the tree's curve, in the caller's order

  [[nodiscard]] std::size_t size() const { return mass.size(); }
};

}  // namespace hornbeam
