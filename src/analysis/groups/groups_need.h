// SPDX-License-Identifier: Apache-2.0
// What finding groups takes of the host's memory, next to the particles: for `analyze --groups` and for catalogues that
// a run writes with its snapshots.
#pragma once

#include "hornbeam/groups.h"
#include "memory/need.h"

namespace hornbeam::analysis {

/// Of find_groups() for n particles, and of the catalogue's file.
memory::Need groups_need(std::uint64_t n, const GroupOptions& options);

}  // namespace hornbeam::analysis
