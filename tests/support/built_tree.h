// SPDX-License-Identifier: Apache-2.0
// The tree of a set of particles with all its arrays open, for tests that look inside: the core's stages from bound to
// moments, in the precision that HB_PRECISION names.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"
#include "physics/expansion.h"
#include "tree/host/host_cells.h"

HB_OPEN

/// Cells of the CPU that belong to no domain.
class BuiltCells {
 public:
  BuiltCells() : cells_(*device_), groups_(*device_) {}
  void make(const Array<u64>& keys, const ParticlesView& particles, const KeyCube& cube, WalkOptions& options,
            i32 leaf_size, i32 group_size) {
    HostCells maker(cells_, groups_);
    maker.build(keys, leaf_size, options.moment_stride);
    options.cells = size();
    maker.compute_moments(kernels_generic(), particles, cube, options);
    maker.make_groups(group_size, particles);
  }
  [[nodiscard]] i32 size() const { return cells_.size(); }
  [[nodiscard]] CellsView view() const { return host_view(cells_); }
  [[nodiscard]] std::span<const GroupRange> groups() const { return host_ranges(groups_); }

 private:
  std::unique_ptr<HostDevice> device_ = open_host_device(1);
  Cells cells_;
  Groups groups_;
};

struct BuiltTree {
  std::vector<pos_t> x, y, z;
  std::vector<real> mass, soft2;
  Array<u64> keys;
  std::vector<u32> input;  ///< index on input
  KeyCube cube{};
  WalkOptions options{};
  BuiltCells tree;

  [[nodiscard]] ParticlesView particles() const { return {x.data(), y.data(), z.data(), mass.data(), soft2.data()}; }
};

/// Internal lengths per length: a power of two that makes the key cube's edge a few hundred, as in the core.
[[maybe_unused]] static double internal_unit(double edge) { return std::ldexp(1.0, 8 - std::ilogb(edge)); }

// static, as everything made from HB_FN: test programs mix strict and ordinary translation units
[[maybe_unused]] static BuiltTree build_tree(const Particles& p, const GravityOptions& o) {
  BuiltTree t;
  const auto n = static_cast<i32>(p.size());
  std::vector<pos_t> axis[3];
  for (int k = 0; k < 3; ++k) {
    for (const Vec3& x : p.position) axis[k].push_back(static_cast<pos_t>(x[k]));
  }
  const pos_t* const position[3] = {axis[0].data(), axis[1].data(), axis[2].data()};
  if (n > 0) t.cube = key_cube(position, n);
  const double unit = n > 0 ? internal_unit(static_cast<double>(t.cube.edge)) : 1.0;
  Array<SortEntry> entries(p.size()), scratch;
  const i32 curve = o.curve == Curve::hilbert ? HB_CURVE_HILBERT : HB_CURVE_MORTON;
  for (i32 i = 0; i < n; ++i) {
    entries[i] = {particle_key(axis[0][i], axis[1][i], axis[2][i], t.cube, curve), static_cast<u32>(i),
                  static_cast<u32>(i)};
  }
  sort_entries(entries, scratch);
  for (const SortEntry& e : entries) {
    t.keys.push_back(e.key);
    t.input.push_back(e.input);
    t.x.push_back(axis[0][e.place]), t.y.push_back(axis[1][e.place]), t.z.push_back(axis[2][e.place]);
    t.mass.push_back(static_cast<real>(p.mass[e.place]));
    const double eps = (o.eps >= 0 ? o.eps : p.eps.empty() ? 0.0 : p.eps[e.place]) * unit;
    t.soft2.push_back(static_cast<real>(eps * eps / 2));
  }
  WalkOptions& w = t.options;
  w.unit = static_cast<pos_t>(unit);
  w.mac = static_cast<i32>(o.mac);
  w.order = o.order;
  w.expansion = o.expansion;
  w.softening = o.softening == Softening::spline ? HB_SPLINE : HB_PLUMMER;
  w.reaches = w.softening == HB_SPLINE || !p.eps.empty() ? 1 : 0;
  w.moment_order = std::max({2, o.order, o.expansion});
  w.moment_stride = (HB_MOMENTS(w.moment_order) + 15) / 16 * 16;
  w.particles = n;
  w.theta = static_cast<real>(o.theta);
  w.theta_c = static_cast<real>(o.effective_theta_c());
  t.tree.make(t.keys, t.particles(), t.cube, w, o.leaf_size > 0 ? o.leaf_size : 16,
              o.group_size > 0 ? o.group_size : 64);
  return t;
}

HB_CLOSE
