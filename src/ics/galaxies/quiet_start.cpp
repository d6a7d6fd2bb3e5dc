// SPDX-License-Identifier: Apache-2.0
// Halton's sequence, shifted, and opposite pairs, see quiet_start.h.
#include "ics/galaxies/quiet_start.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>

namespace hornbeam::ics {
namespace {

/// Of two numbers in [0, 1) the sum without its whole part.
double shifted(double x, double by) {
  const double sum = x + by;
  return sum < 1.0 ? sum : sum - 1.0;
}

/// Two vectors as long as `a` that add up to minus `a`: turned by 120 degrees to both sides, about an axis across it.
std::pair<Vec3, Vec3> sides_of(const Vec3& a) {
  const Vec3 other =
      std::abs(a[2]) < std::max(std::abs(a[0]), std::abs(a[1])) ? Vec3{-a[1], a[0], 0.0} : Vec3{0.0, -a[2], a[1]};
  const double length = std::hypot(a[0], a[1], a[2]), across = std::hypot(other[0], other[1], other[2]);
  if (length == 0.0) return {a, a};
  const double f = 0.5 * std::numbers::sqrt3 * length / across;
  std::pair<Vec3, Vec3> sides;
  for (int k = 0; k < 3; ++k) {
    sides.first[k] = -0.5 * a[k] + f * other[k];
    sides.second[k] = -0.5 * a[k] - f * other[k];
  }
  return sides;
}

}  // namespace

double radical_inverse(std::uint64_t i, std::uint64_t base) {
  std::uint64_t mirrored = 0, power = 1;  // whole numbers: rounded once, the same on every machine
  for (; i > 0; i /= base) {
    mirrored = mirrored * base + i % base;
    power *= base;
  }
  return static_cast<double>(mirrored) / static_cast<double>(power);
}

DiscStart random_start(Random& random) {
  return {1.0 - random.uniform(), random.uniform(), {}};  // braces: drawn from left to right
}

DiscStart QuietStart::star(std::int64_t i, Random& random) const {
  const auto index = static_cast<std::uint64_t>(i);
  const double fraction = (static_cast<double>(i) + (1.0 - random.uniform())) / static_cast<double>(n_);
  const double speed_fraction = shifted(radical_inverse(index, 3), speed_shift_);
  return {fraction, shifted(radical_inverse(index, 2), height_shift_), normal_quantile(speed_fraction)};
}

double even_fraction(std::int64_t i, double shift) {
  return 1.0 - shifted(radical_inverse(static_cast<std::uint64_t>(i), 2), shift);
}

std::size_t mirrored_from(std::size_t n) { return std::max<std::size_t>(n / 2, std::min<std::size_t>(n, 1)); }

void mirror(Particles& particles, std::size_t first, std::size_t drawn, std::size_t n) {
  const std::size_t pairs = n % 2 == 0 ? drawn : drawn - 1;
  const auto opposite = [](const Vec3& a) { return Vec3{-a[0], -a[1], -a[2]}; };
  for (std::size_t i = first; i < first + pairs; ++i) {
    particles.position[i + drawn] = opposite(particles.position[i]);
    particles.velocity[i + drawn] = opposite(particles.velocity[i]);
  }
  std::fill_n(particles.mass.begin() + static_cast<std::ptrdiff_t>(first + drawn), n - drawn, particles.mass[first]);
  if (n % 2 == 0) return;
  const std::size_t last = first + pairs, one = last + drawn, two = one + 1;
  std::tie(particles.position[one], particles.position[two]) = sides_of(particles.position[last]);
  std::tie(particles.velocity[one], particles.velocity[two]) = sides_of(particles.velocity[last]);
}

}  // namespace hornbeam::ics
