// SPDX-License-Identifier: Apache-2.0
// How the parts of a periodic box attract one another by all far images: the lattice's coefficients, which the shape of
// the box alone decides. Made once, in fp64 on the host.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "interactions/gravity/lattice/pair_potential.h"

namespace hornbeam {

/// Least and largest coordinates of what attracts and is attracted.
struct LatticeExtent {
  Vec3 low{}, high{};
};

/// A periodic box in parts, near-cubes about whose centres moments and fields are expanded.
struct LatticePlan {
  Vec3 periods{};  ///< of each axis, 0 where it is open
  std::array<int, 3> parts{1, 1, 1};
  Vec3 low{}, edge{};  ///< of the box, and edges of a part
  double scale = 1;    ///< 2 over the diagonal of a part: displacements from centres are below 1 in these units
  int order = 0;       ///< of moments and local expansions
};

/// The parts of near_images_of() along axes with a period; along open ones as many as the extent takes. Throws Error
/// where that are too many.
LatticePlan plan_lattice(const Vec3& periods, const LatticeExtent& extent, int order);

/// Moments of a unit mass opposite to the centre of each of the along^3 cubes of a part, HB_LATTICE_VALUES(order) each,
/// in units of plan.scale: what lattice_cube_local() takes.
std::vector<double> offsets_of_cubes(const LatticePlan& plan, int along);

/// Coefficients of transfers, which are kept from one extent to another.
class LatticeTransfers {
 public:
  /// Returns coefficients h_lm of PairPotential::far() without its background, about each displacement between two
  /// parts (docs/periodic.md eq. 10), in units of plan.scale. There are (2 x - 1)(2 y - 1)(2 z - 1) displacements for x
  /// y z parts, from -(x - 1) on along each axis. Each has HB_LATTICE_TRANSFER(order) values.
  std::vector<double> of(const LatticePlan& plan);
  /// PairPotential::background() in these units; after of().
  [[nodiscard]] double background() const { return pair_->background(); }

 private:
  void add_missing(const LatticePlan& plan);

  Vec3 periods_{};
  int order_ = -1;
  std::optional<PairPotential> pair_;                              ///< in units of the plan
  std::map<std::array<int, 3>, std::vector<double>> of_positive_;  ///< of displacements with no negative component
};

}  // namespace hornbeam
