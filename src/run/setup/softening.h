// SPDX-License-Identifier: Apache-2.0
// The softening of a start that has none. Before it: particles from a file; after it: the run's gravity.eps.
#pragma once

#include "hornbeam/particles.h"

namespace hornbeam::run {

/// One length for all near the optimum for the particles' number and half-mass radius (docs/models.md), in which heavy
/// ones count as few; 0 for fewer than ten, as planets and multiple stars have to meet unsoftened. Of bodies that
/// collide a tenth of the least radius.
double estimated_eps(const Particles& particles, bool collide = false);

}  // namespace hornbeam::run
