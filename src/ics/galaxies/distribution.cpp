// SPDX-License-Identifier: Apache-2.0
// Eddington's integral over tables, and speeds drawn from it, see distribution.h.
#include "ics/galaxies/distribution.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "hornbeam/error.h"

namespace hornbeam::ics {
namespace {

/// d^2 rho / d psi^2 at the grid's radii, psi the depth: (rho'' - rho' g' / g) / g^2, g the acceleration
/// (docs/models.md eq. 6).
std::vector<double> second_derivatives(const Spheroid& spheroid, const SphericalField& field) {
  std::vector<double> values;
  for (std::size_t i = 0; i < field.grid.size(); ++i) {
    const double r = field.grid[i], g = field.pull[i];
    const double rho = spheroid.density(r), slope = spheroid.log_slope(r);
    const double first = rho * slope / r;
    const double second = rho / (r * r) * (slope * slope - slope + spheroid.log_bending(r));
    values.push_back((second - first * field.pull_gradient[i] / g) / (g * g));
  }
  return values;
}

/// f at the depth of radius i: the integral over psi of h / sqrt(depth_i - psi), h linear in psi between two radii, so
/// that the root's singularity is integrated exactly.
double eddington(const std::vector<double>& h, const std::vector<double>& depth, std::size_t i) {
  double sum = 0.0;
  for (std::size_t j = i; j + 1 < depth.size(); ++j) {
    const double inner = std::sqrt(depth[i] - depth[j]), outer = std::sqrt(depth[i] - depth[j + 1]);
    const double width = (depth[j] - depth[j + 1]) / (inner + outer);  // outer - inner, without cancellation
    const double weight_outer = 2.0 / 3.0 * width * (outer + 2.0 * inner) / (outer + inner);
    sum += h[j] * (2.0 * width - weight_outer) + h[j + 1] * weight_outer;
  }
  return sum / (std::sqrt(8.0) * std::numbers::pi * std::numbers::pi);
}

/// At each radius the largest v^2 f over all speeds. They are looked at where the energy is a radius' depth; between
/// two of these the maximum is missed by less than (step)^2, for which 1 % is ample.
std::vector<double> speed_bounds(const std::vector<double>& f, const std::vector<double>& depth) {
  std::vector<double> bounds(f.size());
  const auto n = static_cast<std::int64_t>(f.size());
#pragma omp parallel for schedule(static, 16)
  for (std::int64_t i = 0; i < n; ++i) {
    double largest = 0.0;
    for (std::int64_t j = i; j < n; ++j) largest = std::max(largest, 2.0 * (depth[i] - depth[j]) * f[j]);
    bounds[i] = 1.01 * largest;
  }
  return bounds;
}

}  // namespace

IsotropicDistribution::IsotropicDistribution(const std::string& component, const Spheroid& spheroid,
                                             const SphericalField& field)
    : field_(field), depth_(field.depth.rbegin(), field.depth.rend()) {
  const std::vector<double> h = second_derivatives(spheroid, field);
  std::vector<double> f(h.size());
  const auto n = static_cast<std::int64_t>(f.size());
#pragma omp parallel for schedule(static, 16)
  for (std::int64_t i = 0; i < n; ++i) f[i] = eddington(h, field.depth, static_cast<std::size_t>(i));
  refuse_negative(component, spheroid, f);
  constexpr double least = 1e-300;
  for (double& value : f) value = std::max(value, least);
  bound_ = speed_bounds(f, field.depth);
  for (std::size_t i = f.size(); i-- > 0;) log_f_.push_back(std::log(f[i]));
}

void IsotropicDistribution::refuse_negative(const std::string& component, const Spheroid& spheroid,
                                            const std::vector<double>& f) const {
  constexpr double noticed = 1e-6;  // mass fraction: what lies further in or out is not drawn often enough to matter
  const double innermost = spheroid.radius_of(noticed), outermost = spheroid.radius_of(1.0 - noticed);
  for (std::size_t i = 0; i < f.size(); ++i) {
    const double r = field_.grid[i];
    if (f[i] >= 0.0 || r < innermost || r > outermost) continue;
    std::ostringstream text;
    text << "no isotropic equilibrium exists: the distribution function is negative at energies of radius " << r;
    throw UsageError(component, text.str(),
                     "give a steeper inner slope, a larger truncation, or less mass in the other parts");
  }
}

double IsotropicDistribution::operator()(double depth) const { return std::exp(place_in(depth_, depth)(log_f_)); }

double IsotropicDistribution::draw_speed(double r, Random& random) const {
  const Place place = field_.grid.place(r);
  const double depth = place(field_.depth);
  const double bound = std::max(bound_[place.index], bound_[place.index + 1]);
  const double escape_speed = std::sqrt(2.0 * depth);
  while (true) {
    const double v = escape_speed * random.uniform();
    if (random.uniform() * bound < v * v * (*this)(depth - 0.5 * v * v)) return v;
  }
}

}  // namespace hornbeam::ics
