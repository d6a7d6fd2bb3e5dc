// SPDX-License-Identifier: Apache-2.0
// Centring on the centre of mass, see centre.h.
#include "ics/centre.h"

#include <array>

#include "analysis/compensated_sum.h"

namespace hornbeam::ics {
namespace {

void subtract_mean(std::vector<Vec3>& vectors, const std::vector<double>& mass, double total_mass, std::size_t begin,
                   std::size_t end) {
  std::array<CompensatedSum, 3> sum;
  for (std::size_t i = begin; i < end; ++i) {
    for (int k = 0; k < 3; ++k) sum[k].add(mass[i] * vectors[i][k]);
  }
  for (std::size_t i = begin; i < end; ++i) {
    for (int k = 0; k < 3; ++k) vectors[i][k] -= sum[k].value() / total_mass;
  }
}

}  // namespace

double centre(Particles& particles, std::size_t begin, std::size_t end) {
  CompensatedSum mass;
  for (std::size_t i = begin; i < end; ++i) mass.add(particles.mass[i]);
  if (mass.value() > 0.0) {
    subtract_mean(particles.position, particles.mass, mass.value(), begin, end);
    subtract_mean(particles.velocity, particles.mass, mass.value(), begin, end);
  }
  return mass.value();
}

double centre(Particles& particles) { return centre(particles, 0, particles.size()); }

}  // namespace hornbeam::ics
