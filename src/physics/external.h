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

// Squares and cubes of lengths beyond these leave the range of numbers, or lose digits. Times HB_RAISE or HB_LOWER,
// powers of two, any length other than 0 is within them.
#if HB_PRECISION == HB_SINGLE
#define HB_LEAST_SQUARE ((pos_t)0x1p-60f)
#define HB_MOST_SQUARE ((pos_t)0x1p60f)
#define HB_RAISE ((pos_t)0x1p90f)
#define HB_LOWER ((pos_t)0x1p-90f)
#else
#define HB_LEAST_SQUARE ((pos_t)0x1p-440)
#define HB_MOST_SQUARE ((pos_t)0x1p440)
#define HB_RAISE ((pos_t)0x1p700)
#define HB_LOWER ((pos_t)0x1p-700)
#endif

/// Whether formulas may take this squared length as it is; 0 is the centre of a field, or a field without a scale
/// there.
HB_FN bool is_plain_square(pos_t square) { return square > HB_LEAST_SQUARE && square < HB_MOST_SQUARE; }

/// sqrt(x^2 + y^2 + z^2), also if the squares leave the range of numbers.
HB_FN pos_t length_of(pos_t x, pos_t y, pos_t z) {
  const pos_t square = hb_fma(x, x, hb_fma(y, y, z * z));
  if (is_plain_square(square)) return hb_sqrt(square);
  const pos_t scale = square < 1 ? HB_RAISE : HB_LOWER;
  const pos_t u = x * scale, v = y * scale, w = z * scale;
  return hb_sqrt(hb_fma(u, u, hb_fma(v, v, w * w))) / scale;
}

/// The same of spherical_pull() at lengths whose squares or cubes leave the range of numbers: the size of the
/// acceleration first, from quotients alone, then its direction.
HB_FN ExternalPull spherical_pull_at_any_length(ExternalField f, pos_t dx, pos_t dy, pos_t dz) {
  const pos_t r = length_of(dx, dy, dz);
  pos_t size = 0;
  ExternalPull pull;
  pull.potential = 0;
  if (f.kind == HB_EXTERNAL_HERNQUIST) {
    const pos_t inv = 1 / (r + f.a);
    pull.potential = -f.strength * inv;
    size = f.strength * inv * inv;
  } else if (f.kind == HB_EXTERNAL_NFW) {
    const pos_t u = r / f.a;
    const bool inside = u < 1e-17f, outside = !(u < HB_RAISE);  // M(r) = M u^2 / 2, M (ln u - 1)
    const pos_t log = inside ? 0 : outside ? hb_log(r) - hb_log(f.a) : hb_log1p(u);
    pull.potential = inside ? -f.strength / f.a : -f.strength * log / r;
    size = inside ? f.strength / f.a / f.a / 2 : f.strength * (outside ? log - 1 : nfw_mass(u)) / r / r;
  } else {
    const pos_t d = length_of(r, f.a, 0);
    if (d > 0) pull.potential = -f.strength / d;
    if (d > 0) size = f.strength / d * (r / d) / d;
  }
  pull.x = r > 0 ? -size * (dx / r) : 0;
  pull.y = r > 0 ? -size * (dy / r) : 0;
  pull.z = r > 0 ? -size * (dz / r) : 0;
  return pull;
}

/// The attraction of spherical field f at distance r: radial part over r, and potential.
HB_FN ExternalPull spherical_pull(ExternalField f, pos_t dx, pos_t dy, pos_t dz) {
  const pos_t r2 = hb_fma(dx, dx, hb_fma(dy, dy, dz * dz)), r = hb_sqrt(r2);
  const bool cusped = f.kind == HB_EXTERNAL_HERNQUIST || f.kind == HB_EXTERNAL_NFW;
  const pos_t d2 = cusped ? r2 : r2 + f.a * f.a;
  const bool plain = is_plain_square(d2) && (f.kind != HB_EXTERNAL_NFW || is_plain_square(f.a * f.a));
  if (!plain) return spherical_pull_at_any_length(f, dx, dy, dz);
  pos_t over_r = 0;
  ExternalPull pull;
  if (f.kind == HB_EXTERNAL_HERNQUIST) {
    const pos_t inv = 1 / (r + f.a);
    pull.potential = -f.strength * inv;
    over_r = -f.strength * inv * inv / r;
  } else if (f.kind == HB_EXTERNAL_NFW) {
    pull.potential = -f.strength * hb_log1p(r / f.a) / r;
    over_r = -f.strength * nfw_mass(r / f.a) / (r * r2);
  } else {
    const pos_t inv = 1 / hb_sqrt(d2);
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
  const pos_t m2 = f.a * f.a + dx * dx + dy * dy + dz * dz * inv_q2;
  ExternalPull pull;
  if (is_plain_square(m2)) {
    const pos_t inv = f.strength / m2;
    pull.x = -dx * inv;
    pull.y = -dy * inv;
    pull.z = -dz * inv_q2 * inv;
    pull.potential = f.strength * hb_log(m2) / 2 + f.zero;
    return pull;
  }
  const pos_t m = length_of(length_of(dx, dy, dz / f.b), f.a, 0), over = m > 0 ? f.strength / m : 0;
  pull.x = m > 0 ? -over * (dx / m) : 0;
  pull.y = m > 0 ? -over * (dy / m) : 0;
  pull.z = m > 0 ? -over * (dz / f.b / m) / f.b : 0;
  pull.potential = f.strength * hb_log(m) + f.zero;
  return pull;
}

HB_FN ExternalPull miyamoto_nagai_pull(ExternalField f, pos_t dx, pos_t dy, pos_t dz) {
  const pos_t height2 = dz * dz + f.b * f.b;
  const pos_t height = is_plain_square(height2) ? hb_sqrt(height2) : length_of(dz, f.b, 0), deep = f.a + height;
  const pos_t d2 = dx * dx + dy * dy + deep * deep;
  ExternalPull pull;
  if (is_plain_square(d2)) {
    const pos_t inv = 1 / hb_sqrt(d2), over_d = -f.strength * inv * inv * inv;
    pull.x = dx * over_d;
    pull.y = dy * over_d;
    pull.z = height > 0 ? dz * over_d * (deep / height) : 0;
    pull.potential = -f.strength * inv;
    return pull;
  }
  const pos_t d = length_of(dx, dy, deep), over = d > 0 ? -f.strength / d : 0;
  pull.x = d > 0 ? over * (dx / d) / d : 0;
  pull.y = d > 0 ? over * (dy / d) / d : 0;
  pull.z = height > 0 ? over * (dz / height) * (deep / d) / d : 0;
  pull.potential = over;
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
