// SPDX-License-Identifier: Apache-2.0
// Finding black holes and reading black_holes.csv, see track.h.
#include "run/records/track.h"

#include <cmath>

#include "hornbeam/analysis.h"
#include "hornbeam/error.h"
#include "io/tables/growing_table.h"

namespace hornbeam::run {
namespace {

/// Columns of black_holes.csv: time, step, id, position, velocity.
constexpr std::size_t id_at = 2, position_at = 3, velocity_at = 6;

}  // namespace

Followed black_holes_of(const Particles& particles, const OutputPlan& plan) {
  Followed found;
  if (!plan.black_holes_every) return found;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    if (particles.family[i] != Family::black_hole) continue;
    found.places.push_back(i);
    found.ids.push_back(particles.id[i]);
  }
  if (found.places.empty()) {
    throw UsageError("output.black_holes_every", "no particle is a black hole", "leave it out");
  }
  return found;
}

double Track::distance(std::size_t i) const {
  const Vec3& r = relative[i].position;
  return std::hypot(r[0], r[1], r[2]);
}

Track read_track(const std::filesystem::path& path, const ShownTime& shown) {
  const std::vector<std::vector<double>> rows = io::read_rows(path);
  Track track;
  for (std::size_t i = 0; i < rows.size(); i += 2) {
    const bool pair = i + 1 < rows.size() && rows[i][0] == rows[i + 1][0] && rows[i][id_at] == rows[0][id_at];
    if (!pair) {
      throw Error(path.string(), "does not have two black holes at each time", "give the file of two black holes");
    }
    Motion relative;
    for (std::size_t k = 0; k < 3; ++k) {
      relative.position[k] = rows[i + 1][position_at + k] - rows[i][position_at + k];
      relative.velocity[k] = rows[i + 1][velocity_at + k] - rows[i][velocity_at + k];
    }
    track.times.push_back(rows[i][0] / shown.per_unit);
    track.relative.push_back(relative);
  }
  return track;
}

Json passages_json(const Track& track, std::size_t most) {
  Json list = Json::array();
  for (const analysis::Passage& passage : analysis::passages(track.times, track.relative)) {
    if (list.size() == most) break;
    list.push_back({{"time", passage.time}, {"distance", passage.distance}});
  }
  return list;
}

}  // namespace hornbeam::run
