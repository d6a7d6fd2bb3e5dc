// SPDX-License-Identifier: Apache-2.0
// Several pictures on one sheet.
#include <algorithm>
#include <string>

#include "hornbeam/error.h"
#include "hornbeam/render.h"

namespace hornbeam::render {

Image contact_sheet(const std::vector<Image>& pictures, int columns) {
  if (pictures.empty() || columns < 1) {
    throw UsageError("contact sheet",
                     std::to_string(pictures.size()) + " pictures in " + std::to_string(columns) + " columns",
                     "give at least one of each");
  }
  const int width = pictures[0].width, height = pictures[0].height;
  const int rows = (static_cast<int>(pictures.size()) + columns - 1) / columns;
  constexpr int gap = 4;
  Image sheet{columns * (width + gap) - gap, rows * (height + gap) - gap, {}};
  sheet.rgb.resize(static_cast<std::size_t>(sheet.width) * sheet.height * 3);
  for (int i = 0; i < static_cast<int>(pictures.size()); ++i) {
    if (pictures[i].width != width || pictures[i].height != height) {
      throw UsageError("contact sheet", "picture " + std::to_string(i) + " differs in size from the first");
    }
    for (int y = 0; y < height; ++y) {
      const auto row = pictures[i].rgb.begin() + static_cast<std::ptrdiff_t>(y) * width * 3;
      const std::ptrdiff_t line = (i / columns) * (height + gap) + y;
      std::copy(row, row + width * 3, sheet.rgb.begin() + (line * sheet.width + (i % columns) * (width + gap)) * 3);
    }
  }
  return sheet;
}

}  // namespace hornbeam::render
