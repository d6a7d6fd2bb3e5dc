// SPDX-License-Identifier: Apache-2.0
// Counts of particles by rung.
#include "tree/rung_census.h"

namespace hornbeam {

int RungCensus::deepest() const {
  int rung = static_cast<int>(particles.size()) - 1;
  while (rung > 0 && particles[static_cast<std::size_t>(rung)] == 0) --rung;
  return rung;
}

std::uint64_t RungCensus::from(int rung) const {
  std::uint64_t sum = 0;
  for (std::size_t r = static_cast<std::size_t>(rung); r < particles.size(); ++r) sum += particles[r];
  return sum;
}

}  // namespace hornbeam
