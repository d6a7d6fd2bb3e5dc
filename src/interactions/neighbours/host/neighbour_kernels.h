// SPDX-License-Identifier: Apache-2.0
// Launchers of neighbour search, compiled with kernels.cpp for each instruction set. Only for HB_DOUBLE.
#pragma once

#include "interactions/neighbours/host/group_nearest.h"

HB_ISA_OPEN

/// search(range, scratch) for each group, by all threads.
template <class Search>
HB_FN void for_each_group(const GroupRange* groups, i32 count, Search search) {
  Rescue rescue;
#pragma omp parallel
  {
    NeighbourScratch scratch;
#pragma omp for schedule(dynamic, 16)
    for (i32 g = 0; g < count; ++g) rescue.run([&] { search(groups[g], scratch); });
  }
  rescue.check();
}

HB_FN void neighbours_of_groups(ParticlesView particles, CellsView cells, NeighboursView out, const GroupRange* groups,
                                i32 count, SearchOptions options) {
  for_each_group(groups, count, [&](GroupRange range, NeighbourScratch& scratch) {
    GroupNeighbours(particles, cells, out, options, range, scratch).within();
  });
}

HB_FN void nearest_of_groups(ParticlesView particles, CellsView cells, NeighboursView out, const GroupRange* groups,
                             i32 count, SearchOptions options) {
  for_each_group(groups, count, [&](GroupRange range, NeighbourScratch& scratch) {
    NearestOfGroup(particles, cells, out, options, range, scratch).find();
  });
}

HB_FN void neighbours_of_particles(ParticlesView particles, CellsView cells, NeighboursView out,
                                   SearchOptions options) {
#pragma omp parallel for schedule(dynamic, 256)
  for (i32 i = 0; i < options.particles; ++i) neighbours_of_particle(particles, cells, out, options, i);
}

HB_FN void nearest_of_particles(ParticlesView particles, CellsView cells, NeighboursView out, SearchOptions options) {
#pragma omp parallel for schedule(dynamic, 256)
  for (i32 i = 0; i < options.particles; ++i) nearest_of_particle(particles, cells, out, options, i);
}

HB_ISA_CLOSE
