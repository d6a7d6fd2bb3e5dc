// SPDX-License-Identifier: Apache-2.0
// The far images of a periodic box, after the walk, which visits the near ones: moments of the box's parts, their sums
// over the particles, transfers of all far images to the parts, and the field at one target (docs/periodic.md). Items
// take HB_LANES neighbouring particles at a time.
#ifndef HORNBEAM_STAGES_LATTICE_H
#define HORNBEAM_STAGES_LATTICE_H
#include "physics/solid_harmonics.h"
HB_OPEN

/// The box in parts, near-cubes with moments and local expansions about their own centres. Displacements from these are
/// measured in half of a part's diagonal.
typedef struct {
  pos_t low_x, low_y, low_z;     ///< of the box
  pos_t edge_x, edge_y, edge_z;  ///< of a part
  pos_t scale;                   ///< 2 over a part's diagonal
  pos_t background;              ///< PairPotential::background() in these units
  i32 parts_x, parts_y, parts_z;
  i32 order;
  real tide, acceleration, potential;  ///< internal ones per that of these units
} LatticeBox;

/// A position: its part, and where it is from the part's centre.
typedef struct {
  i32 part;
  real x, y, z;
} LatticePlace;

/// Values of one part: HB_HARMONICS(order) complex numbers. The imaginary part of the first, which no moment needs, is
/// that of sum m r^2 in moments, and the factor of r^2 in local expansions.
#define HB_LATTICE_VALUES(order) (2 * HB_HARMONICS(order))
/// Those of the transfers from one part to another: of twice the order.
#define HB_LATTICE_TRANSFER(order) (2 * HB_HARMONICS(2 * (order)))
/// Packs of particles whose sum is kept in `real`.
#define HB_LATTICE_RUN 64

HB_FN i32 lattice_step(pos_t x, pos_t low, pos_t edge, i32 parts) {
  const i32 at = (i32)hb_floor((x - low) / edge);
  return hb_max(0, hb_min(at, parts - 1));
}

/// From the centre of part `at` along one axis.
HB_FN real from_lattice_centre(pos_t x, pos_t low, pos_t edge, i32 at, pos_t scale) {
  return hb_narrow((x - (low + ((pos_t)at + (pos_t)0.5) * edge)) * scale);
}

HB_FN LatticePlace lattice_place(LatticeBox box, pos_t x, pos_t y, pos_t z) {
  const i32 a = lattice_step(x, box.low_x, box.edge_x, box.parts_x),
            b = lattice_step(y, box.low_y, box.edge_y, box.parts_y),
            c = lattice_step(z, box.low_z, box.edge_z, box.parts_z);
  LatticePlace place;
  place.part = (a * box.parts_y + b) * box.parts_z + c;
  place.x = from_lattice_centre(x, box.low_x, box.edge_x, a, box.scale);
  place.y = from_lattice_centre(y, box.low_y, box.edge_y, b, box.scale);
  place.z = from_lattice_centre(z, box.low_z, box.edge_z, c, box.scale);
  return place;
}

/// HB_LANES places, of which those that are none have part -1.
typedef struct {
  i32 part[HB_LANES];
  real x[HB_LANES], y[HB_LANES], z[HB_LANES], r2[HB_LANES];
} LatticePack;

/// Places of particles first, first + 1, ... below `end` (or of particles picks[first], ...).
HB_FN LatticePack lattice_pack(LatticeBox box, HB_GLOBAL const pos_t* x, HB_GLOBAL const pos_t* y,
                               HB_GLOBAL const pos_t* z, HB_GLOBAL const i32* picks, i32 first, i32 end) {
  LatticePack pack;
  for (i32 k = 0; k < HB_LANES; ++k) {
    const i32 at = hb_min(first + k, end - 1), i = picks ? picks[at] : at;
    const LatticePlace place = lattice_place(box, x[i], y[i], z[i]);
    pack.part[k] = first + k < end ? place.part : -1;
    pack.x[k] = place.x;
    pack.y[k] = place.y;
    pack.z[k] = place.z;
    pack.r2[k] = place.x * place.x + place.y * place.y + place.z * place.z;
  }
  return pack;
}

