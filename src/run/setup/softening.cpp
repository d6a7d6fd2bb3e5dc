// SPDX-License-Identifier: Apache-2.0
// Number and size of what is softened, see softening.h.
#include "run/setup/softening.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/fields.h"
#include "hornbeam/analysis.h"

namespace hornbeam::run {
namespace {

/// (sum m)^2 / sum m^2: how many particles of one mass would be as grainy.
double effective_number(const std::vector<double>& mass) {
  double sum = 0, squares = 0;
  const double unit = mass.empty() ? 0 : *std::max_element(mass.begin(), mass.end());
  for (const double m : mass) {
    sum += m / unit;
    squares += (m / unit) * (m / unit);
  }
  return unit > 0 ? sum * sum / squares : 0;
}

/// Evenly taken from all, enough for a radius.
Particles sample_of(const Particles& particles) {
  constexpr std::size_t enough = 200'000;
  const std::size_t stride = particles.size() / enough + 1;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < particles.size(); i += stride) places.push_back(i);
  return selected(particles, places);
}

}  // namespace

double estimated_eps(const Particles& particles, bool collide) {
  constexpr double fewest = 10, share_of_body = 0.1;
  if (collide) {
    double least = 0;
    for (const double radius : particles.radius) least = radius > 0 && (least == 0 || radius < least) ? radius : least;
    return share_of_body * least;
  }
  const double n = effective_number(particles.mass);
  if (n < fewest) return 0.0;
  const double half = analysis::lagrangian_radii(sample_of(particles), {0.5}).front();
  // between those of a core (0.75 N^-0.26) and of a cusp (0.29 N^-0.33) of that radius
  constexpr double factor = 0.5, power = 0.3;
  return factor * half * std::pow(n, -power);
}

}  // namespace hornbeam::run
