// SPDX-License-Identifier: Apache-2.0
// Rings of a disc: surface density, height, motions and Toomre's Q.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "analysis/disc/disc_frame.h"
#include "analysis/edges.h"
#include "dynamics/particle_system.h"
#include "hornbeam/analysis.h"
#include "interactions/external/external_module.h"
#include "simulation/finite.h"

namespace hornbeam::analysis {
namespace {

/// Mass-weighted mean and dispersion.
struct Moments {
  double mass = 0.0, first = 0.0, second = 0.0;
  void add(double m, double x) {
    mass += m;
    first += m * x;
    second += m * x * x;
  }
  [[nodiscard]] double mean() const { return first / mass; }
  [[nodiscard]] double dispersion() const { return std::sqrt(std::max(0.0, second / mass - mean() * mean())); }
};

struct Ring {
  Moments radial, azimuthal, vertical, pull;  // pull: R times the acceleration inwards
  std::vector<double> heights;
};

std::vector<Vec3> accelerations_of(const Snapshot& snapshot, double eps,
                                   const std::vector<ExternalPotential>& potentials, Softening kernel) {
  if (!snapshot.particles.acceleration.empty() && eps < 0.0) return snapshot.particles.acceleration;
  Particles particles = snapshot.particles;
  particles.validate("disc");
  GravityOptions options;
  options.eps = eps;
  options.softening = kernel;
  options.G = snapshot.units.G;
  ParticleSystem system = open_system("cpu", 0, 0);
  system.set_modules({external_maker(potentials)});
  system.at(snapshot.time);
  system.load(particles, with_common_eps(options, particles));
  system.build_tree();
  system.evaluate();
  demand_finite(system, {"disc", particles, potentials, snapshot.time});
  system.domain().store(particles);
  return particles.acceleration;
}

std::vector<Ring> rings(const std::vector<DiscStar>& stars, const std::vector<Vec3>& acceleration,
                        const std::vector<double>& edges) {
  std::vector<Ring> all(edges.size() - 1);
  for (const DiscStar& s : stars) {
    const int bin = bin_of(edges, s.R);
    if (bin < 0) continue;
    Ring& ring = all[bin];
    ring.radial.add(s.mass, s.radial);
    ring.azimuthal.add(s.mass, s.azimuthal);
    ring.vertical.add(s.mass, s.vertical);
    ring.heights.push_back(std::abs(s.z));
    double inwards = 0.0;
    for (int k = 0; k < 3; ++k) inwards -= s.outwards[k] * acceleration[s.particle][k];
    ring.pull.add(s.mass, s.R * inwards);
  }
  return all;
}

/// NaN, without a sign, where there is none: of accelerations outwards, or where nothing swings about circles.
double root(double square) { return square >= 0 ? std::sqrt(square) : std::numeric_limits<double>::quiet_NaN(); }

double scale_height(std::vector<double>& heights) {
  const auto middle = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2);
  std::nth_element(heights.begin(), middle, heights.end());
  return *middle / std::atanh(0.5);
}

void append(DiscProfile& profile, Ring& ring, double inner, double outer) {
  const double area = std::numbers::pi * (outer * outer - inner * inner);
  profile.radius.push_back(0.5 * (inner + outer));
  profile.count.push_back(static_cast<double>(ring.heights.size()));
  profile.surface_density.push_back(ring.radial.mass / area);
  profile.scale_height.push_back(scale_height(ring.heights));
  profile.rotation.push_back(ring.azimuthal.mean());
  profile.radial_dispersion.push_back(ring.radial.dispersion());
  profile.azimuthal_dispersion.push_back(ring.azimuthal.dispersion());
  profile.vertical_dispersion.push_back(ring.vertical.dispersion());
  profile.circular_velocity.push_back(root(ring.pull.mean()));
}

/// kappa^2 = (2 + d ln v^2 / d ln R) (v / R)^2 (Binney & Tremaine 2008 eq. 3.80), the slope between the neighbours; NaN
/// where circles are no orbits, or none to which orbits come back.
double epicyclic_frequency(const DiscProfile& p, std::size_t i) {
  const std::size_t last = p.radius.size() - 1;
  const std::size_t inner = i == 0 ? 0 : i - 1, outer = std::min(i + 1, last);
  const double v = p.circular_velocity[i] / p.radius[i];
  if (inner == outer || !(p.circular_velocity[inner] > 0) || !(p.circular_velocity[outer] > 0)) {
    return std::numbers::sqrt2 * v;  // of a flat curve
  }
  const double slope = 2.0 * std::log(p.circular_velocity[outer] / p.circular_velocity[inner]) /
                       std::log(p.radius[outer] / p.radius[inner]);
  return v * root(2.0 + slope);
}

}  // namespace

DiscProfile disc_profile(const Snapshot& snapshot, double eps, int bins, const std::vector<double>& edges,
                         const std::vector<ExternalPotential>& potentials, Softening kernel) {
  const std::vector<DiscStar> stars = disc_stars(snapshot.particles);
  const std::vector<double> bounds = ring_edges(outer_radius(stars), bins, edges);
  std::vector<Ring> all = rings(stars, accelerations_of(snapshot, eps, potentials, kernel), bounds);
  DiscProfile result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].heights.size() >= 10) append(result, all[i], bounds[i], bounds[i + 1]);
  }
  constexpr double toomre = 3.36;  // of a disc of stars (Toomre 1964)
  for (std::size_t i = 0; i < result.radius.size(); ++i) {
    result.toomre_q.push_back(result.radial_dispersion[i] * epicyclic_frequency(result, i) /
                              (toomre * snapshot.units.G * result.surface_density[i]));
  }
  return result;
}

}  // namespace hornbeam::analysis
