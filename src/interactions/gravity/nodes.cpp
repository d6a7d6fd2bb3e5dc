// SPDX-License-Identifier: Apache-2.0
// Cells of the tree as callers see them. Compiled once a precision (HB_PRECISION).
#include <algorithm>
#include <cmath>
#include <vector>

#include "device/transfer.h"
#include "hornbeam/force_tree.h"
#include "interactions/gravity/domain_gravity.h"

HB_OPEN
namespace {

template <class T, class To>
std::vector<To> fetched_as(Device& device, const DeviceArray<T>& from, std::size_t n, double unit = 1) {
  std::vector<To> values(n);
  download_values<T>(device, from, n, [&](std::size_t i, T value) {
    values[i] = unit == 1 ? static_cast<To>(value) : static_cast<To>(static_cast<double>(value) * unit);
  });
  return values;
}

std::vector<Vec3> places_of(Device& device, const DeviceArray<pos_t>& x, const DeviceArray<pos_t>& y,
                            const DeviceArray<pos_t>& z, std::size_t n) {
  std::vector<Vec3> places(n);
  const DeviceArray<pos_t>* const axes[3] = {&x, &y, &z};
  for (std::size_t k = 0; k < 3; ++k) {
    download_values<pos_t>(device, *axes[k], n,
                           [&](std::size_t i, pos_t value) { places[i][k] = static_cast<double>(value); });
  }
  return places;
}

/// Cubes of all cells: of their levels, and where their particles lie.
void add_cubes(const LevelTable& levels, const KeyCube& cube, TreeNodes& nodes) {
  const double corner[3] = {static_cast<double>(cube.x), static_cast<double>(cube.y), static_cast<double>(cube.z)};
  i32 level = 0;
  for (std::size_t c = 0; c < nodes.size(); ++c) {
    while (static_cast<i32>(c) >= levels.begin[level + 1]) ++level;
    const double edge = std::ldexp(static_cast<double>(cube.edge), -level);
    nodes.edge.push_back(edge);
    Vec3& centre = nodes.centre.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      const double middle = nodes.low[c][k] / 2 + nodes.high[c][k] / 2;
      const double last = std::ldexp(1.0, level) - 1;
      const double place = std::min(std::max(std::floor((middle - corner[k]) / edge), 0.0), last);
      centre[k] = corner[k] + (place + 0.5) * edge;
    }
  }
}

/// M[0..5] of a cell are half of the second moments on the diagonal, and all of them off it (physics/expansion.h).
Tensor second_moments(const real* M, double unit) {
  const auto at = [&](int k, double factor) { return static_cast<double>(M[k]) * (factor * unit); };
  return {{{at(0, 2), at(1, 1), at(2, 1)}, {at(1, 1), at(3, 2), at(4, 1)}, {at(2, 1), at(4, 1), at(5, 2)}}};
}

}  // namespace

TreeNodes DomainGravity::nodes() {
  TreeNodes nodes;
  const Cells& cells = domain_.tree().cells();
  const auto n = static_cast<std::size_t>(p_.n == 0 ? 0 : cells.size());
  if (n == 0) return nodes;
  const double mass_unit = 1 / domain_.frame().mass, length = domain_.frame().length;
  nodes.mass = fetched_as<real, double>(device_, cells.cell_mass, n, mass_unit);
  nodes.first = fetched_as<i32, std::int32_t>(device_, cells.first, n);
  nodes.count = fetched_as<i32, std::int32_t>(device_, cells.count, n);
  nodes.child = fetched_as<i32, std::int32_t>(device_, cells.child, n);
  nodes.children = fetched_as<i32, std::int32_t>(device_, cells.children, n);
  nodes.centre_of_mass = places_of(device_, cells.com_x, cells.com_y, cells.com_z, n);
  nodes.low = places_of(device_, cells.low_x, cells.low_y, cells.low_z, n);
  nodes.high = places_of(device_, cells.high_x, cells.high_y, cells.high_z, n);
  nodes.order = fetched_as<u32, std::int64_t>(device_, p_.input, static_cast<std::size_t>(p_.n));
  const auto stride = static_cast<std::size_t>(walk_options(options_.mac).moment_stride);
  const std::vector<real> moments = fetched_as<real, real>(device_, cells.moments, stride * n);
  const std::vector<real> b = fetched_as<real, real>(device_, cells.b, n);
  nodes.moment.resize(n);
  for (std::size_t c = 0; c < n; ++c) {
    if (b[c] > 0) nodes.moment[c] = second_moments(moments.data() + stride * c, mass_unit / (length * length));
  }
  add_cubes(cells.levels, domain_.frame().cube, nodes);
  return nodes;
}

/// Those that make_keys() makes: devices keep them no longer than they sort.
std::vector<std::uint64_t> DomainGravity::keys() {
  const auto n = static_cast<std::size_t>(p_.n);
  const std::vector<Vec3> at = places_of(device_, p_.x[0], p_.x[1], p_.x[2], n);
  const std::vector<u32> input = fetched_as<u32, u32>(device_, p_.input, n);
  const i32 curve = options_.curve == Curve::hilbert ? HB_CURVE_HILBERT : HB_CURVE_MORTON;
  std::vector<std::uint64_t> keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    keys[input[i]] = particle_key(static_cast<pos_t>(at[i][0]), static_cast<pos_t>(at[i][1]),
                                  static_cast<pos_t>(at[i][2]), domain_.frame().cube, curve);
  }
  return keys;
}

HB_CLOSE
