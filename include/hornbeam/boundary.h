// SPDX-License-Identifier: Apache-2.0
// The borders of space (docs/dynamics.md).
#pragma once

#include <array>
#include <string_view>

#include "hornbeam/particles.h"

namespace hornbeam {

/// open: none, or walls at which particles are taken out. periodic: what leaves a box on one side comes back on the
/// other, and images of all particles pull, too. shear: the same in a patch that orbits with a ring (Hill's equations),
/// whose neighbours along x drift past it.
enum class BoundaryKind { open, periodic, shear };
/// Names as TOML spells them.
std::string_view name(BoundaryKind);

struct Boundary {
  BoundaryKind kind = BoundaryKind::open;
  Vec3 size{};                   ///< edges of the box, whose centre is the origin; an axis of size 0 is open, endless
  std::array<int, 3> n_ghost{};  ///< images that pull, on either side along each axis: 2 makes 5 boxes in a row
  double omega = 0;              ///< shear: angular frequency of the orbit, > 0; x points outwards, y ahead
  double omega_z = 0;            ///< shear: of the motion through the plane; 0: omega

  /// Throws UsageError, naming the key of [boundary], for values out of range.
  void validate() const;
};

}  // namespace hornbeam
