// SPDX-License-Identifier: Apache-2.0
// States of one entropy, from low to high pressure: d rho = dP / c^2, du = P d rho / rho^2.
#include <algorithm>
#include <cmath>

#include "hornbeam/error.h"
#include "hornbeam/materials.h"

namespace hornbeam {

Adiabat::Adiabat(const Material& material, double density, double energy, double most) {
  constexpr double h = 0.002;  // of ln rho, by Runge and Kutta's rule: the error of u is of the order of 1e-12
  constexpr std::size_t most_points = 20000;
  const auto slope = [&](double x, double u) { return material.pressure(std::exp(x), u) / std::exp(x); };
  double x = std::log(density), u = energy;
  const auto add = [&] {
    const double rho = std::exp(x), sound = material.sound_speed(rho, u), pressure = material.pressure(rho, u);
    if (!points_.empty() && pressure <= points_.back().pressure) points_.pop_back(), slopes_.pop_back();
    points_.push_back({rho, u, pressure});
    slopes_.push_back(1 / (sound * sound));
  };
  for (add(); points_.back().pressure < most; add()) {
    if (points_.size() > most_points || !std::isfinite(u)) {
      throw Error("material " + material.name(), "does not reach a pressure of " + std::to_string(most),
                  "start with another density or energy");
    }
    const double a = slope(x, u), b = slope(x + h / 2, u + h / 2 * a);
    const double c = slope(x + h / 2, u + h / 2 * b), d = slope(x + h, u + h * c);
    u += h / 6 * (a + 2 * b + 2 * c + d);
    x += h;
  }
}

Adiabat::Point Adiabat::at(double pressure) const {
  if (!(pressure > points_.front().pressure)) return points_.front();
  if (!(pressure < points_.back().pressure)) return points_.back();
  const auto after = std::upper_bound(points_.begin(), points_.end(), pressure,
                                      [](double p, const Point& point) { return p < point.pressure; });
  const auto k = static_cast<std::size_t>(after - points_.begin()) - 1;
  const Point &low = points_[k], &high = points_[k + 1];
  const double width = high.pressure - low.pressure, t = (pressure - low.pressure) / width;
  const auto cubic = [&](double from, double to, double from_slope, double to_slope) {
    const double s = 1 - t;
    return from * s * s * (1 + 2 * t) + to * t * t * (3 - 2 * t) + width * t * s * (from_slope * s - to_slope * t);
  };
  const auto heating = [&](std::size_t i) {
    return points_[i].pressure / (points_[i].density * points_[i].density) * slopes_[i];
  };
  return {cubic(low.density, high.density, slopes_[k], slopes_[k + 1]),
          cubic(low.energy, high.energy, heating(k), heating(k + 1)), pressure};
}

}  // namespace hornbeam
