// SPDX-License-Identifier: Apache-2.0
// Surface density, masses and the Hankel transform of a truncated exponential disc, see disc.h.
#include "ics/galaxies/disc.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hornbeam::ics {
namespace {

constexpr int radial_steps = 4000;  // linear interpolation of the enclosed mass: 1e-6 of it

/// Simpson's rule over equal steps, of which there must be an even number.
template <class Function>
double simpson(double from, double to, int steps, const Function& f) {
  const double h = (to - from) / steps;
  double sum = f(from) + f(to);
  for (int i = 1; i < steps; ++i) sum += (i % 2 == 1 ? 4.0 : 2.0) * f(from + h * i);
  return sum * h / 3.0;
}

/// Of the mass at radius R, what the cut leaves: 1 inside, 0 outside.
double kept(const DiscShape& shape, double R) {
  return 0.5 * std::erfc((R - shape.truncation) / (std::numbers::sqrt2 * shape.taper));
}

}  // namespace

Disc::Disc(const DiscShape& shape) : shape_(shape) {
  const double h = edge() / radial_steps;
  radius_ = enclosed_ = {0.0};
  for (int i = 0; i < radial_steps; ++i) {
    const double from = h * i, to = h * (i + 1);
    radius_.push_back(to);
    enclosed_.push_back(enclosed_.back() + 2.0 * std::numbers::pi * simpson(from, to, 2, [this](double R) {
                                             return R * surface_density(R);
                                           }));
  }
  constant_ = shape_.mass / enclosed_.back();
  for (double& fraction : enclosed_) fraction /= enclosed_.back();
  enclosed_.back() = 1.0;
}

double Disc::surface_density(double R) const { return constant_ * std::exp(-R / shape_.scale) * kept(shape_, R); }

double Disc::log_slope(double R) const {
  const double x = (R - shape_.truncation) / shape_.taper;
  const double falling = std::exp(-0.5 * x * x) / (std::sqrt(2.0 * std::numbers::pi) * shape_.taper);
  return -R / shape_.scale - R * falling / std::max(kept(shape_, R), 1e-30);
}

double Disc::mean_density(double r) const {
  if (shape_.mass == 0.0) return 0.0;
  // r = (R, z) = r (cos t, sin t); sech^2 is below 1e-17 beyond 20 heights.
  const double last = std::asin(std::min(1.0, 20.0 * shape_.height / r));
  const double sum = simpson(0.0, last, 400, [&](double t) {
    const double z = r * std::sin(t), R = r * std::cos(t);
    const double sech = 1.0 / std::cosh(z / shape_.height);
    return surface_density(R) * sech * sech * std::cos(t);
  });
  return sum / (2.0 * shape_.height);
}

double Disc::transform(double k) const {
  const double a = shape_.scale, root = std::sqrt(1.0 + k * k * a * a);
  const double whole = a * a / (root * root * root);     // without a cut (Binney & Tremaine 2008 eq. 2.154 ff.)
  if (k * shape_.taper > 8.0) return constant_ * whole;  // what is cut off ends as exp(-(k w)^2 / 2)
  const double first = std::max(0.0, shape_.truncation - 8.0 * shape_.taper);
  const double last = std::min(shape_.truncation + 8.0 * shape_.taper + 20.0 * a, DiscShape::last_scale_length * a);
  if (first >= last) return constant_ * whole;
  const int steps = 2 * static_cast<int>(std::ceil(12.0 * (last - first) * std::max(k, 2.0 / shape_.taper) / 3.0));
  const double cut = simpson(first, last, steps,
                             [&](double R) { return R * std::exp(-R / a) * (1.0 - kept(shape_, R)) * ::j0(k * R); });
  return constant_ * (whole - cut);
}

}  // namespace hornbeam::ics
