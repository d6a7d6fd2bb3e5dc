// SPDX-License-Identifier: Apache-2.0
// Random numbers whose bits depend on a seed alone: std::mt19937_64 is fixed by the standard, the distributions of the
// standard library are not, so the conversions here are our own. Models draw their particles from these streams.
#pragma once

#include <cstdint>
#include <random>

#include "hornbeam/ics.h"

namespace hornbeam::ics {

/// Below which normal numbers lie with probability p in [0, 1], to 1e-9; p = 0 and 1 count as 2^-54 off them.
double normal_quantile(double p);

/// One of many independent streams of a seed.
class Random {
 public:
  Random(Seed seed, std::uint64_t stream);

  /// Uniform in [0, 1), 53 random bits.
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  /// Normal with mean 0 and variance 1 (Box & Muller 1958).
  double normal();
  /// A vector of the given length in a random direction.
  Vec3 direction(double length);

 private:
  std::mt19937_64 engine_;
};

}  // namespace hornbeam::ics
