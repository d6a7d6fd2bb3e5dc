// SPDX-License-Identifier: Apache-2.0
// Files that hold positions and no velocities or masses, which are enough for some uses: for the readers of formats in
// which these can be absent.
#pragma once

#include <algorithm>
#include <string>

#include "core/fields.h"
#include "hornbeam/io.h"

namespace hornbeam::io {

/// What becomes of a file without velocities or masses.
enum class Lacking {
  refused,
  assumed  ///< velocities are 0, masses 1/N
};

inline Lacking lacking_of(const ReadOptions& options) {
  return options.positions_alone ? Lacking::assumed : Lacking::refused;
}

/// Whether a required field may be absent.
constexpr bool can_be_assumed(const FieldRow& row) {
  return &row == &row_of(&Particles::velocity) || &row == &row_of(&Particles::mass);
}

/// How the note about masses begins.
inline constexpr const char* no_masses = "no masses: ";

/// Gives the particles, of which there are as many as there will be, the field that their file lacks, and says so.
inline void assume(Snapshot& snapshot, const FieldRow& row) {
  Particles& p = snapshot.particles;
  const std::size_t n = p.size();
  if (&row == &row_of(&Particles::velocity)) {
    p.velocity.assign(n, Vec3{});
    snapshot.notes.emplace_back("no velocities: 0 is assumed");
  } else {
    p.mass.assign(n, 1.0 / static_cast<double>(std::max<std::size_t>(n, 1)));
    snapshot.notes.push_back(std::string(no_masses) + "1/" + std::to_string(n) + " is assumed for each");
  }
}

}  // namespace hornbeam::io
