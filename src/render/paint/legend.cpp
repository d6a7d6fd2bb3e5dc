// SPDX-License-Identifier: Apache-2.0
// Families, their colours and the axis of surface density, see legend.h.
#include "render/paint/legend.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "render/paint/labels.h"
#include "render/paint/lettering.h"

namespace hornbeam::render {
namespace {

struct Row {
  Family family;
  std::string name;
  bool bar;  ///< otherwise it is shown as points only
};

/// The axis: surface densities `low` to `high` in the snapshot's units; its numbers are in units of `one`.
struct Axis10 {
  double low, high, one;
  std::string title;
};

std::vector<Row> rows_of(const Layers& layers, const Brightness& brightness) {
  constexpr std::array<const char*, family_count> names{"gas", "halo", "disc", "bulge", "stars", "black holes"};
  std::vector<Row> rows;
  for (int f = 0; f < family_count; ++f) {
    const FamilyMap& family = layers.families[f];
    if (!layers.shown[f]) continue;
    const std::string note = family.tracers ? " (number)" : "";
    rows.push_back({static_cast<Family>(f), names[f] + note, !family.map.value.empty() && brightness[f] > 0.0});
  }
  return rows;
}

Axis10 axis_of(const std::vector<Row>& rows, const Brightness& brightness, const Snapshot& snapshot,
               const Options& options, const Camera& camera) {
  constexpr double parsec_cm = 3.0856775814913673e18, msun_g = 1.98841e33;  // IAU 2012, 2015
  Axis10 axis{0.0, 0.0, 1.0, "surface density (G = 1)"};
  const double seen = std::pow(10.0, 0.3 - options.decades), beyond = 3.0;
  for (const Row& row : rows) {
    const double full = row.bar ? brightness[static_cast<std::size_t>(row.family)] : 0.0;
    if (!(full > 0.0)) continue;
    axis.low = axis.low > 0.0 ? std::min(axis.low, full * seen) : full * seen;
    axis.high = std::max(axis.high, full * beyond);
  }
  if (snapshot.units.physical) {
    const double length = snapshot.units.length_cm, mass = snapshot.units.mass_g;
    const bool large = camera.extent * length > 0.1 * parsec_cm;
    axis.one = (large ? msun_g / (parsec_cm * parsec_cm) : 1.0) * length * length / mass;
    axis.title = large ? "surface density [Msun/pc^2]" : "surface density [g/cm^2]";
  }
  return axis;
}

void draw_bar(Image& image, double x, double y, double width, double height, const auto& light_at) {
  const int x0 = static_cast<int>(x), y0 = static_cast<int>(y);
  const int x1 = static_cast<int>(x + width), y1 = static_cast<int>(y + height);
  for (int i = x0; i < x1; ++i) {
    const Light light = light_at((i + 0.5 - x) / width);
    for (int j = y0; j < y1; ++j) {
      const auto rgb = developed(light, i, j);
      std::copy(rgb.begin(), rgb.end(), image.rgb.begin() + (static_cast<std::ptrdiff_t>(j) * image.width + i) * 3);
    }
  }
}

/// Numbers under the bars: powers of ten, at most five. None where double precision has no numbers for the ends.
void draw_axis(Image& image, const Axis10& axis, double x, double y, double width, double height) {
  const double low = std::log10(axis.low / axis.one), high = std::log10(axis.high / axis.one);
  if (!std::isfinite(low) || !std::isfinite(high) || !(high > low)) return;
  const int every = static_cast<int>(std::ceil((high - low) / 5.0));
  for (int k = static_cast<int>(std::ceil(low)); k <= high; ++k) {
    const double at = x + width * (k - low) / (high - low);
    draw_stroke(image, at, y, at, y + 0.35 * height, 1.0, 0.8);
    if (k % every != 0) continue;
    const std::string text = k == 0 ? "1" : k == 1 ? "10" : "10^" + std::to_string(k);
    draw_text(image, text, at - 0.5 * text_width(text, 0.85 * height), y + 1.7 * height, 0.85 * height);
  }
}

}  // namespace

void draw_legend(Image& image, const Layers& layers, const Snapshot& snapshot, const Options& options,
                 const Camera& camera, const Brightness& brightness) {
  const std::vector<Row> rows = rows_of(layers, brightness);
  const double height = label_height(image), edge = 2.0 * height;
  const double width = std::max(0.2 * image.width, 14.0 * height), spacing = 1.75 * height;
  if (rows.empty() || image.width < 3.5 * width || image.height < 30.0 * height) return;
  const Axis10 axis = axis_of(rows, brightness, snapshot, options, camera);
  const bool bars = axis.high > 0.0;
  const double x = image.width - edge - width;
  double y = image.height - edge - (bars ? 1.7 * height : 0.0) - spacing * static_cast<double>(rows.size());
  double left = bars ? x + width - text_width(axis.title, height) : x;
  for (const Row& row : rows) left = std::min(left, x - height - text_width(row.name, height));
  draw_shade(image, left - height, y - (bars ? 2.8 : 1.0) * height, image.width - 0.5 * edge, image.height - 0.4 * edge,
             2.0 * height);
  if (bars) draw_text(image, axis.title, x + width - text_width(axis.title, height), y - height, height);
  for (const Row& row : rows) {
    const auto f = static_cast<std::size_t>(row.family);
    draw_text(image, row.name, x - height - text_width(row.name, height), y + height, height);
    if (row.bar) {
      draw_bar(image, x, y, width, height, [&](double part) {
        const double density = axis.low * std::pow(axis.high / axis.low, part);
        return light_of(look_of(row.family, layers), stretched(density / brightness[f], options));
      });
    } else {
      draw_stroke(image, x + 0.5 * height, y + 0.5 * height, x + 0.5 * height, y + 0.5 * height, 0.4 * height, 1.0);
    }
    y += spacing;
  }
  if (bars) draw_axis(image, axis, x, y - spacing + 1.15 * height, width, height);
}

}  // namespace hornbeam::render
