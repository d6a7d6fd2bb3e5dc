// SPDX-License-Identifier: Apache-2.0
// Motions of a rigid body.
#ifndef HORNBEAM_PHYSICS_RIGID_H
#define HORNBEAM_PHYSICS_RIGID_H
#include "physics/portable.h"
HB_OPEN

typedef struct {
  pos_t x, y, z;
} RigidVector;

/// push + turn x (r - about).
typedef struct {
  RigidVector push, turn, about;
} RigidMotion;

/// That at (x, y, z).
HB_FN RigidVector rigid_motion_at(RigidMotion rigid, pos_t x, pos_t y, pos_t z) {
  const pos_t dx = x - rigid.about.x, dy = y - rigid.about.y, dz = z - rigid.about.z;
  const RigidVector v = {rigid.push.x + (rigid.turn.y * dz - rigid.turn.z * dy),
                         rigid.push.y + (rigid.turn.z * dx - rigid.turn.x * dz),
                         rigid.push.z + (rigid.turn.x * dy - rigid.turn.y * dx)};
  return v;
}

HB_CLOSE
#endif
