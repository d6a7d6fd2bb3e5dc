// SPDX-License-Identifier: Apache-2.0
// The track of two black holes as a run left it in black_holes.csv, and what it tells.
#pragma once

#include <filesystem>
#include <vector>

#include "cli/keys.h"
#include "hornbeam/particles.h"

namespace hornbeam::cli {

struct Track {
  std::vector<double> times;
  std::vector<Motion> relative;  ///< of the second black hole, seen from the first
  [[nodiscard]] double distance(std::size_t i) const;
};

/// Throws Error for a file that is not black_holes.csv of two black holes.
Track read_track(const std::filesystem::path& path);

/// The first `most` passages: [{time, distance}].
Json passages_json(const Track& track, std::size_t most);

}  // namespace hornbeam::cli
