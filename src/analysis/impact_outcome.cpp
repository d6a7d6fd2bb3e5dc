// SPDX-License-Identifier: Apache-2.0
// Sorts what an impact has left into planet, disc and what escapes, see impact.h.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "analysis/compensated_sum.h"
#include "analysis/vectors.h"
#include "hornbeam/analysis.h"
#include "hornbeam/error.h"
#include "hornbeam/impact.h"

namespace hornbeam::analysis {
namespace {

constexpr int most_turns = 100;

class Aftermath {
 public:
  Aftermath(const Particles& particles, double G, double density) : p_(particles), G_(G), given_density_(density) {
    found_.fate.assign(p_.size(), Fate::escaping);
  }

  ImpactOutcome settled() {
    take_nearest_half();
    measure_planet();
    for (found_.iterations = 1; found_.iterations <= most_turns; ++found_.iterations) {
      const double before = mass_;
      const bool changed = sort();
      measure_planet();
      found_.change = std::abs(mass_ - before) / before;
      if (!changed) break;
    }
    found_.iterations = std::min(found_.iterations, most_turns);
    return std::move(found_);
  }

 private:
  template <class Act>
  void each_of_planet(const Act& act) const {
    for (std::size_t i = 0; i < p_.size(); ++i) {
      if (found_.fate[i] == Fate::planet) act(i);
    }
  }

  /// The first guess of the planet: half of all mass, about the densest place.
  void take_nearest_half() {
    const Vec3 centre = centre_of_density(p_);
    std::vector<double> distance2(p_.size());
    for (std::size_t i = 0; i < p_.size(); ++i) {
      const Vec3 x = minus(p_.position[i], centre);
      distance2[i] = dot(x, x);
    }
    std::vector<std::size_t> order(p_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return distance2[a] < distance2[b]; });
    const double half = 0.5 * std::accumulate(p_.mass.begin(), p_.mass.end(), 0.0);
    double within = 0;
    for (const std::size_t i : order) {
      found_.fate[i] = Fate::planet;
      if ((within += p_.mass[i]) >= half) break;
    }
  }

  [[nodiscard]] Vec3 mean(const std::vector<Vec3>& of) const {
    std::array<CompensatedSum, 3> sums;
    each_of_planet([&](std::size_t i) {
      for (std::size_t k = 0; k < 3; ++k) sums[k].add(p_.mass[i] * of[i][k]);
    });
    return {sums[0].value() / mass_, sums[1].value() / mass_, sums[2].value() / mass_};
  }

  /// Mass over volume of the planet's particles; its hot air, however wide, does not count.
  [[nodiscard]] double own_density() const {
    std::vector<std::pair<double, double>> dense;  // density and mass
    each_of_planet([&](std::size_t i) {
      if (p_.density[i] > 0) dense.emplace_back(p_.density[i], p_.mass[i]);
    });
    if (dense.empty()) throw Error("disc-mass", "the planet's particles have no density", "give its mean density");
    std::sort(dense.begin(), dense.end());
    double below = 0, median = dense.back().first;
    for (const auto& [density, mass] : dense) {
      if ((below += mass) < 0.5 * mass_) continue;
      median = density;
      break;
    }
    CompensatedSum mass, volume;
    for (const auto& [density, m] : dense) {
      if (density < 0.1 * median) continue;
      mass.add(m);
      volume.add(m / density);
    }
    return mass.value() / volume.value();
  }

