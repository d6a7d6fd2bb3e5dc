// SPDX-License-Identifier: Apache-2.0
// A tree of particles that stays: forces at the particles or anywhere else, for any accuracy, and again once they have
// moved a little.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hornbeam/boundary.h"
#include "hornbeam/device_arrays.h"
#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"
#include "hornbeam/vec3.h"

namespace hornbeam {

class LentForceTree;

/// What is found at places, in their order.
struct ForceField {
  std::vector<Vec3> acceleration;  ///< -grad phi
  std::vector<double> potential;   ///< per unit mass, negative
  std::vector<Tensor> tide;        ///< -d2 phi / dx_i dx_j, if requested
};

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

/// Not thread-safe. Throws as ForceEvaluator does.
class ForceTree {
 public:
  /// particles: positions, masses, ids and perhaps eps play a part.
  ForceTree(const Particles& particles, const Boundary& boundary, const std::string& backend,
            const Devices& devices = 0, int threads = 0);
  ~ForceTree();
  ForceTree(ForceTree&&) noexcept;
  ForceTree& operator=(ForceTree&&) noexcept;

  /// Forces at the particles, without their own. The tree is built where there is none yet, or where options ask for
  /// another one: all but theta, theta_c (unless from or to 0), mac and softening do. tides: with tidal tensors, which
  /// the same cells and quadrupoles give, but for expansions.
  ForceField evaluate(const GravityOptions& options, bool tides = false);
  /// Returns forces at target points; sources at the same position count. eps: the softening of each point, averaged
  /// with that of each particle; empty: that of all particles, if they have one. The tree is rebuilt if the softenings
  /// of points and particles are not all equal, but those of the particles were.
  ForceField evaluate_at(const std::vector<Vec3>& places, const std::vector<double>& eps, const GravityOptions& options,
                         bool tides = false);
  /// The cells of the tree, which is built again if particles have moved. Throws UsageError for the walk `direct`,
  /// which has none, and for order 0, which has no moments.
  TreeNodes nodes(const GravityOptions& options);
  /// Returns the 63-bit key of each particle along the curve of `options`, 21 bits an axis in the root's cube, in the
  /// caller's order. The tree's order sorts them. Throws as nodes() does.
  std::vector<std::uint64_t> keys(const GravityOptions& options);
  /// The same particles have moved, in the order of the constructor: order and cells stay, boxes and moments are made
  /// again. Forces are as exact as before, and take longer the farther particles have moved away from their neighbours.
  /// Where they span a million times more or less than before the tree is rebuilt.
  void refit(const std::vector<Vec3>& position);

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::string backend() const;   ///< what "auto" chose
  [[nodiscard]] StageSeconds seconds() const;  ///< since the tree was built last

 private:
  std::unique_ptr<LentForceTree> tree_;
};

}  // namespace hornbeam
