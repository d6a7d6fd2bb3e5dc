// SPDX-License-Identifier: Apache-2.0
// How strongly a disc's surface density varies as cos 2 phi, ring by ring.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "analysis/disc_frame.h"
#include "analysis/edges.h"
#include "hornbeam/analysis.h"

namespace hornbeam::analysis {
namespace {

struct Harmonic {
  std::complex<double> second;
  double mass = 0.0;
  int count = 0;
};

}  // namespace

Bar bar(const Particles& particles, int bins, const std::vector<double>& edges) {
  const std::vector<DiscStar> stars = disc_stars(particles);
  const std::vector<double> bounds = ring_edges(outer_radius(stars), bins, edges);
  std::vector<Harmonic> rings(bounds.size() - 1);
  for (const DiscStar& s : stars) {
    const int bin = bin_of(bounds, s.R);
    if (bin < 0) continue;
    rings[bin].second += s.mass * std::polar(1.0, 2.0 * s.angle);
    rings[bin].mass += s.mass;
    ++rings[bin].count;
  }
  Bar result;
  for (std::size_t i = 0; i < rings.size(); ++i) {
    if (rings[i].count < 10) continue;
    result.radius.push_back(0.5 * (bounds[i] + bounds[i + 1]));
    result.amplitude.push_back(std::abs(rings[i].second) / rings[i].mass);
    // Of three rings together: a bar keeps its direction over them, noise does not.
    Harmonic sum;
    for (std::size_t j = i == 0 ? 0 : i - 1; j < std::min(i + 2, rings.size()); ++j) {
      sum.second += rings[j].second;
      sum.mass += rings[j].mass;
    }
    const double strength = std::abs(sum.second) / sum.mass;
    if (strength <= result.strength) continue;
    result.strength = strength;
    const double angle = 90.0 / std::numbers::pi * std::arg(sum.second);
    result.angle = angle < 0.0 ? angle + 180.0 : angle;
  }
  return result;
}

}  // namespace hornbeam::analysis
