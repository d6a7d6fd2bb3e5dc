// SPDX-License-Identifier: Apache-2.0
// Target points of a domain in order, see guests.h. Compiled once a precision (HB_PRECISION).
#include "tree/guests.h"

#include "tree/lent_columns.h"

HB_OPEN

void Guests::load(const LentTargets& places, const Sorting& how) {
  if (!begin(places.position.rows, places.eps.has_value())) return;
  DeviceParticles& p = particles_;
  for (int k = 0; k < 3; ++k) take_axis(device_, {places.position}, k, nullptr, p.n, p.x[k]);
  const PeriodicBox box = {static_cast<pos_t>(places.period[0]), static_cast<pos_t>(places.period[1]),
                           static_cast<pos_t>(places.period[2]), 0, 0};
  device_.launch(kernels::wrap_positions{.position = p.x, .box = box, .n = p.n, .vy = nullptr}, plain_variant, p.n);
  if (places.eps) take_reals(device_, *places.eps, 1 / how.eps_unit, p.eps);
  sort(how);
}

/// Room for n of them, which are numbered; whether there are any.
bool Guests::begin(std::size_t n, bool own_eps) {
  DeviceParticles& p = particles_;
  if (tree_ == nullptr) tree_ = make_tree(device_);
  p.n = static_cast<i32>(n);
  if (n == 0) return false;
  for (DeviceArray<pos_t>& x : p.x) x.reserve(n * sizeof(pos_t));
  p.input.reserve(n * sizeof(u32));
  device_.launch(kernels::number_items{.n = p.n, .numbers = p.input}, plain_variant, p.n);
  p.mass.reserve(n * sizeof(real));
  device_.clear(p.mass, n * sizeof(real));
  p.soft2.reserve(n * sizeof(real));
  p.eps.release();
  if (own_eps) p.eps.reserve(n * sizeof(real));
  for (DeviceArray<real>& values : p.acc) values.reserve(n * sizeof(real));
  return true;
}

void Guests::measure(WalkOptions options) {
  options.cells = tree_->cells().size();  // not those of the sources
  options.particles = particles_.n;
  tree_->compute_moments(particles_, cube_, options);
}

void Guests::sort(const Sorting& how) {
  DeviceParticles& p = particles_;
  cube_ = tree_->bound(p);
  tree_->make_keys(p, cube_, HB_CURVE_HILBERT);
  tree_->sort(p.n);
  tree_->reorder(p);
  tree_->build(p, cube_, HB_CURVE_HILBERT, {how.leaf_size, how.moment_stride, {.size = how.group_size}, how.direct});
  tree_->reorder_rest(p);
  p.eps_unit = how.eps_unit;
  p.make_soft2(device_, how.eps, how.unit);
  for (DeviceArray<real>& values : p.acc) device_.clear(values, static_cast<std::size_t>(p.n) * sizeof(real));
}

HB_CLOSE
