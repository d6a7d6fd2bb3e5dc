// SPDX-License-Identifier: Apache-2.0
// How the host calls kernels: device.launch(kernels::NAME{.parameter = argument, ...}, variant, items). The structures
// come from the lists that the kernels' signatures come from (kernels/parameters.h). Each member must be given, in
// order, with an argument of the parameter's type. Compiled once a precision.
#pragma once

#include "backend/device/buffer.h"
#include "backend/device/device.h"
#include "backend/device/kernels/list.h"
#include "backend/device/kernels/parameters.h"
#include "physics/external.h"
#include "stages/bound.h"
#include "stages/build.h"
#include "stages/finite.h"
#include "stages/key.h"
#include "stages/neighbours.h"
#include "stages/reorder.h"
#include "stages/rungs.h"
#include "stages/views.h"

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
struct NeighbourArrays {
  HB_NEIGHBOUR_FIELDS(HB_VIEW_OPTIONAL)
};
#undef HB_VIEW_ARRAY
#undef HB_VIEW_OPTIONAL

// A parameter as a member.
#define HB_MEMBER(kind, type, name) HB_MEMBER_##kind(type, name)
#define HB_MEMBER_VALUE(type, name) ValueArgument<type> name;
#define HB_MEMBER_ARRAY(type, name) ArrayArgument<type> name;
#define HB_MEMBER_OPTIONAL(type, name) OptionalArgument<type> name;
#define HB_MEMBER_POSITIONS(type, name) VectorArgument<type> name;
#define HB_MEMBER_VELOCITIES(type, name) VectorArgument<type> name;
#define HB_MEMBER_VECTORS(type, name) VectorArgument<type> name;
#define HB_MEMBER_FIELD(type, name) FieldArgument<type> name;
#define HB_MEMBER_PARTICLES(type, name) type name;
#define HB_MEMBER_TARGETS(type, name) type name;
#define HB_MEMBER_CELLS(type, name) type name;
#define HB_MEMBER_NEIGHBOURS(type, name) type name;

// The same, given to the kernel.
#define HB_GIVE(kind, type, name) HB_GIVE_##kind(name)
#define HB_GIVE_VALUE(name) name.value
#define HB_GIVE_ARRAY(name) name
#define HB_GIVE_OPTIONAL(name) name
#define HB_GIVE_POSITIONS(name) HB_GIVE_VECTORS(name)
#define HB_GIVE_VELOCITIES(name) HB_GIVE_VECTORS(name)
#define HB_GIVE_VECTORS(name) name.x, name.y, name.z
#define HB_ALSO(kind, type, name) HB_ALSO_##kind(name)
#define HB_ALSO_VALUE(name) , name.value
#define HB_ALSO_ARRAY(name) , name
#define HB_ALSO_OPTIONAL(name) , name
#define HB_ALSO_POSITIONS(name) , HB_GIVE_VECTORS(name)
#define HB_ALSO_VELOCITIES(name) , HB_GIVE_VECTORS(name)
#define HB_ALSO_VECTORS(name) , HB_GIVE_VECTORS(name)
#define HB_ALSO_FIELD(name) , HB_GIVE_VECTORS(name), name.potential
#define HB_ALSO_PARTICLES(name) HB_PARTICLE_FIELDS(HB_ALSO_OF_PARTICLES)
#define HB_ALSO_TARGETS(name) HB_PARTICLE_FIELDS(HB_ALSO_OF_TARGETS)
#define HB_ALSO_CELLS(name) HB_CELL_FIELDS(HB_ALSO_OF_CELLS)
#define HB_ALSO_NEIGHBOURS(name) HB_NEIGHBOUR_FIELDS(HB_ALSO_OF_NEIGHBOURS)
#define HB_ALSO_OF_PARTICLES(type, field) , particles.field
#define HB_ALSO_OF_TARGETS(type, field) , targets.field
#define HB_ALSO_OF_CELLS(type, field) , cells.field
#define HB_ALSO_OF_NEIGHBOURS(type, field) , neighbours.field

/// A launch of a kernel; with_arguments(f) calls f with its flat list of arguments, in order and typed.
#define HB_LAUNCH(name, warps)                     \
  struct name {                                    \
    static constexpr Kernel kernel = Kernel::name; \
    static constexpr bool by_warp = warps;         \
    template <class F>                             \
    void with_arguments(F&& f) const {             \
      f(HB_PARAMETERS_##name(HB_GIVE, HB_ALSO));   \
    }                                              \
    HB_PARAMETERS_##name(HB_MEMBER, HB_MEMBER)     \
  };
#define HB_LAUNCH_ITEMS(name) HB_LAUNCH(name, false)
#define HB_LAUNCH_WARPS(name) HB_LAUNCH(name, true)

namespace kernels {
HB_ALL_KERNELS(HB_LAUNCH_ITEMS, HB_LAUNCH_WARPS)
}  // namespace kernels

HB_CLOSE
