// SPDX-License-Identifier: Apache-2.0
// Heating of a disc by the particles of its halo, see disc_heating.h.
#include "analysis/disc/disc_heating.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "analysis/disc/disc_frame.h"
#include "analysis/halo_measure.h"
#include "hornbeam/analysis.h"

namespace hornbeam::analysis {
namespace {

/// Measured over Chandrasekhar's rate (docs/choose.md): a star shares its vertical energy between motion and height.
constexpr double disc_heating_factor = 0.6;
/// The ring of stars and the shell of the halo that count, over the radius.
constexpr double innermost = 0.7, outermost = 1.4;

/// Sums over the halo's particles in the shell.
struct HaloThere {
  double mass = 0, mass2 = 0, eps = 0, square_speed = 0;
  std::size_t count = 0;
  [[nodiscard]] double dispersion() const { return std::sqrt(square_speed / mass / 3); }
};

HaloThere halo_near(const Particles& p, double eps, double radius) {
  const Vec3 centre = centre_of_density(p);
  HaloThere found;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.family[i] != Family::halo) continue;
    const Vec3& v = p.velocity[i];
    const double r = distance_between(p.position[i], centre, {});
    if (r < innermost * radius || r > outermost * radius) continue;
    const double own = eps >= 0 ? eps : p.eps.empty() ? 0 : p.eps[i];
    ++found.count;
    found.mass += p.mass[i];
    found.mass2 += p.mass[i] * p.mass[i];
    found.eps += p.mass[i] * own;
    found.square_speed += p.mass[i] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
  return found;
}

/// Sums over the stars of the ring.
struct StarsThere {
  double mass = 0, vertical = 0, vertical2 = 0, azimuthal = 0, radial2 = 0;
  [[nodiscard]] double dispersion() const {
    const double mean = vertical / mass;
    return std::sqrt(std::max(0.0, vertical2 / mass - mean * mean));
  }
  [[nodiscard]] double rotation() const { return std::abs(azimuthal) / mass; }
  [[nodiscard]] bool turn() const { return rotation() > 1.5 * std::sqrt(radial2 / mass); }
};

StarsThere stars_near(const std::vector<DiscStar>& stars, double radius) {
  StarsThere found;
  for (const DiscStar& star : stars) {
    if (star.R < innermost * radius || star.R > outermost * radius) continue;
    found.mass += star.mass;
    found.vertical += star.mass * star.vertical;
    found.vertical2 += star.mass * star.vertical * star.vertical;
    found.azimuthal += star.mass * star.azimuthal;
    found.radial2 += star.mass * star.radial * star.radial;
  }
  return found;
}

double half_mass_radius(const std::vector<DiscStar>& stars) {
  std::vector<double> radii;
  radii.reserve(stars.size());
  for (const DiscStar& star : stars) radii.push_back(star.R);
  const auto middle = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2);
  std::nth_element(radii.begin(), middle, radii.end());
  return *middle;
}

/// Half of D[(dv across)^2] over G^2 rho m ln Lambda: what one of the two directions across the motion gets. X: speed
/// over sqrt(2) sigma of the halo.
double diffusion_across(double X, double sigma) {
  const double slope = 2 / std::sqrt(std::numbers::pi) * std::exp(-X * X);
  const double G = (std::erf(X) - X * slope) / (2 * X * X);
  return 2 * std::numbers::sqrt2 * std::numbers::pi / sigma * (std::erf(X) - G) / X;
}

}  // namespace

double DiscHeating::dispersion_after(double time) const { return std::sqrt(dispersion * dispersion + rate * time); }

std::optional<DiscHeating> disc_heating(const Snapshot& snapshot, double eps) {
  constexpr std::size_t fewest = 20;
  constexpr std::ptrdiff_t fewest_stars = 100;
  const Particles& p = snapshot.particles;
  if (std::count(p.family.begin(), p.family.end(), Family::disc) < fewest_stars) return {};
  const std::vector<DiscStar> stars = disc_stars(p);
  DiscHeating found{.radius = half_mass_radius(stars)};
  const StarsThere ring = stars_near(stars, found.radius);
  const HaloThere halo = halo_near(p, eps, found.radius);
  if (!(ring.mass > 0) || !ring.turn() || halo.count < fewest || !(halo.mass > 0)) return {};
  const double sigma = halo.dispersion(), G = snapshot.units.G;
  found.dispersion = ring.dispersion();
  found.halo_mass = halo.mass2 / halo.mass;
  const double shell = std::pow(outermost, 3) - std::pow(innermost, 3);
  found.halo_density = halo.mass / (4 * std::numbers::pi / 3 * shell * std::pow(found.radius, 3));
  const double closest = std::max(halo.eps / halo.mass, G * found.halo_mass / (sigma * sigma));
  found.coulomb_log = std::max(1.0, std::log(found.radius / closest));
  found.rate = disc_heating_factor * G * G * found.halo_density * found.halo_mass * found.coulomb_log *
               diffusion_across(ring.rotation() / (std::numbers::sqrt2 * sigma), sigma);
  return found;
}

}  // namespace hornbeam::analysis
