// SPDX-License-Identifier: Apache-2.0
// Gradients of a flow from sums over neighbours, exact where the flow is linear (Cullen & Dehnen 2010; Price et al.
// 2018 sect. 2.2.9): D C^-1, C the sum of w x x and D that of w v x over the ways x to neighbours.
#ifndef HORNBEAM_PHYSICS_GRADIENT_H
#define HORNBEAM_PHYSICS_GRADIENT_H
#include "physics/portable.h"
HB_OPEN

typedef struct {
  pos_t x, y, z;
} Vector3;

HB_FN Vector3 vector3(pos_t x, pos_t y, pos_t z) {
  Vector3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}

HB_FN Vector3 with_times(Vector3 sum, pos_t factor, Vector3 v) {
  return vector3(sum.x + factor * v.x, sum.y + factor * v.y, sum.z + factor * v.z);
}

HB_FN pos_t dot3(Vector3 a, Vector3 b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }

/// Rows of a matrix.
typedef struct {
  Vector3 x, y, z;
} Matrix3;

typedef struct {
  pos_t xx, xy, xz, yy, yz, zz;
} Symmetric3;

/// C, and D of velocities and of accelerations.
typedef struct {
  Symmetric3 places;
  Matrix3 v, a;
} GradientSums;

HB_FN GradientSums no_gradients() {
  GradientSums s;
  const Vector3 none = vector3(0, 0, 0);
  s.places.xx = 0;
  s.places.xy = 0;
  s.places.xz = 0;
  s.places.yy = 0;
  s.places.yz = 0;
  s.places.zz = 0;
  s.v.x = none;
  s.v.y = none;
  s.v.z = none;
  s.a = s.v;
  return s;
}

HB_FN Matrix3 matrix_with(Matrix3 sum, Vector3 value, Vector3 way) {
  sum.x = with_times(sum.x, value.x, way);
  sum.y = with_times(sum.y, value.y, way);
  sum.z = with_times(sum.z, value.z, way);
  return sum;
}

/// `s` with a neighbour at x, of which velocity and acceleration differ by v and a.
HB_FN GradientSums gradients_with(GradientSums s, pos_t weight, Vector3 x, Vector3 v, Vector3 a) {
  const Vector3 w = vector3(weight * x.x, weight * x.y, weight * x.z);
  s.places.xx += w.x * x.x;
  s.places.xy += w.x * x.y;
  s.places.xz += w.x * x.z;
  s.places.yy += w.y * x.y;
  s.places.yz += w.y * x.z;
  s.places.zz += w.z * x.z;
  s.v = matrix_with(s.v, v, w);
  s.a = matrix_with(s.a, a, w);
  return s;
}

/// C^-1, or `otherwise` times the unit matrix where neighbours lie in a plane or on a line, or are too few.
HB_FN Symmetric3 inverse_or(Symmetric3 c, pos_t otherwise) {
  Symmetric3 inv;
  inv.xx = c.yy * c.zz - c.yz * c.yz;
  inv.xy = c.xz * c.yz - c.xy * c.zz;
  inv.xz = c.xy * c.yz - c.xz * c.yy;
  inv.yy = c.xx * c.zz - c.xz * c.xz;
  inv.yz = c.xy * c.xz - c.xx * c.yz;
  inv.zz = c.xx * c.yy - c.xy * c.xy;
  const pos_t determinant = (c.xx * inv.xx + c.xy * inv.xy) + c.xz * inv.xz, mean = ((c.xx + c.yy) + c.zz) / 3;
  const pos_t flat = 1e-6f;  // of that of as many neighbours all around
  const bool full = hb_abs(determinant) > flat * hb_abs(mean * mean * mean);
  const pos_t scale = full ? 1 / determinant : 0, unit = full ? 0 : otherwise;
  inv.xx = inv.xx * scale + unit;
  inv.xy *= scale;
  inv.xz *= scale;
  inv.yy = inv.yy * scale + unit;
  inv.yz *= scale;
  inv.zz = inv.zz * scale + unit;
  return inv;
}

/// D C^-1: element [a][b] is the derivative of component a along b.
HB_FN Matrix3 times_inverse(Matrix3 d, Symmetric3 inv, pos_t scale) {
  const Vector3 x = vector3(inv.xx * scale, inv.xy * scale, inv.xz * scale);
  const Vector3 y = vector3(inv.xy * scale, inv.yy * scale, inv.yz * scale);
  const Vector3 z = vector3(inv.xz * scale, inv.yz * scale, inv.zz * scale);
  Matrix3 m;
  m.x = vector3(dot3(d.x, x), dot3(d.x, y), dot3(d.x, z));
  m.y = vector3(dot3(d.y, x), dot3(d.y, y), dot3(d.y, z));
  m.z = vector3(dot3(d.z, x), dot3(d.z, y), dot3(d.z, z));
  return m;
}

typedef struct {
  pos_t divergence, curl;
  pos_t change;  ///< d(div v)/dt of what moves with the flow
} FlowGradients;

/// kernel_sums: what sums of the kernel's gradient are to be multiplied with; inverse: 1 / unit of the ways.
HB_FN FlowGradients flow_gradients(GradientSums s, pos_t kernel_sums, pos_t inverse) {
  const Symmetric3 inv = inverse_or(s.places, kernel_sums);
  const Matrix3 v = times_inverse(s.v, inv, inverse), a = times_inverse(s.a, inv, inverse);
  FlowGradients g;
  g.divergence = (v.x.x + v.y.y) + v.z.z;
  const Vector3 curl = vector3(v.z.y - v.y.z, v.x.z - v.z.x, v.y.x - v.x.y);
  g.curl = hb_sqrt(dot3(curl, curl));
  const pos_t stretching =
      ((v.x.x * v.x.x + v.y.y * v.y.y) + v.z.z * v.z.z) + 2 * ((v.x.y * v.y.x + v.x.z * v.z.x) + v.y.z * v.z.y);
  g.change = ((a.x.x + a.y.y) + a.z.z) - stretching;
  return g;
}

HB_CLOSE
#endif
