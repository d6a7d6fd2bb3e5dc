// SPDX-License-Identifier: Apache-2.0
// Tillotson's equation of state of solids, liquids and vapours of planets (Tillotson 1962; Melosh 1989, app. II;
// docs/gas.md eq. 16 to 20), with the slopes that make its sound speed exact.
#ifndef HORNBEAM_PHYSICS_TILLOTSON_H
#define HORNBEAM_PHYSICS_TILLOTSON_H
#include "physics/equation_of_state.h"
HB_OPEN

/// density: rho_0; energy, incipient, complete: u_0, u_iv, u_cv; zero, whole: rho / rho_0 below which cold matter has
/// no pressure, and from which on it has all of it
#define HB_TILLOTSON_FIELDS(F) \
  F(density)                   \
  F(a)                         \
  F(b)                         \
  F(A)                         \
  F(B)                         \
  F(energy)                    \
  F(incipient)                 \
  F(complete)                  \
  F(alpha)                     \
  F(beta)                      \
  F(zero)                      \
  F(whole)

typedef struct {
#define HB_TILLOTSON_MEMBER(name) pos_t name;
  HB_TILLOTSON_FIELDS(HB_TILLOTSON_MEMBER)
#undef HB_TILLOTSON_MEMBER
} TillotsonLaw;

/// A pressure with its derivatives by density and by internal energy.
typedef struct {
  pos_t value, by_density, by_energy;
} SlopedPressure;

/// Of what is compressed or cold. inverse: 1 / omega, omega = u / (u_0 eta^2) + 1.
HB_FN SlopedPressure tillotson_condensed(TillotsonLaw law, pos_t rho, pos_t u, pos_t inverse) {
  const pos_t eta = rho / law.density, mu = eta - 1;
  SlopedPressure p;
  p.value = (law.a + law.b * inverse) * rho * u + (law.A + law.B * mu) * mu;
  // d omega / d rho = -2 (omega - 1) / rho
  p.by_density = u * (law.a + law.b * inverse * (1 + 2 * (1 - inverse))) + (law.A + 2 * law.B * mu) / law.density;
  p.by_energy = rho * (law.a + law.b * inverse * inverse);
  if (eta >= law.whole) return p;
  const pos_t width = law.whole - law.zero, part = hb_max((eta - law.zero) / width, (pos_t)0);
  p.by_density *= part;
  if (part > 0) p.by_density += p.value / (width * law.density);
  p.value *= part;
  p.by_energy *= part;
  return p;
}

/// Of what is expanded and hot.
HB_FN SlopedPressure tillotson_expanded(TillotsonLaw law, pos_t rho, pos_t u, pos_t inverse) {
  const pos_t eta = rho / law.density, mu = eta - 1, nu = 1 / eta - 1;
  const pos_t fading = hb_exp(-law.alpha * nu * nu);
  SlopedPressure p;
  p.value = law.a * rho * u;
  p.by_density = law.a * u;
  p.by_energy = law.a * rho;
  if (!(fading > 0)) return p;  // far out what follows is infinite times 0
  const pos_t elastic = law.A * hb_exp(-law.beta * nu), growth = 1 / (eta * rho);  // -d nu / d rho
  const pos_t bound = law.b * rho * u * inverse + elastic * mu;
  p.value += bound * fading;
  p.by_density += fading * (law.b * u * inverse * (1 + 2 * (1 - inverse)) + elastic / law.density +
                            growth * (elastic * mu * law.beta + 2 * law.alpha * nu * bound));
  p.by_energy += fading * law.b * rho * inverse * inverse;
  return p;
}

/// rho > 0, u >= 0. Below 0 where matter would hold together against tension.
HB_FN SlopedPressure tillotson_pressure(TillotsonLaw law, pos_t rho, pos_t u) {
  const pos_t eta = rho / law.density, bound = law.energy * eta * eta;
  const pos_t inverse = bound > 0 ? bound / (u + bound) : (pos_t)0;
  const SlopedPressure cold = tillotson_condensed(law, rho, u, inverse);
  if (eta >= 1 || u <= law.incipient) return cold;
  const SlopedPressure hot = tillotson_expanded(law, rho, u, inverse);
  if (u >= law.complete) return hot;
  const pos_t width = law.complete - law.incipient, part = (u - law.incipient) / width;
  SlopedPressure p;
  p.value = part * hot.value + (1 - part) * cold.value;
  p.by_density = part * hot.by_density + (1 - part) * cold.by_density;
  p.by_energy = part * hot.by_energy + (1 - part) * cold.by_energy + (hot.value - cold.value) / width;
  return p;
}

/// A fluid has no strength: what would hold together has pressure 0. Sound is no slower than a hundredth of that in
/// cold matter, which keeps it above 0 where the formulas' squares are not.
HB_FN GasState tillotson_state(TillotsonLaw law, pos_t rho, pos_t u) {
  const SlopedPressure p = tillotson_pressure(law, rho, u);
  const pos_t least = law.A / law.density * (pos_t)0.0001f;
  GasState state;
  state.pressure = hb_max(p.value, (pos_t)0);
  state.sound = hb_sqrt(hb_max(p.by_density + state.pressure / rho * (p.by_energy / rho), least));
  return state;
}

HB_CLOSE
#endif
