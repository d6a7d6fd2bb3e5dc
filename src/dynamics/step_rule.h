// SPDX-License-Identifier: Apache-2.0
// How block steps choose rungs.
#pragma once

namespace hornbeam {

/// Of docs/dynamics.md eq. 1 to 4. A particle on rung r has steps of longest / 2^r.
struct StepRule {
  double longest = 0;     ///< the step of rung 0, > 0
  double eta = 0;         ///< of the softening criterion, > 0
  double eta_change = 0;  ///< of the criterion by change of acceleration; 0: not used
  int deepest = 0;        ///< last rung, 0 to 30
  bool pulls = true;      ///< whether particles attract one another, as the softening criterion needs
  bool asked = false;     ///< what a module asks of a particle takes the place of the softening criterion
};

}  // namespace hornbeam
