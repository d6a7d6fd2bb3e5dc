// SPDX-License-Identifier: Apache-2.0
// All kernels of one build: HB_PLAIN asks for those of a precision, HB_EXPANSION for those of an order of expansions,
// HB_PAIRS for those of the visitors of pairs, HB_HIERARCHY for those of the walk from cell to cell of an order.
#ifndef HORNBEAM_KERNELS_ALL_H
#define HORNBEAM_KERNELS_ALL_H

#if defined(HB_PLAIN)
#include "device/kernels/bound.h"
#include "device/kernels/build.h"
#include "device/kernels/check.h"
#include "device/kernels/dynamics.h"
#include "device/kernels/lent.h"
#include "device/kernels/lent_search.h"
#include "device/kernels/order.h"
#include "device/kernels/rungs.h"
#include "interactions/collisions/kernels/centres.h"
#include "interactions/collisions/kernels/contacts.h"
#include "interactions/gravity/kernels/direct.h"
#include "interactions/gravity/kernels/few.h"
#include "interactions/gravity/kernels/lattice.h"
#include "interactions/gravity/kernels/lattice_warp.h"
#include "interactions/gravity/kernels/mass_points.h"
#include "interactions/gravity/kernels/particle_walks.h"
#include "interactions/gravity/kernels/remember_demands.h"
#include "interactions/gravity/kernels/tides.h"
#include "interactions/groups/kernels/units.h"
#include "interactions/sph/kernels/gas.h"
#endif

#if defined(HB_PAIRS)
#include "interactions/collisions/kernels/resolve.h"
#include "interactions/neighbours/kernels/nearest_rows.h"
#include "interactions/neighbours/kernels/sort_rows.h"
#include "pair_visitors.h"
#include "walk/pairs_warp.h"
#endif

#if defined(HB_HIERARCHY)
#include "interactions/gravity/kernels/hierarchy/open.h"
#include "interactions/gravity/kernels/hierarchy/units.h"
#endif

#if defined(HB_EXPANSION)
#include "device/kernels/moments.h"
#include "interactions/gravity/kernels/block_walk.h"
#include "interactions/gravity/kernels/gravity_kernel.h"
#endif

#endif
