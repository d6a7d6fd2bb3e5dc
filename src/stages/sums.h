// SPDX-License-Identifier: Apache-2.0
// sums: what one particle adds to sums over all, energies, the momentum of all accelerations and their torque. After
// walk and the closing kick; how the sums are divided among threads or items is the backend's business. sum_t is double
// on the CPU in every precision.
#ifndef HORNBEAM_STAGES_SUMS_H
#define HORNBEAM_STAGES_SUMS_H
#include "physics/portable.h"
HB_OPEN

/// Twice the kinetic energy, sum of m phi, momentum, angular momentum, and internal energy of gas. The phi of external
/// fields is in the sum twice, as each is then halved.
#define HB_ENERGY_SUMS 9
/// Sums of m a and of m |a|.
#define HB_PULL_SUMS 4
/// Sums of w = m |a|^2, of w r, of w times xx, yy, zz, xy, xz, yz, of m a and of m r x a.
#define HB_NET_SUMS 16

/// Returns the mass with all given digits, in internal units. rest: what rounding to `real` has left out; body: the
/// mass of a body that collides, which is stored with all digits, otherwise 0.
HB_SUM_FORMULA sum_t exact_mass(sum_t rounded, sum_t rest, sum_t body) { return body > 0 ? body : rounded + rest; }

/// Adds to e[HB_ENERGY_SUMS] what a particle of mass m has but for its potential.
HB_SUM_FORMULA void add_motion(sum_t m, sum_t x, sum_t y, sum_t z, sum_t vx, sum_t vy, sum_t vz, sum_t* e) {
  e[0] += m * (vx * vx + vy * vy + vz * vz);
  e[2] += m * vx;
  e[3] += m * vy;
  e[4] += m * vz;
  e[5] += m * (y * vz - z * vy);
  e[6] += m * (z * vx - x * vz);
  e[7] += m * (x * vy - y * vx);
}

/// Adds a potential that it lies in, which is `unit` times as large as those of the sums.
HB_SUM_FORMULA void add_potential(sum_t m, sum_t potential, sum_t unit, sum_t* e) { e[1] += m * potential * unit; }

/// Adds its internal energy.
HB_SUM_FORMULA void add_heat(sum_t m, sum_t u, sum_t* e) { e[8] += m * u; }

/// Adds to e[HB_PULL_SUMS] the acceleration of a particle.
HB_SUM_FORMULA void add_pull(sum_t m, sum_t x, sum_t y, sum_t z, sum_t* e) {
  e[0] += m * x;
  e[1] += m * y;
  e[2] += m * z;
  e[3] += m * hb_sqrt(x * x + y * y + z * z);
}

/// Adds to e[HB_NET_SUMS] what a particle at r has part in the net force and torque.
HB_SUM_FORMULA void add_net_force(sum_t m, sum_t x, sum_t y, sum_t z, sum_t ax, sum_t ay, sum_t az, sum_t* e) {
  const sum_t weight = m * (ax * ax + ay * ay + az * az);
  e[0] += weight;
  e[1] += weight * x;
  e[2] += weight * y;
  e[3] += weight * z;
  e[4] += weight * x * x;
  e[5] += weight * y * y;
  e[6] += weight * z * z;
  e[7] += weight * x * y;
  e[8] += weight * x * z;
  e[9] += weight * y * z;
  e[10] += m * ax;
  e[11] += m * ay;
  e[12] += m * az;
  e[13] += m * (y * az - z * ay);
  e[14] += m * (z * ax - x * az);
  e[15] += m * (x * ay - y * ax);
}

HB_CLOSE
#endif
