// SPDX-License-Identifier: Apache-2.0
// A stroke font and anti-aliased lines, see lettering.h.
#include "render/lettering.h"

#include <algorithm>
#include <cmath>

namespace hornbeam::render {
namespace {

/// Strokes as pairs of digits (x in 0..4, y in 0..8; the baseline is y = 2, capitals reach y = 8), separated by spaces.
struct Glyph {
  char letter;
  std::string_view strokes;
};

constexpr std::array<Glyph, 29> glyphs{{
    {'0', "030718384743321203"},
    {'1', "062822"},
    {'2', "07183847460242"},
    {'3', "071838474635 15354443321203"},
    {'4', "32380444"},
    {'5', "480805354443321203"},
    {'6', "473818070312324344351504"},
    {'7', "084812"},
    {'8', "15060718384746351504031232434435"},
    {'9', "031232434738180706153546"},
    {'.', "1212"},
    {'-', "0535"},
    {'+', "0545 2327"},
    {'=', "0444 0646"},
    {'e', "043435261605031232"},
    {'t', "18132232 0636"},
    {'k', "0208 3604 1532"},
    {'p', "0006 051626353322120305"},
    {'c', "3526160503122233"},
    {'y', "0622 4610"},
    {'r', "0206 041626"},
    {'M', "0208244842"},
    {'G', "47381807031232434525"},
    {'A', "022842 1434"},
    {'U', "08031232434348"},
    {'m', "0206 02051526252622 2526364542"},
    {'d', "4248 453615060503122232430342"},
    {'h', "0208 0516263542"},
    {'s', "3616051424332202"},
}};

constexpr double grid = 6.0;     // grid units in the height of a capital
constexpr double advance = 5.6;  // grid units from letter to letter

double distance_to_segment(double x, double y, double x0, double y0, double x1, double y1) {
  const double dx = x1 - x0, dy = y1 - y0;
  const double length2 = dx * dx + dy * dy;
  const double along = length2 > 0.0 ? std::clamp(((x - x0) * dx + (y - y0) * dy) / length2, 0.0, 1.0) : 0.0;
  return std::hypot(x - x0 - along * dx, y - y0 - along * dy);
}

void lighten(Image& image, int x, int y, double opacity) {
  constexpr std::array<double, 3> ink{226.0, 230.0, 240.0};
  std::uint8_t* rgb = &image.rgb[(static_cast<std::size_t>(y) * image.width + x) * 3];
  for (int k = 0; k < 3; ++k) rgb[k] = static_cast<std::uint8_t>(std::lround(rgb[k] + opacity * (ink[k] - rgb[k])));
}

void draw_glyph(Image& image, const Glyph& glyph, double x, double y, double unit) {
  const std::string_view s = glyph.strokes;
  const auto place_x = [&](std::size_t i) { return x + (s[i] - '0') * unit; };
  const auto place_y = [&](std::size_t i) { return y - (s[i + 1] - '2') * unit; };
  for (std::size_t i = 0; i + 3 < s.size(); i += 2) {
    if (s[i + 2] == ' ') {
      ++i;  // with the step of the loop: over the last place of this stroke and the space
      continue;
    }
    draw_stroke(image, place_x(i), place_y(i), place_x(i + 2), place_y(i + 2), 0.85 * unit, 0.85);
  }
}

}  // namespace

void draw_stroke(Image& image, double x0, double y0, double x1, double y1, double width, double opacity) {
  const double reach = 0.5 * width + 1.0;
  const auto low = [&](double a, double b) {
    return std::max(0, static_cast<int>(std::floor(std::min(a, b) - reach)));
  };
  const auto high = [&](double a, double b, int size) {
    return std::min(size - 1, static_cast<int>(std::ceil(std::max(a, b) + reach)));
  };
  for (int y = low(y0, y1); y <= high(y0, y1, image.height); ++y) {
    for (int x = low(x0, x1); x <= high(x0, x1, image.width); ++x) {
      const double distance = distance_to_segment(x + 0.5, y + 0.5, x0, y0, x1, y1);
      const double covered = std::clamp(0.5 * width + 0.5 - distance, 0.0, 1.0);
      if (covered > 0.0) lighten(image, x, y, opacity * covered);
    }
  }
}

void draw_text(Image& image, std::string_view text, double x, double y, double height) {
  const double unit = height / grid;
  for (const char letter : text) {
    const auto glyph = std::find_if(glyphs.begin(), glyphs.end(), [=](const Glyph& g) { return g.letter == letter; });
    if (glyph != glyphs.end()) draw_glyph(image, *glyph, x, y, unit);
    x += advance * unit;
  }
}

double text_width(std::string_view text, double height) {
  return static_cast<double>(text.size()) * advance * height / grid;
}

}  // namespace hornbeam::render
