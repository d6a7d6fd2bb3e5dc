// SPDX-License-Identifier: Apache-2.0
// A launch of a kernel as the host writes it, from the list of the kernel's parameters (kernels/signature.h): a
// structure with a member for each, all of which must be given, in order, with arguments of the parameters' types.
#pragma once

#include "device/buffer.h"

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
#define HB_MEMBER_BODIES(type, name) type name;
#define HB_MEMBER_PAIRS(type, name) type arrays;

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
#define HB_ALSO_BODIES(name) HB_BODY_FIELDS(HB_ALSO_OF_BODIES)
#define HB_ALSO_PAIRS(name)        \
  HB_PAIR_FIELDS(HB_ALSO_OF_PAIRS) \
  HB_SOURCES_##name(HB_ALSO_OF_SOURCES) HB_ARRAYS_##name(HB_ALSO_OF_VISITOR)
#define HB_ALSO_OF_PARTICLES(type, field) , particles.field
#define HB_ALSO_OF_TARGETS(type, field) , targets.field
#define HB_ALSO_OF_CELLS(type, field) , cells.field
#define HB_ALSO_OF_BODIES(type, field) , bodies.field
#define HB_ALSO_OF_PAIRS(type, field) , arrays.pairs.field
#define HB_ALSO_OF_SOURCES(type, field) , arrays.field, arrays.target_##field
#define HB_ALSO_OF_VISITOR(type, field) , arrays.field

/// What makes a structure the launch of kernel `name`; with_arguments(f) calls f with the flat list of arguments, in
/// order and typed.
#define HB_ARGUMENTS(name)                     \
  template <class F>                           \
  void with_arguments(F&& f) const {           \
    f(HB_PARAMETERS_##name(HB_GIVE, HB_ALSO)); \
  }                                            \
  HB_PARAMETERS_##name(HB_MEMBER, HB_MEMBER)
