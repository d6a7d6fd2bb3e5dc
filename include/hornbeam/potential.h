// SPDX-License-Identifier: Apache-2.0
// External analytic potentials: what pulls all particles beside themselves (docs/dynamics.md).
#pragma once

#include <string_view>

#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"

namespace hornbeam {

enum class PotentialKind { point, plummer, hernquist, nfw, logarithmic, miyamoto_nagai };

/// Names as TOML spells them ("miyamoto-nagai", ...).
std::string_view name(PotentialKind);

/// One potential, in the particles' units. It feels nothing: total momentum is not conserved with it.
struct ExternalPotential {
  PotentialKind kind = PotentialKind::point;
  double mass = 0.0;          ///< total; nfw: within its scale divided by ln 2 - 1/2; logarithmic: unused
  double speed = 0.0;         ///< logarithmic alone: circular velocity far out
  double scale = 0.0;         ///< a of the equations (point: softening length, plummer: b, logarithmic: core radius)
  double height = 0.0;        ///< miyamoto-nagai alone: b
  double flattening = 1.0;    ///< logarithmic alone: q, the axis ratio along z
  Vec3 centre{}, velocity{};  ///< centre at time 0; it moves on a line

  /// Throws UsageError(subject, ...) for values out of range.
  void validate(std::string_view subject) const;
};

}  // namespace hornbeam
