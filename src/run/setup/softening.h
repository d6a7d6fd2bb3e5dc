// SPDX-License-Identifier: Apache-2.0
// The softening of a start that has none. Before it: particles from a file; after it: the run's gravity.eps.
#pragma once

#include "hornbeam/particles.h"

namespace hornbeam::run {

/// Returns one length for all near the optimum for their number and half-mass radius (docs/models.md). Heavy particles
/// count as few. It is 0 for fewer than ten, as planets and multiple stars must interact unsoftened. For bodies that
/// collide it is a tenth of the smallest radius.
double estimated_eps(const Particles& particles, bool collide = false);

}  // namespace hornbeam::run
