// SPDX-License-Identifier: Apache-2.0
// A quiet start: from the index of a disc's star and two random shifts to where in radius, height and vertical speed it
// begins, so evenly that no ring is thicker or hotter by chance; and spheres of opposite pairs, which attract nothing
// off their centre. The galaxy's drawing makes stars of it.
#pragma once

#include <cstdint>
#include <optional>

#include "hornbeam/particles.h"
#include "ics/random.h"

namespace hornbeam::ics {

/// The digits of i in a base, mirrored at the point: in [0, 1). Of base^k consecutive i one falls into each of base^k
/// equal parts (van der Corput 1935; Halton 1960 for several bases together).
double radical_inverse(std::uint64_t i, std::uint64_t base);

/// The numbers that decide a disc star's radius, height and vertical velocity.
struct DiscStart {
  double mass_fraction = 0.5;      ///< of the disc inside the star's radius, in (0, 1]
  double height_fraction = 0.5;    ///< of its column of the disc below it, in [0, 1)
  std::optional<double> vertical;  ///< normal deviate of v_z; none: to be drawn
};

/// All three independent and random.
DiscStart random_start(Random& random);

/// The i-th of n stars of a disc is in the i-th part of its mass. Height and v_z follow Halton's sequence in bases 2
/// and 3, shifted by random numbers of the disc (Cranley & Patterson 1976).
class QuietStart {
 public:
  QuietStart(std::size_t n, Random shifts) : n_(n), height_shift_(shifts.uniform()), speed_shift_(shifts.uniform()) {}

  [[nodiscard]] DiscStart star(std::int64_t i, Random& random) const;

 private:
  std::size_t n_;
  double height_shift_, speed_shift_;
};

/// The i-th of numbers in (0, 1] that fill it evenly, however many: the mass fraction inside a sphere's particle.
double even_fraction(std::int64_t i, double shift);

/// Of how many particles mirror() makes n: nearly half.
std::size_t mirrored_from(std::size_t n);
/// Completes particles[first, first + n), of which the first `drawn` = mirrored_from(n) exist. Each gets a twin
/// opposite the origin with the opposite velocity; the last of an odd number gets two at its sides. So positions and
/// velocities add up to 0, and nothing moves a body at the origin. Masses are those of the drawn ones.
void mirror(Particles& particles, std::size_t first, std::size_t drawn, std::size_t n);

}  // namespace hornbeam::ics
