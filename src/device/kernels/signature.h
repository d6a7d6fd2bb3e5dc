// SPDX-License-Identifier: Apache-2.0
// A kernel's signature from the list of its parameters. They are listed once, in the tables parameters.inc: the host's
// launch is made from them, too (device/launch.h), so that an argument that is missing, swapped or of another type does
// not compile. HB_PARAMETERS_NAME(FIRST, AND), which tools/kernel_table.cmake makes of a table, lists those of kernel
// NAME in order, each as KIND, type, name:
//
// VALUE       a number, or a structure without pointers
// ARRAY       an array of that type; OPTIONAL: one that may be null
// POSITIONS   three arrays, in the kernel x, y and z
// VELOCITIES  the same as vx, vy and vz
// VECTORS     the same as NAME_x, NAME_y and NAME_z
// FIELD       these and `potential`
// PARTICLES, TARGETS, CELLS  the arrays of a view: HB_PARTICLE_FIELDS, HB_CELL_FIELDS
// BODIES      the same of HB_BODY_FIELDS (interactions/collisions/bodies.h), some of which may be null
// PAIRS       those of the view of visitor NAME of pairs (walk/pairs.h); in a launch it is called `arrays`
#ifndef HORNBEAM_DEVICE_KERNELS_SIGNATURE_H
#define HORNBEAM_DEVICE_KERNELS_SIGNATURE_H
#include "kernel_list.h"

/// What stands between the brackets of a kernel.
#define HB_SIGNATURE(name) HB_PARAMETERS_##name(HB_FIRST, HB_AND)
#define HB_FIRST(kind, type, name) HB_FIRST_##kind(type, name)
#define HB_AND(kind, type, name) HB_AND_##kind(type, name)

#define HB_FIRST_VALUE(type, name) type name
#define HB_FIRST_ARRAY(type, name) HB_GLOBAL type* name
#define HB_FIRST_OPTIONAL(type, name) HB_FIRST_ARRAY(type, name)
#define HB_FIRST_POSITIONS(type, name) HB_GLOBAL type *x, HB_GLOBAL type *y, HB_GLOBAL type *z
#define HB_FIRST_VELOCITIES(type, name) HB_GLOBAL type *vx, HB_GLOBAL type *vy, HB_GLOBAL type *vz
#define HB_FIRST_VECTORS(type, name) HB_GLOBAL type *name##_x, HB_GLOBAL type *name##_y, HB_GLOBAL type *name##_z

#define HB_AND_VALUE(type, name) , HB_FIRST_VALUE(type, name)
#define HB_AND_ARRAY(type, name) , HB_FIRST_ARRAY(type, name)
#define HB_AND_OPTIONAL(type, name) , HB_FIRST_ARRAY(type, name)
#define HB_AND_POSITIONS(type, name) , HB_FIRST_POSITIONS(type, name)
#define HB_AND_VELOCITIES(type, name) , HB_FIRST_VELOCITIES(type, name)
#define HB_AND_VECTORS(type, name) , HB_FIRST_VECTORS(type, name)
#define HB_AND_FIELD(type, name) , HB_FIRST_VECTORS(type, name), HB_GLOBAL type* potential
#define HB_AND_PARTICLES(type, name) HB_PARTICLE_FIELDS(HB_FIELD_ARGUMENT)
#define HB_AND_TARGETS(type, name) HB_PARTICLE_FIELDS(HB_TARGET_ARGUMENT)
#define HB_AND_CELLS(type, name) HB_CELL_FIELDS(HB_FIELD_ARGUMENT)
#define HB_AND_BODIES(type, name) HB_BODY_FIELDS(HB_FIELD_ARGUMENT)
#define HB_AND_PAIRS(type, name)    \
  HB_PAIR_FIELDS(HB_FIELD_ARGUMENT) \
  HB_SOURCES_##name(HB_SOURCE_ARGUMENT) HB_ARRAYS_##name(HB_FIELD_ARGUMENT)

#endif
