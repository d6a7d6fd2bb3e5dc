// SPDX-License-Identifier: Apache-2.0
// The particles of some families, for measures of a part of a galaxy.
#include <algorithm>

#include "core/fields.h"
#include "hornbeam/analysis.h"

namespace hornbeam::analysis {

Particles selected(const Particles& p, const std::vector<Family>& families) {
  if (families.empty()) return p;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (std::find(families.begin(), families.end(), p.family[i]) != families.end()) places.push_back(i);
  }
  return hornbeam::selected(p, places);
}

}  // namespace hornbeam::analysis
