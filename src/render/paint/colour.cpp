// SPDX-License-Identifier: Apache-2.0
// Palettes and tone mapping, see colour.h.
#include "render/paint/colour.h"

#include <algorithm>
#include <cmath>

namespace hornbeam::render {
namespace {

/// Light at full brightness, and the powers of brightness it falls with: where blue falls fastest, faint parts redden.
struct Palette {
  Light full, power;
};
constexpr std::array<Palette, family_count + 1> palettes{{
    {{0.25f, 1.10f, 0.82f}, {4.6f, 3.2f, 3.4f}},    // gas: teal
    {{0.026f, 0.024f, 0.11f}, {3.6f, 3.8f, 3.0f}},  // halo: a dim violet glow
    {{0.80f, 1.20f, 1.75f}, {5.2f, 4.2f, 3.4f}},    // disc: blue
    {{2.00f, 0.90f, 0.34f}, {2.5f, 3.5f, 4.5f}},    // bulge: orange
    {{2.60f, 1.55f, 0.70f}, {2.6f, 3.4f, 4.6f}},    // stars: gold
    {{3.00f, 3.00f, 3.00f}, {3.0f, 3.0f, 3.0f}},    // black holes: white
    {{2.10f, 1.20f, 1.60f}, {4.4f, 5.2f, 2.9f}},    // a halo alone: violet, rose where it is dense
}};

constexpr std::array<Light, family_count + 1> tints{{{0.6f, 1.0f, 0.9f},
                                                     {0.8f, 0.8f, 1.1f},
                                                     {0.75f, 0.92f, 1.15f},
                                                     {1.15f, 0.90f, 0.62f},
                                                     {1.15f, 0.95f, 0.72f},
                                                     {1.0f, 1.0f, 1.0f},
                                                     {0.95f, 0.88f, 1.12f}}};

/// Of the smallest and of the largest bodies.
constexpr std::array<std::array<Light, 2>, family_count> surfaces{{
    {{{0.20f, 0.62f, 0.55f}, {0.45f, 0.85f, 0.75f}}},  // gas: teal
    {{{0.42f, 0.38f, 0.62f}, {0.66f, 0.60f, 0.85f}}},  // halo: violet
    {{{0.56f, 0.60f, 0.68f}, {0.95f, 0.83f, 0.66f}}},  // disc: ice, from blue-grey dust to cream
    {{{0.72f, 0.36f, 0.16f}, {0.92f, 0.60f, 0.34f}}},  // bulge: orange
    {{{0.80f, 0.60f, 0.22f}, {0.98f, 0.84f, 0.48f}}},  // stars: gold
    {{{0.80f, 0.80f, 0.80f}, {0.95f, 0.95f, 0.95f}}},  // black holes: white
}};

constexpr Light sky{0.0012f, 0.0013f, 0.0032f};  // a night sky is not quite black

float srgb(float linear) {
  return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1.0f / 2.4f) - 0.055f;
}

/// A pattern over the pixels with values in [0, 1) (Jimenez 2014, interleaved gradient noise).
float dither(int x, int y) {
  const float phase = 0.06711056f * static_cast<float>(x) + 0.00583715f * static_cast<float>(y);
  const float spread = 52.9829189f * (phase - std::floor(phase));
  return spread - std::floor(spread);
}

}  // namespace

Light powers_of(Look look) { return palettes[static_cast<std::size_t>(look)].power; }

Light tint_of(Look look) { return tints[static_cast<std::size_t>(look)]; }

Light light_of(Look look, float t) {
  const Palette& palette = palettes[static_cast<std::size_t>(look)];
  Light light;
  for (int k = 0; k < 3; ++k) light[k] = palette.full[k] * std::pow(t, palette.power[k]);
  return light;
}

std::array<std::uint8_t, 3> developed(const Light& light, int x, int y) {
  std::array<std::uint8_t, 3> rgb;
  for (int k = 0; k < 3; ++k) {
    const float shade = 255.0f * srgb(1.0f - std::exp(-(light[k] + sky[k])));
    rgb[k] = static_cast<std::uint8_t>(std::clamp(shade + dither(x, y), 0.0f, 255.0f));
  }
  return rgb;
}

std::array<std::uint8_t, 3> exposed(const Light& light, int x, int y) {
  std::array<std::uint8_t, 3> rgb;
  for (int k = 0; k < 3; ++k) {
    const float shade = 255.0f * srgb(std::clamp(light[k], 0.0f, 1.0f));
    rgb[k] = static_cast<std::uint8_t>(std::min(shade + dither(x, y), 255.0f));
  }
  return rgb;
}

Light surface_of(Family family, float size) {
  const auto& [small, large] = surfaces[static_cast<std::size_t>(family)];
  Light light;
  for (int k = 0; k < 3; ++k) light[k] = small[k] + size * (large[k] - small[k]);
  return light;
}

}  // namespace hornbeam::render