  /// Centre, spin and radius of what is the planet now. Flattened as a body in equilibrium that turns slowly (Darwin
  /// and Radau, in Canup et al. 2001).
  void measure_planet() {
    CompensatedSum sum;
    each_of_planet([&](std::size_t i) { sum.add(p_.mass[i]); });
    mass_ = sum.value();
    if (!(mass_ > 0)) throw Error("disc-mass", "no planet was found", "measure snapshots after an impact");
    found_.centre = mean(p_.position);
    found_.velocity = mean(p_.velocity);
    found_.density = given_density_ > 0 ? given_density_ : own_density();
    found_.radius = std::cbrt(3 * mass_ / (4 * std::numbers::pi * found_.density));
    Vec3 turning{};
    each_of_planet([&](std::size_t i) { add(turning, angular_momentum(i)); });
    const double J = std::sqrt(dot(turning, turning));
    double inertia = 0;
    each_of_planet([&](std::size_t i) {
      const Vec3 x = minus(p_.position[i], found_.centre);
      const double along = J > 0 ? dot(x, turning) / J : x[2];
      inertia += p_.mass[i] * (dot(x, x) - along * along);
    });
    found_.spin = inertia > 0 ? J / inertia : 0;
    const double R = found_.radius, q = found_.spin * found_.spin * R * R * R / (G_ * mass_);
    const double radau = 2.5 - 3.75 * inertia / (mass_ * R * R);
    const double flattening = std::min(0.5, 2.5 * q / (1 + radau * radau));
    found_.equatorial_radius = R / std::cbrt(1 - flattening);
  }

  /// Of a particle in the planet's frame.
  [[nodiscard]] Vec3 angular_momentum(std::size_t i) const {
    const Vec3 j = cross(minus(p_.position[i], found_.centre), minus(p_.velocity[i], found_.velocity));
    return scaled(j, p_.mass[i]);
  }

  [[nodiscard]] Fate fate_of(std::size_t i) const {
    const Vec3 x = minus(p_.position[i], found_.centre), v = minus(p_.velocity[i], found_.velocity);
    const double r = std::sqrt(dot(x, x)), GM = G_ * mass_;
    if (r == 0) return Fate::planet;
    if (0.5 * dot(v, v) > GM / r) return Fate::escaping;
    const Vec3 j = cross(x, v);
    return dot(j, j) / GM > found_.equatorial_radius ? Fate::disc : Fate::planet;
  }

  bool sort() {
    std::vector<Fate> next(p_.size());
    const auto n = static_cast<std::int64_t>(p_.size());
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) next[static_cast<std::size_t>(i)] = fate_of(static_cast<std::size_t>(i));
    const bool changed = next != found_.fate;
    found_.fate = std::move(next);
    return changed;
  }

  static void add(Vec3& to, const Vec3& what) {
    for (std::size_t k = 0; k < 3; ++k) to[k] += what[k];
  }

  const Particles& p_;
  double G_, given_density_, mass_ = 0;
  ImpactOutcome found_;
};

void add_up(const Particles& p, const std::vector<std::uint32_t>& kinds, ImpactOutcome& o) {
  const std::size_t n_kinds = kinds.empty() ? 0 : std::size_t{*std::max_element(kinds.begin(), kinds.end())} + 1;
  for (auto& masses : o.by_kind) masses.assign(n_kinds, 0.0);
  std::array<CompensatedSum, fate_count> mass;
  std::array<std::array<CompensatedSum, 3>, fate_count> turning;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto f = static_cast<std::size_t>(o.fate[i]);
    ++o.particles[f];
    mass[f].add(p.mass[i]);
    const Vec3 j = cross(minus(p.position[i], o.centre), minus(p.velocity[i], o.velocity));
    for (std::size_t k = 0; k < 3; ++k) turning[f][k].add(p.mass[i] * j[k]);
    if (n_kinds > 0) o.by_kind[f][kinds[i]] += p.mass[i];
  }
  for (std::size_t f = 0; f < fate_count; ++f) {
    o.mass[f] = mass[f].value();
    for (std::size_t k = 0; k < 3; ++k) o.angular_momentum[f][k] = turning[f][k].value();
  }
}

}  // namespace

ImpactOutcome impact_outcome(const Particles& particles, double G, double density,
                             const std::vector<std::uint32_t>& kinds) {
  if (!(density > 0) && particles.density.empty()) {
    throw Error("disc-mass", "needs the planet's mean density: the particles have none",
                "give --planet-density, or measure snapshots of a run with [gas]");
  }
  ImpactOutcome outcome = Aftermath(particles, G, density).settled();
  add_up(particles, kinds, outcome);
  return outcome;
}

}  // namespace hornbeam::analysis
