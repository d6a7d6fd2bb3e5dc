// SPDX-License-Identifier: Apache-2.0
// Calls every stage once, so that a compiler of any of the three languages must make code for all of them. Compiled by
// portable_test.cpp inside a kernel of each language; never run.
#include "interactions/gravity/particle_gravity.h"
#include "pair_visitors.h"
#include "physics/external.h"
#include "stages/build.h"
#include "stages/finite.h"
#include "stages/groups.h"
#include "stages/key.h"
#include "stages/kick_drift.h"
#include "stages/moments.h"
#include "stages/reorder.h"
#include "stages/rungs.h"
HB_OPEN

/// Multipole to local to particle, of every order.
HB_FN real every_expansion(real x, real y, real z, real mass) {
  real M[HB_MOMENTS(HB_MAX_ORDER)], L[HB_COEFFICIENTS(HB_MAX_ORDER)], acc[4] = {0, 0, 0, 0};
  for (i32 k = 0; k < HB_MOMENTS(HB_MAX_ORDER); ++k) M[k] = x;
  for (i32 k = 0; k < HB_COEFFICIENTS(HB_MAX_ORDER); ++k) L[k] = 0;
  m2l_1(x, y, z, mass, mass, M, L), l2p_1(L, x, y, z, acc);
  m2l_2(x, y, z, mass, mass, M, L), l2p_2(L, x, y, z, acc);
  m2l_3(x, y, z, mass, mass, M, L), l2p_3(L, x, y, z, acc);
  m2l_4(x, y, z, mass, mass, M, L), l2p_4(L, x, y, z, acc);
  m2l_5(x, y, z, mass, mass, M, L), l2p_5(L, x, y, z, acc);
  m2l_6(x, y, z, mass, mass, M, L), l2p_6(L, x, y, z, acc);
  return acc[0] + acc[1] + acc[2] + acc[3];
}

/// The rules of the group walk at one cell.
HB_FN i32 every_opening(real d2, real b, real mass) { return expandable(d2, b, b, mass, b) && is_weak(d2, b, mass, b); }

/// A rung, and all external fields.
HB_FN pos_t every_rung_and_field(pos_t x, pos_t y, pos_t z, pos_t soft2) {
  const RungRule rule = {x, y, z, 4, x, 0};
  const Accelerations a = {x, y, z, y, z, x, z, x, y};
  const RungChoice choice = choose_rung(rule, rung_before(held_rungs(1, 2)), 1, 1, a, soft2, -1);
  ExternalField field = {x, y, z, x, y, z, x, y, choice.rung};
  pos_t sum = half_step(rule, choice.rung) + speed_factor(x, y, x, y, z, a);
  for (field.kind = 0; field.kind <= HB_EXTERNAL_MIYAMOTO_NAGAI; ++field.kind) {
    sum += external_pull(field, z, x, y).potential;
  }
  return sum;
}

/// Views of all visitors of pairs as parameters, and the walk of one target for each.
#define HB_EVERY_PAIR_VIEW(NAME, Type, F, W) , Type##View NAME
#define HB_EVERY_PAIR_WALK(NAME, Type, F, W) NAME##_of_target(&NAME, cells, i);

HB_FN void every_stage(i32 i, ParticlesView particles, CellsView cells, HB_GLOBAL u64* keys, HB_GLOBAL u8* marks,
                       HB_GLOBAL u32* top, LevelTable levels, HB_GLOBAL pos_t* out, KeyCube cube,
                       WalkOptions options HB_PAIR_VISITORS(HB_EVERY_PAIR_VIEW, , )) {
  keys[i] = particle_key(particles.x[i], particles.y[i], particles.z[i], cube, HB_CURVE_HILBERT);
  marks[i] = (u8)levels_below_window(i, options.particles, 16, keys);
  top[i] = packed_starts(first_start_level(i, keys), last_start_level(i, 16, marks));
  begin_cell(i, last_of_starts(top[i]), first_of_starts(top[i]), cells.first, cells.child, top);
  link_cell(i, level_of_cell(i, levels), cells, levels, keys, top, options.particles);
  moments_leaf(i, cells, particles, cube, 3, options);
  moments_node(i, cells, particles, cube, 3, options);
  mark_windows_of_cell(i, cells, 64, marks);
  mark_window(i, i + 64, options.particles, particles, marks);
  GravityState state = gravity_begin(particles, particles, options, i, 0);
  gravity_stackless(&state, cells, options.cells);
  gravity_carry(&state);
  out[i] = (pos_t)every_expansion((real)1, (real)2, (real)3, particles.mass[i]);
  out[i] += (pos_t)every_opening((real)1, (real)2, particles.mass[i]);
  out[i] += drifted(kicked((pos_t)state.acc[0], (real)state.acc[1], (pos_t)1), (pos_t)2, (pos_t)3);
  const FiniteLimits most = {(pos_t)1, (real)1, (real)1};
  out[i] += (pos_t)(is_finite_motion(most, particles.x[i], particles.y[i], particles.z[i]) +
                    is_finite_pull(most, (real)1, (real)2, (real)3, particles.mass[i]));
  out[i] += every_rung_and_field(particles.x[i], particles.y[i], particles.z[i], (pos_t)1);
  HB_PAIR_VISITORS(HB_EVERY_PAIR_WALK, , )
}

HB_CLOSE
