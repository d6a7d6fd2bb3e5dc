// SPDX-License-Identifier: Apache-2.0
// Masses by overdensity and the largest circular velocity about a centre, see hornbeam/halo.h.
#include "hornbeam/halo.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>
#include <utility>

#include "analysis/compensated_sum.h"
#include "analysis/halo_measure.h"
#include "hornbeam/analysis.h"
#include "hornbeam/error.h"

namespace hornbeam::analysis {
namespace {

constexpr double mpc_cm = 3.0856775814913673e24, km_in_cm = 1e5;

double volume_of(double radius) { return 4.0 * std::numbers::pi / 3.0 * radius * radius * radius; }

/// Distances with masses, ascending.
Shells by_distance(const Particles& particles, const Vec3& centre, const Vec3& period) {
  Shells found(particles.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < particles.size(); ++i) {
    found[i] = {distance_between(particles.position[i], centre, period), particles.mass[i]};
  }
  std::sort(found.begin(), found.end());
  return found;
}

double radius_of(double mass, double density) { return std::cbrt(mass / volume_of(1) / density); }

/// Whether radius_of(mass, density) >= radius. Among many groups in one halo cube roots of all particles about each
/// took 40 % of the time: only those that rounding may decide are taken.
bool fills(double mass, double density, double radius) {
  constexpr double rounding = 1e-12;
  const double cube = mass / volume_of(1) / density, least = radius * radius * radius;
  if (std::abs(cube - least) > rounding * least) return cube > least;
  return radius_of(mass, density) >= radius;
}

/// From the centre outwards, the first radius at which the mean density within falls to `density`.
Sphere sphere_of(const Shells& order, double density, std::size_t few) {
  if (!(density > 0)) return {};
  CompensatedSum mass;
  double within = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    mass.add(order[i].second);
    if (fills(mass.value(), density, order[i].first)) {
      within = mass.value();
    } else if (i >= few) {
      break;
    }
  }
  return {radius_of(within, density), within};
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
  constexpr double least = 10, largest = 1000;
  if (!(cosmology.hubble >= least && cosmology.hubble <= largest)) {
    std::ostringstream received;
    received << "received " << cosmology.hubble;
    throw UsageError("hubble", received.str(), "must be from 10 to 1000 km/s/Mpc, such as 70");
  }
  if (!units.physical) return 0;
  const double rate = cosmology.hubble * km_in_cm / mpc_cm * units.length_cm / units.velocity_cm_per_s;
  return 3 * rate * rate / (8 * std::numbers::pi * units.G);
}

double virial_overdensity(const Cosmology& cosmology) {
  const double x = cosmology.omega_m - 1;
  return 18 * std::numbers::pi * std::numbers::pi + 82 * x - 39 * x * x;
}

double distance_between(const Vec3& a, const Vec3& b, const Vec3& period) {
  Vec3 d{};
  for (std::size_t k = 0; k < 3; ++k) {
    d[k] = a[k] - b[k];
    if (period[k] > 0) d[k] -= period[k] * std::round(d[k] / period[k]);
  }
  return std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

std::size_t few_of(std::size_t count) { return std::min<std::size_t>(100, count / 100); }

Halo measured_halo(const Shells& order, const HaloMeasure& measure) {
  const std::size_t few = measure.few;
  Halo found{.centre = measure.centre,
             .m200c = sphere_of(order, 200 * measure.critical, few),
             .m500c = sphere_of(order, 500 * measure.critical, few),
             .virial = sphere_of(order, measure.virial * measure.critical, few)};
  const double reach = std::max(measure.reach, found.virial.radius);
  CompensatedSum mass;
  double fastest2 = 0;
  for (std::size_t i = 0; i < order.size() && order[i].first <= reach; ++i) {
    mass.add(order[i].second);
    const double r = order[i].first;
    if (i < few || !(r > 0)) continue;
    const double speed2 = measure.G * mass.value() / r;
    if (!(speed2 > fastest2)) continue;
    fastest2 = speed2;
    const double speed = std::sqrt(speed2);
    if (speed > found.v_max) found.v_max = speed, found.r_max = r;
  }
  return found;
}

Halo halo(const Particles& particles, const Vec3& centre, double G, double critical, double virial,
          const Vec3& period) {
  return measured_halo(by_distance(particles, centre, period), {.centre = centre,
                                                                .G = G,
                                                                .critical = critical,
                                                                .virial = virial,
                                                                .few = few_of(particles.size()),
                                                                .reach = std::numeric_limits<double>::infinity()});
}

}  // namespace hornbeam::analysis
