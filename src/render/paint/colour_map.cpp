// SPDX-License-Identifier: Apache-2.0
// Seventeen colours of each map, and what lies between them. See colour_map.h.
#include "render/paint/colour_map.h"

#include <algorithm>

namespace hornbeam::render {
namespace {

constexpr int last_colour = 16;
constexpr std::array<std::array<std::uint32_t, last_colour + 1>, 5> colours{{
    {0x000004, 0x0b0724, 0x210c4a, 0x3d0965, 0x57106e, 0x71196e, 0x8a226a, 0xa32c61, 0xbc3754, 0xd24644, 0xe45a31,
     0xf1731d, 0xf98e09, 0xfcac11, 0xf9cb35, 0xf2ea69, 0xfcffa4},  // inferno
    {0x440154, 0x48186a, 0x472d7b, 0x424086, 0x3b528b, 0x33638d, 0x2c728e, 0x26828e, 0x21918c, 0x1fa088, 0x28ae80,
     0x3fbc73, 0x5ec962, 0x84d44b, 0xaddc30, 0xd8e219, 0xfde725},  // viridis
    {0x000004, 0x0a0822, 0x1d1147, 0x36106b, 0x51127c, 0x6a1c81, 0x832681, 0x9c2e7f, 0xb73779, 0xd0416f, 0xe75263,
     0xf56b5c, 0xfc8961, 0xfea772, 0xfec488, 0xfde2a3, 0xfcfdbf},  // magma
    {0x3b4cc0, 0x4e68d8, 0x6282ea, 0x779af7, 0x8db0fe, 0xa3c2fe, 0xb9d0f9, 0xccd9ed, 0xdddcdc, 0xecd3c5, 0xf5c4ac,
     0xf7b093, 0xf4987a, 0xeb7d62, 0xdd5f4b, 0xca3b37, 0xb40426},  // coolwarm
    {0x000000, 0x101010, 0x202020, 0x303030, 0x404040, 0x505050, 0x606060, 0x707070, 0x808080, 0x909090, 0xa0a0a0,
     0xb0b0b0, 0xc0c0c0, 0xd0d0d0, 0xe0e0e0, 0xf0f0f0, 0xffffff},  // gray
}};

}  // namespace

std::array<float, 3> colour_of(ColourMap map, double t) {
  const double at = std::clamp(t, 0.0, 1.0) * last_colour;
  const auto k = static_cast<std::size_t>(std::min(static_cast<int>(at), last_colour - 1));
  const auto part = static_cast<float>(at - static_cast<double>(k));
  const auto& table = colours[static_cast<std::size_t>(map)];
  std::array<float, 3> rgb;
  for (std::size_t c = 0; c < 3; ++c) {
    const auto shade = [&](std::uint32_t colour) { return static_cast<float>((colour >> (16 - 8 * c)) & 0xffu); };
    rgb[c] = (shade(table[k]) + part * (shade(table[k + 1]) - shade(table[k]))) / 255.0f;
  }
  return rgb;
}

}  // namespace hornbeam::render
