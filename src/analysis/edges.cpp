// SPDX-License-Identifier: Apache-2.0
// Bins of profiles, see edges.h.
#include "analysis/edges.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "hornbeam/error.h"

namespace hornbeam::analysis {
namespace {

void check(int bins, const std::vector<double>& edges) {
  if (edges.empty()) {
    if (bins < 1) throw UsageError("profile bins", "received " + std::to_string(bins), "must be at least 1");
    return;
  }
  const bool finite = std::all_of(edges.begin(), edges.end(), [](double x) { return std::isfinite(x); });
  if (edges.size() < 2 || !finite ||
      std::adjacent_find(edges.begin(), edges.end(), std::greater_equal<>()) != edges.end()) {
    throw UsageError("profile edges",
                     "received " + std::to_string(edges.size()) + " edges, which are not all finite and ascending",
                     "give at least two, each larger than the one before");
  }
}

}  // namespace

std::vector<double> shell_edges(const RadialOrder& order, int bins, const std::vector<double>& edges) {
  check(bins, edges);
  if (!edges.empty()) {
    if (!(edges.front() > 0.0))
      throw UsageError("profile edges", "the first edge is not above 0", "the edges of shells are radii above 0");
    return edges;
  }
  const std::size_t n = order.radius.size();
  const std::size_t inside = std::max(std::min<std::size_t>(10, n / 4), n / 1000);
  const double innermost = order.radius[inside];
  const double outermost = order.radius[n - 1 - n / 1000];
  if (!(innermost > 0.0 && innermost < outermost)) {
    throw Error("profile", std::to_string(n) + " particles do not cover a range of radii",
                "the profile needs particles at different radii");
  }
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(bins) + 1);
  const double step = std::log(outermost / innermost) / bins;
  for (int i = 0; i < bins; ++i) result.push_back(innermost * std::exp(step * i));
  result.push_back(outermost);
  return result;
}

std::vector<double> ring_edges(double outermost, int bins, const std::vector<double>& edges) {
  check(bins, edges);
  if (!edges.empty()) {
    if (edges.front() < 0.0) throw UsageError("profile edges", "the first edge is below 0", "must be 0 or above");
    return edges;
  }
  if (!(outermost > 0.0))
    throw Error("disc", "its stars do not cover a range of radii", "the measure needs stars at different radii");
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(bins) + 1);
  for (int i = 0; i <= bins; ++i) result.push_back(outermost * i / bins);
  return result;
}

int bin_of(const std::vector<double>& edges, double x) {
  if (!(x >= edges.front() && x < edges.back())) return -1;
  return static_cast<int>(std::upper_bound(edges.begin(), edges.end(), x) - edges.begin()) - 1;
}

}  // namespace hornbeam::analysis
