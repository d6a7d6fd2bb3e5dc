// SPDX-License-Identifier: Apache-2.0
// Masses by overdensity and the largest circular velocity about a centre, see hornbeam/halo.h.
#include "hornbeam/halo.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "analysis/compensated_sum.h"
#include "hornbeam/analysis.h"

namespace hornbeam::analysis {
namespace {

constexpr double mpc_cm = 3.0856775814913673e24, km_in_cm = 1e5;

double volume_of(double radius) { return 4.0 * std::numbers::pi / 3.0 * radius * radius * radius; }

/// Distances with masses, ascending.
std::vector<std::pair<double, double>> by_distance(const Particles& particles, const Vec3& centre, const Vec3& period) {
  std::vector<std::pair<double, double>> found(particles.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < particles.size(); ++i) {
    Vec3 d{};
    for (std::size_t k = 0; k < 3; ++k) {
      d[k] = particles.position[i][k] - centre[k];
      if (period[k] > 0) d[k] -= period[k] * std::round(d[k] / period[k]);
    }
    found[i] = {std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), particles.mass[i]};
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Particles in the centre whose chance decides nothing.
std::size_t few_of(std::size_t count) { return std::min<std::size_t>(100, count / 100); }

/// From the centre outwards, the first radius at which the mean density within falls to `density`.
Sphere sphere_of(const std::vector<std::pair<double, double>>& order, double density) {
  Sphere found;
  if (!(density > 0)) return found;
  CompensatedSum mass;
  for (std::size_t i = 0; i < order.size(); ++i) {
    mass.add(order[i].second);
    const double radius = std::cbrt(mass.value() / volume_of(1) / density);
    if (radius >= order[i].first) {
      found = {radius, mass.value()};
    } else if (i >= few_of(order.size())) {
      break;
    }
  }
  return found;
}

}  // namespace

Vec3 centre_of_members(const Particles& particles, const GroupCatalogue& catalogue, std::size_t g, const Vec3& period) {
  const Group& group = catalogue.groups[g];
  Particles own;
  own.resize(group.size);
  const Vec3& first = particles.position[catalogue.members[group.first]];
  bool has_mass = false;
  for (std::size_t k = 0; k < group.size; ++k) {
    const std::uint32_t i = catalogue.members[group.first + k];
    own.id[k] = k;
    own.mass[k] = particles.mass[i];
    has_mass = has_mass || own.mass[k] > 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double d = particles.position[i][axis] - first[axis], edge = period[axis];
      own.position[k][axis] = first[axis] + (edge > 0 ? d - edge * std::round(d / edge) : d);
    }
  }
  return has_mass ? centre_of_density(own) : group.position;
}

double critical_density(const Units& units, const Cosmology& cosmology) {
  if (!units.physical) return 0;
  const double rate = cosmology.hubble * km_in_cm / mpc_cm * units.length_cm / units.velocity_cm_per_s;
  return 3 * rate * rate / (8 * std::numbers::pi * units.G);
}

double virial_overdensity(const Cosmology& cosmology) {
  const double x = cosmology.omega_m - 1;
  return 18 * std::numbers::pi * std::numbers::pi + 82 * x - 39 * x * x;
}

Halo halo(const Particles& particles, const Vec3& centre, double G, double critical, double virial,
          const Vec3& period) {
  const std::vector<std::pair<double, double>> order = by_distance(particles, centre, period);
  Halo found{.centre = centre,
             .m200c = sphere_of(order, 200 * critical),
             .m500c = sphere_of(order, 500 * critical),
             .virial = sphere_of(order, virial * critical)};
  const std::size_t fewest = few_of(order.size());
  CompensatedSum mass;
  for (std::size_t i = 0; i < order.size(); ++i) {
    mass.add(order[i].second);
    const double r = order[i].first;
    if (i < fewest || !(r > 0)) continue;
    const double speed = std::sqrt(G * mass.value() / r);
    if (speed > found.v_max) found.v_max = speed, found.r_max = r;
  }
  return found;
}

}  // namespace hornbeam::analysis
