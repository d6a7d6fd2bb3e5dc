// SPDX-License-Identifier: Apache-2.0
// Sedov's blast, see exact.h. With v = V f, rho = rho_0 g and p = rho_0 V^2 h at lambda = r / R, where V is the speed
// of the shock at R ~ t^2/5, the equations of motion are ordinary ones in lambda, integrated inwards from the shock.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "hornbeam/error.h"
#include "hornbeam/exact.h"

namespace hornbeam::analysis {
namespace {

/// f, g and h.
using Similar = std::array<double, 3>;

/// Their derivatives with lambda: from mass, (f - l) g' + g (f' + 2 f / l) = 0, momentum, (f - l) f' + h' / g = 3/2 f,
/// and entropy, (f - l) (h' - gamma h g' / g) = 3 h.
Similar slopes(double lambda, const Similar& s, double gamma) {
  const auto [f, g, h] = s;
  const double flow = f - lambda;
  const double df = (3 * h - 1.5 * f * g * flow - 2 * gamma * h * f / lambda) / (gamma * h - g * flow * flow);
  return {df, -g * (df + 2 * f / lambda) / flow, g * (1.5 * f - flow * df)};
}

Similar moved(const Similar& s, const Similar& slope, double by) {
  return {s[0] + by * slope[0], s[1] + by * slope[1], s[2] + by * slope[2]};
}

/// By Runge and Kutta's step of the fourth order.
Similar stepped(double lambda, const Similar& s, double step, double gamma) {
  const Similar a = slopes(lambda, s, gamma), b = slopes(lambda + step / 2, moved(s, a, step / 2), gamma);
  const Similar c = slopes(lambda + step / 2, moved(s, b, step / 2), gamma);
  const Similar d = slopes(lambda + step, moved(s, c, step), gamma);
  Similar to = s;
  for (int k = 0; k < 3; ++k) to[k] += step / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
  return to;
}

constexpr int profile_steps = 4000;

}  // namespace

SedovBlast::SedovBlast(double energy, double density, double gamma) : energy_(energy), density_(density) {
  if (!(energy > 0) || !(density > 0) || !(gamma > 1) || !(gamma <= 3)) {
    throw UsageError("Sedov's blast",
                     "received energy " + std::to_string(energy) + ", density " + std::to_string(density) +
                         " and gamma " + std::to_string(gamma),
                     "give energies and densities above 0, and a gamma above 1 and at most 3");
  }
  const double step = 1.0 / profile_steps;
  Similar s = {2 / (gamma + 1), (gamma + 1) / (gamma - 1), 2 / (gamma + 1)};
  profile_.resize(profile_steps + 1);
  double kinetic = 0, thermal = 0;
  for (int k = profile_steps; k > 0; --k) {
    const double lambda = k * step, weight = k == profile_steps ? 0.5 : 1;  // the trapezium rule; 0 at the centre
    profile_[static_cast<std::size_t>(k)] = {s[1], s[2], s[0]};
    kinetic += weight * step * lambda * lambda * 0.5 * s[1] * s[0] * s[0];
    thermal += weight * step * lambda * lambda * s[2] / (gamma - 1);
    // the last step would end at the centre, where all is known: no density, no motion, and the pressure level
    if (k > 1) s = stepped(lambda, s, -step, gamma);
  }
  profile_[0] = {0, profile_[1].pressure, 0};
  kinetic_share_ = kinetic / (kinetic + thermal);
  // E = 4 pi rho V^2 R^3 (kinetic + thermal), V = 2 R / 5 t
  xi_ = std::pow(25 / (16 * std::numbers::pi * (kinetic + thermal)), 0.2);
}

double SedovBlast::radius(double time) const { return xi_ * std::pow(energy_ * time * time / density_, 0.2); }
double SedovBlast::speed(double time) const { return 0.4 * radius(time) / time; }

GasPoint SedovBlast::at(double radius, double time) const {
  const double lambda = radius / this->radius(time);
  if (lambda > 1) return {density_, 0, 0};
  const double at = lambda * profile_steps;
  const auto k = std::min(static_cast<std::size_t>(at), profile_.size() - 2);
  const GasPoint &a = profile_[k], &b = profile_[k + 1];
  const double part = at - static_cast<double>(k), v = speed(time);
  return {density_ * (a.density + part * (b.density - a.density)),
          density_ * v * v * (a.pressure + part * (b.pressure - a.pressure)),
          v * (a.velocity + part * (b.velocity - a.velocity))};
}

}  // namespace hornbeam::analysis
