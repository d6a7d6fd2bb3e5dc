// SPDX-License-Identifier: Apache-2.0
// kick, drift, energies, what is non-finite and the sums of interactions, on a device. Sums are in fp64 (in fp32 where
// there is none), in an order that depends on the number of particles alone.
#ifndef HORNBEAM_DEVICE_KERNELS_DYNAMICS_H
#define HORNBEAM_DEVICE_KERNELS_DYNAMICS_H
#include "device/kernels/block_sum.h"
#include "physics/epicycle.h"
#include "physics/external.h"
#include "physics/rigid.h"
#include "stages/finite.h"
#include "stages/kick_drift.h"
#include "stages/sums.h"
#include "stages/wrap.h"
HB_KERNELS_OPEN

HB_KERNEL(kick_particles) {
  const i32 i = hb_item();
  if (i >= n) return;
  vx[i] = kicked(vx[i], acc_x[i], step);
  vy[i] = kicked(vy[i], acc_y[i], step);
  vz[i] = kicked(vz[i], acc_z[i], step);
}

HB_KERNEL(drift_particles) {
  const i32 i = hb_item();
  if (i >= n) return;
  x[i] = drifted(x[i], vx[i], step);
  y[i] = drifted(y[i], vy[i], step);
  z[i] = drifted(z[i], vz[i], step);
}

/// shifted = position - (shift_x, shift_y, shift_z): where targets represent sources shifted the other way.
HB_KERNEL(shift_positions) {
  const i32 i = hb_item();
  if (i >= n) return;
  shifted_x[i] = x[i] - shift_x;
  shifted_y[i] = y[i] - shift_y;
  shifted_z[i] = z[i] - shift_z;
}

/// Puts positions back into a periodic box; vy is null where no neighbour of it moves.
HB_KERNEL(wrap_positions) {
  const i32 i = hb_item();
  if (i >= n) return;
  const WrappedPlace to = wrapped_place(box, x[i], y[i], z[i]);
  x[i] = to.x;
  y[i] = to.y;
  z[i] = to.z;
  if (vy) vy[i] += to.vy;
}

/// Motion in a shearing sheet without other forces.
HB_KERNEL(drift_epicycles) {
  const i32 i = hb_item();
  if (i >= n) return;
  const EpicyclePoint to = epicycle(step, x[i], y[i], z[i], vx[i], vy[i], vz[i]);
  x[i] = to.x;
  y[i] = to.y;
  z[i] = to.z;
  vx[i] = to.vx;
  vy[i] = to.vy;
  vz[i] = to.vz;
}

HB_KERNEL(turn_spins) {
  const i32 i = hb_item();
  if (i >= n) return;
  const SpinInPlane to = turned_spin(step, spin_x[i], spin_y[i]);
  spin_x[i] = to.x;
  spin_y[i] = to.y;
}

/// gone[i] becomes HB_GONE_OUTSIDE for particles that are still there beyond the walls of a box about the origin; half:
/// of its edges, 0 for an axis without walls.
HB_KERNEL(mark_outside) {
  const i32 i = hb_item();
  if (i >= n) return;
  const bool outside = (half_x > 0 && hb_abs(x[i]) > half_x) || (half_y > 0 && hb_abs(y[i]) > half_y) ||
                       (half_z > 0 && hb_abs(z[i]) > half_z);
  if (outside && gone[i] == 0) gone[i] = HB_GONE_OUTSIDE;
}

/// The distance that a body may have moved relative to its neighbours, plus its radius. Its speed is without the shear,
/// which grows with the distance and needs `widened` times as much. It has not collided in that time.
HB_KERNEL(sweep_bodies) {
  const i32 i = hb_item();
  if (i >= n) return;
  const pos_t along = vy[i] + shear * x[i];
  reach[i] = (radius[i] + hb_sqrt((vx[i] * vx[i] + along * along) + vz[i] * vz[i]) * time) * widened;
  since[i] = time;
}

/// size[k] = |a| of particle picks[k], or k where that is null.
HB_KERNEL(remember_accelerations) {
  const i32 k = hb_item();
  if (k >= n) return;
  const i32 i = picks ? picks[k] : k;
  size[k] = hb_sqrt(acc_x[i] * acc_x[i] + acc_y[i] * acc_y[i] + acc_z[i] * acc_z[i]);
}

/// Multiplies by `factor` this many times: its square may be out of the range that the values are in.
HB_KERNEL(scale_reals) {
  const i32 i = hb_item();
  if (i >= n) return;
  real value = values[i];
  for (i32 k = 0; k < times; ++k) value *= factor;
  values[i] = value;
}

