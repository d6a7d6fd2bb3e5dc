// SPDX-License-Identifier: Apache-2.0
// Which particles are due, see device_targets.h.
#include "tree/device/device_targets.h"

#include <initializer_list>

HB_OPEN
namespace {

/// Groups of at most group_size among few targets: enough to keep the device busy, but not so small that they only
/// repeat one another's way through the tree.
i32 busy_group_size(i32 targets, i32 group_size) {
  constexpr i32 enough_groups = 2048, least_size = 8;
  while (group_size > least_size && targets / group_size < enough_groups) group_size = (group_size + 1) / 2;
  return group_size;
}

}  // namespace

DeviceTargets::DeviceTargets(Device& device)
    : device_(device), marks_(device), list_(device), begins_(device), picked_(device), groups_(device) {}

void DeviceTargets::take_all(const DeviceParticles& particles, const Tree& tree) {
  some_ = false;
  tree_groups_ = &tree.groups();
  count_ = particles.n;
}

void DeviceTargets::take_due(const DeviceParticles& particles, const Tree& tree, i32 least) {
  some_ = true;
  tree_groups_ = &tree.groups();
  marks_.reserve((static_cast<std::size_t>(particles.n) + 2) * sizeof(u32));  // and one more where groups are listed
  device_.launch(kernels::mark_due{.rungs = particles.rung, .least = least, .n = particles.n, .due = marks_},
                 plain_variant, particles.n + 1);
  count_ = list_marks(device_, marks_, particles.n, list_);
}

template <class Launch, class T>
void DeviceTargets::gather(DeviceArray<T>& to, const DeviceArray<T>& from) {
  if (from.bytes() == 0) return to.release();
  to.reserve(static_cast<std::size_t>(count_) * sizeof(T));
  device_.launch(Launch{.from = from, .place = list_.as<u32>(), .n = count_, .to = to}, plain_variant, count_);
}

TargetLayout DeviceTargets::lay_out(const DeviceParticles& all, i32 group_size) {
  if (!some_) return {&all, tree_groups_, group_size};
  picked_.n = count_;
  if (count_ == 0) return {&picked_, &groups_, group_size};
  for (int k = 0; k < 3; ++k) gather<kernels::gather_positions>(picked_.x[k], all.x[k]);
  gather<kernels::gather_reals>(picked_.mass, all.mass);
  gather<kernels::gather_reals>(picked_.soft2, all.soft2);
  picked_.last.reserve(static_cast<std::size_t>(count_) * sizeof(real));
  device_.launch(kernels::remember_accelerations{.acc = all.acc, .picks = list_, .n = count_, .size = picked_.last},
                 plain_variant, count_);
  const i32 size = busy_group_size(count_, group_size);
  make_groups(device_, picked_, size, begins_, marks_, groups_);
  return {&picked_, &groups_, size};
}

void DeviceTargets::release() {
  for (Buffer* b :
       std::initializer_list<Buffer*>{&marks_, &list_, &begins_, &groups_.first, &picked_.x[0], &picked_.x[1],
                                      &picked_.x[2], &picked_.mass, &picked_.soft2, &picked_.last}) {
    b->release();
  }
}

HB_CLOSE
