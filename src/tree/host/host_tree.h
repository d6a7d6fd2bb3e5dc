// SPDX-License-Identifier: Apache-2.0
// The tree on the CPU: keys by SIMD, a sort of its own, cells by threads. Compiled once a precision.
#pragma once

#include "device/host/host_device.h"
#include "tree/host/host_cells.h"
#include "tree/host/host_need.h"
#include "tree/tree.h"

HB_OPEN

class HostTree final : public Tree {
 public:
  explicit HostTree(HostDevice& device);

  [[nodiscard]] KeyCube bound(const DeviceParticles& particles) override;
  void make_keys(const DeviceParticles& particles, const KeyCube& cube, i32 curve) override;
  void sort(i32 n) override;
  /// All fields follow at once, so that reorder_rest() has nothing left to do.
  void reorder(DeviceParticles& particles) override;
  void build(DeviceParticles& particles, const KeyCube& cube, i32 curve, const TreePlan& plan) override;
  void reorder_rest(DeviceParticles& /*particles*/) override {}
  void compute_moments(const DeviceParticles& particles, const KeyCube& cube, const WalkOptions& options) override;

  void demand_room(std::size_t n, i32 leaf_size) const override { memory::demand_now(n, points_need(leaf_size)); }
  static constexpr i32 least_order = 1;
  [[nodiscard]] i32 least_moment_order() const override { return least_order; }
  /// Sums over 100 neighbours look at them whole (15 % faster than 16).
  [[nodiscard]] i32 gathering_leaf_size() const override { return 32; }
  [[nodiscard]] i32 box_stride() const override { return 0; }
  void largest_in_cells(DeviceArray<pos_t>& largest, const DeviceArray<pos_t>& values,
                        const CellArrays& cells) const override;
  /// The tree's groups of particles, as the points that are in them.
  void group_points(Groups& groups, const DeviceParticles& points, const DeviceArray<u32>& sums, i32 size,
                    pos_t near) const override;
  [[nodiscard]] std::uint64_t tree_bytes() const override {
    return cells_.bytes() + groups_.bytes() + maker_.scratch_bytes() + bytes_of(keys_);
  }
  [[nodiscard]] std::uint64_t scratch_bytes() const override;

 private:
  template <class T>
  void reorder_array(DeviceArray<T>& values, DeviceArray<T>& scratch, i32 n);

  HostDevice& host_;
  const Kernels& kernels_;
  HostCells maker_;
  Array<SortEntry> entries_, sort_scratch_;
  Array<u64> keys_;
  DeviceArray<pos_t> pos_scratch_;  ///< kept from step to step
  DeviceArray<real> real_scratch_;
  DeviceArray<u32> word_scratch_;
};

/// What the CPU's walks and stages see of the particles.
inline ParticlesView host_view(const DeviceParticles& p) {
  return {host_values(p.x[0]), host_values(p.x[1]), host_values(p.x[2]), host_values(p.mass), host_values(p.soft2)};
}

HB_CLOSE
