// SPDX-License-Identifier: Apache-2.0
// Gas on a canvas, see gas_points.h.
#include "render/gas_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>

#include "hornbeam/error.h"
#include "tree/boundary.h"

namespace hornbeam::render {
namespace {

/// Of a box, on either side.
constexpr int farthest_image = 16;

bool is_gas(const Particles& p, std::size_t i) { return p.family[i] == Family::gas; }

/// The box whose images are drawn; a cube that a file names begins anywhere, and particles stay where they are.
Boundary box_of(const Snapshot& snapshot) {
  if (snapshot.boundary.kind != BoundaryKind::open || !(snapshot.box_size > 0)) return snapshot.boundary;
  Boundary cube;
  cube.kind = BoundaryKind::periodic;
  cube.size = {snapshot.box_size, snapshot.box_size, snapshot.box_size};
  return cube;
}

/// A line of sight goes through the box once: no images along the axis that is seen most steeply.
int axis_seen_through(const Vec3& toward) {
  int steepest = 0;
  for (int k = 1; k < 3; ++k) {
    if (std::abs(toward[k]) > std::abs(toward[steepest])) steepest = k;
  }
  return steepest;
}

class Placing {
 public:
  Placing(const Options& options, const Camera& camera, const Canvas& canvas)
      : project_(camera, options.width, options.height),
        canvas_(canvas),
        axis_(static_cast<int>(options.axis)),
        plane_(options.field ? options.field->slice : std::nullopt) {}

  [[nodiscard]] bool cuts() const { return plane_.has_value(); }
  [[nodiscard]] double pixels_per_length() const { return project_.pixels_per_length(); }
  /// Square of the height of the plane above a place; 0 without one.
  [[nodiscard]] double height2(const Vec3& at) const {
    const double height = plane_ ? at[axis_] - *plane_ : 0;
    return height * height;
  }
  /// The place on the canvas, if what is spread over `radius` pixels about it is on it.
  bool place(const Vec3& at, double radius, Pixel& to) const {
    const Pixel p = project_(at);
    to = {p.x + canvas_.margin_x, p.y + canvas_.margin_y};
    return to.x + radius > 0 && to.y + radius > 0 && to.x - radius < canvas_.width && to.y - radius < canvas_.height;
  }

 private:
  Projection project_;
  const Canvas& canvas_;
  int axis_;
  std::optional<double> plane_;
};

/// Those of a box's images that may reach what is seen.
std::vector<Vec3> shifts_seen(const Snapshot& snapshot, const std::vector<Vec3>& position, const Placing& placing,
                              const Screen& axes) {
  const Particles& p = snapshot.particles;
  Boundary around = box_of(snapshot);
  if (around.kind == BoundaryKind::open) return {Vec3{}};
  const int through = placing.cuts() ? -1 : axis_seen_through(axes.toward);
  for (int k = 0; k < 3; ++k) around.n_ghost[k] = around.size[k] > 0 && k != through ? farthest_image : 0;
  Vec3 low{}, high{};
  double largest = 0;
  bool any = false;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!is_gas(p, i)) continue;
    largest = std::max(largest, p.smoothing_length[i]);
    for (int k = 0; k < 3; ++k) {
      low[k] = any ? std::min(low[k], position[i][k]) : position[i][k];
      high[k] = any ? std::max(high[k], position[i][k]) : position[i][k];
    }
    any = true;
  }
  Vec3 middle, half;
  for (int k = 0; k < 3; ++k) middle[k] = 0.5 * (low[k] + high[k]), half[k] = 0.5 * (high[k] - low[k]);
  const double reach = std::sqrt(dot(half, half)) + largest;
  std::vector<Vec3> shifts;
  Pixel unused;
  for (const SourceImage& image : images_of(around, snapshot.time)) {
    const Vec3 at = {middle[0] + image.shift[0], middle[1] + image.shift[1], middle[2] + image.shift[2]};
    if (placing.height2(at) >= reach * reach) continue;
    if (placing.place(at, reach * placing.pixels_per_length(), unused)) shifts.push_back(image.shift);
  }
  return shifts;
}

}  // namespace

bool has_kernels(const Particles& p) {
  if (p.smoothing_length.empty()) return false;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (is_gas(p, i) && p.smoothing_length[i] > 0) return true;
  }
  return false;
}

void require_kernels(const Particles& p) {
  if (has_kernels(p)) return;
  const bool any = std::count(p.family.begin(), p.family.end(), Family::gas) > 0;
  if (!any) throw UsageError("field", "there is no gas", "leave it out; only gas has fields");
  throw UsageError("field", "the gas has no smoothing lengths", "draw a snapshot of a run, which has them");
}

void require_gas_on_plane(const Snapshot& snapshot, const Options& options) {
  if (!options.field || !options.field->slice) return;
  const Particles& p = snapshot.particles;
  require_kernels(p);
  const auto axis = static_cast<std::size_t>(options.axis);
  const double plane = *options.field->slice;
  std::vector<Vec3> position = p.position, no_velocities;
  wrap(position, no_velocities, snapshot.boundary, snapshot.time);
  Boundary around = box_of(snapshot);
  around.n_ghost = {};
  if (around.kind != BoundaryKind::open && around.size[axis] > 0) around.n_ghost[axis] = farthest_image;
  const std::vector<SourceImage> images = images_of(around, snapshot.time);
  std::array<double, 2> ends{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double H = is_gas(p, i) ? p.smoothing_length[i] : 0;
    if (!(H > 0)) continue;
    const double at = position[i][axis];
    ends = {std::min(ends[0], at - H), std::max(ends[1], at + H)};
    for (const SourceImage& image : images) {
      if (std::abs(at + image.shift[axis] - plane) < H) return;
    }
  }
  std::ostringstream said, remedy;
  said << "no gas is at "
       << "xyz"[axis] << " = " << plane;
  remedy << "the gas and its kernels extend from " << ends[0] << " to " << ends[1];
  throw UsageError("slice", said.str(), remedy.str());
}

GasPoints gas_points(const Snapshot& snapshot, const Options& options, const Camera& camera, const Canvas& canvas,
                     const KernelSections& sections) {
  const Particles& p = snapshot.particles;
  const Placing placing(options, camera, canvas);
  std::vector<Vec3> position = p.position, no_velocities;
  wrap(position, no_velocities, snapshot.boundary, snapshot.time);
  const std::vector<Vec3> shifts = shifts_seen(snapshot, position, placing, screen(camera));
  GasPoints found;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!is_gas(p, i) || !(p.smoothing_length[i] > 0)) continue;
    const double H = p.smoothing_length[i];
    for (const Vec3& shift : shifts) {
      const Vec3 at = {position[i][0] + shift[0], position[i][1] + shift[1], position[i][2] + shift[2]};
      const double height2 = placing.height2(at) / (H * H);
      if (height2 >= 1) continue;
      const double radius = std::max<double>(narrowest, H * std::sqrt(1 - height2) * placing.pixels_per_length());
      Pixel to;
      if (!placing.place(at, radius, to)) continue;
      found.points.push_back({static_cast<float>(to.x), static_cast<float>(to.y), 0, static_cast<std::uint32_t>(i)});
      found.radii.push_back(static_cast<float>(radius));
      if (!placing.cuts()) continue;
      found.hill.push_back(KernelSections::number(height2));
      found.share.push_back(sections.share(height2) / H);
    }
  }
  return found;
}

}  // namespace hornbeam::render
