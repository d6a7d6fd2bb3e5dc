// SPDX-License-Identifier: Apache-2.0
// From particles to the label of each: the linking length, the search for friends (interactions/groups/), and the
// particles that are attached to the groups of others. Groups and their properties come next (groups.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hornbeam/groups.h"

namespace hornbeam::analysis {

struct Linked {
  double length = 0;
  std::string backend;               ///< what "auto" chose
  std::vector<std::uint32_t> label;  ///< of each particle the least index in its group
  double seconds_tree = 0, seconds_linking = 0;
};

/// Throws as find_groups().
Linked linked(const Particles& particles, const GroupOptions& options);

}  // namespace hornbeam::analysis
