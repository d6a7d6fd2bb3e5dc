// SPDX-License-Identifier: Apache-2.0
// Evrard's collapse in one dimension, see evrard.h: shells between edges that move with the gas (von Neumann &
// Richtmyer 1950). A step holds at its middle, and what pressure and gravity do to edges is taken from zones and from
// the field to the last digit, so that energy is kept (Caramana et al. 1998): an edge moves through the volume A dr
// with A = 4 pi / 3 (r^2 + r r' + r'^2), and G M / (r r') dr is what the potential falls by.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/short_numbers.h"
#include "hornbeam/error.h"
#include "hornbeam/evrard.h"

namespace hornbeam::analysis {
namespace {

constexpr double ball = 4 * std::numbers::pi / 3;
// of zones that shrink: shocks are three or four zones wide and ring by 3 % of their jump; more heats the centre, whose
// pressure 0.3 and 1 take from 0.9 to 1.6 % below the limit
constexpr double quadratic_viscosity = 0.7, linear_viscosity = 0.1;
constexpr double courant = 0.5;
constexpr int passes = 5;  // each takes what the middle of a step is off down to a tenth and less
constexpr double latest = 10;
constexpr double least_gamma = 1.5;  // softer gas falls so deep that steps are too many: at 1.4 some 25 times as many
constexpr double least_shock = 0.1;  // viscosity over pressure

double cube(double x) { return x * x * x; }

}  // namespace

EvrardCollapse::EvrardCollapse(double mass, double radius, double energy, double gamma, double G, int zones)
    : mass_(mass), length_(radius), G_(G), gamma_(gamma) {
  if (!(mass > 0) || !(radius > 0) || !(energy > 0) || !(G > 0) || !(gamma >= least_gamma)) {
    throw UsageError("Evrard's collapse",
                     "received mass " + shortest(mass) + ", radius " + shortest(radius) + ", energy " +
                         shortest(energy) + ", gamma " + shortest(gamma) + " and G " + shortest(G),
                     "give a gamma of at least 1.5, and all others above 0");
  }
  if (zones < 10)
    throw UsageError("Evrard's collapse", "received " + std::to_string(zones) + " zones", "give at least 10");
  const auto n = static_cast<std::size_t>(zones);
  radius_.resize(n + 1), velocity_.resize(n + 1), acceleration_.resize(n + 1), edge_mass_.resize(n + 1);
  // thin shells at the surface, through which the shock runs away at last: that is what late energies hang on
  for (std::size_t j = 0; j <= n; ++j) radius_[j] = 1 - std::pow(1 - static_cast<double>(j) / zones, 1.5);
  for (const double r : radius_) inside_.push_back(r * r);
  for (std::size_t k = 0; k < n; ++k) {
    zone_mass_.push_back(inside_[k + 1] - inside_[k]);
    edge_mass_[k] += 0.5 * zone_mass_[k], edge_mass_[k + 1] += 0.5 * zone_mass_[k];
  }
  energy_.assign(n, energy);
  trial_ = {radius_, velocity_, energy_, energy_};
}

double EvrardCollapse::sound_speed(double energy) const { return std::sqrt(gamma_ * (gamma_ - 1) * energy); }

/// Per density, where the edges of a zone close in on one another.
double EvrardCollapse::viscosity(double closing, double energy) const {
  return closing > 0 ? closing * (quadratic_viscosity * closing + linear_viscosity * sound_speed(energy)) : 0;
}

double EvrardCollapse::zone_density(std::size_t zone) const {
  return zone_mass_[zone] / (ball * (cube(radius_[zone + 1]) - cube(radius_[zone])));
}

/// By Courant's number of what sound, motion and viscosity cross a zone with.
double EvrardCollapse::longest_step() const {
  double shortest = 1.05 * step_ / courant;
  for (std::size_t k = 0; k < zone_mass_.size(); ++k) {
    const double closing = velocity_[k] - velocity_[k + 1], c = sound_speed(energy_[k]);
    const double viscous = closing > 0 ? 2 * (quadratic_viscosity * closing + linear_viscosity * c) : 0;
    shortest = std::min(shortest, (radius_[k + 1] - radius_[k]) / (c + std::abs(closing) + viscous));
  }
  return courant * shortest;
}

void EvrardCollapse::find_push(double step) {
  for (std::size_t k = 0; k < zone_mass_.size(); ++k) {
    const double inner = 0.5 * (radius_[k] + trial_.radius[k]), outer = 0.5 * (radius_[k + 1] + trial_.radius[k + 1]);
    const double density = zone_mass_[k] / (ball * (cube(outer) - cube(inner)));
    const double energy = 0.5 * (energy_[k] + trial_.energy[k]);
    const double closing = (radius_[k + 1] - radius_[k] - (trial_.radius[k + 1] - trial_.radius[k])) / step;
    trial_.push[k] = density * ((gamma_ - 1) * energy + viscosity(closing, energy));
  }
}

/// By the forces of zones and of gravity; what edges gain zones lose.
void EvrardCollapse::move_edges(double step) {
  const std::size_t zones = zone_mass_.size();
  double swept_inside = 0;  // volume
  for (std::size_t j = 1; j <= zones; ++j) {
    const double r = radius_[j], to = trial_.radius[j], area = ball * (r * r + r * to + to * to);
    const double push = trial_.push[j - 1] - (j < zones ? trial_.push[j] : 0);
    acceleration_[j] = area * push / edge_mass_[j] - inside_[j] / (r * to);
    trial_.velocity[j] = velocity_[j] + step * acceleration_[j];
    const double way = step * 0.5 * (velocity_[j] + trial_.velocity[j]), swept = area * way;
    trial_.radius[j] = r + way;
    trial_.energy[j - 1] = energy_[j - 1] - trial_.push[j - 1] * (swept - swept_inside) / zone_mass_[j - 1];
    swept_inside = swept;
  }
}

void EvrardCollapse::step_by(double step) {
  for (std::size_t j = 1; j < radius_.size(); ++j) {
    trial_.radius[j] = radius_[j] + step * (velocity_[j] + 0.5 * step * acceleration_[j]);
  }
  trial_.energy = energy_;
  for (int pass = 0; pass < passes; ++pass) find_push(step), move_edges(step);
  radius_.swap(trial_.radius), velocity_.swap(trial_.velocity), energy_.swap(trial_.energy);
}

void EvrardCollapse::advance(double time) {
  const double unit = std::sqrt(cube(length_) / (G_ * mass_)), end = time / unit;
  if (!(end >= time_) || end > latest) {
    throw UsageError(
        "Evrard's collapse", "received time " + shortest(time),
        "give a time from " + shortest(time_ * unit) + " to " + shortest(latest * unit) + ", 10 (R^3 / G M)^1/2");
  }
  while (time_ < end) {
    step_ = longest_step();
    const bool is_last = time_ + step_ >= end;
    step_by(is_last ? end - time_ : step_);
    time_ = is_last ? end : time_ + step_;
  }
}

GasPoint EvrardCollapse::at(double r) const {
  const double x = r / length_;
  if (x >= radius_.back()) return {};
  const auto middle = [&](std::size_t zone) { return 0.5 * (radius_[zone] + radius_[zone + 1]); };
  const auto above = std::upper_bound(radius_.begin() + 1, radius_.end() - 1, x);
  const auto zone = static_cast<std::size_t>(above - radius_.begin()) - 1;
  const std::size_t inner = std::min(zone - (zone > 0 && x < middle(zone) ? 1 : 0), zone_mass_.size() - 2);
  const double part = std::clamp((x - middle(inner)) / (middle(inner + 1) - middle(inner)), 0.0, 1.0);
  const double a = zone_density(inner), b = zone_density(inner + 1);
  const double density = a + part * (b - a);
  const double pressure = (gamma_ - 1) * (a * energy_[inner] + part * (b * energy_[inner + 1] - a * energy_[inner]));
  const double within = (x - radius_[zone]) / (radius_[zone + 1] - radius_[zone]);
  const double velocity = velocity_[zone] + within * (velocity_[zone + 1] - velocity_[zone]);
  const double unit = mass_ / cube(length_), speed2 = G_ * mass_ / length_;
  return {density * unit, pressure * unit * speed2, velocity * std::sqrt(speed2)};
}

double EvrardCollapse::mass_within(double r) const {
  const double x = r / length_;
  if (x >= radius_.back()) return mass_;
  const auto above = std::upper_bound(radius_.begin() + 1, radius_.end() - 1, x);
  const auto zone = static_cast<std::size_t>(above - radius_.begin()) - 1;
  const double from = cube(radius_[zone]);
  return mass_ * (inside_[zone] + zone_mass_[zone] * (cube(x) - from) / (cube(radius_[zone + 1]) - from));
}

double EvrardCollapse::radius_of(double fraction) const {
  const auto above = std::upper_bound(inside_.begin() + 1, inside_.end() - 1, fraction);
  const auto zone = static_cast<std::size_t>(above - inside_.begin()) - 1;
  const double part = std::clamp((fraction - inside_[zone]) / zone_mass_[zone], 0.0, 1.0), from = cube(radius_[zone]);
  return length_ * std::cbrt(from + part * (cube(radius_[zone + 1]) - from));
}

double EvrardCollapse::shock_radius() const {
  std::size_t zone = 0;
  const auto closing = [&](std::size_t k) { return velocity_[k] - velocity_[k + 1]; };
  for (std::size_t k = 1; k < zone_mass_.size(); ++k) zone = closing(k) > closing(zone) ? k : zone;
  const bool is_shock = viscosity(closing(zone), energy_[zone]) > least_shock * (gamma_ - 1) * energy_[zone];
  return is_shock ? length_ * 0.5 * (radius_[zone] + radius_[zone + 1]) : 0;
}

Energies EvrardCollapse::energies() const {
  Energies sum;
  for (std::size_t j = 1; j < radius_.size(); ++j) {
    sum.kinetic += 0.5 * edge_mass_[j] * velocity_[j] * velocity_[j];
    sum.potential -= inside_[j] * edge_mass_[j] / radius_[j];
    sum.thermal += zone_mass_[j - 1] * energy_[j - 1];
  }
  const double unit = G_ * mass_ * mass_ / length_;
  sum.kinetic *= unit, sum.potential *= unit, sum.thermal *= unit;
  return sum;
}

}  // namespace hornbeam::analysis
