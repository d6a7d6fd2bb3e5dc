// SPDX-License-Identifier: Apache-2.0
// Whether an evaluation fits its device, and with which sizes of leaves and groups. Compiled once a precision.
#include <algorithm>
#include <string>

#include "device/device.h"
#include "device/kernels/sizes.h"
#include "device/transfer.h"
#include "hornbeam/error.h"
#include "interactions/gravity/evaluation.h"
#include "interactions/gravity/gravity_module.h"
#include "memory/room.h"
#include "tree/host/host_need.h"
#include "tree/memory_plan.h"

HB_OPEN
namespace {

constexpr u64 most_particles = u64{1} << 30;

/// Larger where cells hold the moments of a high order, so that memory stays below 200 bytes a particle; as fast.
int host_leaf_size(int expansion) { return expansion < 5 ? 16 : expansion == 5 ? 24 : 32; }

GravityOptions with_host_sizes(GravityOptions options) {
  if (options.leaf_size == 0) options.leaf_size = host_leaf_size(options.expansion);
  if (options.group_size == 0) options.group_size = 128;
  return options;
}

memory::Need host_need(const Device& device, const GravityOptions& options, const Holding& holding) {
  const WalkOptions w = evaluation_options(options, options.mac, holding.own_eps, least_moment_order(true));
  return evaluation_need(with_host_sizes(options), w, holding, device.threads());
}

GravityOptions plan_on_host(const Device& device, u64 n, const GravityOptions& options, const Holding& holding,
                            u64 held) {
  if (options.walk == Walk::vote) {
    throw UsageError("walk = vote", "is for GPUs and not built for the CPU", "use group, stackless or direct");
  }
  memory::demand_now(n, host_need(device, options, holding), static_cast<double>(held));
  return with_host_sizes(options);
}

GravityOptions plan_on_device(Device& device, u64 n, GravityOptions options, const Holding& holding, u64 held) {
  if (options.group_size > HB_MAX_GROUP) {
    throw UsageError("group_size = " + std::to_string(options.group_size),
                     "is more than the " + std::to_string(HB_MAX_GROUP) + " particles a warp takes", "use at most 64");
  }
  const WalkOptions w = evaluation_options(options, options.mac, holding.own_eps, least_moment_order(false));
  auto free = static_cast<double>(device.free_bytes());
  if (device.shares_host_memory()) free = std::min(free, memory::room().bytes);
  options.leaf_size = fitting_leaf_size(n, options, w, holding, static_cast<u64>(free) + held, device.description());
  if (options.group_size == 0) options.group_size = HB_MAX_GROUP;
  return options;
}

}  // namespace

GravityOptions plan_domain_gravity(Device& device, std::uint64_t n, const GravityOptions& options,
                                   const Holding& holding, std::uint64_t held) {
  options.validate();
  if (n > most_particles) {
    throw Error("particles", std::to_string(n) + " are more than one run holds, 2^30", "use fewer");
  }
  return device.is_host() ? plan_on_host(device, n, options, holding, held)
                          : plan_on_device(device, n, options, holding, held);
}

memory::Need domain_gravity_host_need(const Device& device, const GravityOptions& options, const Holding& holding) {
  if (device.is_host()) return host_need(device, options, holding);
  return {{"chunks on the way to the device", 0, 2.0 * sizeof(double) * transfer_chunk}};
}

DomainOptions gravity_domain_options(const Device& device, const GravityOptions& o, bool own_eps) {
  DomainOptions d;
  d.G = o.G;
  d.curve = o.curve;
  d.leaf_size = o.leaf_size;
  d.group_size = o.walk == Walk::group ? o.group_size : 0;
  d.moment_stride = evaluation_options(o, o.mac, own_eps, least_moment_order(device.is_host())).moment_stride;
  d.direct = o.walk == Walk::direct;
  return d;
}

HB_CLOSE
