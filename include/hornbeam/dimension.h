// SPDX-License-Identifier: Apache-2.0
// What a number is measured in: powers of the units of length, mass and velocity.
#pragma once

#include <cmath>

namespace hornbeam {

/// Powers of the units of length, mass and velocity.
struct Dimension {
  int length = 0, mass = 0, velocity = 0;

  /// The product of the units' powers.
  [[nodiscard]] double unit(double length_unit, double mass_unit, double velocity_unit) const {
    return std::pow(length_unit, length) * std::pow(mass_unit, mass) * std::pow(velocity_unit, velocity);
  }
  bool operator==(const Dimension&) const = default;
};

}  // namespace hornbeam
