// SPDX-License-Identifier: Apache-2.0
// How deep a gas particle's neighbours make it step, and it them, a visitor of pairs: two that reach one another are at
// most HB_RUNGS_APART rungs apart. After rungs have been chosen; kernels/gas.h goes down to them.
#ifndef HORNBEAM_INTERACTIONS_SPH_GAS_LIMIT_H
#define HORNBEAM_INTERACTIONS_SPH_GAS_LIMIT_H
#include "stages/gas.h"
#include "walk/pairs.h"
HB_OPEN

#define HB_VISITOR gas_limit
#define HB_VISITOR_TYPE GasLimit
#define HB_SOURCE_REACH smooth
#define HB_SOURCES_gas_limit(F) F(pos_t, smooth) F(pos_t, gas_mass) /* of targets 0 where nothing is asked for them */
#define HB_ARRAYS_gas_limit(F) \
  F(const u32, rungs)          \
  F(u32, height) /* lowered to what neighbours ask for, from many sides at once: minima, whatever comes first */

typedef struct {
  i32 apart;
} GasLimitOptions;

typedef struct {
  pos_t reach;
  i32 rung;
  i32 deepest;  ///< of its neighbours
  i32 place;
} GasLimitTarget;

#include "walk/pair_types.inc"

HB_FN GasLimitTarget gas_limit_begin(const GasLimitView* view, i32 i) {
  GasLimitTarget t;
  t.reach = view->target_gas_mass[i] > 0 ? view->target_smooth[i] : -1;
  t.rung = rung_of(view->rungs[i]);
  t.deepest = 0;
  t.place = i;
  return t;
}

HB_SUM_FORMULA sum_t gas_limit_limit2(sum_t target, sum_t source) {
  const sum_t reach = hb_max(target, source);
  return reach * reach;
}

HB_FN void gas_limit_meet(const GasLimitView* view, GasLimitTarget* t, GasLimitSource source, PairWay way) {
  (void)way;
  if (!(source.gas_mass > 0)) return;
  const i32 rung = rung_of(view->rungs[source.place]), least = t->rung - view->options.apart;
  t->deepest = hb_max(t->deepest, rung);
  if (rung < least) hb_lower(view->height + source.place, height_of(least));
}

HB_FN void gas_limit_finish(const GasLimitView* view, GasLimitTarget* t) {
  const i32 least = t->deepest - view->options.apart;
  if (t->rung < least) hb_lower(view->height + t->place, height_of(least));
}

HB_CLOSE

#include "walk/pair_walks.inc"
#endif
