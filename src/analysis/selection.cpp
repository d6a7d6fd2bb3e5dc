// SPDX-License-Identifier: Apache-2.0
// The particles of some families, for measures of a part of a galaxy.
#include <algorithm>

#include "core/fields.h"
#include "hornbeam/analysis.h"

namespace hornbeam::analysis {

std::vector<std::size_t> places_of(const Particles& p, const std::vector<Family>& families) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const bool is_of_them = std::find(families.begin(), families.end(), p.family[i]) != families.end();
    if (is_of_them || families.empty()) places.push_back(i);
  }
  return places;
}

Particles selected(const Particles& p, const std::vector<Family>& families) {
  return families.empty() ? p : hornbeam::selected(p, places_of(p, families));
}

Snapshot selected(const Snapshot& snapshot, const std::vector<Family>& families) {
  return selected(snapshot, places_of(snapshot.particles, families));
}

Snapshot selected(const Snapshot& snapshot, const std::vector<std::size_t>& places) {
  Snapshot some;
  some.time = snapshot.time;
  some.box_size = snapshot.box_size;
  some.boundary = snapshot.boundary;
  some.units = snapshot.units;
  some.has_units = snapshot.has_units;
  some.gas = snapshot.gas;
  some.particles = hornbeam::selected(snapshot.particles, places);
  return some;
}

}  // namespace hornbeam::analysis
