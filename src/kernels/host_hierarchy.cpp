// SPDX-License-Identifier: Apache-2.0
// The CPU's walk from cell to cell (interactions/gravity/host/hierarchy/), compiled once for each precision
// (HB_PRECISION) and instruction set (HB_HIERARCHY names the function).
#include "interactions/gravity/host/hierarchy/walk.h"

HB_OPEN

/// Sinks do not depend on the number of threads, nor does what any of them sums.
Interactions HB_HIERARCHY(WalkArrays arrays, HierarchyTargets targets, WalkOptions options, HierarchyOptions what) {
  u64 particle = 0, cell = 0, expansion = 0;
  Rescue rescue;
  const auto count = [&](Owned<HierarchyScratch>& scratch, u64& pairs, u64& multipoles, u64& expansions) {
    if (!scratch.is_made()) return;
    const InteractionCounts& counts = (*scratch).unit.counts;
    pairs += counts.particle;
    multipoles += counts.cell;
    expansions += counts.expansion;
  };
  HierarchyWalk walk(arrays, targets, options, what);
  Owned<HierarchyScratch> top;
  rescue.run([&] { walk.reserve(); });
  rescue.check();
  walk.prepare(rescue);
  const Hierarchy hierarchy(arrays, options, what, walk.families(), walk.tree());
  rescue.run([&] { walk.open(hierarchy, *top); });
#pragma omp parallel reduction(+ : particle, cell, expansion)
  {
    Owned<HierarchyScratch> scratch;
#pragma omp for schedule(dynamic, 1)
    for (i32 i = 0; i < walk.sinks(); ++i) rescue.run([&] { hierarchy.walk_all(walk.sink(i), *scratch); });
    count(scratch, particle, cell, expansion);
  }
  rescue.check();
  count(top, particle, cell, expansion);
  return {particle, cell, expansion};
}

HB_CLOSE
