// SPDX-License-Identifier: Apache-2.0
// Friends of friends with the walk named: what hornbeam/groups.h builds on after its arguments are checked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hornbeam/gravity.h"
#include "hornbeam/neighbours.h"

namespace hornbeam {

/// Which particles are friends of friends.
struct Friends {
  std::vector<std::uint32_t> label;  ///< (N) the least index on input of each particle's group
  std::string backend;               ///< what "auto" chose
  std::int64_t units = 0;            ///< cells that are friends as a whole, and the particles outside of these
  double tree = 0, walk = 0;         ///< seconds of the tree with its units, and from there to labels
};

/// Positions must be as check_search() asks; 0 < length, at most half of a periodic box. walk: group or stackless.
Friends find_friends(const std::vector<Vec3>& position, double length, const NeighbourOptions& options,
                     Walk walk = Walk::group);

}  // namespace hornbeam
