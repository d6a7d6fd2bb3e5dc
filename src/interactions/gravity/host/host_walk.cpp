// SPDX-License-Identifier: Apache-2.0
// From targets to the kernels' arrays, see host_walk.h. Compiled once a precision (HB_PRECISION).
#include "interactions/gravity/host/host_walk.h"

#include <algorithm>

#include "device/host/threads.h"

HB_OPEN

HostWalk::HostWalk(const HostDevice& device) : device_(device), kernels_(kernels_of(device.instruction_set())) {}

void HostWalk::run(const GravityRun& what, const DeviceParticles& p, Tree& tree, TargetSet& targets) {
  const Threads scope(device_.threads());
  const auto& active = static_cast<const HostTargets&>(targets);
  const std::vector<GroupRange>& ranges = active.groups();
  const auto groups = static_cast<i32>(ranges.size());
  const u32* const order = active.are_some() ? active.particles().data()
                           : what.order      ? host_values(*what.order)
                                             : nullptr;
  const WalkArrays arrays{host_view(p),
                          static_cast<HostTree&>(tree).host_cells().view(),
                          host_values(p.last),
                          order,
                          active.count(),
                          {host_values(p.acc[0]), host_values(p.acc[1]), host_values(p.acc[2]), host_values(p.acc[3])}};
  switch (what.walk) {
    case Walk::direct:
      kernels_.sum_direct(arrays, host_view(p), nullptr, ranges.data(), groups, what.options);
      interactions_ = {};
      for (const GroupRange& g : ranges) interactions_.particle += static_cast<u64>(g.count);
      interactions_.particle *= static_cast<u64>(std::max(p.n - 1, 0));
      break;
    case Walk::stackless:
      interactions_ = kernels_.walk_stackless(arrays, what.options);
      break;
    default:
      interactions_ = kernels_.walk_groups(arrays, ranges.data(), active.block_begin().data(),
                                           static_cast<i32>(active.block_begin().size()) - 1, what.options);
  }
}

HB_CLOSE
