// SPDX-License-Identifier: Apache-2.0
// The internal units of an evaluation: chosen after `bound` so that what is computed stays far inside the range of
// fp32, where the particles are one point, softened by far more than they extend, or pulled from far away, too. All
// are powers of two, which change no digits. Compiled once a precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "hornbeam/potential.h"
#include "physics/external.h"
#include "stages/key.h"

HB_OPEN

/// Internal edge of the key cube. Near the middle of what 21 levels span (2^-11 to 2^10), so that the powers of
/// distance in fp32 expansions neither overflow nor vanish: (2^10)^13 < 2^128.
inline constexpr int internal_edge_exponent = 9;

/// The power of two nearest below 2^exponent / x, or the largest there is; 1 for x = 0.
inline double power_of_two_over(double x, int exponent) {
  constexpr int largest = std::numeric_limits<double>::max_exponent - 1;
  return x > 0 && std::isfinite(x) ? std::ldexp(1.0, std::min(exponent - std::ilogb(x) - 1, largest)) : 1.0;
}

/// External potentials and when they act.
struct PresentFields {
  std::vector<ExternalPotential> potentials;
  double time = 0;

  [[nodiscard]] Vec3 centre(std::size_t i) const {
    const ExternalPotential& p = potentials[i];
    return {p.centre[0] + p.velocity[0] * time, p.centre[1] + p.velocity[1] * time, p.centre[2] + p.velocity[2] * time};
  }
};

/// What the fields pull with, as a mass: of a logarithmic potential that within `extent` of its centre.
inline double strongest_mass(const PresentFields& fields, double extent, double G) {
  double mass = 0;
  for (std::size_t i = 0; i < fields.potentials.size(); ++i) {
    const ExternalPotential& p = fields.potentials[i];
    const Vec3 c = fields.centre(i);
    const double radius = extent + std::hypot(c[0], c[1], c[2]) + p.scale;
    mass = std::max(mass, p.kind == PotentialKind::logarithmic ? p.speed * p.speed * radius / G : p.mass);
  }
  return mass;
}

/// Internal mass per mass: the particles' total is about 1, unless the fields' is far above it, as it is for tracers.
inline double mass_unit_for(const Particles& particles, const PresentFields& fields, double G) {
  constexpr double far_above = 0x1p40;
  double total = 0, extent = 0;
  for (const double m : particles.mass) total += m;
  for (std::size_t i = 0; i < particles.size() && !fields.potentials.empty(); ++i) {
    for (const double x : particles.position[i]) extent = std::max(extent, std::abs(x));
  }
  return power_of_two_over(std::max(total, strongest_mass(fields, extent, G) / far_above), 0);
}

/// The smallest softening length of an evaluation; 0 without particles.
inline double least_eps_of(const Particles& particles, const GravityOptions& options) {
  if (options.eps >= 0 || particles.eps.empty()) return std::max(options.eps, 0.0);
  return *std::min_element(particles.eps.begin(), particles.eps.end());
}

/// Internal length per length: the key cube's edge is about 2^9, unless it is nothing beside what else there is.
/// least_eps: the smallest of the particles.
inline double frame_unit(const KeyCube& cube, double least_eps, const PresentFields& fields) {
  // 1 / eps^3 of softening so large in units of the edge would vanish, and eps^2 leave the range
  constexpr double far_softer = 0x1p16;
  // pulls from so many edges away would vanish; at 2^20 edges they are as well inside the range as distances are
  constexpr double far_away = 0x1p40, still_well = 0x1p20;
  const auto edge = static_cast<double>(cube.edge);
  double length = least_eps > far_softer * edge ? least_eps : edge;
  for (std::size_t i = 0; i < fields.potentials.size(); ++i) {
    const Vec3 c = fields.centre(i);
    const double distance =
        std::hypot(c[0] - (static_cast<double>(cube.x) + edge / 2), c[1] - (static_cast<double>(cube.y) + edge / 2),
                   c[2] - (static_cast<double>(cube.z) + edge / 2)) +
        fields.potentials[i].scale + fields.potentials[i].height;
    if (distance > far_away * edge) length = std::max(length, distance / still_well);
  }
  // squared distances of outliers must not leave the range
  constexpr int most_extent_exponent = sizeof(real) == 8 ? 500 : 60;
  const double unit = power_of_two_over(length, internal_edge_exponent);
  const auto extent = static_cast<double>(cube.extent);
  return extent > 0 ? std::min(unit, power_of_two_over(extent, most_extent_exponent)) : unit;
}

/// Field i as it stands; unit, mass_unit: internal length and mass per the user's.
inline ExternalField field_at(const PresentFields& fields, std::size_t i, double G, double unit, double mass_unit) {
  const ExternalPotential& p = fields.potentials[i];
  const Vec3 centre = fields.centre(i);
  const bool logarithmic = p.kind == PotentialKind::logarithmic;
  ExternalField f{};
  f.x = static_cast<pos_t>(centre[0]);
  f.y = static_cast<pos_t>(centre[1]);
  f.z = static_cast<pos_t>(centre[2]);
  f.unit = static_cast<pos_t>(unit);
  const double speed2 = p.speed * p.speed * mass_unit / (G * unit);
  f.strength = static_cast<pos_t>(logarithmic ? speed2 : p.mass * mass_unit);
  f.zero = static_cast<pos_t>(logarithmic ? -speed2 * std::log(unit) : 0);
  f.a = static_cast<pos_t>(p.scale * unit);
  f.b = static_cast<pos_t>(logarithmic ? p.flattening : p.height * unit);
  f.kind = static_cast<i32>(p.kind);
  return f;
}

inline std::vector<ExternalField> fields_in_units(const PresentFields& fields, double G, double unit,
                                                  double mass_unit) {
  std::vector<ExternalField> now;
  now.reserve(fields.potentials.size());
  for (std::size_t i = 0; i < fields.potentials.size(); ++i) now.push_back(field_at(fields, i, G, unit, mass_unit));
  return now;
}

HB_CLOSE
