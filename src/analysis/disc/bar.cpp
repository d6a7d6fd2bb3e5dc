// SPDX-License-Identifier: Apache-2.0
// How strongly a disc's surface density varies as cos 2 phi, ring by ring.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "analysis/disc/disc_frame.h"
#include "analysis/edges.h"
#include "hornbeam/analysis.h"

namespace hornbeam::analysis {
namespace {

struct Harmonic {
  std::complex<double> second;
  double mass = 0.0, squares = 0.0;  ///< sums of masses and of their squares
  int count = 0;
};

/// The radius that holds three quarters of the stars.
double inner_radius(const std::vector<DiscStar>& stars) {
  std::vector<double> radii;
  radii.reserve(stars.size());
  for (const DiscStar& s : stars) radii.push_back(s.R);
  const auto at = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() * 3 / 4);
  std::nth_element(radii.begin(), at, radii.end());
  return *at;
}

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
    rings[bin].squares += s.mass * s.mass;
    ++rings[bin].count;
  }
  Bar result;
  const double inner = edges.empty() ? inner_radius(stars) : bounds.back();
  for (std::size_t i = 0; i < rings.size(); ++i) {
    if (rings[i].count < 10) continue;
    result.radius.push_back(0.5 * (bounds[i] + bounds[i + 1]));
    result.amplitude.push_back(std::abs(rings[i].second) / rings[i].mass);
    if (i > 0 && bounds[i + 1] > inner) continue;
    // Of three rings together: a bar keeps its direction over them, noise does not.
    Harmonic sum;
    for (std::size_t j = i == 0 ? 0 : i - 1; j < std::min(i + 2, rings.size()); ++j) {
      sum.second += rings[j].second;
      sum.mass += rings[j].mass;
      sum.squares += rings[j].squares;
    }
    const double strength = std::abs(sum.second) / sum.mass;
    if (strength <= result.strength) continue;
    result.strength = strength;
    result.noise = std::sqrt(std::numbers::pi * sum.squares / 4) / sum.mass;
    const double angle = 90.0 / std::numbers::pi * std::arg(sum.second);
    result.angle = angle < 0.0 ? angle + 180.0 : angle;
  }
  return result;
}

}  // namespace hornbeam::analysis
