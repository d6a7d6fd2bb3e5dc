// SPDX-License-Identifier: Apache-2.0
// Jeans' equations for a disc whose dispersions are given or follow, see disc_motion.h.
#include "ics/galaxies/disc_motion.h"

#include <algorithm>
#include <cmath>

namespace hornbeam::ics {
namespace {

constexpr double toomre = 3.36;  // of a disc of stars (Toomre 1964)

}  // namespace

DiscMotion::DiscMotion(const Disc& disc, const DiscField& field, const SphericalField& spheres, double toomre_q,
                       double q_radius)
    : disc_(disc), azimuthal_(field.inward), vertical_(field.down) {
  fill_plane(field, spheres);
  const double at_reference = toomre_q * toomre * disc.surface_density(q_radius) / epicyclic_frequency(q_radius);
  central_dispersion_ = at_reference * std::exp(0.5 * q_radius / disc.shape().scale);
  fill_azimuthal(field, spheres);
  fill_vertical(field, spheres);
}

void DiscMotion::fill_plane(const DiscField& field, const SphericalField& spheres) {
  for (int i = 1; i <= MeridionalTable::radii; ++i) {
    const double R = field.inward.radius(i);
    radius_.push_back(R);
    circular2_.push_back(R * (field.inward.at(i, 0) + spheres.pull_at(R)));
  }
  for (std::size_t i = 0; i < radius_.size(); ++i) {
    const std::size_t inner = i == 0 ? 0 : i - 1, outer = std::min(i + 1, radius_.size() - 1);
    const double slope = std::log(circular2_[outer] / circular2_[inner]) / std::log(radius_[outer] / radius_[inner]);
    epicyclic_ratio_.push_back(std::clamp(0.5 + 0.25 * slope, 0.25, 1.0));  // Kepler's, and that of a uniform sphere
  }
}

/// Jeans' radial equation without the tilt of the velocity ellipsoid.
void DiscMotion::fill_azimuthal(const DiscField& field, const SphericalField& spheres) {
  for (int i = 0; i <= MeridionalTable::radii; ++i) {
    const double R = field.inward.radius(i);
    const double log_slope = disc_.log_slope(R) - R / disc_.shape().scale;  // of Sigma sigma_R^2
    const double dispersion2 = std::pow(radial_dispersion(R), 2);
    for (int j = 0; j <= MeridionalTable::heights; ++j) {
      const double r = std::hypot(R, field.inward.height(j));
      const double inward = field.inward.at(i, j) + (R > 0.0 ? spheres.pull_at(r) * R / r : 0.0);
      azimuthal_.at(i, j) = std::max(0.0, R * inward + dispersion2 * (1.0 + log_slope));
    }
  }
}

/// Jeans' vertical equation, integrated from above. The masses between two heights are exact.
void DiscMotion::fill_vertical(const DiscField& field, const SphericalField& spheres) {
  const double scale = disc_.shape().height;
  const auto above = [=](double z) { return 2.0 / (std::exp(2.0 * z / scale) + 1.0); };  // 1 - tanh(z / z_d)
  for (int i = 0; i <= MeridionalTable::radii; ++i) {
    const double R = field.down.radius(i);
    const auto pull = [&](int j) {
      const double z = field.down.height(j), r = std::hypot(R, z);
      return field.down.at(i, j) + (z > 0.0 ? spheres.pull_at(r) * z / r : 0.0);
    };
    double pressure = pull(MeridionalTable::heights) * above(vertical_.top());
    for (int j = MeridionalTable::heights; j >= 0; --j) {
      const double z = vertical_.height(j), here = above(z);
      if (j < MeridionalTable::heights)
        pressure += 0.5 * (pull(j) + pull(j + 1)) * (here - above(vertical_.height(j + 1)));
      const double density = here * (2.0 - here) / scale;  // sech^2 / z_d
      vertical_.at(i, j) = std::sqrt(pressure / density);
    }
  }
}

double DiscMotion::circular_velocity(double R) const { return std::sqrt(place(R)(circular2_)); }

double DiscMotion::epicyclic_frequency(double R) const {
  const Place there = place(R);
  return 2.0 * std::sqrt(there(epicyclic_ratio_) * there(circular2_)) / R;
}

double DiscMotion::toomre_q(double R) const {
  return radial_dispersion(R) * epicyclic_frequency(R) / (toomre * disc_.surface_density(R));
}

double DiscMotion::radial_dispersion(double R) const {
  return central_dispersion_ * std::exp(-0.5 * R / disc_.shape().scale);
}

double DiscMotion::azimuthal_dispersion(double R) const {
  const double epicyclic = std::pow(radial_dispersion(R), 2) * place(R)(epicyclic_ratio_);
  return std::sqrt(std::min(epicyclic, azimuthal_(R, 0.0)));  // the centre cannot hold more
}

double DiscMotion::mean_rotation(double R, double z) const {
  const double dispersion = azimuthal_dispersion(R);
  return std::sqrt(std::max(0.0, azimuthal_(R, z) - dispersion * dispersion));
}

}  // namespace hornbeam::ics
