// SPDX-License-Identifier: Apache-2.0
// Motion of a free particle in a shearing sheet, exact: Hill's equations solved by an epicycle about a guiding centre
// that drifts with the shear, and an oscillation through the plane (Rein & Tremaine 2011, eqs. 10 to 14). Rotations are
// made of three shears each, which lose nothing to rounding in the long run.
#ifndef HORNBEAM_PHYSICS_EPICYCLE_H
#define HORNBEAM_PHYSICS_EPICYCLE_H
#include "physics/portable.h"
HB_OPEN

/// One step: frequencies, its length, and -sin(omega dt), -tan(omega dt / 2) of both.
typedef struct {
  pos_t omega, omega_z, dt;
  pos_t sine, tangent, sine_z, tangent_z;
} EpicycleStep;

typedef struct {
  pos_t x, y, z, vx, vy, vz;
} EpicyclePoint;

HB_FN EpicyclePoint epicycle(EpicycleStep s, pos_t x, pos_t y, pos_t z, pos_t vx, pos_t vy, pos_t vz) {
  EpicyclePoint to;
  const pos_t height = z * s.omega_z, height1 = height - s.tangent_z * vz;
  to.vz = s.sine_z * height1 + vz;
  to.z = (height1 - s.tangent_z * to.vz) / s.omega_z;
  // the guiding centre, and the way from it
  const pos_t centre_x = 2 * vy + 4 * (x * s.omega), centre_y = y * s.omega - 2 * vx;
  const pos_t radial = x * s.omega - centre_x, radial1 = radial - s.tangent * vx, along1 = s.sine * radial1 + vx,
              radial2 = radial1 - s.tangent * along1;
  to.x = (radial2 + centre_x) / s.omega;
  to.y = (2 * along1 + centre_y) / s.omega - (pos_t)1.5 * centre_x * s.dt;
  to.vx = along1;
  to.vy = -2 * radial2 - (pos_t)1.5 * centre_x;
  return to;
}

/// What of a spin, a vector at rest, lies in the plane, seen from the sheet, which turns.
typedef struct {
  pos_t x, y;
} SpinInPlane;

HB_FN SpinInPlane turned_spin(EpicycleStep s, pos_t x, pos_t y) {
  SpinInPlane to;
  const pos_t x1 = x - s.tangent * y;
  to.y = s.sine * x1 + y;
  to.x = x1 - s.tangent * to.y;
  return to;
}

HB_CLOSE
#endif
