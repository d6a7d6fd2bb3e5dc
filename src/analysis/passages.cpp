// SPDX-License-Identifier: Apache-2.0
// When two bodies pass each other: from their relative motion at some times to the moments of closest approach.
#include <algorithm>
#include <cmath>

#include "analysis/vectors.h"
#include "hornbeam/analysis.h"
#include "hornbeam/error.h"

namespace hornbeam::analysis {
namespace {

/// A minimum counts where the distance was and will be this many times as large: jitter is no passage.
constexpr double prominence = 1.5;

/// Between two times `h` apart, at the fraction s of them: the cubic through positions and velocities at both ends.
Motion between(const Motion& a, const Motion& b, double h, double s) {
  Motion m;
  const double t = 1 - s;
  for (std::size_t k = 0; k < 3; ++k) {
    m.position[k] = t * t * (1 + 2 * s) * a.position[k] + s * s * (3 - 2 * s) * b.position[k] +
                    s * t * h * (t * a.velocity[k] - s * b.velocity[k]);
    m.velocity[k] = 6 * s * t * (b.position[k] - a.position[k]) / h + t * (1 - 3 * s) * a.velocity[k] +
                    s * (3 * s - 2) * b.velocity[k];
  }
  return m;
}

/// The nearest place of an interval at whose beginning the bodies approach and at whose end they part.
Passage nearest(double time, double h, const Motion& a, const Motion& b) {
  double low = 0, high = 1;
  for (int i = 0; i < 50; ++i) {
    const double middle = 0.5 * (low + high);
    const Motion m = between(a, b, h, middle);
    (dot(m.position, m.velocity) < 0 ? low : high) = middle;
  }
  const Motion m = between(a, b, h, low);
  return {time + low * h, std::sqrt(dot(m.position, m.position))};
}

}  // namespace

std::vector<Passage> passages(const std::vector<double>& times, const std::vector<Motion>& relative) {
  const std::size_t n = times.size();
  if (relative.size() != n)
    throw Error("passages",
                "received " + std::to_string(relative.size()) + " motions for " + std::to_string(n) + " times",
                "give one each");
  std::vector<double> distance(n), later(n + 1, 0.0);  // later[i]: the largest from i on
  for (std::size_t i = n; i-- > 0;) {
    distance[i] = std::sqrt(dot(relative[i].position, relative[i].position));
    later[i] = std::max(distance[i], later[i + 1]);
  }
  std::vector<Passage> found;
  double before = 0;  // the largest distance since the last passage
  for (std::size_t i = 0; i + 1 < n; ++i) {
    before = std::max(before, distance[i]);
    const Motion &a = relative[i], &b = relative[i + 1];
    if (dot(a.position, a.velocity) >= 0 || dot(b.position, b.velocity) < 0) continue;
    const Passage passage = nearest(times[i], times[i + 1] - times[i], a, b);
    if (std::min(before, later[i + 1]) < prominence * passage.distance) continue;
    found.push_back(passage);
    before = 0;
  }
  return found;
}

}  // namespace hornbeam::analysis
