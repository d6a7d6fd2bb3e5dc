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

HB_FN pos_t dot3(Vector3 a, Vector3 b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }

/// Rows of a matrix.
typedef struct {
  Vector3 x, y, z;
} Matrix3;

typedef struct {
  pos_t xx, xy, xz, yy, yz, zz;
} Symmetric3;

/// Sums of the kernel and of its slope, of m w and of m q w'; elements of C, and of D of velocities and of
/// accelerations, row by row.
// Its own lines are not stable under clang-format.
// clang-format off
#define HB_FLOW_SUMS(S)                                                                                              \
  S(fine, value) S(fine, slope) S(add, xx) S(add, xy) S(add, xz) S(add, yy) S(add, yz) S(add, zz) S(add, v_xx)         \
  S(add, v_xy) S(add, v_xz) S(add, v_yx) S(add, v_yy) S(add, v_yz) S(add, v_zx) S(add, v_zy) S(add, v_zz)            \
  S(add, a_xx) S(add, a_xy) S(add, a_xz) S(add, a_yx) S(add, a_yy) S(add, a_yz) S(add, a_zx) S(add, a_zy) S(add, a_zz)
// clang-format on
HB_REALS(FlowSums, HB_FLOW_SUMS(HB_SUM_MEMBER))
/// A vector of them.
HB_REALS(Way3, real x; real y; real z;)

/// `s` with a neighbour at x, of which velocity and acceleration differ by v and a.
HB_FORMULA HB_OF(FlowSums, real) gradients_with(HB_OF(FlowSums, real) s, real weight, HB_OF(Way3, real) x,
                                                HB_OF(Way3, real) v, HB_OF(Way3, real) a) {
  const real wx = weight * x.x, wy = weight * x.y, wz = weight * x.z;
  s.xx = hb_fma(wx, x.x, s.xx);
  s.xy = hb_fma(wx, x.y, s.xy);
  s.xz = hb_fma(wx, x.z, s.xz);
  s.yy = hb_fma(wy, x.y, s.yy);
  s.yz = hb_fma(wy, x.z, s.yz);
  s.zz = hb_fma(wz, x.z, s.zz);
  s.v_xx = hb_fma(v.x, wx, s.v_xx);
  s.v_xy = hb_fma(v.x, wy, s.v_xy);
  s.v_xz = hb_fma(v.x, wz, s.v_xz);
  s.v_yx = hb_fma(v.y, wx, s.v_yx);
  s.v_yy = hb_fma(v.y, wy, s.v_yy);
  s.v_yz = hb_fma(v.y, wz, s.v_yz);
  s.v_zx = hb_fma(v.z, wx, s.v_zx);
  s.v_zy = hb_fma(v.z, wy, s.v_zy);
  s.v_zz = hb_fma(v.z, wz, s.v_zz);
  s.a_xx = hb_fma(a.x, wx, s.a_xx);
  s.a_xy = hb_fma(a.x, wy, s.a_xy);
  s.a_xz = hb_fma(a.x, wz, s.a_xz);
  s.a_yx = hb_fma(a.y, wx, s.a_yx);
  s.a_yy = hb_fma(a.y, wy, s.a_yy);
  s.a_yz = hb_fma(a.y, wz, s.a_yz);
  s.a_zx = hb_fma(a.z, wx, s.a_zx);
  s.a_zy = hb_fma(a.z, wy, s.a_zy);
  s.a_zz = hb_fma(a.z, wz, s.a_zz);
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
  const pos_t flat = 1e-5f;  // of that of as many neighbours all around; sums may be of fp32
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
  pos_t change;            ///< d(div v)/dt of what moves with the flow
  Vector3 stretch, shear;  ///< rates of strain: xx, yy, zz; yz, xz, xy
} FlowGradients;

/// Sums of ways in units of 1 / inverse, velocities in 1 / speed, accelerations in 1 / pull; kernel_sums: what sums of
/// the kernel's gradient are to be multiplied with.
HB_FORMULA FlowGradients flow_gradients(HB_OF(FlowSums, real) s, pos_t kernel_sums, pos_t inverse, pos_t speed,
                                        pos_t pull) {
  Symmetric3 c;
  c.xx = s.xx;
  c.xy = s.xy;
  c.xz = s.xz;
  c.yy = s.yy;
  c.yz = s.yz;
  c.zz = s.zz;
  Matrix3 of_v, of_a;
  of_v.x = vector3(s.v_xx, s.v_xy, s.v_xz);
  of_v.y = vector3(s.v_yx, s.v_yy, s.v_yz);
  of_v.z = vector3(s.v_zx, s.v_zy, s.v_zz);
  of_a.x = vector3(s.a_xx, s.a_xy, s.a_xz);
  of_a.y = vector3(s.a_yx, s.a_yy, s.a_yz);
  of_a.z = vector3(s.a_zx, s.a_zy, s.a_zz);
  const Symmetric3 inv = inverse_or(c, kernel_sums);
  const Matrix3 v = times_inverse(of_v, inv, inverse * speed), a = times_inverse(of_a, inv, inverse * pull);
  FlowGradients g;
  g.divergence = (v.x.x + v.y.y) + v.z.z;
  g.stretch = vector3(v.x.x, v.y.y, v.z.z);
  g.shear = vector3((v.y.z + v.z.y) / 2, (v.x.z + v.z.x) / 2, (v.x.y + v.y.x) / 2);
  const Vector3 curl = vector3(v.z.y - v.y.z, v.x.z - v.z.x, v.y.x - v.x.y);
  g.curl = hb_sqrt(dot3(curl, curl));
  const pos_t stretching =
      ((v.x.x * v.x.x + v.y.y * v.y.y) + v.z.z * v.z.z) + 2 * ((v.x.y * v.y.x + v.x.z * v.z.x) + v.y.z * v.z.y);
  g.change = ((a.x.x + a.y.y) + a.z.z) - stretching;
  return g;
}

HB_CLOSE
#endif
