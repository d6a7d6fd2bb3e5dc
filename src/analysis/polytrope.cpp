// SPDX-License-Identifier: Apache-2.0
// Lane and Emden's equation, see polytrope.h: (xi^2 theta')' = -xi^2 theta^n with theta = 1 at the centre, rho =
// rho_c theta^n and P = P_c theta^(n + 1).
#include "hornbeam/polytrope.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "analysis/compensated_sum.h"
#include "hornbeam/error.h"

namespace hornbeam::analysis {
namespace {

constexpr double largest_index = 4.99;  // its sphere is 1,750 lengths wide, that of 5 endless

/// theta and m = -xi^2 theta' at the end of a step of Runge and Kutta's fourth order.
struct Emden {
  double theta, mass;
};

Emden slope(double xi, const Emden& at, double n) {
  return {xi > 0 ? -at.mass / (xi * xi) : 0, xi * xi * std::pow(std::max(at.theta, 0.0), n)};
}

Emden stepped(double xi, const Emden& at, double h, double n) {
  const auto moved = [&](const Emden& by, double f) { return Emden{at.theta + f * by.theta, at.mass + f * by.mass}; };
  const Emden a = slope(xi, at, n), b = slope(xi + h / 2, moved(a, h / 2), n);
  const Emden c = slope(xi + h / 2, moved(b, h / 2), n), d = slope(xi + h, moved(c, h), n);
  return {at.theta + h / 6 * (a.theta + 2 * b.theta + 2 * c.theta + d.theta),
          at.mass + h / 6 * (a.mass + 2 * b.mass + 2 * c.mass + d.mass)};
}

}  // namespace

Polytrope::Polytrope(double index, double mass, double radius, double G)
    : index_(index), mass_(mass), radius_(radius), G_(G) {
  if (!(index >= 0) || !(index <= largest_index)) {
    throw UsageError("polytrope.index", "is " + std::to_string(index),
                     "give an index from 0 to 4.99; at 5 the radius is infinite");
  }
  if (!(mass > 0) || !(radius > 0) || !(G > 0)) throw UsageError("polytrope", "mass, radius and G must be above 0");
  constexpr double step = 5e-4;  // the surface to 1e-9, but for n below 1, where the slope of theta^n has no end: 1e-7
  nodes_ = {{0, 1, 0}};
  double h = step;
  while (h > 1e-12 * (1 + nodes_.back().xi)) {
    const Node& at = nodes_.back();
    // the first step by the series: theta = 1 - xi^2 / 6 + n xi^4 / 120
    const Emden next = at.xi > 0 ? stepped(at.xi, {at.theta, at.mass}, h, index)
                                 : Emden{1 - h * h / 6 + index * h * h * h * h / 120, h * h * h / 3};
    if (next.theta <= 0) {
      h /= 2;
      continue;
    }
    nodes_.push_back({at.xi + h, next.theta, next.mass});
    if (h >= step) h = step * (1 + nodes_.back().xi / 4);
  }
  const Node& end = nodes_.back();
  const double length = radius / end.xi;
  central_.density = mass / (4 * std::numbers::pi * std::pow(length, 3) * end.mass);
  central_.pressure = 4 * std::numbers::pi * G * std::pow(length * central_.density, 2) / (index + 1);
}

Polytrope::Node Polytrope::node_at(double xi) const {
  const auto above = std::upper_bound(nodes_.begin() + 1, nodes_.end() - 1, xi,
                                      [](double value, const Node& node) { return value < node.xi; });
  const Node& b = *above;
  const Node& a = *(above - 1);
  const double part = std::clamp((xi - a.xi) / (b.xi - a.xi), 0.0, 1.0);
  return {xi, a.theta + part * (b.theta - a.theta), a.mass + part * (b.mass - a.mass)};
}

GasPoint Polytrope::at(double r) const {
  if (r >= radius_) return {};
  const double theta = node_at(r / radius_ * nodes_.back().xi).theta;
  return {central_.density * std::pow(theta, index_), central_.pressure * std::pow(theta, index_ + 1), 0};
}

double Polytrope::mass_within(double r) const {
  if (r >= radius_) return mass_;
  return mass_ * node_at(r / radius_ * nodes_.back().xi).mass / nodes_.back().mass;
}

double Polytrope::radius_of(double fraction) const {
  const double mass = fraction * nodes_.back().mass;
  const auto above = std::upper_bound(nodes_.begin() + 1, nodes_.end() - 1, mass,
                                      [](double value, const Node& node) { return value < node.mass; });
  const Node& b = *above;
  const Node& a = *(above - 1);
  // r^3 goes with the mass near the centre
  const double part = std::clamp((mass - a.mass) / (b.mass - a.mass), 0.0, 1.0);
  const double xi = std::cbrt(std::pow(a.xi, 3) + part * (std::pow(b.xi, 3) - std::pow(a.xi, 3)));
  return radius_ * xi / nodes_.back().xi;
}

double Polytrope::constant() const {
  if (index_ == 0)
    throw UsageError("polytrope.index", "is 0", "must be above 0, so that the density sets the pressure");
  return central_.pressure / std::pow(central_.density, 1 + 1 / index_);
}

double Polytrope::potential_energy() const { return -3 / (5 - index_) * G_ * mass_ * mass_ / radius_; }

FlowError error_of_polytrope(const Snapshot& s, const Polytrope& polytrope, double gamma) {
  const Particles& p = s.particles;
  if (p.density.empty() || p.internal_energy.empty()) {
    throw Error("exact", "needs gas with densities and internal energies",
                "take a snapshot of a run with [gas], or draw the model with settle");
  }
  std::array<CompensatedSum, 7> sums;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.family[i] != Family::gas) continue;
    sums[0].add(p.mass[i]);
    for (std::size_t k = 0; k < 3; ++k) sums[1 + k].add(p.mass[i] * p.position[i][k]);
    for (std::size_t k = 0; k < 3; ++k) sums[4 + k].add(p.mass[i] * p.velocity[i][k]);
  }
  const double mass = sums[0].value();
  FlowError found;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.family[i] != Family::gas) continue;
    double r2 = 0, v2 = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      r2 += std::pow(p.position[i][k] - sums[1 + k].value() / mass, 2);
      v2 += std::pow(p.velocity[i][k] - sums[4 + k].value() / mass, 2);
    }
    const GasPoint exact = polytrope.at(std::sqrt(r2));
    ++found.particles;
    found.density += std::abs(p.density[i] - exact.density);
    found.velocity += std::sqrt(v2);
    found.pressure += std::abs((gamma - 1) * p.density[i] * p.internal_energy[i] - exact.pressure);
  }
  if (found.particles == 0) throw Error("exact", "there is no gas");
  const auto n = static_cast<double>(found.particles);
  return {found.particles, found.density / n, found.velocity / n, found.pressure / n};
}

}  // namespace hornbeam::analysis
