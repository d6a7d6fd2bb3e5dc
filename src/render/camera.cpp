// SPDX-License-Identifier: Apache-2.0
// Choosing what a picture covers, see camera.h.
#include "render/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "hornbeam/error.h"
#include "render/field.h"

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

Screen screen(Axis axis, const Direction& from) {
  constexpr Vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, minus_y = {0, -1, 0};
  const Screen along = axis == Axis::x ? Screen{y, z, x} : axis == Axis::y ? Screen{x, z, minus_y} : Screen{x, y, z};
  const auto mixed = [](double p, const Vec3& a, double q, const Vec3& b) {
    return Vec3{p * a[0] + q * b[0], p * a[1] + q * b[1], p * a[2] + q * b[2]};
  };
  if (from.turn == 0 && from.tilt == 0) return along;
  constexpr double degree = std::numbers::pi / 180;
  const double ct = std::cos(from.turn * degree), st = std::sin(from.turn * degree);
  const double cl = std::cos(from.tilt * degree), sl = std::sin(from.tilt * degree);
  const Vec3 right = mixed(ct, along.right, st, along.up), up = mixed(-st, along.right, ct, along.up);
  return {right, mixed(cl, up, sl, along.toward), mixed(cl, along.toward, -sl, up)};
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
  throw UsageError(subject,
                   "has no particles of the family " + named([&](Family f) { return shows(options, f); }, " or "),
                   particles.size() == 0 ? "it has no particles" : "it has " + named(is_there, ", "));
}

namespace {

/// Along the picture's right, up and out of it. Halos reach far beyond what is worth seeing: at either end 3 % are left
/// out, of visible matter 0.5 %.
std::array<Range, 3> seen_ranges(const Particles& particles, const Options& options, const Screen& axes) {
  const auto visible = [&](std::size_t i) {
    if (options.field) return particles.family[i] == Family::gas;
    return particles.family[i] != Family::halo && shows(options, particles.family[i]);
  };
  bool any_visible = false;
  for (std::size_t i = 0; i < particles.size() && !any_visible; ++i) any_visible = visible(i);
  const double left_out = any_visible ? 0.005 : 0.03;
  std::array<Range, 3> range;
  std::vector<double> values;
  for (int k = 0; k < 3; ++k) {
    const Vec3& along = k == 0 ? axes.right : k == 1 ? axes.up : axes.toward;
    values.clear();
    for (std::size_t i = 0; i < particles.size(); ++i) {
      if (any_visible ? visible(i) : shows(options, particles.family[i])) {
        values.push_back(dot(particles.position[i], along));
      }
    }
    range[k] = robust_range(values, left_out);
  }
  return range;
}

Vec3 middle_of(const std::array<Range, 3>& range, const Screen& axes) {
  Vec3 centre;
  for (int k = 0; k < 3; ++k) {
    centre[k] = finite_middle(range[0]) * axes.right[k] + finite_middle(range[1]) * axes.up[k] +
                finite_middle(range[2]) * axes.toward[k];
  }
  return centre;
}

}  // namespace

Camera frame(const Snapshot& snapshot, const Options& options) {
  validate(options);
  snapshot.particles.validate("picture");
  const Screen axes = screen(options.axis, options.from);
  std::array<Range, 3> range = seen_ranges(snapshot.particles, options, axes);
  const bool filled = options.field || as_spheres(snapshot, options);  // by images
  const bool boxed = filled && snapshot.boundary.kind != BoundaryKind::open;
  Camera camera;
  camera.axis = options.axis;
  camera.from = options.from;
  camera.perspective = options.perspective;
  camera.centre = middle_of(range, axes);
  const Vec3& box = snapshot.boundary.size;
  for (int k = 0; boxed && k < 3; ++k) {
    if (box[k] > 0) camera.centre[k] = 0;
  }
  if (options.centre) camera.centre = *options.centre;
  constexpr double margin = 1.4;
  if (boxed) {
    const auto width = [&](const Vec3& along) {
      return std::abs(along[0]) * box[0] + std::abs(along[1]) * box[1] + std::abs(along[2]) * box[2];
    };
    range[0] = {0, width(axes.right) / margin};
    range[1] = {0, width(axes.up) / margin};
  }
  camera.extent = options.extent.value_or(margin * extent_of(range[0], range[1], options));
  return camera;
}

Camera covering(const Camera& a, const Camera& b, const Options& options) {
  const Screen axes = screen(a);
  const double shape = options.height / static_cast<double>(options.width);
  Camera both = a;
  std::array<Range, 3> range;
  for (int k = 0; k < 3; ++k) {
    const Vec3& along = k == 0 ? axes.right : k == 1 ? axes.up : axes.toward;
    const double half = 0.5 * (k == 1 ? shape : 1.0), at = dot(a.centre, along), other = dot(b.centre, along);
    range[k] = {std::min(at - half * a.extent, other - half * b.extent),
                std::max(at + half * a.extent, other + half * b.extent)};
  }
  both.centre = middle_of(range, axes);
  both.extent = extent_of(range[0], range[1], options);
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
  for (const auto& [name, angle] : {std::pair("turn", options.from.turn), std::pair("tilt", options.from.tilt)}) {
    if (!std::isfinite(angle)) refuse(name, angle, "must be finite degrees");
  }
  if (!(options.perspective >= 0 && options.perspective <= 150)) {
    refuse("perspective", options.perspective, "must be from 0 to 150 degrees");
  }
  const Sun sun = options.sun.value_or(Sun{});
  if (!std::isfinite(sun.azimuth)) refuse("light", sun.azimuth, "must be finite degrees around");
  if (!(std::abs(sun.height) <= 90)) refuse("light", sun.height, "must be from -90 to 90 degrees above the plane");
  for (const double x : options.centre.value_or(Vec3{})) {
    if (!std::isfinite(x)) refuse("centre", x, "must be finite");
  }
  if (options.field) validate_field(options);
}

}  // namespace hornbeam::render
