// SPDX-License-Identifier: Apache-2.0
// The particles of some families, for measures of a part of a galaxy.
#include <algorithm>

#include "hornbeam/analysis.h"

namespace hornbeam::analysis {
namespace {

template <class T>
std::vector<T> taken(const std::vector<T>& all, const std::vector<std::size_t>& places) {
  std::vector<T> some;
  if (all.empty()) return some;
  some.reserve(places.size());
  for (const std::size_t i : places) some.push_back(all[i]);
  return some;
}

}  // namespace

Particles selected(const Particles& p, const std::vector<Family>& families) {
  if (families.empty()) return p;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (std::find(families.begin(), families.end(), p.family[i]) != families.end()) places.push_back(i);
  }
  return {taken(p.position, places),
          taken(p.velocity, places),
          taken(p.mass, places),
          taken(p.id, places),
          taken(p.family, places),
          taken(p.eps, places),
          taken(p.internal_energy, places),
          taken(p.density, places),
          taken(p.smoothing_length, places),
          taken(p.acceleration, places),
          taken(p.potential, places),
          taken(p.rung, places),
          taken(p.rung_before, places),
          taken(p.acceleration_before, places)};
}

}  // namespace hornbeam::analysis
