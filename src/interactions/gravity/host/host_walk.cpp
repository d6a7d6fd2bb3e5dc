// SPDX-License-Identifier: Apache-2.0
// From targets to the kernels' arrays, see host_walk.h. Compiled once a precision (HB_PRECISION).
#include "interactions/gravity/host/host_walk.h"

#include <algorithm>

#include "device/host/threads.h"

HB_OPEN

HostWalk::HostWalk(HostDevice& device)
    : device_(device),
      kernels_(kernels_of(device.instruction_set())),
      shifted_{DeviceArray<pos_t>(device), DeviceArray<pos_t>(device), DeviceArray<pos_t>(device)} {}

void HostWalk::run(const GravityRun& what, const DeviceParticles& p, Tree& tree, TargetSet& targets) {
  const Threads scope(device_.threads());
  const auto& active = static_cast<const HostTargets&>(targets);
  const std::vector<GroupRange>& ranges = active.groups();
  const auto groups = static_cast<i32>(ranges.size());
  const u32* const order = active.are_some() ? active.particles().data()
                           : what.order      ? host_values(*what.order)
                                             : nullptr;
  const bool image = what.options.image != 0;
  const WalkArrays arrays{host_view(p),
                          image ? shifted_view(p, what.shift) : host_view(p),
                          static_cast<HostTree&>(tree).host_cells().view(),
                          host_values(p.last),
                          order,
                          active.count(),
                          {host_values(p.acc[0]), host_values(p.acc[1]), host_values(p.acc[2]), host_values(p.acc[3])}};
  Interactions made;
  switch (what.walk) {
    case Walk::direct:
      kernels_.sum_direct(arrays, nullptr, ranges.data(), groups, what.options);
      for (const GroupRange& g : ranges) made.particle += static_cast<u64>(g.count);
      made.particle *= static_cast<u64>(std::max(p.n - (image ? 0 : 1), 0));
      break;
    case Walk::stackless:
      made = kernels_.walk_stackless(arrays, what.options);
      break;
    default:
      made = kernels_.walk_groups(arrays, ranges.data(), active.block_begin().data(),
                                  static_cast<i32>(active.block_begin().size()) - 1, what.options);
  }
  if (!image) interactions_ = {};
  interactions_.particle += made.particle;
  interactions_.cell += made.cell;
  interactions_.expansion += made.expansion;
}

ParticlesView HostWalk::shifted_view(const DeviceParticles& p, const Vec3& shift) {
  for (auto& axis : shifted_) axis.reserve((static_cast<std::size_t>(p.n) + read_ahead) * sizeof(pos_t));
  device_.launch(kernels::shift_positions{.position = p.x,
                                          .shift_x = static_cast<pos_t>(shift[0]),
                                          .shift_y = static_cast<pos_t>(shift[1]),
                                          .shift_z = static_cast<pos_t>(shift[2]),
                                          .n = p.n,
                                          .shifted = shifted_},
                 plain_variant, p.n);
  ParticlesView view = host_view(p);
  view.x = host_values(shifted_[0]);
  view.y = host_values(shifted_[1]);
  view.z = host_values(shifted_[2]);
  return view;
}

HB_CLOSE
