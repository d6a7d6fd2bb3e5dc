// SPDX-License-Identifier: Apache-2.0
// The datasets of a PartTypeN group: one table for the reader and the writer of Gadget's HDF5 layout.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "hornbeam/particles.h"

namespace hornbeam::io::gadget_hdf5 {

/// When a dataset must be there.
enum class Presence {
  required,  ///< in every group
  masses,    ///< unless the header's MassTable gives the type's mass
  any_type,  ///< types without it count as 0
  all_types  ///< read only where every group has it
};

struct Field {
  const char* name;
  std::vector<Vec3> Particles::*vectors;  ///< one of these two is set
  std::vector<double> Particles::*scalars;
  Presence presence;
  bool gas_only;
  int length, mass, velocity;  ///< powers of the units

  [[nodiscard]] std::size_t columns() const { return vectors != nullptr ? 3 : 1; }
  [[nodiscard]] bool empty(const Particles& p) const {
    return vectors != nullptr ? (p.*vectors).empty() : (p.*scalars).empty();
  }
  void resize(Particles& p, std::size_t n) const {
    if (vectors != nullptr) {
      (p.*vectors).resize(n);
    } else {
      (p.*scalars).resize(n);
    }
  }
  /// The numbers of particle `i`.
  [[nodiscard]] const double* at(const Particles& p, std::size_t i) const {
    return vectors != nullptr ? (p.*vectors)[i].data() : (p.*scalars).data() + i;
  }
  [[nodiscard]] double* at(Particles& p, std::size_t i) const {
    return vectors != nullptr ? (p.*vectors)[i].data() : (p.*scalars).data() + i;
  }
  /// The product of the units' powers.
  [[nodiscard]] double unit(double length_unit, double mass_unit, double velocity_unit) const {
    return std::pow(length_unit, length) * std::pow(mass_unit, mass) * std::pow(velocity_unit, velocity);
  }
};

inline constexpr std::array<Field, 9> fields{{
    {"Coordinates", &Particles::position, nullptr, Presence::required, false, 1, 0, 0},
    {"Velocities", &Particles::velocity, nullptr, Presence::required, false, 0, 0, 1},
    {"Masses", nullptr, &Particles::mass, Presence::masses, false, 0, 1, 0},
    {"Softening", nullptr, &Particles::eps, Presence::any_type, false, 1, 0, 0},
    {"Potential", nullptr, &Particles::potential, Presence::all_types, false, 0, 0, 2},
    {"Acceleration", &Particles::acceleration, nullptr, Presence::all_types, false, -1, 0, 2},
    {"InternalEnergy", nullptr, &Particles::internal_energy, Presence::any_type, true, 0, 0, 2},
    {"Density", nullptr, &Particles::density, Presence::any_type, true, -3, 1, 0},
    {"SmoothingLength", nullptr, &Particles::smoothing_length, Presence::any_type, true, 1, 0, 0},
}};
inline constexpr const Field& coordinates = fields[0];

inline constexpr const char* ids = "ParticleIDs";
inline constexpr const char* length_unit = "UnitLength_in_cm";
inline constexpr const char* mass_unit = "UnitMass_in_g";
inline constexpr const char* velocity_unit = "UnitVelocity_in_cm_per_s";
inline constexpr const char* gravity = "GravityConstantInternal";  ///< Gadget's name for G where it is prescribed

inline std::string group_name(std::size_t family) { return "PartType" + std::to_string(family); }

}  // namespace hornbeam::io::gadget_hdf5
