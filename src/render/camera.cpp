// SPDX-License-Identifier: Apache-2.0
// Choosing what a picture covers, see camera.h.
#include "render/camera.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "hornbeam/error.h"

namespace hornbeam::render {
namespace {

struct Range {
  double low = 0.0, high = 0.0;
};

/// The range of one coordinate without the outermost `left_out` on either side.
Range robust_range(std::vector<double>& values, double left_out) {
  if (values.empty()) return {};
  const auto skipped = static_cast<std::ptrdiff_t>(left_out * static_cast<double>(values.size()));
  const auto low = values.begin() + skipped, high = values.end() - 1 - skipped;
  std::nth_element(values.begin(), low, values.end());
  const double lowest = *low;
  std::nth_element(values.begin(), high, values.end());
  return {lowest, *high};
}

double finite_middle(const Range& r) { return 0.5 * r.low + 0.5 * r.high; }

/// The width that shows both ranges in a picture of the options' shape.
double extent_of(const Range& right, const Range& up, const Options& options) {
  const double extent =
      std::max(right.high - right.low, (up.high - up.low) * options.width / static_cast<double>(options.height));
  return extent > 0.0 ? extent : 1.0;
}

}  // namespace

Screen screen(Axis axis) {
  switch (axis) {
    case Axis::x:
      return {1, 2};
    case Axis::y:
      return {0, 2};
    default:
      return {0, 1};
  }
}

bool shows(const Options& options, Family family) {
  const auto& wanted = options.families;
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), family) != wanted.end();
}

bool shows_any(const Particles& particles, const Options& options) {
  return std::any_of(particles.family.begin(), particles.family.end(), [&](Family f) { return shows(options, f); });
}

void refuse_absent_families(const Particles& particles, const Options& options, const std::string& subject) {
  if (options.families.empty() || shows_any(particles, options)) return;
  const auto named = [](const auto& wanted, const char* separator) {
    std::string names;
    for (int f = 0; f < family_count; ++f) {
      if (wanted(static_cast<Family>(f))) names += (names.empty() ? "" : separator) + std::string(family_names[f]);
    }
    std::replace(names.begin(), names.end(), '_', '-');
    return names;
  };
  std::array<bool, family_count> there{};
  for (const Family family : particles.family) there[static_cast<std::size_t>(family)] = true;
  const auto is_there = [&](Family f) { return there[static_cast<std::size_t>(f)]; };
  throw UsageError(subject, "holds no particles of " + named([&](Family f) { return shows(options, f); }, " or "),
                   "there are: " + (particles.size() == 0 ? "none at all" : named(is_there, ", ")));
}

Camera frame(const Particles& particles, const Options& options) {
  validate(options);
  particles.validate("picture");
  const auto visible = [&](std::size_t i) {
    return particles.family[i] != Family::halo && shows(options, particles.family[i]);
  };
  bool any_visible = false;
  for (std::size_t i = 0; i < particles.size() && !any_visible; ++i) any_visible = visible(i);
  // Halos reach far beyond what is worth seeing. In each coordinate 3 % at either end are left out, of visible matter
  // 0.5 %; then there is a margin.
  const double left_out = any_visible ? 0.005 : 0.03;
  constexpr double margin = 1.4;

  const Screen axes = screen(options.axis);
  std::array<Range, 3> range;
  std::vector<double> values;
  for (int k = 0; k < 3; ++k) {
    values.clear();
    for (std::size_t i = 0; i < particles.size(); ++i) {
      if (any_visible ? visible(i) : shows(options, particles.family[i])) values.push_back(particles.position[i][k]);
    }
    range[k] = robust_range(values, left_out);
  }
  Camera camera;
  camera.axis = options.axis;
  for (int k = 0; k < 3; ++k) camera.centre[k] = options.centre ? (*options.centre)[k] : finite_middle(range[k]);
  camera.extent = options.extent.value_or(margin * extent_of(range[axes.right], range[axes.up], options));
  return camera;
}

Camera covering(const Camera& a, const Camera& b, const Options& options) {
  const Screen axes = screen(options.axis);
  const double shape = options.height / static_cast<double>(options.width);
  Camera both = a;
  std::array<Range, 3> range;
  for (int k = 0; k < 3; ++k) {
    const double half = 0.5 * (k == axes.up ? shape : 1.0);
    range[k] = {std::min(a.centre[k] - half * a.extent, b.centre[k] - half * b.extent),
                std::max(a.centre[k] + half * a.extent, b.centre[k] + half * b.extent)};
    both.centre[k] = finite_middle(range[k]);
  }
  both.extent = extent_of(range[axes.right], range[axes.up], options);
  return both;
}

void validate(const Options& options) {
  const auto refuse = [](const char* name, double value, const char* allowed) {
    std::ostringstream received;
    received << "received " << value;
    throw UsageError(name, received.str(), allowed);
  };
  const auto require_positive = [&](const char* name, double value) {
    if (!(value > 0.0 && std::isfinite(value))) refuse(name, value, "must be a finite number above 0");
  };
  for (const int side : {options.width, options.height}) {
    if (side < 16 || side > 16384) refuse("picture size", side, "must be 16 to 16384 pixels");
  }
  require_positive("extent", options.extent.value_or(1.0));
  require_positive("decades", options.decades);
  require_positive("gamma", options.gamma);
  for (const double x : options.centre.value_or(Vec3{})) {
    if (!std::isfinite(x)) refuse("centre", x, "must be finite");
  }
}

}  // namespace hornbeam::render
