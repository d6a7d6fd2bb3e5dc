// SPDX-License-Identifier: Apache-2.0
// Whether an evaluation fits the CPU's memory, and with which sizes of leaves and groups. Compiled once a precision
// (HB_PRECISION).
#include "interactions/gravity/evaluation.h"
#include "interactions/gravity/host/host_walk.h"
#include "tree/host/host_need.h"
#include "tree/host/host_tree.h"

#include "hornbeam/error.h"

HB_OPEN
namespace {

/// Larger where cells hold the moments of a high order, so that memory stays below 200 bytes a particle; as fast.
int host_leaf_size(int expansion) { return expansion < 5 ? 16 : expansion == 5 ? 24 : 32; }

GravityOptions with_host_sizes(GravityOptions options) {
  if (options.leaf_size == 0) options.leaf_size = host_leaf_size(options.expansion);
  if (options.group_size == 0) options.group_size = 128;
  return options;
}

}  // namespace

memory::Need HostWalk::host_need(const GravityOptions& options, const Holding& holding,
                                 const memory::Need& others) const {
  const WalkOptions w = evaluation_options(options, options.mac, holding.own_eps, HostTree::least_order);
  return evaluation_need(with_host_sizes(options), w, holding, device_.threads()) + others;
}

GravityOptions HostWalk::plan(u64 n, GravityOptions options, const Holding& holding, u64 held) const {
  if (options.walk == Walk::vote) {
    throw UsageError("walk = vote", "runs only on GPUs", "use group, stackless or direct");
  }
  memory::demand_now(n, host_need(options, holding, {}), static_cast<double>(held));
  return with_host_sizes(options);
}

HB_CLOSE
