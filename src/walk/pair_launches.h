// SPDX-License-Identifier: Apache-2.0
// The launches of walks over pairs: what all visitors have in common. Those of a visitor come from its header
// (pair_launches.inc). Compiled once a precision.
#pragma once

#include "device/launches.h"
#include "walk/pairs.h"

HB_OPEN

struct PairArrays {
  HB_PAIR_FIELDS(HB_VIEW_OPTIONAL)
};
#define HB_VIEW_SOURCE(type, field) OptionalArgument<const type> field, target_##field;
// what a launch gives, as the CPU's view
#define HB_TAKE_ARRAY(type, field) reader.take(view.field);
#define HB_TAKE_SOURCE_ARRAYS(type, field) reader.take(view.field), reader.take(view.target_##field);

HB_CLOSE
