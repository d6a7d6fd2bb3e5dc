// SPDX-License-Identifier: Apache-2.0
// The exact solution of Riemann's problem, see exact.h: the pressure between the waves by bisection, then whichever
// wave lies to each side.
#include <cmath>
#include <string>

#include "hornbeam/error.h"
#include "hornbeam/exact.h"

namespace hornbeam::analysis {
namespace {

double sound_of(const GasPoint& gas, double gamma) { return std::sqrt(gamma * gas.pressure / gas.density); }

/// By how much a wave from a gas to pressure p changes velocities, and by how much it does so with p (Toro 2009
/// eq. 4.6, 4.7): a shock above the gas's own pressure, otherwise a rarefaction.
double velocity_change(const GasPoint& gas, double gamma, double p) {
  if (p > gas.pressure) {
    const double a = 2 / ((gamma + 1) * gas.density), b = (gamma - 1) / (gamma + 1) * gas.pressure;
    return (p - gas.pressure) * std::sqrt(a / (p + b));
  }
  if (gas.pressure == 0) return 0;
  return 2 * sound_of(gas, gamma) / (gamma - 1) * (std::pow(p / gas.pressure, (gamma - 1) / (2 * gamma)) - 1);
}

/// Behind a wave to pressure p.
double density_behind(const GasPoint& gas, double gamma, double p) {
  if (!(p > gas.pressure)) return gas.density * std::pow(p / gas.pressure, 1 / gamma);
  const double ratio = (gamma - 1) / (gamma + 1);
  return gas.density * (p + ratio * gas.pressure) / (ratio * p + gas.pressure);
}

double shock_speed(const GasPoint& gas, double gamma, double p) {
  return std::sqrt(((gamma + 1) * p + (gamma - 1) * gas.pressure) / (2 * gas.density));
}

void check_gas_point(const GasPoint& gas) {
  if (gas.density > 0 && gas.pressure >= 0 && std::isfinite(gas.density + gas.pressure + gas.velocity)) return;
  throw UsageError("shock tube",
                   "received density " + std::to_string(gas.density) + " and pressure " + std::to_string(gas.pressure),
                   "give densities above 0 and pressures of 0 or above");
}

}  // namespace

ShockTube::ShockTube(const GasPoint& left, const GasPoint& right, double gamma)
    : left_(left), right_(right), gamma_(gamma) {
  check_gas_point(left);
  check_gas_point(right);
  if (!(gamma > 1)) throw UsageError("gamma", "is " + std::to_string(gamma), "give more than 1");
  const double parting = right.velocity - left.velocity;
  const auto excess = [&](double p) {
    return velocity_change(left, gamma, p) + velocity_change(right, gamma, p) + parting;
  };
  if (!(excess(0) < 0))
    throw UsageError("shock tube", "the gases separate so fast that a vacuum forms between them",
                     "give smaller speeds apart");
  double low = 0, high = left.pressure + right.pressure;
  while (excess(high) < 0) high *= 2;
  for (int k = 0; k < 200; ++k) {
    pressure_ = 0.5 * (low + high);
    (excess(pressure_) < 0 ? low : high) = pressure_;
  }
  velocity_ = 0.5 * (left.velocity + right.velocity) +
              0.5 * (velocity_change(right, gamma, pressure_) - velocity_change(left, gamma, pressure_));
}

double ShockTube::left_density() const { return density_behind(left_, gamma_, pressure_); }
double ShockTube::right_density() const { return density_behind(right_, gamma_, pressure_); }

double ShockTube::right_speed() const {
  const bool shocks = pressure_ > right_.pressure;
  return right_.velocity + (shocks ? shock_speed(right_, gamma_, pressure_) : sound_of(right_, gamma_));
}

double ShockTube::left_tail() const {
  if (pressure_ > left_.pressure) return left_.velocity - shock_speed(left_, gamma_, pressure_);
  return velocity_ - sound_of({left_density(), pressure_, velocity_}, gamma_);
}

/// On the side whose outward direction is `sign`; speed: x / t.
GasPoint ShockTube::beside(const GasPoint& side, double sign, double speed) const {
  const double out = sign * (speed - side.velocity), sound = sound_of(side, gamma_);
  const GasPoint behind = {density_behind(side, gamma_, pressure_), pressure_, velocity_};
  if (pressure_ > side.pressure) return out > shock_speed(side, gamma_, pressure_) ? side : behind;
  if (out >= sound) return side;
  if (sign * (speed - velocity_) <= sound_of(behind, gamma_)) return behind;
  const double part = 2 / (gamma_ + 1) + (gamma_ - 1) / ((gamma_ + 1) * sound) * out;  // c / c of the side
  return {side.density * std::pow(part, 2 / (gamma_ - 1)), side.pressure * std::pow(part, 2 * gamma_ / (gamma_ - 1)),
          speed - sign * part * sound};
}

GasPoint ShockTube::at(double x_over_t) const {
  return x_over_t < velocity_ ? beside(left_, -1, x_over_t) : beside(right_, 1, x_over_t);
}

}  // namespace hornbeam::analysis
