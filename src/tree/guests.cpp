// SPDX-License-Identifier: Apache-2.0
// Guests of a domain in order, see guests.h. Compiled once a precision (HB_PRECISION).
#include "tree/guests.h"

#include "device/transfer.h"

HB_OPEN

void Guests::load(const std::vector<Vec3>& places, const std::vector<double>& eps, const Sorting& how) {
  constexpr i32 leaf_size = 16;  // no walk goes down to them
  const std::size_t n = places.size();
  DeviceParticles& p = particles_;
  if (tree_ == nullptr) tree_ = make_tree(device_);
  p.n = static_cast<i32>(n);
  if (n == 0) return;
  for (int k = 0; k < 3; ++k) {
    p.x[k].reserve(n * sizeof(pos_t));
    upload_values<pos_t>(device_, p.x[k], n, [&](std::size_t i) { return places[i][k]; });
  }
  p.input.reserve(n * sizeof(u32));
  device_.launch(kernels::number_items{.n = p.n, .numbers = p.input}, plain_variant, p.n);
  p.mass.reserve(n * sizeof(real));
  device_.clear(p.mass, n * sizeof(real));
  p.soft2.reserve(n * sizeof(real));
  if (eps.empty()) {
    p.eps.release();
  } else {
    p.eps.reserve(n * sizeof(real));
    upload_values<real>(device_, p.eps, n, [&](std::size_t i) { return eps[i]; });
  }
  for (DeviceArray<real>& values : p.acc) values.reserve(n * sizeof(real));
  const KeyCube cube = tree_->bound(p);
  tree_->make_keys(p, cube, HB_CURVE_HILBERT);
  tree_->sort(p.n);
  tree_->reorder(p);
  tree_->build(p, cube, HB_CURVE_HILBERT, {leaf_size, 0, {.size = how.group_size}, how.direct});
  tree_->reorder_rest(p);
  device_.launch(kernels::make_soft2{.eps = p.eps,
                                     .eps_for_all = static_cast<pos_t>(how.eps),
                                     .unit = static_cast<pos_t>(how.unit),
                                     .n = p.n,
                                     .soft2 = p.soft2},
                 plain_variant, p.n);
  for (DeviceArray<real>& values : p.acc) device_.clear(values, n * sizeof(real));
}

HB_CLOSE
