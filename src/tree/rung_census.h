// SPDX-License-Identifier: Apache-2.0
// How many particles are on each rung of block steps.
#pragma once

#include <array>
#include <cstdint>

namespace hornbeam {

struct RungCensus {
  std::array<std::uint64_t, 31> particles{};
  std::uint64_t beyond = 0;      ///< that requested more than the deepest rung just now
  std::uint64_t not_finite = 0;  ///< of those that got a rung just now: accelerations that are no finite numbers
  /// The deepest rung with a particle; 0 without particles.
  [[nodiscard]] int deepest() const;
  /// Particles on `rung` and deeper.
  [[nodiscard]] std::uint64_t from(int rung) const;
};

}  // namespace hornbeam