/// Adds the fields to the accelerations of `targets` particles: those of the list `due`, or all where it is null.
HB_KERNEL(add_external) {
  const i32 t = hb_item();
  if (t >= targets) return;
  const i32 i = due ? due[t] : t;
  const ExternalPull pull = external_pulls(fields, count, x[i], y[i], z[i]);
  acc_x[i] += (real)pull.x;
  acc_y[i] += (real)pull.y;
  acc_z[i] += (real)pull.z;
  potential[i] += (real)pull.potential;
}

/// Takes a rigid motion, times |a|^2, out of the accelerations of all particles that have mass.
HB_KERNEL(balance_pulls) {
  const i32 i = hb_item();
  if (i >= n || !(mass[i] > 0)) return;
  const pos_t ax = acc_x[i], ay = acc_y[i], az = acc_z[i], weight = ax * ax + ay * ay + az * az;
  const RigidVector change =
      rigid_motion_at(rigid, (x[i] - origin.x) * unit, (y[i] - origin.y) * unit, (z[i] - origin.z) * unit);
  acc_x[i] = (real)(ax - weight * change.x);
  acc_y[i] = (real)(ay - weight * change.y);
  acc_z[i] = (real)(az - weight * change.z);
}

/// Adds to *count the particles that hold what is non-finite; vx ... vz: null where there are no velocities.
HB_KERNEL(count_not_finite) {
  const i32 i = hb_item();
  if (i >= n) return;
  const i32 moves = vx ? is_finite_motion(most, vx[i], vy[i], vz[i]) : 1;
  const i32 finite = is_finite_motion(most, x[i], y[i], z[i]) & moves &
                     is_finite_pull(most, acc_x[i], acc_y[i], acc_z[i], potential[i]);
  if (!finite) hb_atomic_add(count, 1u);
}

/// Sums of `blocks` blocks over particles b, b + blocks, ... (in blocks of items). Value k of block b is at
/// sums[HB_ENERGY_SUMS b + k]. u: null without hydrodynamics. mass_rest, body_mass: null if not stored.
HB_BLOCK_KERNEL(sum_energies) {
  HB_BLOCK_ARRAY(pos_t, part, HB_ENERGY_SUMS * HB_BLOCK);
  const i32 item = hb_block_item();
  pos_t e[HB_ENERGY_SUMS] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  for (i32 i = hb_item(); i < n; i += blocks * HB_BLOCK) {
    const pos_t rest = mass_rest ? mass_rest[i] : 0, body = body_mass ? body_mass[i] * mass_unit : 0;
    const pos_t m = exact_mass((pos_t)mass[i], rest, body);
    add_motion(m, x[i], y[i], z[i], vx[i], vy[i], vz[i], e);
    add_potential(m, (pos_t)potential[i], (pos_t)1, e);
    if (count > 0) add_potential(m, external_pulls(fields, count, x[i], y[i], z[i]).potential, (pos_t)1, e);
    if (u) add_heat(m, u[i], e);
  }
  for (i32 k = 0; k < HB_ENERGY_SUMS; ++k) part[k * HB_BLOCK + item] = e[k];
  HB_SUM_BLOCK(part, HB_ENERGY_SUMS, item)
  if (item < HB_ENERGY_SUMS) sums[HB_ENERGY_SUMS * hb_block() + item] = part[item * HB_BLOCK];
}

/// Interactions of `count` items of a walk, HB_COUNTS each, summed by block: particle and multipole sources times
/// targets, and expansions.
HB_BLOCK_KERNEL(sum_counts) {
  HB_BLOCK_ARRAY(u64, part, 3 * HB_BLOCK);
  const i32 item = hb_block_item();
  u64 pairs = 0, multipoles = 0, expansions = 0;
  for (i32 g = hb_item(); g < count; g += blocks * HB_BLOCK) {
    HB_GLOBAL const u32* row = counts + HB_COUNTS * (i64)g;
    pairs += row[3] * (u64)row[0];
    multipoles += row[3] * (u64)row[1];
    expansions += row[2];
  }
  part[item] = pairs;
  part[HB_BLOCK + item] = multipoles;
  part[2 * HB_BLOCK + item] = expansions;
  HB_SUM_BLOCK(part, 3, item)
  if (item < 3) sums[3 * hb_block() + item] = part[item * HB_BLOCK];
}

HB_KERNELS_CLOSE
#endif
