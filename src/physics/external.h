// SPDX-License-Identifier: Apache-2.0
// Analytic potentials that act on all particles: docs/dynamics.md eq. 8 to 12. Added to what the walk found.
#ifndef HORNBEAM_PHYSICS_EXTERNAL_H
#define HORNBEAM_PHYSICS_EXTERNAL_H
#include "physics/logarithm.h"
#include "physics/portable.h"
HB_OPEN

#define HB_EXTERNAL_POINT 0
#define HB_EXTERNAL_PLUMMER 1
#define HB_EXTERNAL_HERNQUIST 2
#define HB_EXTERNAL_NFW 3
#define HB_EXTERNAL_LOGARITHMIC 4
#define HB_EXTERNAL_MIYAMOTO_NAGAI 5

/// One potential as it stands now: internal units (G = 1) but for the centre.
typedef struct {
  pos_t x, y, z;   ///< centre, in the user's units
  pos_t unit;      ///< internal length per length
  pos_t strength;  ///< M; logarithmic: the squared circular velocity far out
  pos_t a, b;      ///< lengths of the equations; logarithmic: core radius and flattening q
  pos_t zero;      ///< added to the potential: logarithmic, whose zero lies at a length of the user's
  i32 kind;
} ExternalField;

/// Acceleration and potential per unit mass, internal units.
typedef struct {
  pos_t x, y, z, potential;
} ExternalPull;

/// ln(1 + u) - u / (1 + u): the mass within u of an NFW halo. Near 0, where the two terms cancel, by its series.
HB_FN pos_t nfw_mass(pos_t u) {
  const pos_t third = 1 / (pos_t)3;
  if (u > 0.01f) return hb_log1p(u) - u / (1 + u);
  // sum over k >= 2 of (-1)^k (k - 1) / k u^k: the first term left out is 1e-12 of the sum
  return u * u * (0.5f - u * (2 * third - u * (0.75f - u * (4 / (pos_t)5 - u * (5 / (pos_t)6 - u * (6 / (pos_t)7))))));
}

/// The pull of spherical field f at distance r: radial part over r, and potential.
HB_FN ExternalPull spherical_pull(ExternalField f, pos_t dx, pos_t dy, pos_t dz) {
  const pos_t r2 = hb_fma(dx, dx, hb_fma(dy, dy, dz * dz)), r = hb_sqrt(r2);
  pos_t over_r = 0;
  ExternalPull pull;
  if (f.kind == HB_EXTERNAL_HERNQUIST) {
    const pos_t inv = 1 / (r + f.a);
    pull.potential = -f.strength * inv;
    if (r > 0) over_r = -f.strength * inv * inv / r;
  } else if (f.kind == HB_EXTERNAL_NFW) {
    const pos_t u = r / f.a;
    pull.potential = r > 0 ? -f.strength * hb_log1p(u) / r : -f.strength / f.a;
    if (r > 0) over_r = -f.strength * nfw_mass(u) / (r * r2);
  } else {
    const pos_t d2 = r2 + f.a * f.a, inv = d2 > 0 ? 1 / hb_sqrt(d2) : 0;
    pull.potential = -f.strength * inv;
    over_r = pull.potential * inv * inv;
  }
  pull.x = dx * over_r;
  pull.y = dy * over_r;
  pull.z = dz * over_r;
  return pull;
}

HB_FN ExternalPull logarithmic_pull(ExternalField f, pos_t dx, pos_t dy, pos_t dz) {
  const pos_t inv_q2 = 1 / (f.b * f.b);
  const pos_t m2 = f.a * f.a + dx * dx + dy * dy + dz * dz * inv_q2, inv = m2 > 0 ? f.strength / m2 : 0;
  ExternalPull pull;
  pull.x = -dx * inv;
  pull.y = -dy * inv;
  pull.z = -dz * inv_q2 * inv;
  pull.potential = f.strength * hb_log(m2) / 2 + f.zero;
  return pull;
}

HB_FN ExternalPull miyamoto_nagai_pull(ExternalField f, pos_t dx, pos_t dy, pos_t dz) {
  const pos_t height = hb_sqrt(dz * dz + f.b * f.b), deep = f.a + height;
  const pos_t d2 = dx * dx + dy * dy + deep * deep, inv = d2 > 0 ? 1 / hb_sqrt(d2) : 0;
  const pos_t over_d = -f.strength * inv * inv * inv;
  ExternalPull pull;
  pull.x = dx * over_d;
  pull.y = dy * over_d;
  pull.z = height > 0 ? dz * over_d * (deep / height) : 0;
  pull.potential = -f.strength * inv;
  return pull;
}

/// At (x, y, z), in the user's units.
HB_FN ExternalPull external_pull(ExternalField f, pos_t x, pos_t y, pos_t z) {
  const pos_t dx = (x - f.x) * f.unit, dy = (y - f.y) * f.unit, dz = (z - f.z) * f.unit;
  if (f.kind == HB_EXTERNAL_LOGARITHMIC) return logarithmic_pull(f, dx, dy, dz);
  if (f.kind == HB_EXTERNAL_MIYAMOTO_NAGAI) return miyamoto_nagai_pull(f, dx, dy, dz);
  return spherical_pull(f, dx, dy, dz);
}

/// The sum over `count` fields at (x, y, z), in their order.
HB_FN ExternalPull external_pulls(HB_GLOBAL const ExternalField* fields, i32 count, pos_t x, pos_t y, pos_t z) {
  ExternalPull sum;
  sum.x = 0;
  sum.y = 0;
  sum.z = 0;
  sum.potential = 0;
  for (i32 k = 0; k < count; ++k) {
    const ExternalPull pull = external_pull(fields[k], x, y, z);
    sum.x += pull.x;
    sum.y += pull.y;
    sum.z += pull.z;
    sum.potential += pull.potential;
  }
  return sum;
}

HB_CLOSE
#endif