/// The first lane from `from` on whose part no lane before it has; HB_LANES: none. Neighbours share a part as a rule.
HB_FN i32 next_new_part(const LatticePack* pack, i32 from) {
  i32 lane = from;
  for (; lane < HB_LANES; ++lane) {
    bool is_new = pack->part[lane] >= 0;
    for (i32 before = 0; before < lane; ++before) is_new = is_new && pack->part[before] != pack->part[lane];
    if (is_new) break;
  }
  return lane;
}

/// From e_(m - 1) of the pack's particles to e_m, times whatever re and im have.
HB_FN void raise_powers(const LatticePack* pack, i32 m, real* re, real* im) {
  const real factor = power_factor(m);
  for (i32 k = 0; k < HB_LANES; ++k) {
    Harmonic e;
    e.re = re[k];
    e.im = im[k];
    e = next_power(e, pack->x[k], pack->y[k], factor);
    re[k] = e.re;
    im[k] = e.im;
  }
}

// ------------------------------------------------------------------------------------------------- moments of parts

/// Sums over a run of particles of one part, of harmonics of one m.
typedef struct {
  i32 part, packs;
  real trace;  ///< of sum m r^2, where m is 0
  real re[HB_MOST_HARMONIC_ORDER + 1][HB_LANES], im[HB_MOST_HARMONIC_ORDER + 1][HB_LANES];
} LatticeRun;

/// Adds the run to its part's sums, `sums` of HB_LATTICE_VALUES a part, and begins one of another part.
HB_FN void end_lattice_run(LatticeRun* run, i32 part, i32 order, i32 m, HB_GLOBAL sum_t* sums) {
  HB_GLOBAL sum_t* to = sums + (i64)run->part * HB_LATTICE_VALUES(order);
  for (i32 l = m; l <= order; ++l) {
    sum_t re = 0, im = 0;
    for (i32 k = 0; k < HB_LANES; ++k) {
      re += (sum_t)run->re[l - m][k];
      im += (sum_t)run->im[l - m][k];
      run->re[l - m][k] = 0;
      run->im[l - m][k] = 0;
    }
    if (run->part < 0) continue;
    to[2 * HB_HARMONIC(l, m)] += re;
    to[2 * HB_HARMONIC(l, m) + 1] += im;
  }
  if (run->part >= 0 && m == 0) to[1] += (sum_t)run->trace;
  run->trace = 0;
  run->part = part;
  run->packs = 0;
}

/// Adds m e_m T_lm of the pack's particles; mass: 0 of those of other parts (docs/periodic.md eq. 9).
HB_FN void add_lattice_moments(LatticeRun* run, const LatticePack* pack, const real* mass, i32 order, i32 m) {
  real re[HB_LANES], im[HB_LANES], here[HB_LANES], before[HB_LANES];
  for (i32 k = 0; k < HB_LANES; ++k) {
    re[k] = mass[k];
    im[k] = 0;
    here[k] = 1;
    before[k] = 0;
  }
  for (i32 j = 1; j <= m; ++j) raise_powers(pack, j, re, im);
  for (i32 l = m; l <= order; ++l) {
    const HarmonicStep step = harmonic_step(l + 1, m);
    for (i32 k = 0; k < HB_LANES; ++k) {
      run->re[l - m][k] += re[k] * here[k];
      run->im[l - m][k] += im[k] * here[k];
      const real next = next_harmonic(step, pack->z[k], pack->r2[k], here[k], before[k]);
      before[k] = here[k];
      here[k] = next;
    }
  }
  if (m > 0) return;
  for (i32 k = 0; k < HB_LANES; ++k) run->trace += mass[k] * pack->r2[k];
}

