// SPDX-License-Identifier: Apache-2.0
// Which particles are due, see device_due.h.
#include "backend/device/device_due.h"

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

DueTargets::DueTargets(Device& device, Precision precision)
    : device_(device),
      variant_{precision, 0},
      marks_(device),
      list_(device),
      begins_(device),
      picked_(device),
      groups_(device) {}

i32 DueTargets::find(const DueRungs& due, i32 n) {
  marks_.reserve((static_cast<std::size_t>(n) + 2) * sizeof(u32));  // and one more where groups are listed
  device_.launch(Kernel::mark_due, variant_, n + 1, Arguments(due.rungs, due.least, n, marks_));
  return count_ = list_marks(n, list_);
}

/// Lists the numbers of the n marks that are set; how many there are.
i32 DueTargets::list_marks(i32 n, Buffer& list) {
  device_.exclusive_scan(marks_, n + 1);
  list.reserve(static_cast<std::size_t>(n) * sizeof(i32));
  device_.launch(Kernel::list_marks, variant_, n, Arguments(marks_, n, list));
  u32 found = 0;
  device_.download(&found, marks_, static_cast<std::size_t>(n) * sizeof(u32), sizeof found);
  return static_cast<i32>(found);
}

void DueTargets::gather(Buffer& to, const Buffer& from, std::size_t element, Kernel kernel) {
  if (from.bytes() == 0) return to.release();
  to.reserve(static_cast<std::size_t>(count_) * element);
  device_.launch(kernel, variant_, count_, Arguments(from, list_, count_, to));
}

i32 DueTargets::lay_out(const DeviceParticles& all, const DeviceTree& tree, i32 group_size) {
  picked_.n = count_;
  if (count_ == 0) return group_size;
  for (int k = 0; k < 3; ++k) gather(picked_.x[k], all.x[k], sizeof(pos_t), Kernel::gather_positions);
  gather(picked_.mass, all.mass, sizeof(real), Kernel::gather_reals);
  gather(picked_.soft2, all.soft2, sizeof(real), Kernel::gather_reals);
  picked_.last.reserve(static_cast<std::size_t>(count_) * sizeof(real));
  device_.launch(Kernel::remember_accelerations, variant_, count_,
                 Arguments(all.acc[0], all.acc[1], all.acc[2], list_, count_, picked_.last));
  const i32 size = busy_group_size(count_, group_size);
  begins_.reserve(static_cast<std::size_t>(count_));
  tree.mark_groups(picked_, {.size = size}, begins_);
  device_.launch(Kernel::mark_begins, variant_, count_ + 2, Arguments(begins_, count_, marks_));
  groups_.count = list_marks(count_ + 1, groups_.first) - 1;
  return size;
}

void DueTargets::release() {
  for (Buffer* b :
       std::initializer_list<Buffer*>{&marks_, &list_, &begins_, &groups_.first, &picked_.x[0], &picked_.x[1],
                                      &picked_.x[2], &picked_.mass, &picked_.soft2, &picked_.last}) {
    b->release();
  }
}

HB_CLOSE
