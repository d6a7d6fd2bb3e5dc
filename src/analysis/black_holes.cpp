// SPDX-License-Identifier: Apache-2.0
// How two black holes stand to one another: the track of a merger.
#include <cmath>
#include <string>

#include "analysis/radial_order.h"
#include "hornbeam/analysis.h"
#include "hornbeam/error.h"

namespace hornbeam::analysis {

BlackHolePair black_holes(const Particles& particles) {
  std::vector<std::size_t> holes;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    if (particles.family[i] == Family::black_hole) holes.push_back(i);
  }
  if (holes.size() != 2) {
    throw Error("black holes", "there are " + std::to_string(holes.size()), "the measure needs two");
  }
  return {std::sqrt(distance_squared(particles.position[holes[0]], particles.position[holes[1]])),
          std::sqrt(distance_squared(particles.velocity[holes[0]], particles.velocity[holes[1]]))};
}

}  // namespace hornbeam::analysis
