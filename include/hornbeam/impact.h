// SPDX-License-Identifier: Apache-2.0
// What an impact has left: a planet, what circles it and what escapes. What `hornbeam analyze --disc-mass` prints.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hornbeam/particles.h"

namespace hornbeam::analysis {

/// Where a particle belongs after an impact.
enum class Fate : std::uint8_t { planet = 0, disc = 1, escaping = 2 };
inline constexpr std::size_t fate_count = 3;

struct ImpactOutcome {
  std::vector<Fate> fate;                           ///< of each particle
  std::array<std::size_t, fate_count> particles{};  ///< by fate, as the next two
  std::array<double, fate_count> mass{};
  std::array<Vec3, fate_count> angular_momentum{};        ///< about the planet's centre, in its frame
  std::array<std::vector<double>, fate_count> by_kind{};  ///< masses of the kinds that were given, 0 to the largest
  Vec3 centre{}, velocity{};                              ///< of the planet
  double density = 0;                                     ///< its mean
  double radius = 0, equatorial_radius = 0;               ///< of a sphere of that density, and flattened by its spin
  double spin = 0;                                        ///< mean angular velocity
  int iterations = 0;
  double change = 0;  ///< of the planet's mass in the last of them, relative: not 0 where particles go to and fro
};

/// Sorts particles after an impact (Benz et al. 1986, Canup et al. 2001), by iteration. A particle escapes if its
/// energy in the planet's field is above 0. It is in the disc if the circular orbit of its angular momentum, a (1 -
/// e^2), is outside of the planet's equator, and in the planet otherwise. density: the planet's mean; 0: that of its
/// particles denser than a tenth of the median. kinds: a number for each particle, such as its material; empty: none.
/// Throws Error if no particle has mass or, without `density`, if particles have none.
ImpactOutcome impact_outcome(const Particles& particles, double G, double density = 0,
                             const std::vector<std::uint32_t>& kinds = {});

}  // namespace hornbeam::analysis
