// SPDX-License-Identifier: Apache-2.0
// How the host calls kernels: device.launch(kernels::NAME{.parameter = argument, ...}, variant, items). The structures
// come from the tables that the kernels' signatures come from: here those of device/kernels/; those of walks and
// modules are in their own folders. Compiled once a precision.
#pragma once

#include "device/device.h"
#include "device/kernels/signature.h"
#include "device/launch.h"
#include "physics/epicycle.h"
#include "physics/external.h"
#include "physics/rigid.h"
#include "stages/bound.h"
#include "stages/build.h"
#include "stages/finite.h"
#include "stages/gas.h"
#include "stages/key.h"
#include "stages/lent.h"
#include "stages/reorder.h"
#include "stages/rungs.h"
#include "stages/views.h"
#include "stages/wrap.h"

HB_OPEN

#define HB_VIEW_ARRAY(type, field) ArrayArgument<type> field;
#define HB_VIEW_OPTIONAL(type, field) OptionalArgument<type> field;
/// Arrays that travel together, from the lists that the kernels' views come from.
struct ParticleArrays {
  HB_PARTICLE_FIELDS(HB_VIEW_ARRAY)
};
struct CellArrays {
  HB_CELL_FIELDS(HB_VIEW_ARRAY)
};

#define HB_LAUNCH(name, warps)                     \
  struct name {                                    \
    static constexpr Kernel kernel = Kernel::name; \
    static constexpr bool by_warp = warps;         \
    HB_ARGUMENTS(name)                             \
  };
#define HB_LAUNCH_ITEMS(name) HB_LAUNCH(name, false)
#define HB_LAUNCH_WARPS(name) HB_LAUNCH(name, true)

namespace kernels {
HB_DEVICE_KERNELS(HB_LAUNCH_ITEMS, HB_LAUNCH_WARPS)
}  // namespace kernels

/// Calls start(share, targets) for each rank, with how many of the targets are its own; once, for all, where they are
/// not shared.
template <class Start>
void launch_shared(Device& device, const Turns& turns, i64 targets, const Start& start) {
  if (!turns.are_shared()) return start(RankShare{}, targets);
  device.on_each_rank([&](int rank) {
    start(RankShare{turns.ranks, rank, static_cast<i32>(turns.run)}, i64{turns.of(rank)});
  });
}

HB_CLOSE
