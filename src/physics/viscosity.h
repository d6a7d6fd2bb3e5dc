// SPDX-License-Identifier: Apache-2.0
// Artificial viscosity: what two particles that approach one another feel, and the switches that keep it to shocks
// (docs/gas.md). Monaghan 1997 and Price et al. 2018 (Phantom), Cullen & Dehnen 2010, Balsara 1995.
#ifndef HORNBEAM_PHYSICS_VISCOSITY_H
#define HORNBEAM_PHYSICS_VISCOSITY_H
#include "physics/portable.h"
HB_OPEN

// in the order of Viscosity (hornbeam/gas.h)
#define HB_VISCOSITY_FIXED 0
#define HB_VISCOSITY_BALSARA 1
#define HB_VISCOSITY_CULLEN_DEHNEN 2

/// q / rho of a particle, q its viscous pressure; speed: v_ij along r_ij, below 0 where the two approach.
HB_FORMULA real viscous_pressure(real alpha_sound, real beta, real speed) {
  const real closing = hb_min(speed, HB_C(0));
  return HB_C(-0.5) * (alpha_sound - beta * closing) * closing;
}

/// Returns the speed at which two particles separate midway between them, with each flow continued to that point.
/// `speed` is that of the particles; along_i and along_j are their rates of strain times the displacement; near is the
/// least distance in units of H, spacing its mean among neighbours. If both sides have the same linear flow nothing is
/// left, so that viscosity acts only on jumps. If they differ, or are closer than neighbours are, the difference stays
/// (docs/gas.md eq. 10b; Frontiere, Raskin & Owen 2017 sect. 2.5, Rosswog 2020 sect. 2.1.2).
HB_FORMULA real speed_midway(real speed, real along_i, real along_j, real near, real spacing) {
  const real both = along_i + along_j, gap = HB_C(10) * hb_max(spacing - near, HB_C(0));
  const real alike = HB_C(4) * along_i * along_j / hb_max(both * both, HB_C(1e-30));  // van Leer's limiter
  const real part = hb_max(alike, HB_C(0)) * hb_max(HB_C(1) - gap * gap, HB_C(0));
  const real jump = speed - HB_C(0.5) * part * both;
  return hb_select(jump * speed > HB_C(0), jump, HB_C(0) * jump);
}

/// What a particle's surroundings say of shocks.
typedef struct {
  pos_t divergence, curl;  ///< of the velocity; |curl|
  pos_t change;            ///< of the divergence in time
  pos_t sound, smooth;     ///< sound speed, support radius H
} ShockSigns;

/// The viscosity that the flow asks for (Cullen & Dehnen 2010, with the limiter of Price et al. 2018 sect. 2.2.9).
HB_FN pos_t alpha_of_flow(ShockSigns s, pos_t most) {
  const pos_t h = s.smooth / 2, turning = s.divergence * s.divergence + s.curl * s.curl;
  const pos_t shrinking = hb_max(-s.change, (pos_t)0);
  if (!(turning > 0) || !(shrinking > 0)) return 0;
  const pos_t limiter = s.divergence * s.divergence / turning;
  const pos_t wanted = 10 * h * h * limiter * shrinking, sound2 = s.sound * s.sound;
  return wanted < most * sound2 ? wanted / sound2 : most;
}

/// alpha after dt: at once what the flow asks for where that is more, else towards it in the time that sound takes for
/// 10 h (backward Euler).
HB_FN pos_t relaxed_alpha(pos_t alpha, pos_t wanted, ShockSigns s, pos_t dt) {
  if (alpha <= wanted) return wanted;
  const pos_t times = dt * s.sound / (5 * s.smooth);  // dt / tau, tau = h / (0.1 c)
  return (alpha + wanted * times) / (1 + times);
}

/// Balsara's factor: 1 in a shock, 0 in a shear.
HB_FN pos_t balsara(ShockSigns s) {
  const pos_t converging = hb_abs(s.divergence);
  const pos_t sum = converging + s.curl + s.sound / (5000 * s.smooth);  // 1e-4 c / h, h = H / 2
  return sum > 0 ? converging / sum : 1;
}

HB_CLOSE
#endif
