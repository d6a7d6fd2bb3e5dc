// SPDX-License-Identifier: Apache-2.0
// Collisions of hard spheres (docs/collisions.md).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace hornbeam {

/// How fast two spheres part, over how fast they met, along the line of their centres. none: they pass through one
/// another; constant; power: scale (v / speed)^exponent, at most 1; bridges: that of ice (Bridges et al. 1984), scale
/// 0.34, exponent -0.234, speed 1 cm/s; table: linear between points.
enum class CollisionLaw { none, constant, power, bridges, table };
/// Names as TOML spells them.
std::string_view name(CollisionLaw);

struct CollisionOptions {
  CollisionLaw law = CollisionLaw::none;
  double restitution = 0.5;          ///< constant: from 0 to 1
  double scale = 0.34;               ///< power, bridges: at `speed`, above 0
  double exponent = -0.234;          ///< power
  double speed = 0;                  ///< power, bridges: above 0
  std::vector<double> speeds;        ///< table: ascending, 0 or above
  std::vector<double> coefficients;  ///< table: beside speeds, from 0 to 1
  double minimum_velocity = 0;       ///< speed at which bodies part whose centres nearly touch (docs/collisions.md)

  /// Throws UsageError, naming the key of [collisions], for values out of range.
  void validate() const;
};

/// What collisions have done.
struct CollisionTotals {
  std::uint64_t number = 0;  ///< of them
  double momentum_flux = 0;  ///< sum of the way along x times the momentum along y that it was carried
};

}  // namespace hornbeam
