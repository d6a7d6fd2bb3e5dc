// SPDX-License-Identifier: Apache-2.0
// All kernels of one build: HB_PLAIN asks for those of a precision, HB_EXPANSION for those of an order of expansions,
// HB_NEIGHBOURS for those of neighbour search.
#ifndef HORNBEAM_DEVICE_ALL_H
#define HORNBEAM_DEVICE_ALL_H

#if defined(HB_PLAIN)
#include "backend/device/kernels/bound.h"
#include "backend/device/kernels/build.h"
#include "backend/device/kernels/check.h"
#include "backend/device/kernels/direct.h"
#include "backend/device/kernels/dynamics.h"
#include "backend/device/kernels/few.h"
#include "backend/device/kernels/order.h"
#include "backend/device/kernels/particle_walks.h"
#include "backend/device/kernels/rungs.h"
#endif

#if defined(HB_NEIGHBOURS)
#include "backend/device/kernels/nearest.h"
#include "backend/device/kernels/neighbours.h"
#include "backend/device/kernels/sort_rows.h"
#endif

#if defined(HB_EXPANSION)
#include "backend/device/kernels/block_walk.h"
#include "backend/device/kernels/gravity_kernel.h"
#include "backend/device/kernels/moments.h"
#endif

#endif
