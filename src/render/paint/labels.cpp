// SPDX-License-Identifier: Apache-2.0
// Scale bar and time, see labels.h.
#include "render/paint/labels.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "render/paint/lettering.h"

namespace hornbeam::render {
namespace {

/// The largest unit that is at most x, otherwise the smallest.
LabelUnit fitting(const std::array<LabelUnit, 6>& units, double x) {
  const auto unit = std::find_if(units.begin(), units.end(),
                                 [=](const LabelUnit& u) { return x >= 0.9995 * u.cgs; });  // no 1e+03 Myr
  return unit == units.end() ? units.back() : *unit;
}

std::string number(const char* format, double x) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), format, x);
  return text.data();
}

std::string time_label(const Snapshot& snapshot) {
  if (!snapshot.units.physical) return "t = " + number("%.4g", snapshot.time);
  const double one = snapshot.units.length_cm / snapshot.units.velocity_cm_per_s;
  const double seconds = snapshot.time * one;
  const LabelUnit unit = fitting(label_times, seconds == 0 ? one : std::abs(seconds));
  return "t = " + number("%.3g", seconds / unit.cgs) + " " + unit.name;
}

/// Letters of small pictures, as of a sheet of many, are as small as the words need to be whole.
double fitting_height(const std::string& text, double height, double room) {
  return std::min(height, height * room / text_width(text, height));
}

}  // namespace

void shade_labels(Image& image) {
  const double h = label_height(image), bottom = image.height;
  draw_shade(image, h, h, 11 * h, 4 * h, 2 * h);
  draw_shade(image, h, bottom - 5 * h, 3 * h + 0.2 * image.width, bottom - h, 2 * h);
}

double round_length(double x) {
  const double decade = std::pow(10.0, std::floor(std::log10(x)));
  for (const double factor : {5.0, 2.0}) {
    if (factor * decade <= x) return factor * decade;
  }
  return decade;
}

double label_height(const Image& image) {
  return std::max(9.0, std::min(0.85 * image.width, 1.0 * image.height) / 60.0);
}

void draw_labels(Image& image, const Snapshot& snapshot, const Camera& camera) {
  const double height = label_height(image);
  const double edge = 2.0 * std::min(height, 0.04 * image.width), room = image.width - 2 * edge;
  const std::string time = time_label(snapshot);
  draw_text(image, time, edge, edge + height, fitting_height(time, height, room));

  const bool physical = snapshot.units.physical;
  const double longest = 0.2 * camera.extent;
  const LabelUnit unit = physical ? fitting(label_lengths, longest * snapshot.units.length_cm) : LabelUnit{"", 1.0};
  const double unit_length = physical ? unit.cgs / snapshot.units.length_cm : 1.0;
  const double shown = round_length(longest / unit_length);
  const double pixels = shown * unit_length * image.width / camera.extent;
  const double y = image.height - edge;
  draw_stroke(image, edge, y, edge + pixels, y, 0.14 * height, 0.85);
  const std::string text = number("%g", shown) + (physical ? " " : "") + unit.name;
  const double letters = fitting_height(text, height, room);
  const double left = std::max(edge, edge + 0.5 * (pixels - text_width(text, letters)));
  draw_text(image, text, left, y - 0.7 * height, letters);
}

}  // namespace hornbeam::render
