// SPDX-License-Identifier: Apache-2.0
// The bar that shows what numbers colours are, see field.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "render/field.h"
#include "render/paint/colour_map.h"
#include "render/paint/labels.h"
#include "render/paint/lettering.h"

namespace hornbeam::render {
namespace {

struct Tick {
  double part;
  std::string text;
};

std::string number(double x) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.6g", std::abs(x) < 1e-12 ? 0.0 : x);
  return text.data();
}

/// 10^k as letters raise it, small ones in full.
std::string power(int k) {
  if (k >= -2 && k <= 3) return number(std::pow(10.0, k));
  return "10^" + std::to_string(k);
}

/// Powers of ten; between the ends of less than two of them 1, 2 and 5 times these, or round steps.
std::vector<Tick> ticks_of(const std::array<double, 2>& range, bool logarithmic) {
  std::vector<Tick> ticks;
  const auto add = [&](double x, const std::string& text) {
    const double part = part_of_range(x, range, logarithmic);
    if (part >= -1e-9 && part <= 1 + 1e-9) ticks.push_back({part, text});
  };
  const double decades = logarithmic ? std::log10(range[1] / range[0]) : 0;
  if (decades >= 0.7) {
    const int first = static_cast<int>(std::floor(std::log10(range[0]))), every = static_cast<int>(decades / 5) + 1;
    for (int k = first; k <= first + decades + 1; ++k) {
      if (((k % every) + every) % every != 0) continue;
      add(std::pow(10.0, k), power(k));
      for (const int times : {2, 5}) {
        if (decades < 2) add(times * std::pow(10.0, k), number(times * std::pow(10.0, k)));
      }
    }
    return ticks;
  }
  double step = round_length((range[1] - range[0]) / 2.5);
  for (double k = std::ceil(range[0] / step); k * step <= range[1] * (1 + 1e-12) && ticks.size() < 8; ++k) {
    add(k * step, number(k * step));
  }
  return ticks;
}

}  // namespace

void draw_colour_bar(Image& image, const FieldMap& map, const Field& field, const std::array<double, 2>& range) {
  const double height = label_height(image), edge = 2.0 * height;
  const double width = std::max(0.25 * image.width, 16.0 * height);
  if (image.width < 2.5 * width || image.height < 12.0 * height) return;
  const std::string title = map.quantity + (map.unit.empty() ? " (G = 1)" : " [" + map.unit + "]");
  const double x = image.width - edge - width, y = image.height - edge - 2.7 * height;
  draw_shade(image, x - 1.5 * height, y - 2.8 * height, image.width - 0.3 * edge, image.height - 0.4 * edge,
             2.0 * height);
  draw_text(image, title, x + width - text_width(title, height), y - 0.8 * height, height);
  for (int i = 0; i < static_cast<int>(width); ++i) {
    const auto rgb = colour_of(colours_of(field), (i + 0.5) / width);
    for (int j = 0; j < static_cast<int>(height); ++j) {
      const auto pixel = static_cast<std::size_t>(static_cast<int>(y) + j) * image.width + static_cast<int>(x) + i;
      for (std::size_t c = 0; c < 3; ++c) {
        image.rgb[3 * pixel + c] = static_cast<std::uint8_t>(std::lround(255 * rgb[c]));
      }
    }
  }
  const bool logarithmic = is_logarithmic(field);
  for (const Tick& tick : ticks_of(range, logarithmic)) {
    const double at = x + width * tick.part, under = y + 1.1 * height;
    draw_stroke(image, at, under, at, under + 0.35 * height, 1.0, 0.8);
    const double size = 0.85 * height, half = 0.5 * text_width(tick.text, size);
    draw_text(image, tick.text, std::min(at - half, image.width - 0.5 * edge - 2 * half), under + 1.7 * height, size);
  }
}

}  // namespace hornbeam::render
