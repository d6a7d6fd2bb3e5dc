// SPDX-License-Identifier: Apache-2.0
// The launches of collisions and contacts (parameters.inc). Compiled once a precision.
#pragma once

#include "device/launches.h"
#include "interactions/collisions/bodies.h"
#include "interactions/collisions/contact.h"

HB_OPEN

struct BodyArrays {
  HB_BODY_FIELDS(HB_VIEW_OPTIONAL)
};

namespace kernels {
HB_COLLISIONS_KERNELS(HB_LAUNCH_ITEMS, HB_LAUNCH_WARPS)
}  // namespace kernels

HB_CLOSE
