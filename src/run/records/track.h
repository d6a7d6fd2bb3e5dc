// SPDX-License-Identifier: Apache-2.0
// Black holes of a run: which particles black_holes.csv follows, and what the track of two shows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "hornbeam/particles.h"
#include "hornbeam/units.h"
#include "io/json.h"
#include "run/config/config.h"

namespace hornbeam::run {

/// Some particles by their places in input order, with their ids.
struct Followed {
  std::vector<std::size_t> places;
  std::vector<std::uint64_t> ids;
};

/// Those that black_holes.csv is about; none where it was not requested. Throws UsageError where there are none to
/// follow.
Followed black_holes_of(const Particles& particles, const OutputPlan& plan);

struct Track {
  std::vector<double> times;
  std::vector<Motion> relative;  ///< of the second black hole, seen from the first
  [[nodiscard]] double distance(std::size_t i) const;
};

/// `shown`: the unit of its times, which are returned in the values of the run. Throws Error for a file that is not
/// black_holes.csv of two black holes.
Track read_track(const std::filesystem::path& path, const ShownTime& shown = {});

/// The first `most` passages: [{time, distance}].
Json passages_json(const Track& track, std::size_t most);

}  // namespace hornbeam::run
