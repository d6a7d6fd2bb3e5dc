// SPDX-License-Identifier: Apache-2.0
// Densities and their slopes in closed form, masses from a table, see spheroid.h.
#include "ics/galaxies/spheroid.h"

#include <cmath>

#include "ics/galaxies/spherical_field.h"

namespace hornbeam::ics {

Spheroid::Spheroid(const SpheroidShape& shape, const RadialGrid& grid) : shape_(shape), grid_(grid) {
  if (shape_.mass == 0.0) {
    constant_ = 0.0;
    return;
  }
  enclosed_ = enclosed_mass(grid, densities());
  constant_ = shape_.mass / enclosed_.back();
  for (double& fraction : enclosed_) fraction *= constant_ / shape_.mass;
}

double Spheroid::density(double r) const {
  const double x = r / shape_.scale;
  return constant_ * std::pow(x, -shape_.inner_slope) * std::pow(1.0 + x, shape_.inner_slope - shape_.outer_slope) /
         std::cosh(r / shape_.truncation);
}

double Spheroid::log_slope(double r) const {
  const double x = r / shape_.scale, y = r / shape_.truncation;
  return -shape_.inner_slope - (shape_.outer_slope - shape_.inner_slope) * x / (1.0 + x) - y * std::tanh(y);
}

double Spheroid::log_bending(double r) const {
  const double x = r / shape_.scale, y = r / shape_.truncation;
  const double sech = 1.0 / std::cosh(y);
  return -(shape_.outer_slope - shape_.inner_slope) * x / ((1.0 + x) * (1.0 + x)) - y * std::tanh(y) -
         y * y * sech * sech;
}

std::vector<double> Spheroid::densities() const {
  std::vector<double> values;
  for (const double r : grid_.radii()) values.push_back(density(r));
  return values;
}

double Spheroid::radius_of(double mass_fraction) const {
  if (mass_fraction < enclosed_[0]) {  // inside the grid: a power law
    return grid_[0] * std::pow(mass_fraction / enclosed_[0], 1.0 / (3.0 - shape_.inner_slope));
  }
  return place_in(enclosed_, mass_fraction)(grid_.radii());
}

}  // namespace hornbeam::ics
