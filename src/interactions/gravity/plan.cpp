// SPDX-License-Identifier: Apache-2.0
// Whether an evaluation fits its device, and with which sizes of leaves and groups; of the CPU: host/host_plan.cpp.
// Compiled once a precision (HB_PRECISION).
#include <algorithm>
#include <string>

#include "device/kernels/sizes.h"
#include "device/transfer.h"
#include "hornbeam/error.h"
#include "interactions/gravity/device_walk.h"
#include "interactions/gravity/evaluation.h"
#include "interactions/gravity/gravity_module.h"
#include "interactions/gravity/memory_plan.h"
#include "memory/room.h"
#include "tree/device/device_tree.h"

HB_OPEN

GravityOptions DeviceWalk::plan(u64 n, GravityOptions options, const Holding& holding, u64 held) const {
  if (options.group_size > HB_MAX_GROUP) {
    throw UsageError("group_size = " + std::to_string(options.group_size),
                     "is more than the " + std::to_string(HB_MAX_GROUP) + " particles of a group on a GPU",
                     "use at most 64");
  }
  const WalkOptions w = evaluation_options(options, options.mac, holding.own_eps, DeviceTree::least_order);
  auto free = static_cast<double>(device_.free_bytes());
  if (device_.shares_host_memory()) free = std::min(free, memory::room().bytes);
  options.leaf_size = fitting_leaf_size(n, options, w, holding, static_cast<u64>(free) + held, device_.description());
  if (options.group_size == 0) options.group_size = HB_MAX_GROUP;
  return options;
}

memory::Need DeviceWalk::host_need(const GravityOptions& /*options*/, const Holding& /*holding*/,
                                   const memory::Need& /*others*/) const {
  return {{"chunks on the way to the device", 0, 2.0 * sizeof(double) * transfer_chunk}};
}

GravityOptions plan_domain_gravity(Device& device, std::uint64_t n, const GravityOptions& options,
                                   const Holding& holding, std::uint64_t held) {
  constexpr u64 most_particles = u64{1} << 30;
  options.validate();
  if (n > most_particles) {
    throw Error("particles", std::to_string(n) + " are more than a run can have, 2^30", "use fewer");
  }
  return make_gravity_walk(device)->plan(n, options, holding, held);
}

memory::Need domain_gravity_host_need(Device& device, const GravityOptions& options, const Holding& holding,
                                      const memory::Need& others) {
  return make_gravity_walk(device)->host_need(options, holding, others);
}

HB_CLOSE