/// Adds to `sums` the harmonics of one m of particles [first, end). spread: sums of m r^2 of what each stands for,
/// about its place; null where they are single particles.
HB_FN void lattice_moments_of(LatticeBox box, i32 m, i32 first, i32 end, HB_GLOBAL const pos_t* x,
                              HB_GLOBAL const pos_t* y, HB_GLOBAL const pos_t* z, HB_GLOBAL const real* mass,
                              HB_GLOBAL const real* spread, HB_GLOBAL sum_t* sums) {
  LatticeRun run;
  run.part = -1;
  run.packs = 0;
  run.trace = 0;
  for (i32 l = 0; l <= box.order - m; ++l) {
    for (i32 k = 0; k < HB_LANES; ++k) {
      run.re[l][k] = 0;
      run.im[l][k] = 0;
    }
  }
  for (i32 i = first; i < end; i += HB_LANES) {
    // NOLINTNEXTLINE(modernize-use-nullptr): OpenCL C has none
    const LatticePack pack = lattice_pack(box, x, y, z, 0, i, end);
    for (i32 lane = next_new_part(&pack, 0); lane < HB_LANES; lane = next_new_part(&pack, lane + 1)) {
      real of_part[HB_LANES];
      for (i32 k = 0; k < HB_LANES; ++k) {
        of_part[k] = pack.part[k] == pack.part[lane] ? mass[hb_min(i + k, end - 1)] : (real)0;
      }
      if (run.part != pack.part[lane] || run.packs == HB_LATTICE_RUN) {
        end_lattice_run(&run, pack.part[lane], box.order, m, sums);
      }
      add_lattice_moments(&run, &pack, of_part, box.order, m);
      for (i32 k = 0; spread && m == 0 && k < HB_LANES; ++k) {
        if (pack.part[k] == pack.part[lane]) run.trace += spread[i + k];
      }
      ++run.packs;
    }
  }
  end_lattice_run(&run, -1, box.order, m, sums);
}

// -------------------------------------------------------------------------------------------------------- transfers

typedef struct {
  sum_t re, im;
} LatticeSum;

/// sum + sign a b.
HB_FN LatticeSum add_product(LatticeSum sum, sum_t sign, sum_t a_re, sum_t a_im, sum_t b_re, sum_t b_im) {
  sum.re += sign * (a_re * b_re - a_im * b_im);
  sum.im += sign * (a_re * b_im + a_im * b_re);
  return sum;
}

/// The moments M_jq of one j, with those of q < 0, in coefficient L_nk: `moments` and `transfer` are of m = 0 and of
/// degrees j and n + j. The imaginary part of M_00 is another quantity, and those of m = 0 are 0.
HB_FN LatticeSum transferred_degree(HB_GLOBAL const sum_t* moments, HB_GLOBAL const sum_t* transfer, i32 j, i32 k,
                                    LatticeSum sum) {
  const sum_t sign = (j & 1) ? (sum_t)-1 : (sum_t)1, sign_k = (k & 1) ? -sign : sign;
  sum = add_product(sum, sign, moments[0], 0, transfer[2 * k], transfer[2 * k + 1]);
  for (i32 q = 1; q <= j; ++q) {
    const sum_t re = moments[2 * q], im = moments[2 * q + 1];
    sum = add_product(sum, sign, re, im, transfer[2 * (k + q)], transfer[2 * (k + q) + 1]);
    if (q < k) {
      sum = add_product(sum, (q & 1) ? -sign : sign, re, -im, transfer[2 * (k - q)], transfer[2 * (k - q) + 1]);
    } else {
      const sum_t at = q == k ? 0 : transfer[2 * (q - k) + 1];
      sum = add_product(sum, sign_k, re, -im, transfer[2 * (q - k)], -at);
    }
  }
  return sum;
}

/// What the moments of one part, to order `last`, have in coefficient L_nk of another, `transfer` being the lattice's
/// coefficients of the displacement between them (docs/periodic.md eq. 11).
HB_FN LatticeSum transferred(HB_GLOBAL const sum_t* moments, HB_GLOBAL const sum_t* transfer, i32 last, i32 n, i32 k) {
  LatticeSum sum;
  sum.re = 0;
  sum.im = 0;
  for (i32 j = 0; j <= last; ++j) {
    sum = transferred_degree(moments + 2 * HB_HARMONIC(j, 0), transfer + 2 * HB_HARMONIC(n + j, 0), j, k, sum);
  }
  return sum;
}

/// The same of the background, of which only orders 0 to 2 have any: kappa sum m |R + t - s|^2, R being the
/// displacement (docs/periodic.md eq. 12).
HB_FN LatticeSum background_transferred(HB_GLOBAL const sum_t* moments, sum_t kappa, sum_t x, sum_t y, sum_t z, i32 n,
                                        i32 k) {
  const sum_t mass = moments[0], mx = 2 * moments[2 * HB_HARMONIC(1, 1)], my = 2 * moments[2 * HB_HARMONIC(1, 1) + 1],
              mz = moments[2 * HB_HARMONIC(1, 0)];
  LatticeSum sum;
  sum.re = 0;
  sum.im = 0;
  if (n == 0) {
    sum.re = kappa * (mass * (x * x + y * y + z * z) - 2 * (x * mx + y * my + z * mz) + moments[1]);
    sum.im = kappa * mass;
  } else if (n == 1) {
    sum.re = 2 * kappa * (k == 0 ? mass * z - mz : mass * x - mx);
    sum.im = k == 0 ? 0 : -2 * kappa * (mass * y - my);
  }
  return sum;
}

