// SPDX-License-Identifier: Apache-2.0
// Noh's implosion, Gresho's vortex and the growth of Kelvin and Helmholtz's waves, see exact.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "hornbeam/error.h"
#include "hornbeam/exact.h"

namespace hornbeam::analysis {

NohFlow::NohFlow(double density, double speed, double gamma) : density_(density), speed_(speed), gamma_(gamma) {
  if (density > 0 && speed > 0 && gamma > 1) return;
  throw UsageError("Noh's flow",
                   "received density " + std::to_string(density) + ", speed " + std::to_string(speed) + " and gamma " +
                       std::to_string(gamma),
                   "give densities and speeds above 0, and a gamma above 1");
}

double NohFlow::radius(double time) const { return 0.5 * (gamma_ - 1) * speed_ * time; }

GasPoint NohFlow::at(double radius, double time) const {
  if (radius >= this->radius(time)) {
    const double crowding = 1 + speed_ * time / radius;
    return {density_ * crowding * crowding, 0, -speed_};
  }
  const double density = density_ * std::pow((gamma_ + 1) / (gamma_ - 1), 3);
  return {density, (gamma_ - 1) * density * 0.5 * speed_ * speed_, 0};
}

GasPoint GreshoVortex::at(double radius) const {
  const double r = radius, inner = pressure_ + density_ * 12.5 * r * r;
  if (r < 0.2) return {density_, inner, 5 * r};
  if (r < 0.4) return {density_, inner + density_ * (4 - 20 * r + 4 * std::log(5 * r)), 2 - 5 * r};
  return {density_, pressure_ + density_ * (4 * std::log(2.0) - 2), 0};
}

double GreshoVortex::kinetic() const {
  // integral of r v^2 / 2: 25 r^4 / 8 up to 0.2, and of r (2 - 5 r)^2 / 2 beyond
  const auto beyond = [](double r) { return r * r - 10 * r * r * r / 3 + 25 * r * r * r * r / 8; };
  return 2 * std::numbers::pi * density_ * (25 * 0.0016 / 8 + beyond(0.4) - beyond(0.2));
}

double GreshoVortex::angular_momentum() const {
  const auto beyond = [](double r) { return 2 * r * r * r / 3 - 5 * r * r * r * r / 4; };
  return 2 * std::numbers::pi * density_ * (5 * 0.0016 / 4 + beyond(0.4) - beyond(0.2));
}

double kelvin_helmholtz_amplitude(double ratio, double time) {
  // every 0.1, of a solution of the equations of McNally, Lyra & Passy (2012) on a grid: 256 x 256, differences of the
  // eighth order, Runge-Kutta 4
  static constexpr std::array<double, 16> of_two = {0.01,      0.00899399, 0.0081744, 0.00830372, 0.00833784, 0.0105,
                                                    0.014932,  0.0193556,  0.0268992, 0.0363751,  0.0474621,  0.0614324,
                                                    0.0797897, 0.100213,   0.123869,  0.148249};
  static constexpr std::array<double, 16> of_one = {
      0.01,      0.00899071, 0.00868439, 0.00763376, 0.00811439, 0.00947627, 0.0127796, 0.0193026,
      0.0268698, 0.0383664,  0.05055,    0.067222,   0.0854314,  0.106822,   0.131004,  0.1534};
  const bool two = std::abs(ratio - 2) < 1e-6, one = std::abs(ratio - 1) < 1e-6;
  if ((!two && !one) || !(time >= 0 && time <= 1.5 + 1e-9)) return std::numeric_limits<double>::quiet_NaN();
  const auto& curve = two ? of_two : of_one;
  const double at = time * 10;
  const auto k = std::min(static_cast<std::size_t>(at), curve.size() - 2);
  return curve[k] + (at - static_cast<double>(k)) * (curve[k + 1] - curve[k]);
}

}  // namespace hornbeam::analysis
