// SPDX-License-Identifier: Apache-2.0
// Friends of friends with the walk named: what hornbeam/groups.h builds on after its arguments are checked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hornbeam/gravity.h"
#include "hornbeam/neighbours.h"
#include "memory/need.h"
#include "tree/images.h"

namespace hornbeam {

/// Which particles are friends of friends.
struct Friends {
  std::vector<std::uint32_t> label;  ///< (N) the least index on input of each particle's group
  std::string backend;               ///< what "auto" chose
  std::int64_t units = 0;            ///< cells that are friends as a whole, and the particles outside of these
  double upload = 0;                 ///< seconds until the positions lay on the device,
  double tree = 0, walk = 0;         ///< of the tree with its units, and from there to labels on the device
  double download = 0;               ///< until the host has them
};

/// Finds friends of friends. Positions must be as check_search() requires; 0 < length, at most half of a periodic box.
/// walk: group or stackless. images: all with possible friends of particles in the box, with the opposite of each.
Friends find_friends(const std::vector<Vec3>& position, double length, const NeighbourOptions& options,
                     Walk walk = Walk::group, const std::vector<SourceImage>& images = one_image);

/// What that takes of the host's memory next to the positions, on the CPU.
memory::Need friends_need(int leaf_size);

}  // namespace hornbeam
