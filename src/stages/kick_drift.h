// SPDX-License-Identifier: Apache-2.0
// kick and drift: one particle's half of a leapfrog step each. After walk; drift makes the tree stale.
#ifndef HORNBEAM_STAGES_KICK_DRIFT_H
#define HORNBEAM_STAGES_KICK_DRIFT_H
#include "stages/views.h"
HB_OPEN

/// v + a dt, where `step` is dt times the user's acceleration unit per internal one.
HB_FN pos_t kicked(pos_t v, real a, pos_t step) { return hb_fma((pos_t)a, step, v); }

/// x + v dt.
HB_FN pos_t drifted(pos_t x, pos_t v, pos_t dt) { return hb_fma(v, dt, x); }

HB_CLOSE
#endif