/// Item `item` = part, n, k: a coefficient of one part's local expansion from the moments of all parts. transfers:
/// HB_LATTICE_TRANSFER values for each displacement, in the order of LatticeTransfers::of().
HB_FN void lattice_local(LatticeBox box, i32 item, HB_GLOBAL const sum_t* moments, HB_GLOBAL const sum_t* transfers,
                         HB_GLOBAL sum_t* locals) {
  const i32 order = box.order, part = item / HB_HARMONICS(order), c = item % HB_HARMONICS(order);
  const i32 parts = box.parts_x * box.parts_y * box.parts_z;
  const i32 n = degree_of_harmonic(c), k = c - HB_HARMONIC(n, 0);
  sum_t re = 0, im = 0;
  for (i32 from = 0; from < parts; ++from) {
    const i32 dx = part / (box.parts_y * box.parts_z) - from / (box.parts_y * box.parts_z),
              dy = part / box.parts_z % box.parts_y - from / box.parts_z % box.parts_y,
              dz = part % box.parts_z - from % box.parts_z;
    const i64 displacement =
        ((i64)(dx + box.parts_x - 1) * (2 * box.parts_y - 1) + (dy + box.parts_y - 1)) * (2 * box.parts_z - 1) +
        (dz + box.parts_z - 1);
    HB_GLOBAL const sum_t* of_part = moments + (i64)from * HB_LATTICE_VALUES(order);
    const LatticeSum sum = transferred(of_part, transfers + displacement * HB_LATTICE_TRANSFER(order), order, n, k);
    const LatticeSum more =
        background_transferred(of_part, (sum_t)box.background, (sum_t)(dx * box.edge_x * box.scale),
                               (sum_t)(dy * box.edge_y * box.scale), (sum_t)(dz * box.edge_z * box.scale), n, k);
    re += sum.re + more.re;
    im += sum.im + more.im;
  }
  locals[2 * (i64)item] = re;
  locals[2 * (i64)item + 1] = im;
}

/// Item `item` = cube, n, k: a coefficient of one cube's local expansion, of order cubes.order, from that of its part.
/// A part has `along` cubes along each axis. offsets: moments of a unit mass opposite to the centre of each cube of a
/// part. They move an expansion as those of sources make one (docs/periodic.md eq. 16).
HB_FN void lattice_cube_local(LatticeBox box, LatticeBox cubes, i32 along, i32 item, HB_GLOBAL const sum_t* offsets,
                              HB_GLOBAL const sum_t* locals, HB_GLOBAL sum_t* cube_locals) {
  const i32 cube = item / HB_HARMONICS(cubes.order), c = item % HB_HARMONICS(cubes.order);
  const i32 n = degree_of_harmonic(c), k = c - HB_HARMONIC(n, 0);
  const i32 x = cube / (cubes.parts_y * cubes.parts_z), y = cube / cubes.parts_z % cubes.parts_y,
            z = cube % cubes.parts_z;
  const i64 part = ((i64)(x / along) * box.parts_y + y / along) * box.parts_z + z / along,
            offset = ((i64)(x % along) * along + y % along) * along + z % along;
  HB_GLOBAL const sum_t* of_part = locals + part * HB_LATTICE_VALUES(box.order);
  HB_GLOBAL const sum_t* mass = offsets + offset * HB_LATTICE_VALUES(box.order);
  const LatticeSum sum = transferred(mass, of_part, box.order - n, n, k);
  const LatticeSum more = background_transferred(mass, of_part[1], 0, 0, 0, n, k);
  cube_locals[2 * (i64)item] = sum.re + more.re;
  cube_locals[2 * (i64)item + 1] = c == 0 ? of_part[1] : sum.im + more.im;
}

