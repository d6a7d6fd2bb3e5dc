// SPDX-License-Identifier: Apache-2.0
// Radial and tangential velocity dispersions in shells.
#include <algorithm>
#include <cmath>

#include "analysis/edges.h"
#include "analysis/radial_order.h"
#include "hornbeam/analysis.h"

namespace hornbeam::analysis {
namespace {

/// Mass-weighted sums over a shell.
struct Shell {
  int count = 0;
  double mass = 0.0, radial = 0.0, radial2 = 0.0, tangential2 = 0.0;
};

std::vector<Shell> sums(const Particles& p, const Vec3& centre, const Vec3& motion, const std::vector<double>& edges) {
  std::vector<Shell> shells(edges.size() - 1);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double r = std::sqrt(distance_squared(p.position[i], centre));
    const int bin = bin_of(edges, r);
    if (bin < 0) continue;
    double radial = 0.0;
    for (int k = 0; k < 3; ++k) radial += (p.position[i][k] - centre[k]) / r * (p.velocity[i][k] - motion[k]);
    Shell& shell = shells[bin];
    ++shell.count;
    shell.mass += p.mass[i];
    shell.radial += p.mass[i] * radial;
    shell.radial2 += p.mass[i] * radial * radial;
    shell.tangential2 += p.mass[i] * 0.5 * (distance_squared(p.velocity[i], motion) - radial * radial);
  }
  return shells;
}

}  // namespace

AnisotropyProfile anisotropy(const Particles& particles, int bins, const std::vector<double>& edges) {
  const RadialOrder order(particles);
  const std::vector<double> bounds = shell_edges(order, bins, edges);
  const Vec3 motion = mean_velocity(particles, order.centre, order.radius_with(0.1));
  const std::vector<Shell> shells = sums(particles, order.centre, motion, bounds);
  AnisotropyProfile result;
  for (std::size_t i = 0; i < shells.size(); ++i) {
    const Shell& shell = shells[i];
    if (shell.count < 2 || shell.mass == 0.0) continue;
    const double mean = shell.radial / shell.mass;
    const double radial2 = std::max(0.0, shell.radial2 / shell.mass - mean * mean);
    const double tangential2 = shell.tangential2 / shell.mass;
    result.radius.push_back(std::sqrt(bounds[i] * bounds[i + 1]));
    result.radial_dispersion.push_back(std::sqrt(radial2));
    result.tangential_dispersion.push_back(std::sqrt(tangential2));
    result.anisotropy.push_back(radial2 > 0.0 ? 1.0 - tangential2 / radial2 : 0.0);
  }
  return result;
}

}  // namespace hornbeam::analysis
