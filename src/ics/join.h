// SPDX-License-Identifier: Apache-2.0
// What models share that put two bodies from files into one snapshot.
#pragma once

#include <string>
#include <vector>

#include "hornbeam/particles.h"

namespace hornbeam::ics {

/// Whether two snapshots can be joined without conversion.
bool same(const Units& a, const Units& b);

/// Moves the ids of the second beyond those of the first; returns by how much. Throws Error(model, ...), calling them
/// `bodies`, if they do not fit into 64 bits.
std::uint64_t offset_ids(const Particles& first, Particles& second, const std::string& model,
                         const std::string& bodies);

/// Clears what the particles of a file have of their own run: box, time, forces and steps.
void forget_run(Snapshot& body);
/// Adds what was noted when its file was read, unless it is there.
void add_notes(const Snapshot& body, std::vector<std::string>& notes);

}  // namespace hornbeam::ics
