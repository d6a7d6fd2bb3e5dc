// SPDX-License-Identifier: Apache-2.0
// Columns and rotation of a disc of gas, see gas_disc.h.
#include "ics/galaxies/gas_disc.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ics/galaxies/quiet_start.h"

namespace hornbeam::ics {
namespace {

constexpr double circle = 2 * std::numbers::pi;
constexpr int parts_of_column = 64, column_steps = 600;

/// Of all but the gas, downwards.
double pull_down(double R, double z, const DiscField& stars, const SphericalField& spheres) {
  const double r = std::hypot(R, z);
  const double edge = stars.down.radius(MeridionalTable::radii), beyond = R > edge ? edge / R : 1.0;
  return stars.down(R, z) * beyond * beyond * beyond + (z > 0 ? spheres.pull_at(r) * z / r : 0.0);
}

/// One column: d ln rho / dz = -(g + 4 pi S) / c^2, S the gas between the plane and z.
struct Column {
  std::vector<double> z, within;  ///< S at each z
};

/// pull: g at the heights 0, step, 2 step ...
Column integrated(double density, double step, double sound2, const std::vector<double>& pull) {
  Column column;
  double log_ratio = 0, within = 0, here = density;
  column.z = {0};
  column.within = {0};
  for (int i = 0; i < column_steps && log_ratio > -30; ++i) {  // by Heun's rule
    const double slope = -(pull[i] + 2 * circle * within) / sound2;
    const double there = density * std::exp(log_ratio + step * slope), next = within + 0.5 * step * (here + there);
    const double slope_there = -(pull[i + 1] + 2 * circle * next) / sound2;
    log_ratio += 0.5 * step * (slope + slope_there);
    const double above = density * std::exp(log_ratio);
    within += 0.5 * step * (here + above);
    here = above;
    column.z.push_back(step * (i + 1));
    column.within.push_back(within);
  }
  return column;
}

}  // namespace

double gas_height(const DiscShape& gas, double sound, const DiscField& stars, const SphericalField& spheres) {
  const double R = 2 * gas.scale, sigma = gas.mass / (circle * gas.scale * gas.scale) * std::exp(-2.0);
  double height = 0.1 * gas.scale;
  for (int turn = 0; turn < 50; ++turn) {
    // near the plane both accelerations grow with z: c^2 / h = g(h)
    const double pull = pull_down(R, height, stars, spheres) + circle * sigma * std::tanh(1.0);
    height = std::sqrt(height * std::clamp(sound * sound / pull, 0.02 * gas.scale, 0.5 * gas.scale));
  }
  return std::clamp(height, 0.02 * gas.scale, 0.5 * gas.scale);
}

GasDisc::GasDisc(const GasDiscShape& shape, const Disc& disc, const DiscField& stars, const DiscField& own,
                 const SphericalField& spheres)
    : shape_(shape), disc_(disc) {
  constexpr int radii = MeridionalTable::radii;
  for (int i = 1; i <= radii; ++i) {
    const double R = disc.edge() * i * i / (double{radii} * radii);
    if (!(disc.surface_density(R) > 1e-12 * disc.surface_density(0))) break;
    radius_.push_back(R);
    fill_column(R, stars, spheres);
  }
  const double sound2 = shape.sound * shape.sound;
  for (std::size_t i = 0; i < radius_.size(); ++i) {
    const std::size_t inner = i == 0 ? 0 : i - 1, outer = std::min(i + 1, radius_.size() - 1);
    const double slope = std::log(density_[outer] / density_[inner]) / std::log(radius_[outer] / radius_[inner]);
    const double R = radius_[i], edge = stars.inward.radius(MeridionalTable::radii);
    const double beyond = R > edge ? edge / R : 1.0;  // stars beyond their edge attract as a point
    const double pull = stars.inward(R, 0) * beyond * beyond + own.inward(R, 0) + spheres.pull_at(R);
    rotation_.push_back(std::sqrt(std::max(0.0, R * pull + sound2 * slope)));
  }
}

/// The density at the plane with which the column has its surface density, by bisection.
void GasDisc::fill_column(double R, const DiscField& stars, const SphericalField& spheres) {
  const double sound2 = shape_.sound * shape_.sound, half = 0.5 * disc_.surface_density(R);
  // alone it would be c^2 / (2 pi Sigma / 2) high, and so thick at most
  double widest = sound2 / (circle * half);
  const double z = 0.05 * disc_.shape().scale;
  widest = std::min(widest, std::sqrt(sound2 * z / pull_down(R, z, stars, spheres)));
  const double step = 12 * widest / column_steps;
  std::vector<double> pull;
  for (int i = 0; i <= column_steps; ++i) pull.push_back(pull_down(R, step * i, stars, spheres));
  double low = 1e-3 * half / widest, high = 1e3 * half / widest;
  Column column;
  for (int turn = 0; turn < 40; ++turn) {  // to 1e-11
    const double middle = std::sqrt(low * high);
    column = integrated(middle, step, sound2, pull);
    (column.within.back() > half ? high : low) = middle;
  }
  density_.push_back(std::sqrt(low * high));
  std::vector<double> heights;
  for (int k = 0; k <= parts_of_column; ++k) {
    const double within = column.within.back() * k / parts_of_column;
    heights.push_back(place_in(column.within, within)(column.z));
  }
  heights.back() = 2 * heights[parts_of_column - 1] - heights[parts_of_column - 2];  // not the end of the atmosphere
  height_.push_back(std::move(heights));
}

double GasDisc::height_of(double R, double fraction) const {
  const Place place = place_in(radius_, R);
  const double part = std::abs(2 * fraction - 1) * parts_of_column;
  const auto k = std::min(static_cast<std::size_t>(part), static_cast<std::size_t>(parts_of_column - 1));
  const auto at = [&](const std::vector<double>& heights) {
    return heights[k] + (part - static_cast<double>(k)) * (heights[k + 1] - heights[k]);
  };
  const double z = (1 - place.fraction) * at(height_[place.index]) + place.fraction * at(height_[place.index + 1]);
  return fraction < 0.5 ? -z : z;
}

PhasePoint GasDisc::particle(std::int64_t i, std::size_t n, double height_shift) const {
  const double golden = circle / 2 * (3 - std::sqrt(5.0));
  const double R = disc_.radius_of((static_cast<double>(i) + 0.5) / static_cast<double>(n));
  double fraction = radical_inverse(static_cast<std::uint64_t>(i), 2) + height_shift;
  if (fraction >= 1) fraction -= 1;
  const double phi = std::fmod(golden * static_cast<double>(i), circle), v = rotation(R);
  return {{R * std::cos(phi), R * std::sin(phi), height_of(R, fraction)}, {-v * std::sin(phi), v * std::cos(phi), 0}};
}

}  // namespace hornbeam::ics
