// SPDX-License-Identifier: Apache-2.0
// The columns a text table may have: one list for its reader and its writer.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "hornbeam/io.h"

namespace hornbeam::io {

/// A column of numbers: one axis of `vectors`, or `scalars`.
struct NumberColumn {
  std::string_view name, other_name;  ///< the first is written, both are read
  std::vector<Vec3> Particles::*vectors;
  std::size_t axis;
  std::vector<double> Particles::*scalars;
  bool required;
};

inline constexpr std::array<NumberColumn, 15> number_columns{{
    {"x", "x", &Particles::position, 0, nullptr, true},
    {"y", "y", &Particles::position, 1, nullptr, true},
    {"z", "z", &Particles::position, 2, nullptr, true},
    {"vx", "vx", &Particles::velocity, 0, nullptr, true},
    {"vy", "vy", &Particles::velocity, 1, nullptr, true},
    {"vz", "vz", &Particles::velocity, 2, nullptr, true},
    {"mass", "m", nullptr, 0, &Particles::mass, true},
    {"eps", "softening", nullptr, 0, &Particles::eps, false},
    {"internal_energy", "u", nullptr, 0, &Particles::internal_energy, false},
    {"density", "rho", nullptr, 0, &Particles::density, false},
    {"smoothing_length", "hsml", nullptr, 0, &Particles::smoothing_length, false},
    {"ax", "ax", &Particles::acceleration, 0, nullptr, false},
    {"ay", "ay", &Particles::acceleration, 1, nullptr, false},
    {"az", "az", &Particles::acceleration, 2, nullptr, false},
    {"potential", "phi", nullptr, 0, &Particles::potential, false},
}};
inline constexpr std::size_t first_optional_column = 7, eps_column = 7;
inline constexpr std::string_view id_column = "id";
/// Holds family_names; numbers 0 to 5 are read, too.
inline constexpr std::string_view family_column = "family", family_column_other = "type";

/// Indices into number_columns in the order of a table without a header.
inline std::vector<std::size_t> fixed_columns(Columns columns) {
  if (columns == Columns::galactics) return {6, 0, 1, 2, 3, 4, 5};
  return {0, 1, 2, 3, 4, 5, 6};
}

}  // namespace hornbeam::io
