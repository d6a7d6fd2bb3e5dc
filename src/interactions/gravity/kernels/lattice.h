// SPDX-License-Identifier: Apache-2.0
// The far images of a periodic box, on every device: items of stages/lattice.h.
#ifndef HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_LATTICE_H
#define HORNBEAM_INTERACTIONS_GRAVITY_KERNELS_LATTICE_H
#include "device/kernels/language.h"
#include "stages/box.h"
#include "stages/lattice_tides.h"
HB_KERNELS_OPEN

/// The box of particles [c chunk, (c + 1) chunk), as bound_blocks lays boxes out.
HB_KERNEL(box_chunks) {
  const i32 c = hb_item();
  if (c >= chunks) return;
  const PlaceBox box = box_of_every(x, y, z, c * chunk, hb_min((c + 1) * chunk, n), 1);
  boxes[c] = box.low_x;
  boxes[chunks + c] = box.low_y;
  boxes[2 * chunks + c] = box.low_z;
  boxes[3 * chunks + c] = box.high_x;
  boxes[4 * chunks + c] = box.high_y;
  boxes[5 * chunks + c] = box.high_z;
}

/// Adds the harmonics of one m of particles [c chunk, (c + 1) chunk) to those of chunk c: sums[chunks][parts][values].
/// Threads of the CPU get some of each m.
HB_KERNEL(lattice_moments) {
  const i32 item = hb_item(), degrees = box.order + 1;
  if (item >= chunks * degrees) return;
  const i32 c = item / degrees, m = item % degrees, parts = box.parts_x * box.parts_y * box.parts_z;
  lattice_moments_of(box, m, c * chunk, hb_min((c + 1) * chunk, n), x, y, z, mass, spread,
                     sums + (i64)c * parts * HB_LATTICE_VALUES(box.order));
}

/// moments[v] = sum of sums[c][v], in the order of the chunks.
HB_KERNEL(sum_lattice_moments) {
  const i32 v = hb_item();
  if (v >= values) return;
  sum_t sum = 0;
  for (i32 c = 0; c < chunks; ++c) sum += sums[(i64)c * values + v];
  moments[v] = sum;
}

HB_KERNEL(lattice_locals) {
  const i32 item = hb_item();
  if (item >= items) return;
  lattice_local(box, item, moments, transfers, locals);
}

HB_KERNEL(lattice_cube_locals) {
  const i32 item = hb_item();
  if (item >= items) return;
  lattice_cube_local(box, cubes, along, item, offsets, locals, cube_locals);
}

/// terms[parts][HB_HARMONICS(order)] of the local expansions.
HB_KERNEL(lattice_terms) {
  const i32 item = hb_item();
  if (item >= items) return;
  const i32 part = item / HB_HARMONICS(box.order), c = item % HB_HARMONICS(box.order), l = degree_of_harmonic(c);
  terms[item] = lattice_term(locals + (i64)part * HB_LATTICE_VALUES(box.order), box.order, l, c - HB_HARMONIC(l, 0));
}

/// Adds the far images' field to the accelerations and potentials of `targets` particles, or puts it in their place:
/// picks[t], or t where that is null. Each item has HB_LANES of them.
HB_KERNEL(lattice_fields) {
  const i32 first = hb_item() * HB_LANES;
  if (first >= targets) return;
  const LatticePack pack = lattice_pack(box, x, y, z, picks, first, targets);
  for (i32 lane = next_new_part(&pack, 0); lane < HB_LANES; lane = next_new_part(&pack, lane + 1)) {
    const i64 part = pack.part[lane];
    const LatticeField field = lattice_field(&pack, terms + part * HB_HARMONICS(box.order),
                                             (real)locals[part * HB_LATTICE_VALUES(box.order) + 1], box.order);
    for (i32 k = 0; k < HB_LANES; ++k) {
      if (pack.part[k] != pack.part[lane]) continue;
      const i32 i = picks ? picks[first + k] : first + k;
      acc_x[i] = (adds ? acc_x[i] : (real)0) + box.acceleration * field.x[k];
      acc_y[i] = (adds ? acc_y[i] : (real)0) + box.acceleration * field.y[k];
      acc_z[i] = (adds ? acc_z[i] : (real)0) + box.acceleration * field.z[k];
      potential[i] = (adds ? potential[i] : (real)0) - box.potential * field.value[k];
    }
  }
}

/// Adds the far images' tidal tensors at `targets` particles: component k of target i is tide[k targets + i].
HB_KERNEL(lattice_tides) {
  const i32 first = hb_item() * HB_LANES;
  if (first >= targets) return;
  // NOLINTNEXTLINE(modernize-use-nullptr): OpenCL C has none
  const LatticePack pack = lattice_pack(box, x, y, z, 0, first, targets);
  for (i32 lane = next_new_part(&pack, 0); lane < HB_LANES; lane = next_new_part(&pack, lane + 1)) {
    HB_GLOBAL const sum_t* expansion = locals + (i64)pack.part[lane] * HB_LATTICE_VALUES(box.order);
    const LatticeTides tides = lattice_tides_of(&pack, expansion, box.order);
    for (i32 k = 0; k < HB_LANES; ++k) {
      if (pack.part[k] != pack.part[lane]) continue;
      put_lattice_tides(&tides, k, 2 * (real)expansion[1], box.tide, tide + first + k, targets);
    }
  }
}

HB_KERNELS_CLOSE
#endif
