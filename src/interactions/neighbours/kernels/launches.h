// SPDX-License-Identifier: Apache-2.0
// The launches of neighbour search (parameters.inc). Compiled once a precision.
#pragma once

#include "device/launches.h"
#include "interactions/neighbours/nearest.h"

HB_OPEN

namespace kernels {
HB_NEIGHBOURS_KERNELS(HB_LAUNCH_ITEMS, HB_LAUNCH_WARPS)
}  // namespace kernels

HB_CLOSE
