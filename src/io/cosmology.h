// SPDX-License-Identifier: Apache-2.0
// Comoving numbers, and those per h, of cosmological files: for the readers of formats that hold such.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/fields.h"
#include "hornbeam/particles.h"

namespace hornbeam::io {

/// The note where physical numbers are requested and the file is not cosmological.
inline constexpr const char* not_cosmological = "not cosmological: there is no a or h to apply";

/// Powers of the scale factor and of h that a physical number has of the file's.
struct Scaling {
  double a = 0, h = 0;
};

/// Of a file whose numbers are comoving.
struct Cosmology {
  double a = 1;              ///< scale factor; 0: unknown
  double h = 1;              ///< Hubble's constant over 100 km/s/Mpc; 0: unknown
  bool per_h = false;        ///< lengths and masses are per h
  double velocity_of_a = 0;  ///< power of a that peculiar velocities have of the file's
  double omega_matter = 0, omega_lambda = 0;

  /// Of a length, which the others follow from.
  [[nodiscard]] Scaling length() const { return {1, per_h ? -1.0 : 0.0}; }
  [[nodiscard]] Scaling mass() const { return {0, per_h ? -1.0 : 0.0}; }
  [[nodiscard]] double factor(const Scaling& powers) const;
  /// Whether the file's numbers are physical ones, as at z = 0 where they are not per h.
  [[nodiscard]] bool changes_nothing() const { return a == 1 && (h == 1 || !per_h); }
  /// "a = 0.5, h = 0.7".
  [[nodiscard]] std::string in_words() const;
  /// Age of such a universe in s; 0 where its densities are unknown.
  [[nodiscard]] double age() const;
};

/// A snapshot whose numbers stay comoving: its units lose their size, G stays, and a note says so.
void leave_comoving(const Cosmology& cosmology, Snapshot& snapshot);

/// The powers that a file itself names for a field, if it does.
using StoredScaling = std::function<std::optional<Scaling>(const FieldRow&)>;

/// Applies a and h to all fields, to the box and to the time, which becomes the age of the universe. Powers are those
/// of the file, or those that codes agree on. Fields of unknown powers are dropped, and notes report it. Throws
/// Error(subject) if a or h are unknown.
void make_physical(const Cosmology& cosmology, const std::string& subject, Snapshot& snapshot,
                   const StoredScaling& stored = {});

}  // namespace hornbeam::io
