// SPDX-License-Identifier: Apache-2.0
// The moments of a periodic box's parts, on devices: a warp sums those of a chunk of particles.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_LATTICE_WARP_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_LATTICE_WARP_H
#include "device/kernels/language.h"
#include "stages/lattice.h"
HB_KERNELS_OPEN

/// Particles that a warp lays out at a time, so many a lane: fp64 takes twice the local memory.
#if HB_PRECISION == HB_DOUBLE
#define HB_LATTICE_TURNS 8
#else
#define HB_LATTICE_TURNS 16
#endif
#define HB_LATTICE_TILE (HB_LATTICE_TURNS * HB_WARP)

/// The harmonics of one m and of another that a warp sums in one turn through a tile: together always as many. Lane s
/// keeps the sum of slot s.
#define HB_LATTICE_SLOTS HB_WARP
typedef struct {
  i32 order, m, other;           ///< other: order + 1 for none
  i32 split, slots;              ///< the slot where those of `other` begin, and their number
  HB_LOCAL HarmonicStep* steps;  ///< of each slot, to the next l
  HB_LOCAL real* factors;        ///< power_factor() of each m
  real re[HB_LATTICE_SLOTS], im[HB_LATTICE_SLOTS], trace;
} LatticeTurn;

/// The slots of a turn, and their steps.
HB_DEVICE_FN void begin_lattice_turn(LatticeTurn* turn, Warp warp, i32 order, i32 m) {
  turn->order = order;
  turn->m = m;
  turn->other = m == 0 || 2 * m == order + 1 ? order + 1 : order + 1 - m;
  turn->split = order + 1 - m;
  turn->slots = turn->split + order + 1 - turn->other;
  turn->trace = 0;
#pragma unroll
  for (i32 s = 0; s < HB_LATTICE_SLOTS; ++s) turn->re[s] = turn->im[s] = 0;
  warp_sync(); /* before steps change */
  const i32 s = warp.lane, second = s >= turn->split, of = second ? turn->other : m;
  if (s < turn->slots) turn->steps[s] = harmonic_step(of + (second ? s - turn->split : s) + 1, of);
  warp_sync();
}

/// Adds a lane's particle (docs/periodic.md eq. 9); mass: 0 where it is of another part.
HB_DEVICE_FN void add_to_lattice_turn(LatticeTurn* turn, Real4 at, real mass) {
  const real r2 = at.x * at.x + at.y * at.y + at.z * at.z;
  Harmonic e, second;
  e.re = mass;
  e.im = 0;
  for (i32 j = 1; j <= turn->m; ++j) e = next_power(e, at.x, at.y, turn->factors[j]);
  second = e;
  for (i32 j = turn->m + 1; j <= hb_min(turn->other, turn->order); ++j) {
    second = next_power(second, at.x, at.y, turn->factors[j]);
  }
  real here = 1, before = 0;
#pragma unroll
  for (i32 s = 0; s < HB_LATTICE_SLOTS; ++s) {
    if (s >= turn->slots) break;
    if (s == turn->split) {
      e = second;
      here = 1;
      before = 0;
    }
    turn->re[s] += e.re * here;
    turn->im[s] += e.im * here;
    const real next = next_harmonic(turn->steps[s], at.z, r2, here, before);
    before = here;
    here = next;
  }
  turn->trace += mass * r2;
}

/// Adds the lanes' sums to those of a part.
HB_DEVICE_FN void end_lattice_turn(const LatticeTurn* turn, Warp warp, HB_GLOBAL sum_t* sums) {
  real re = 0, im = 0;
#pragma unroll
  for (i32 s = 0; s < HB_LATTICE_SLOTS; ++s) {
    if (s >= turn->slots) break;
    const real all_re = warp_sum(warp, turn->re[s]), all_im = warp_sum(warp, turn->im[s]);
    re = warp.lane == s ? all_re : re;
    im = warp.lane == s ? all_im : im;
  }
  const real trace = warp_sum(warp, turn->trace);
  if (warp.lane < turn->slots) {
    const i32 second = warp.lane >= turn->split, m = second ? turn->other : turn->m;
    const i32 at = 2 * HB_HARMONIC(m + (second ? warp.lane - turn->split : warp.lane), m);
    sums[at] += (sum_t)re;
    sums[at + 1] += at == 0 ? (sum_t)trace : (sum_t)im;
  }
}

/// The least of the lanes' parts that is above `above`, of particles laid out; HB_NO_PART: none.
#define HB_NO_PART 0x7fffffff
HB_DEVICE_FN i32 next_part_of_tile(Warp warp, HB_LOCAL const i32* part, i32 above) {
  i32 least = HB_NO_PART;
  for (i32 k = 0; k < HB_LATTICE_TURNS; ++k) {
    const i32 p = part[k * HB_WARP + warp.lane];
    least = p > above ? hb_min(least, p) : least;
  }
  return warp_least_index(warp, least);
}

/// The same as lattice_moments, all m of a chunk by one warp, whose lanes have neighbouring particles.
HB_WARP_KERNEL(lattice_chunk_moments) {
  HB_WARP_ARRAY(Real4, places, HB_LATTICE_TILE);
  HB_WARP_ARRAY(i32, part, HB_LATTICE_TILE);
  HB_WARP_ARRAY(HarmonicStep, steps, HB_LATTICE_SLOTS);
  HB_WARP_ARRAY(real, factors, HB_LATTICE_SLOTS);
  HB_MAKE_WARP(warp);
  const i32 c = hb_warp_item();
  HB_LEAVE_SURPLUS(c >= chunks);
  const i32 end = hb_min((c + 1) * chunk, n), parts = box.parts_x * box.parts_y * box.parts_z;
  HB_GLOBAL sum_t* const own = sums + (i64)c * parts * HB_LATTICE_VALUES(box.order);
  LatticeTurn turn;
  turn.steps = steps;
  turn.factors = factors;
  factors[warp.lane] = power_factor(hb_max(warp.lane, 1));
  for (i32 begin = c * chunk; hb_all_go_on(begin < end); begin += HB_LATTICE_TILE) {
    for (i32 k = 0; k < HB_LATTICE_TURNS; ++k) { /* a lane reads its own again */
      const i32 at = begin + k * HB_WARP + warp.lane, i = hb_min(at, end - 1);
      const LatticePlace place = lattice_place(box, x[i], y[i], z[i]);
      places[k * HB_WARP + warp.lane] = hb_real4(place.x, place.y, place.z, mass[i]);
      part[k * HB_WARP + warp.lane] = at < end ? place.part : -1;
    }
    for (i32 p = next_part_of_tile(warp, part, -1); hb_all_go_on(p != HB_NO_PART);
         p = next_part_of_tile(warp, part, p)) {
      for (i32 m = 0; hb_all_go_on(2 * m <= box.order + 1); ++m) {
        begin_lattice_turn(&turn, warp, box.order, m);
        for (i32 k = 0; k < HB_LATTICE_TURNS; ++k) {
          const Real4 at = places[k * HB_WARP + warp.lane];
          const i32 is_of_part = part[k * HB_WARP + warp.lane] == p;
          add_to_lattice_turn(&turn, at, is_of_part ? at.w : (real)0);
          if (spread && m == 0 && is_of_part) turn.trace += spread[begin + k * HB_WARP + warp.lane];
        }
        end_lattice_turn(&turn, warp, own + (i64)p * HB_LATTICE_VALUES(box.order));
      }
    }
  }
}

HB_KERNELS_CLOSE
#endif
