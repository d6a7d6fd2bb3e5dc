// SPDX-License-Identifier: Apache-2.0
// The attraction of one point mass on another, softened: the innermost formula of every walk and of direct summation.
#ifndef HORNBEAM_PHYSICS_SOFTENING_H
#define HORNBEAM_PHYSICS_SOFTENING_H
#include "physics/portable.h"
HB_OPEN

#define HB_PLUMMER 0
#define HB_SPLINE 1
/// Reach h of the spline kernel in units of eps: Newtonian beyond (Gadget-2, Springel 2005, sect. 2.1).
#define HB_SPLINE_REACH 2.8f

/// Acceleration (x, y, z) and potential per unit mass (w) at one point.
#if defined(__OPENCL_VERSION__)
typedef struct {
  real x, y, z, w;
} Field;
#else
template <class real>
struct Field {
  real x, y, z, w;
};
#endif

/// `field` plus the attraction of `mass` at displacement (dx, dy, dz) = source - target; inv_r: 1 / softened distance.
HB_FORMULA HB_FIELD(real) pull_at(real dx, real dy, real dz, real mass, real inv_r, HB_FIELD(real) field) {
  const real m_inv_r = mass * inv_r;
  const real m_inv_r3 =
      m_inv_r * inv_r * inv_r;  // in this order a massless source stays without effect at any distance
  field.x = hb_fma(dx, m_inv_r3, field.x);
  field.y = hb_fma(dy, m_inv_r3, field.y);
  field.z = hb_fma(dz, m_inv_r3, field.z);
  field.w = field.w - m_inv_r;
  return field;
}

/// The same with Plummer softening, soft2 = (eps_i^2 + eps_j^2) / 2. Coincident points with soft2 = 0 do not attract.
HB_FORMULA HB_FIELD(real) pull_plummer(real dx, real dy, real dz, real mass, real soft2, HB_FIELD(real) field) {
  const real r2 = hb_fma(dx, dx, hb_fma(dy, dy, hb_fma(dz, dz, soft2)));
  return pull_at(dx, dy, dz, mass, hb_rsqrt0(r2), field);
}

/// The same where soft2 > 0: two instructions less.
HB_FORMULA HB_FIELD(real) pull_softened(real dx, real dy, real dz, real mass, real soft2, HB_FIELD(real) field) {
  const real r2 = hb_fma(dx, dx, hb_fma(dy, dy, hb_fma(dz, dz, soft2)));
  return pull_at(dx, dy, dz, mass, hb_rsqrt(r2), field);
}

/// The same for the cubic spline of compact reach h = 2.8 eps (Springel, Yoshida & White 2001, appendix):
/// u = r / h; force m r f(u) / h^3 and potential m w(u) / h inside, Newtonian outside.
HB_FORMULA HB_FIELD(real) pull_spline(real dx, real dy, real dz, real mass, real soft2, HB_FIELD(real) field) {
  const real r2 = hb_fma(dx, dx, hb_fma(dy, dy, dz * dz));
  const real inv_r = hb_rsqrt0(r2);
  const real h2 = soft2 * HB_C(7.84);  // HB_SPLINE_REACH^2
  const real inv_h = hb_rsqrt0(h2);
  const real r = r2 * inv_r;
  const real u = r * inv_h;
  const real u2 = u * u;
  const real m_inv_h3 = mass * inv_h * inv_h * inv_h;  // in this order for the same reason as in pull_at()
  const real inv_u = inv_r * (h2 * inv_h);
  const real f_in = HB_C(32.0 / 3.0) + u2 * (HB_C(32) * u - HB_C(38.4));
  const real f_mid = HB_C(64.0 / 3.0) - HB_C(48) * u + HB_C(38.4) * u2 - HB_C(32.0 / 3.0) * (u2 * u) -
                     HB_C(1.0 / 15.0) * (inv_u * inv_u * inv_u);
  const real w_in = u2 * (HB_C(16.0 / 3.0) + u2 * (HB_C(6.4) * u - HB_C(9.6))) - HB_C(2.8);
  const real w_mid = HB_C(1.0 / 15.0) * inv_u - HB_C(3.2) +
                     u2 * (HB_C(32.0 / 3.0) + u * (HB_C(9.6) * u - HB_C(16) - HB_C(32.0 / 15.0) * u2));
  const real inside_g = m_inv_h3 * hb_select(u < HB_C(0.5), f_in, f_mid);
  const real inside_w = inv_h * hb_select(u < HB_C(0.5), w_in, w_mid);
  const real g = hb_select(r2 < h2, inside_g, mass * inv_r * inv_r * inv_r);
  field.x = hb_fma(dx, g, field.x);
  field.y = hb_fma(dy, g, field.y);
  field.z = hb_fma(dz, g, field.z);
  field.w = hb_fma(mass, hb_select(r2 < h2, inside_w, -inv_r), field.w);
  return field;
}

/// The same by name: softening is HB_PLUMMER or HB_SPLINE.
HB_FORMULA HB_FIELD(real) pull(i32 softening, real dx, real dy, real dz, real mass, real soft2, HB_FIELD(real) field) {
  if (softening == HB_SPLINE) return pull_spline(dx, dy, dz, mass, soft2, field);
  return pull_plummer(dx, dy, dz, mass, soft2, field);
}

HB_CLOSE
#endif
