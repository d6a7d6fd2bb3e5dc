// SPDX-License-Identifier: Apache-2.0
// Checkpoints: all that a run needs to continue with the same bits, written atomically and summed before they are read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "hornbeam/particles.h"

namespace hornbeam {

struct Checkpoint {
  Snapshot snapshot;          ///< Simulation::checkpoint(): in input order, every array as it was; without its notes
  std::uint64_t step = 0;     ///< steps done
  double initial_energy = 0;  ///< total energy at the start, for the relative error
  std::string configuration;  ///< as understood: JSON text
  double dt = 0;
};

/// Replaces `path` as write_snapshot() does: a failure leaves the previous checkpoint whole.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// Whether `path` begins as checkpoints do.
bool is_checkpoint(const std::filesystem::path& path);

/// Throws Error(path) where the file is no checkpoint of this layout, does not agree with its checksum, or holds what
/// no run can have had.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace hornbeam
