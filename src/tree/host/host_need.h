// SPDX-License-Identifier: Apache-2.0
// The account of an evaluation's memory on the CPU, before anything is loaded. Compiled once a precision.
#pragma once

#include "memory/need.h"
#include "stages/views.h"
#include "tree/domain.h"

HB_OPEN

/// Of one evaluation after the other; options: with leaf and group size; w: those of its walk.
memory::Need evaluation_need(const GravityOptions& options, const WalkOptions& w, const Holding& holding, int threads);

/// A copy of the particles is not made where less than that part more than they take is free: lists of walks still
/// grow.
inline constexpr double copy_margin = 1.25;

/// Bytes of one cell.
std::size_t cell_bytes(i32 moment_stride);
/// Expected; 1.5 where leaves hold one.
double cells_per_particle(int leaf_size);

/// What points in a tree of their own take.
memory::Need points_need(int leaf_size);

HB_CLOSE