// ------------------------------------------------------------------------------------------------- field at targets

/// Of HB_LANES targets: potential, positive where they are attracted, and its gradient.
typedef struct {
  real value[HB_LANES], x[HB_LANES], y[HB_LANES], z[HB_LANES];
} LatticeField;

HB_FN real local_re(HB_GLOBAL const sum_t* expansion, i32 l, i32 m) { return (real)expansion[2 * HB_HARMONIC(l, m)]; }
HB_FN real local_im(HB_GLOBAL const sum_t* expansion, i32 l, i32 m) {
  return m == 0 ? (real)0 : (real)expansion[2 * HB_HARMONIC(l, m) + 1];
}

/// Factors of the real and imaginary part of the harmonic R_lm in the field (docs/periodic.md eq. 13 and 14), and the
/// step to the next l.
typedef struct __attribute__((aligned(16))) {
  real value_re, value_im, x_re, x_im, y_re, y_im, z_re, z_im;
  HarmonicStep step;
  real none[2];
} LatticeTerm;

HB_FN LatticeTerm lattice_term(HB_GLOBAL const sum_t* expansion, i32 order, i32 l, i32 m) {
  const real twice = m == 0 ? (real)1 : (real)2;
  const bool slopes = l < order;
  const real up_re = slopes ? local_re(expansion, l + 1, m + 1) : 0,
             up_im = slopes ? local_im(expansion, l + 1, m + 1) : 0;
  const real down_re = slopes && m > 0 ? local_re(expansion, l + 1, m - 1) : 0,
             down_im = slopes && m > 0 ? local_im(expansion, l + 1, m - 1) : 0;
  LatticeTerm term;
  term.value_re = twice * local_re(expansion, l, m);
  term.value_im = twice * local_im(expansion, l, m);
  term.x_re = up_re - down_re;
  term.x_im = up_im - down_im;
  term.y_re = up_re + down_re;
  term.y_im = up_im + down_im;
  term.z_re = slopes ? twice * local_re(expansion, l + 1, m) : 0;
  term.z_im = slopes ? twice * local_im(expansion, l + 1, m) : 0;
  term.step = harmonic_step(l + 1, m);
  term.none[0] = term.none[1] = 0;
  return term;
}

/// Adds what the harmonics of one m have, e_m being re + i im; all of a pack by the terms of one part.
HB_FN void add_lattice_field(const LatticePack* pack, HB_GLOBAL const LatticeTerm* terms, i32 order, i32 m,
                             const real* re, const real* im, LatticeField* field) {
  real here[HB_LANES], before[HB_LANES];
  for (i32 k = 0; k < HB_LANES; ++k) {
    here[k] = 1;
    before[k] = 0;
  }
  for (i32 l = m; l <= order; ++l) {
    const LatticeTerm t = terms[HB_HARMONIC(l, m)];
    for (i32 k = 0; k < HB_LANES; ++k) {
      const real a = re[k] * here[k], b = im[k] * here[k];
      field->value[k] += t.value_re * a - t.value_im * b;
      field->z[k] += t.z_re * a - t.z_im * b;
      field->x[k] += t.x_re * a - t.x_im * b;
      field->y[k] -= t.y_re * b + t.y_im * a;
      const real next = next_harmonic(t.step, pack->z[k], pack->r2[k], here[k], before[k]);
      before[k] = here[k];
      here[k] = next;
    }
  }
}

/// The field of all far images at a pack of targets, by the terms of one part; background: of r^2 in its expansion.
HB_FN LatticeField lattice_field(const LatticePack* pack, HB_GLOBAL const LatticeTerm* terms, real background,
                                 i32 order) {
  LatticeField field;
  real re[HB_LANES], im[HB_LANES];
  const real twice = 2 * background;
  for (i32 k = 0; k < HB_LANES; ++k) {
    re[k] = 1;
    im[k] = 0;
    field.value[k] = background * pack->r2[k];
    field.x[k] = twice * pack->x[k];
    field.y[k] = twice * pack->y[k];
    field.z[k] = twice * pack->z[k];
  }
  for (i32 m = 0; m <= order; ++m) {
    if (m > 0) raise_powers(pack, m, re, im);
    add_lattice_field(pack, terms, order, m, re, im, &field);
  }
  return field;
}

HB_CLOSE
#endif
