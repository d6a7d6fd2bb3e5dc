// SPDX-License-Identifier: Apache-2.0
// The launches of what is done to gas between its sums (parameters.inc). Compiled once a precision.
#pragma once

#include "device/launches.h"
#include "walk/gather.h"

HB_OPEN

namespace kernels {
HB_SPH_KERNELS(HB_LAUNCH_ITEMS, HB_LAUNCH_WARPS)
}  // namespace kernels

HB_CLOSE
