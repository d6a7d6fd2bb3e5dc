// SPDX-License-Identifier: Apache-2.0
// The launches of direct sums and walks of gravity (parameters.inc). Compiled once a precision.
#pragma once

#include "device/launches.h"
#include "stages/lattice.h"
#include "stages/surroundings.h"

HB_OPEN

namespace kernels {
HB_GRAVITY_KERNELS(HB_LAUNCH_ITEMS, HB_LAUNCH_WARPS)
}  // namespace kernels

HB_CLOSE
