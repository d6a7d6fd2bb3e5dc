// SPDX-License-Identifier: Apache-2.0
// The launches of the walk from cell to cell (parameters.inc). Compiled once a precision.
#pragma once

#include "device/kernels/sizes.h"
#include "device/launches.h"
#include "interactions/gravity/kernels/hierarchy/rows.h"

HB_OPEN

namespace kernels {
HB_HIERARCHY_KERNELS(HB_LAUNCH_ITEMS, HB_LAUNCH_WARPS)
}  // namespace kernels

HB_CLOSE
