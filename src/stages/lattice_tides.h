// SPDX-License-Identifier: Apache-2.0
// The tidal tensor by the far images of a periodic box at targets, after the walk: second derivatives of the local
// expansions of stages/lattice.h (docs/periodic.md eq. 15).
#ifndef HORNBEAM_STAGES_LATTICE_TIDES_H
#define HORNBEAM_STAGES_LATTICE_TIDES_H
#include "stages/lattice.h"
HB_OPEN

/// Of HB_LANES targets: d2 P / dz2, dx dz, dy dz, and dx2 - dy2 and dx dy of the harmonic part of P.
typedef struct {
  real zz[HB_LANES], xz[HB_LANES], yz[HB_LANES], difference[HB_LANES], xy[HB_LANES];
} LatticeTides;

/// L_lm for m >= -1, of which the expansion has m >= 0.
HB_FN Harmonic local_at(HB_GLOBAL const sum_t* expansion, i32 l, i32 m) {
  const i32 of = m < 0 ? -m : m;
  Harmonic h;
  h.re = m < 0 ? -local_re(expansion, l, of) : local_re(expansion, l, of);
  h.im = local_im(expansion, l, of);
  return h;
}

/// Adds what the harmonics of one m have, e_m being re + i im.
HB_FN void add_lattice_tides(const LatticePack* pack, HB_GLOBAL const sum_t* expansion, i32 order, i32 m,
                             const real* re, const real* im, LatticeTides* tides) {
  real here[HB_LANES], before[HB_LANES];
  const real twice = m == 0 ? (real)1 : (real)2, others = m == 0 ? (real)0 : (real)1;
  for (i32 k = 0; k < HB_LANES; ++k) {
    here[k] = 1;
    before[k] = 0;
  }
  for (i32 l = m; l + 2 <= order; ++l) {
    const HarmonicStep step = harmonic_step(l + 1, m);
    const Harmonic same = local_at(expansion, l + 2, m), up = local_at(expansion, l + 2, m + 1),
                   down = local_at(expansion, l + 2, m > 0 ? m - 1 : 0), up2 = local_at(expansion, l + 2, m + 2),
                   down2 = local_at(expansion, l + 2, m > 0 ? m - 2 : 0);
    const real z_re = twice * same.re, z_im = twice * same.im;
    const real x_re = up.re - others * down.re, x_im = up.im - others * down.im, y_re = up.re + others * down.re,
               y_im = up.im + others * down.im;
    const real d_re = up2.re + others * down2.re, d_im = up2.im + others * down2.im, p_re = up2.re - others * down2.re,
               p_im = up2.im - others * down2.im;
    for (i32 k = 0; k < HB_LANES; ++k) {
      const real a = re[k] * here[k], b = im[k] * here[k];
      tides->zz[k] += z_re * a - z_im * b;
      tides->xz[k] += x_re * a - x_im * b;
      tides->yz[k] -= y_re * b + y_im * a;
      tides->difference[k] += d_re * a - d_im * b;
      tides->xy[k] -= (real)0.5 * (p_re * b + p_im * a);
      const real next = next_harmonic(step, pack->z[k], pack->r2[k], here[k], before[k]);
      before[k] = here[k];
      here[k] = next;
    }
  }
}

/// Of all far images at a pack of targets, by the local expansion of one part.
HB_FN LatticeTides lattice_tides_of(const LatticePack* pack, HB_GLOBAL const sum_t* expansion, i32 order) {
  LatticeTides tides;
  real re[HB_LANES], im[HB_LANES];
  for (i32 k = 0; k < HB_LANES; ++k) {
    re[k] = 1;
    im[k] = 0;
    tides.zz[k] = 0;
    tides.xz[k] = 0;
    tides.yz[k] = 0;
    tides.difference[k] = 0;
    tides.xy[k] = 0;
  }
  for (i32 m = 0; m + 2 <= order; ++m) {
    if (m > 0) raise_powers(pack, m, re, im);
    add_lattice_tides(pack, expansion, order, m, re, im, &tides);
  }
  return tides;
}

/// Adds target k of the pack's to the components of one target, `stride` apart (physics/tides.h): the trace of the
/// harmonic part is 0, and the background adds 2 kappa M to each of the diagonal.
HB_FN void put_lattice_tides(const LatticeTides* tides, i32 k, real background, real unit, HB_GLOBAL real* tide,
                             i32 stride) {
  const real halved = (real)0.5;
  tide[0] += unit * (background + halved * (tides->difference[k] - tides->zz[k]));
  tide[stride] += unit * tides->xy[k];
  tide[2 * (i64)stride] += unit * tides->xz[k];
  tide[3 * (i64)stride] += unit * (background - halved * (tides->difference[k] + tides->zz[k]));
  tide[4 * (i64)stride] += unit * tides->yz[k];
  tide[5 * (i64)stride] += unit * (background + tides->zz[k]);
}

HB_CLOSE
#endif
