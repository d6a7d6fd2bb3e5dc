// SPDX-License-Identifier: Apache-2.0
// Whether an evaluation fits the CPU's memory, and with which sizes of leaves and groups. Compiled once a precision
// (HB_PRECISION).
#include "hornbeam/error.h"
#include "interactions/gravity/evaluation.h"
#include "interactions/gravity/host/host_walk.h"
#include "interactions/gravity/lattice/far_images.h"
#include "tree/host/host_need.h"
#include "tree/host/host_tree.h"

HB_OPEN
namespace {

/// Larger where cells hold the moments of a high order, so that memory stays below 200 bytes a particle; as fast.
/// Walks to an accuracy are fastest so (docs/notes/cpu.md).
int host_leaf_size(const GravityOptions& o) {
  return o.accuracy > 0 || o.expansion > 5 ? 32 : o.expansion == 5 ? 24 : 16;
}

GravityOptions with_host_sizes(GravityOptions options) {
  if (options.leaf_size == 0) options.leaf_size = host_leaf_size(options);
  if (options.group_size == 0) options.group_size = 128;
  return options;
}

}  // namespace

memory::Need HostWalk::host_need(const GravityOptions& options, const Holding& holding,
                                 const memory::Need& others) const {
  const WalkOptions w = evaluation_options(options, options.mac, holding.own_eps, HostTree::least_order);
  const GravityOptions sized = with_host_sizes(options);
  memory::Need need = evaluation_need(sized, w, holding, device_.threads()) + others;
  if (holding.images) {
    const double points = MassPoints::bytes_per_particle(cells_per_particle(sized.leaf_size));
    need = need + memory::Need{{"far images of a lattice", options.accuracy > 0 ? points : 0, FarImages::most_bytes}};
  }
  if (options.accuracy == 0) return need;
  // families of siblings, sinks (fewer than half as many as cells) and thin moments, for as long as a walk takes
  const i32 stride = HB_MOMENT_STRIDE(w.expansion);
  const double cell = 8.0 * (3 * sizeof(pos_t) + 9 * sizeof(real) + sizeof(i32)) / 4 +
                      (9 * sizeof(pos_t) + 10 * sizeof(real) + 5 * sizeof(i32)) / 2.0 +
                      static_cast<double>(stride) * sizeof(real);
  return need + memory::Need{{"cells in the walk", cells_per_particle(sized.leaf_size) * cell}};
}

GravityOptions HostWalk::plan(u64 n, GravityOptions options, const Holding& holding, u64 held) const {
  if (options.walk == Walk::vote) {
    throw UsageError("walk = vote", "runs only on GPUs", "use group, stackless or direct");
  }
  memory::demand_now(n, host_need(options, holding, {}), static_cast<double>(held));
  return with_host_sizes(options);
}

HB_CLOSE
