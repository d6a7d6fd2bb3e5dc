// SPDX-License-Identifier: Apache-2.0
// The conversions from random bits to normal numbers and directions, see random.h.
#include "ics/random.h"

#include <algorithm>
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

double normal_quantile(double p) {
  const double tail = std::clamp(std::min(p, 1.0 - p), 0x1p-54, 0.5);
  // Abramowitz & Stegun 1964 eq. 26.2.23, good to 4.5e-4 ...
  const double t = std::sqrt(-2.0 * std::log(tail));
  const double top = 2.515517 + t * (0.802853 + t * 0.010328);
  const double bottom = 1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  const double x = t - top / bottom;
  // ... and one step of Halley's method on the tail beyond x, which cubes that error.
  const double beyond = 0.5 * std::erfc(x / std::numbers::sqrt2);
  const double step = (beyond - tail) * std::sqrt(2.0 * std::numbers::pi) * std::exp(0.5 * x * x);
  const double quantile = x + step / (1.0 - 0.5 * x * step);
  return p < 0.5 ? -quantile : quantile;
}

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
