// SPDX-License-Identifier: Apache-2.0
// The conversions from random bits to normal numbers and directions, see random.h.
#include "ics/random.h"

#include <cmath>
#include <numbers>

namespace hornbeam::ics {
namespace {

// The finaliser of SplitMix64 (Steele, Lea & Flood 2014): neighbouring seeds and streams start far apart.
std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

Random::Random(Seed seed, std::uint64_t stream) : engine_(scramble(scramble(seed.value) + stream)) {}

double Random::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));  // 1 - u is never 0
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

Vec3 Random::direction(double length) {
  const double z = 2.0 * uniform() - 1.0;
  const double angle = 2.0 * std::numbers::pi * uniform();
  const double across = std::sqrt(1.0 - z * z);
  return {length * across * std::cos(angle), length * across * std::sin(angle), length * z};
}

}  // namespace hornbeam::ics
