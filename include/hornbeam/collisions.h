// SPDX-License-Identifier: Apache-2.0
// Collisions of spheres (docs/collisions.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hornbeam {

/// The coefficient of restitution: speed after over speed before a contact, along the line of centres. none: spheres
/// pass through one another. power: scale (v / speed)^exponent, at most 1. bridges: that of ice (Bridges et al. 1984),
/// scale 0.34, exponent -0.234, speed 1 cm/s. table: linear between points. merge: both become one body. halt: both
/// stay, and the run ends.
enum class CollisionLaw { none, constant, power, bridges, table, merge, halt };
/// Names as TOML spells them.
std::string_view name(CollisionLaw);

/// Which bodies meet: those that touch at the end of a step, or those that came to touch within it, on the straight way
/// there: what fast bodies ask for. Both while they approach.
enum class Detection { overlap, swept };
std::string_view name(Detection);

struct CollisionOptions {
  CollisionLaw law = CollisionLaw::none;
  double restitution = 0.5;          ///< constant: from 0 to 1
  double scale = 0.34;               ///< power, bridges: at `speed`, above 0
  double exponent = -0.234;          ///< power
  double speed = 0;                  ///< power, bridges: above 0
  std::vector<double> speeds;        ///< table: ascending, 0 or above
  std::vector<double> coefficients;  ///< table: next to speeds, from 0 to 1
  Detection detection = Detection::overlap;
  /// Of the speed at which surfaces slip past one another, what is left; from -1 (it is turned round) to 1 (smooth).
  double tangential_restitution = 1;
  std::optional<double> friction;  ///< Coulomb's: the tangential impulse over the normal one, at most; none: no limit
  double minimum_velocity = 0;     ///< speed at which bodies part whose centres nearly touch (docs/collisions.md)
  /// Bounces with a larger relative speed are events (hornbeam/events.h); none: no bounce is.
  std::optional<double> record_above;

  /// Throws UsageError, naming the key of [collisions], for values out of range.
  void validate() const;
  /// Whether collisions can be events.
  [[nodiscard]] bool records() const {
    return law == CollisionLaw::merge || law == CollisionLaw::halt || (bounce() && record_above);
  }
  /// Whether bodies bounce; otherwise they pass, merge or halt the run.
  [[nodiscard]] bool bounce() const;
  /// Whether collisions change spins.
  [[nodiscard]] bool change_spins() const {
    return law == CollisionLaw::merge || (bounce() && tangential_restitution < 1);
  }
};

/// The ids of two bodies.
using IdPair = std::array<std::uint64_t, 2>;

/// What collisions have done.
struct CollisionTotals {
  std::uint64_t number = 0;  ///< of them
  double momentum_flux = 0;  ///< sum of the way along x times the momentum along y that it was carried
  /// Pairs that have halted the run and have been in contact ever since: they do not halt it again.
  std::vector<IdPair> in_contact = {};
};

}  // namespace hornbeam
