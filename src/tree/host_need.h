// SPDX-License-Identifier: Apache-2.0
// The account of an evaluation's memory on the CPU, before anything is loaded. Compiled once a precision.
#pragma once

#include "memory/need.h"
#include "stages/views.h"
#include "tree/domain.h"

HB_OPEN

/// Of one evaluation after the other; options: with leaf and group size; w: those of its walk.
memory::Need evaluation_need(const GravityOptions& options, const WalkOptions& w, const Holding& holding, int threads);

/// Bytes of one cell.
std::size_t cell_bytes(i32 moment_stride);

HB_CLOSE
