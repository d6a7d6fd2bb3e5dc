// SPDX-License-Identifier: Apache-2.0
// Pairs on devices: the warp's walk of a group, and one thread a target. Cells
// near the group's box are opened, and the particles of their leaves are laid
// out in local memory, across leaves, where every target meets them. What depends
// on the visitor comes next: pairs_warp.inc.
#ifndef HORNBEAM_WALK_PAIRS_WARP_H
#define HORNBEAM_WALK_PAIRS_WARP_H
#include "walk/pairs_group.h"

// A visitor's fields of the sources laid out.
#define HB_STAGED_MEMBER(type, field) HB_LOCAL type* field;
#define HB_STAGED_ARRAY(type, field) HB_WARP_ARRAY(type, staged_##field, HB_STAGED);
#define HB_SET_STAGED(type, field) s.source.field = staged_##field;
#define HB_STAGE_FIELD(type, field) s->source.field[at] = s->view->field[j];
#define HB_READ_STAGED(type, field) source.field = s->source.field[j];

// A kernel's view from its flat arguments.
#define HB_SET_VIEW(type, field) view.field = field;
#define HB_SET_VIEW_SOURCE(type, field) view.field = field, view.target_##field = target_##field;
#endif
