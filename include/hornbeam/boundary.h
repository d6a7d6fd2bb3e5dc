// SPDX-License-Identifier: Apache-2.0
// The borders of space (docs/dynamics.md).
#pragma once

#include <array>
#include <string_view>

#include "hornbeam/particles.h"

namespace hornbeam {

/// open: none. periodic: what leaves a box on one side comes back on the other, and images of all particles pull, too.
enum class BoundaryKind { open, periodic };
/// Names as TOML spells them.
std::string_view name(BoundaryKind);

struct Boundary {
  BoundaryKind kind = BoundaryKind::open;
  Vec3 size{};                   ///< edges of the box, whose centre is the origin; an axis of size 0 is open
  std::array<int, 3> n_ghost{};  ///< images that pull, on either side along each axis: 2 makes 5 boxes in a row

  /// Throws UsageError, naming the key of [boundary], for values out of range.
  void validate() const;
};

}  // namespace hornbeam
