// SPDX-License-Identifier: Apache-2.0
// Radial and tangential velocity dispersions in shells.
#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/edges.h"
#include "analysis/radial_order.h"
#include "analysis/vectors.h"
#include "hornbeam/analysis.h"

namespace hornbeam::analysis {
namespace {

/// Velocities along the radius, and along the parallels and the meridians about the shell's axis of rotation.
using Components = std::array<double, 3>;

/// Mass-weighted sums over a shell.
struct Shell {
  int count = 0;
  double mass = 0.0;
  Vec3 angular_momentum{};
  Components first{}, second{};  ///< of the components, and of their squares

  /// The square of a component's dispersion about its mean in the shell.
  [[nodiscard]] double variance(std::size_t component) const {
    const double mean = first[component] / mass;
    return std::max(0.0, second[component] / mass - mean * mean);
  }
};

/// act(shell, from the centre, velocity relative to the motion, mass) for each particle of a shell.
template <class Act>
void for_each_in_shells(const Particles& p, const Vec3& centre, const Vec3& motion, const std::vector<double>& edges,
                        std::vector<Shell>& shells, const Act& act) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3 x = minus(p.position[i], centre);
    const int bin = bin_of(edges, std::sqrt(dot(x, x)));
    if (bin >= 0) act(shells[bin], x, minus(p.velocity[i], motion), p.mass[i]);
  }
}

/// A direction of length 1 along it; `otherwise` for the zero vector.
Vec3 direction(const Vec3& v, const Vec3& otherwise) {
  const double length = std::sqrt(dot(v, v));
  return length > 0 ? Vec3{v[0] / length, v[1] / length, v[2] / length} : otherwise;
}

Components components(const Vec3& x, const Vec3& v, const Vec3& axis) {
  const Vec3 out = direction(x, {1, 0, 0}), across = std::abs(out[0]) < 0.5 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 around = direction(cross(axis, out), direction(cross(across, out), {}));
  return {dot(v, out), dot(v, around), dot(v, cross(around, out))};
}

std::vector<Shell> sums(const Particles& p, const Vec3& centre, const Vec3& motion, const std::vector<double>& edges) {
  std::vector<Shell> shells(edges.size() - 1);
  for_each_in_shells(p, centre, motion, edges, shells, [](Shell& shell, const Vec3& x, const Vec3& v, double mass) {
    const Vec3 l = cross(x, v);
    for (std::size_t k = 0; k < 3; ++k) shell.angular_momentum[k] += mass * l[k];
    ++shell.count;
    shell.mass += mass;
  });
  for_each_in_shells(p, centre, motion, edges, shells, [](Shell& shell, const Vec3& x, const Vec3& v, double mass) {
    const Components speed = components(x, v, direction(shell.angular_momentum, {0, 0, 1}));
    for (std::size_t k = 0; k < 3; ++k) {
      shell.first[k] += mass * speed[k];
      shell.second[k] += mass * speed[k] * speed[k];
    }
  });
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
    const double radial2 = shell.variance(0), tangential2 = (shell.variance(1) + shell.variance(2)) / 2;
    result.radius.push_back(std::sqrt(bounds[i] * bounds[i + 1]));
    result.radial_dispersion.push_back(std::sqrt(radial2));
    result.tangential_dispersion.push_back(std::sqrt(tangential2));
    result.anisotropy.push_back(radial2 > 0.0 ? 1.0 - tangential2 / radial2 : 0.0);
  }
  return result;
}

}  // namespace hornbeam::analysis
