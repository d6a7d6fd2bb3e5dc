// SPDX-License-Identifier: Apache-2.0
// Masses and potentials by integrating densities over radius, see spherical_field.h.
#include "ics/galaxies/spherical_field.h"

#include <cmath>
#include <numbers>

namespace hornbeam::ics {
namespace {

double log_slope(const RadialGrid& grid, const std::vector<double>& density, std::size_t i) {
  return std::log(density[i + 1] / density[i]) / std::log(grid[i + 1] / grid[i]);
}

/// Integral of 4 pi density r^power dr from radius i to the next.
double shell(const RadialGrid& grid, const std::vector<double>& density, std::size_t i, int power) {
  if (!(density[i] > 0.0 && density[i + 1] > 0.0)) return 0.0;  // where a truncation has run below the least number
  const double exponent = log_slope(grid, density, i) + power + 1;
  const double range = std::log(grid[i + 1] / grid[i]);
  const double integral = std::abs(exponent * range) > 1e-12 ? std::expm1(exponent * range) / exponent : range;
  return 4.0 * std::numbers::pi * density[i] * std::pow(grid[i], power + 1) * integral;
}

}  // namespace

std::vector<double> enclosed_mass(const RadialGrid& grid, const std::vector<double>& density) {
  std::vector<double> mass(grid.size());
  if (density[0] > 0.0) {
    const double r = grid[0];
    mass[0] = 4.0 * std::numbers::pi * density[0] * r * r * r / (3.0 + log_slope(grid, density, 0));
  }
  for (std::size_t i = 0; i + 1 < grid.size(); ++i) mass[i + 1] = mass[i] + shell(grid, density, i, 2);
  return mass;
}

SphericalField::SphericalField(const RadialGrid& radii, const std::vector<double>& density, double point_mass,
                               double eps)
    : grid(radii), pull(radii.size()), pull_gradient(radii.size()), depth(radii.size()) {
  const std::vector<double> mass = enclosed_mass(grid, density);
  double outer_shells = 0.0;
  for (std::size_t i = grid.size(); i-- > 0;) {
    if (i + 1 < grid.size()) outer_shells += shell(grid, density, i, 1);
    const double r = grid[i];
    const double softened2 = r * r + eps * eps;
    const double softened = std::sqrt(softened2);
    const double point_pull = point_mass * r / (softened2 * softened);
    pull[i] = mass[i] / (r * r) + point_pull;
    pull_gradient[i] = 4.0 * std::numbers::pi * density[i] - 2.0 * mass[i] / (r * r * r) +
                       point_pull * (1.0 / r - 3.0 * r / softened2);
    depth[i] = mass[i] / r + outer_shells + point_mass / softened;
  }
}

}  // namespace hornbeam::ics
