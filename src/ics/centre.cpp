// SPDX-License-Identifier: Apache-2.0
// Centring on the centre of mass, see centre.h.
#include "ics/centre.h"

#include <array>

#include "analysis/compensated_sum.h"

namespace hornbeam::ics {
namespace {

void subtract_mean(std::vector<Vec3>& vectors, const std::vector<double>& mass, double total_mass) {
  std::array<CompensatedSum, 3> sum;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    for (int k = 0; k < 3; ++k) sum[k].add(mass[i] * vectors[i][k]);
  }
  for (Vec3& vector : vectors) {
    for (int k = 0; k < 3; ++k) vector[k] -= sum[k].value() / total_mass;
  }
}

}  // namespace

double centre(Particles& particles) {
  CompensatedSum mass;
  for (const double m : particles.mass) mass.add(m);
  if (mass.value() > 0.0) {
    subtract_mean(particles.position, particles.mass, mass.value());
    subtract_mean(particles.velocity, particles.mass, mass.value());
  }
  return mass.value();
}

}  // namespace hornbeam::ics
