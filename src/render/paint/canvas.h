// SPDX-License-Identifier: Apache-2.0
// A picture with a margin about it, on which particles are smoothed: what stands beyond the edges shines into it.
#pragma once

#include "render/surface_density.h"

namespace hornbeam::render {

struct Canvas {
  int margin_x, margin_y, width, height;

  Canvas(int picture_width, int picture_height)
      : margin_x(static_cast<int>(margin * picture_width)),
        margin_y(static_cast<int>(margin * picture_height)),
        width(picture_width + 2 * margin_x),
        height(picture_height + 2 * margin_y) {}

  /// What of a map of the canvas is seen.
  [[nodiscard]] Map picture(const Map& wide) const {
    Map map(width - 2 * margin_x, height - 2 * margin_y);
    for (int y = 0; y < map.height; ++y) {
      const float* const row = &wide.value[static_cast<std::size_t>(y + margin_y) * wide.width + margin_x];
      std::copy(row, row + map.width, &map.at(0, y));
    }
    return map;
  }

 private:
  static constexpr double margin = 0.15;  ///< on either side, in parts of the picture
};

}  // namespace hornbeam::render
