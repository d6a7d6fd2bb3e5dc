// SPDX-License-Identifier: Apache-2.0
// Halton's sequence, shifted, see quiet_start.h.
#include "ics/quiet_start.h"

namespace hornbeam::ics {
namespace {

/// Of two numbers in [0, 1) the sum without its whole part.
double shifted(double x, double by) {
  const double sum = x + by;
  return sum < 1.0 ? sum : sum - 1.0;
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

}  // namespace hornbeam::ics
