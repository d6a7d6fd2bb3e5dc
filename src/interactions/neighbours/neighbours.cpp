// SPDX-License-Identifier: Apache-2.0
// The public neighbour searches: arguments are checked here, found in search.cpp.
#include "hornbeam/neighbours.h"

#include <cmath>
#include <sstream>

#include "hornbeam/error.h"
#include "hornbeam/gravity.h"
#include "interactions/neighbours/search.h"
#include "stages/wrap.h"

namespace hornbeam {
namespace {

/// Coordinates and lengths whose squares are summed without overflow.
constexpr double largest_coordinate = 1e150;

std::string number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

[[noreturn]] void refuse(const std::string& option, double value, const std::string& allowed) {
  throw UsageError(option + " = " + number(value), "must be " + allowed);
}

[[noreturn]] void refuse_one(const std::string& one, std::size_t i, const Vec3& x, const std::string& allowed) {
  throw Error(one + " " + std::to_string(i), "is at (" + number(x[0]) + ", " + number(x[1]) + ", " + number(x[2]) + ")",
              "coordinates must be " + allowed);
}

}  // namespace

void wrap_into_box(std::vector<Vec3>& position, const Vec3& box) {
  for (Vec3& at : position) {
    for (std::size_t k = 0; k < 3; ++k) at[k] = mixed::wrapped_from_zero(at[k], box[k]);
  }
}

std::size_t outside_of_box(const std::vector<Vec3>& position, const Vec3& edges) {
  std::size_t from_0 = 0, about_0 = 0;
  for (const Vec3& at : position) {
    bool in_first = true, in_second = true;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!(edges[k] > 0)) continue;
      in_first = in_first && at[k] >= 0 && at[k] <= edges[k];
      in_second = in_second && std::abs(at[k]) <= edges[k] / 2;
    }
    from_0 += in_first ? 0 : 1;
    about_0 += in_second ? 0 : 1;
  }
  return std::min(from_0, about_0);
}

void check_search(const std::vector<Vec3>& position, const NeighbourOptions& options, const std::string& one) {
  for (const double edge : {options.box_size, options.box[0], options.box[1], options.box[2]}) {
    const bool is_cube = edge == options.box_size || !(options.box_size >= 0);
    if (!(edge >= 0 && edge <= largest_coordinate))
      refuse(is_cube ? "box_size" : "box", edge, "a positive length up to 1e150, or 0 for none");
  }
  if (options.box_size > 0 && options.box != Vec3{}) {
    throw UsageError("box_size = " + number(options.box_size), "received edges of a box, too", "give one or the other");
  }
  const Vec3 box = periods_of(options);
  if (options.leaf_size < 1 || options.leaf_size > largest_leaf_size)
    refuse("leaf_size", options.leaf_size, "from 1 to 1024");
  if (options.threads < 0) refuse("threads", options.threads, "at least 1, or 0 for all cores");
  if (position.size() > (std::size_t{1} << 30)) {
    throw Error(one + "s", std::to_string(position.size()) + " are more than a search can have, 2^30", "use fewer");
  }
  for (std::size_t i = 0; i < position.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double x = position[i][k];
      if (!(std::abs(x) <= largest_coordinate)) refuse_one(one, i, position[i], "finite and within 1e150 of 0");
      if (box[k] > 0 && !(x >= 0 && x < box[k])) {
        refuse_one(one, i, position[i],
                   "in [0, " + std::string(options.box_size > 0 ? "box_size = " : "") + number(box[k]) + ")" +
                       (options.box_size > 0 ? "" : " along " + std::string(1, "xyz"[k])));
      }
    }
  }
}

void check_radius(double radius, const std::string& option) {
  if (!(radius >= 1 / largest_coordinate && radius <= largest_coordinate)) {  // so that its square is a number
    refuse(option, radius, "positive, from 1e-150 to 1e150");
  }
}

void check_radii(const std::vector<double>& radii, std::size_t targets) {
  if (radii.size() != targets) {
    throw UsageError("radius", std::to_string(radii.size()) + " values for " + std::to_string(targets) + " targets",
                     "give one each, or one for all");
  }
  for (std::size_t i = 0; i < targets; ++i) {
    if (radii[i] != 0) check_radius(radii[i], "radius " + std::to_string(i));  // who is at the very place
  }
}

void check_nearest(std::int64_t k, std::size_t n, bool others) {
  if (k >= 1 && static_cast<std::size_t>(k) < n + (others ? 0 : 1)) return;
  throw UsageError("k = " + std::to_string(k), std::string("must be at least 1 and ") +
                                                   (others ? "less than" : "at most") + " the number of particles, " +
                                                   std::to_string(n));
}

NeighbourLists neighbours_within(const std::vector<Vec3>& position, double radius, const NeighbourOptions& options) {
  check_search(position, options);
  check_radius(radius);
  return NeighbourTree(position, options).within(radius);
}

std::vector<std::uint32_t> count_within(const std::vector<Vec3>& position, double radius,
                                        const NeighbourOptions& options) {
  check_search(position, options);
  check_radius(radius);
  return NeighbourTree(position, options).count_within(radius);
}

NeighbourLists neighbours_within(const std::vector<Vec3>& position, const std::vector<double>& radius,
                                 const NeighbourOptions& options) {
  check_search(position, options);
  check_radii(radius, position.size());
  return NeighbourTree(position, options).within(radius);
}

std::vector<std::uint32_t> count_within(const std::vector<Vec3>& position, const std::vector<double>& radius,
                                        const NeighbourOptions& options) {
  check_search(position, options);
  check_radii(radius, position.size());
  return NeighbourTree(position, options).count_within(radius);
}

NeighbourLists nearest_neighbours(const std::vector<Vec3>& position, int k, const NeighbourOptions& options) {
  check_search(position, options);
  check_nearest(k, position.size());
  return NeighbourTree(position, options).nearest(k);
}

NeighbourLists neighbours_of_points(const std::vector<Vec3>& position, const std::vector<Vec3>& points, double radius,
                                    const NeighbourOptions& options) {
  check_search(position, options);
  check_search(points, options, "target");
  check_radius(radius);
  return NeighbourTree(position, options).within(radius, {&points});
}

std::vector<std::uint32_t> count_of_points(const std::vector<Vec3>& position, const std::vector<Vec3>& points,
                                           double radius, const NeighbourOptions& options) {
  check_search(position, options);
  check_search(points, options, "target");
  check_radius(radius);
  return NeighbourTree(position, options).count_within(radius, {&points});
}

NeighbourLists neighbours_of_points(const std::vector<Vec3>& position, const std::vector<Vec3>& points,
                                    const std::vector<double>& radius, const NeighbourOptions& options) {
  check_search(position, options);
  check_search(points, options, "target");
  check_radii(radius, points.size());
  return NeighbourTree(position, options).within(radius, {&points});
}

std::vector<std::uint32_t> count_of_points(const std::vector<Vec3>& position, const std::vector<Vec3>& points,
                                           const std::vector<double>& radius, const NeighbourOptions& options) {
  check_search(position, options);
  check_search(points, options, "target");
  check_radii(radius, points.size());
  return NeighbourTree(position, options).count_within(radius, {&points});
}

NeighbourLists nearest_of_points(const std::vector<Vec3>& position, const std::vector<Vec3>& points, int k,
                                 const NeighbourOptions& options) {
  check_search(position, options);
  check_search(points, options, "target");
  check_nearest(k, position.size(), false);
  return NeighbourTree(position, options).nearest(k, {&points});
}

}  // namespace hornbeam
