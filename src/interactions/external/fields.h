// SPDX-License-Identifier: Apache-2.0
// External potentials as kernels see them, from the user's units to a frame's. Compiled once a precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "hornbeam/potential.h"
#include "physics/external.h"
#include "tree/domain.h"

HB_OPEN

/// External potentials and when they act.
struct PresentFields {
  std::vector<ExternalPotential> potentials;
  double time = 0;

  [[nodiscard]] Vec3 centre(std::size_t i) const {
    const ExternalPotential& p = potentials[i];
    return {p.centre[0] + p.velocity[0] * time, p.centre[1] + p.velocity[1] * time, p.centre[2] + p.velocity[2] * time};
  }
};

/// What the fields attract with, as a mass: of a logarithmic potential that within `extent` of its centre.
inline double strongest_mass(const PresentFields& fields, double extent, double G) {
  double mass = 0;
  for (std::size_t i = 0; i < fields.potentials.size(); ++i) {
    const ExternalPotential& p = fields.potentials[i];
    const Vec3 c = fields.centre(i);
    const double radius = extent + std::hypot(c[0], c[1], c[2]) + p.scale;
    mass = std::max(mass, p.kind == PotentialKind::logarithmic ? p.speed * p.speed * radius / G : std::abs(p.mass));
  }
  return mass;
}

/// The length that a frame must suit where a field's centre is so far from the cube that accelerations would vanish
/// from the range of numbers; else 0.
inline double far_distance(const PresentFields& fields, const KeyBox& cube) {
  // at 2^20 edges they are as well inside the range as distances are
  constexpr double far_away = 0x1p40, still_well = 0x1p20;
  double length = 0;
  for (std::size_t i = 0; i < fields.potentials.size(); ++i) {
    const Vec3 c = fields.centre(i);
    const double distance = std::hypot(c[0] - (cube.low[0] + cube.edge / 2), c[1] - (cube.low[1] + cube.edge / 2),
                                       c[2] - (cube.low[2] + cube.edge / 2)) +
                            fields.potentials[i].scale + fields.potentials[i].height;
    if (distance > far_away * cube.edge) length = std::max(length, distance / still_well);
  }
  return length;
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
