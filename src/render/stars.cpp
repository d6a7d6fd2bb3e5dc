// SPDX-License-Identifier: Apache-2.0
// Points of light, see stars.h.
#include "render/stars.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hornbeam::render {
namespace {

/// Steele, Lea & Flood 2014, splitmix64.
std::uint64_t mixed_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The k-th of three numbers in [0, 1).
float part(std::uint64_t bits, int k) { return static_cast<float>((bits >> (21 * k)) & 0x1fffffu) * 0x1p-21f; }

/// Adds `light` times a round hill of that radius, (1 - d^2 / r^2)^p with the sharpness p.
void add_hill(LightMap& picture, const Star& star, float radius, int sharpness, const Light& light) {
  const int x0 = std::max(0, static_cast<int>(std::floor(star.x - radius)));
  const int x1 = std::min(picture.width - 1, static_cast<int>(std::floor(star.x + radius)));
  const int y0 = std::max(0, static_cast<int>(std::floor(star.y - radius)));
  const int y1 = std::min(picture.height - 1, static_cast<int>(std::floor(star.y + radius)));
  const float inverse = 1.0f / radius;
  for (int y = y0; y <= y1; ++y) {
    const float dy = (static_cast<float>(y) + 0.5f - star.y) * inverse;
    for (int x = x0; x <= x1; ++x) {
      const float dx = (static_cast<float>(x) + 0.5f - star.x) * inverse;
      const float base = std::max(0.0f, 1.0f - dx * dx - dy * dy);
      float hill = base;
      for (int k = 1; k < sharpness; ++k) hill *= base;
      Light& to = picture.value[static_cast<std::size_t>(y) * picture.width + x];
      for (int k = 0; k < 3; ++k) to[k] += hill * light[k];
    }
  }
}

}  // namespace

void add_star(LightMap& picture, const Star& star, float faintest, const Light& tint) {
  const float unit = static_cast<float>(std::min(picture.width, picture.height)) / 1000.0f;
  const float spacing = 10.0f * unit;
  const std::uint64_t bits = mixed_bits(star.id);
  const float place_in_crowd = part(bits, 0) * star.crowd * spacing * spacing;
  if (place_in_crowd >= 1.0f) return;
  const float seen = (1.0f - place_in_crowd) * (1.0f - place_in_crowd);
  const float luck = part(bits, 1);
  const float luminosity =
      seen * std::clamp(std::sqrt(star.mass), 0.2f, 3.0f) * (faintest + 0.86f * std::pow(luck, 12.0f));
  const float warmth = part(bits, 2) - 0.5f;
  const Light light{tint[0] * (1.0f + 0.8f * warmth), tint[1], tint[2] * (1.0f - 0.8f * warmth)};
  // A hill below its least radius on pixels is drawn so wide and the dimmer.
  const auto add = [&](float radius, float least, int sharpness, float strength) {
    const float drawn = std::max(least, radius), f = strength * (radius / drawn) * (radius / drawn);
    add_hill(picture, star, drawn, sharpness, {f * light[0], f * light[1], f * light[2]});
  };
  const float size = std::sqrt(luminosity);
  add((1.6f + 2.2f * size) * unit, 1.4f, 3, 0.15f + 2.5f * luminosity);
  add((3.0f + 22.0f * size) * unit, 2.0f, 5, 0.16f * luminosity);
}

}  // namespace hornbeam::render
