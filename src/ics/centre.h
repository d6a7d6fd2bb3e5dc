// SPDX-License-Identifier: Apache-2.0
// The last step of every model: the centre of mass at the origin, at rest.
#pragma once

#include "hornbeam/particles.h"

namespace hornbeam::ics {

/// Subtracts the mean position and velocity, weighted by mass; returns the total mass. Leaves massless sets alone.
double centre(Particles& particles);

}  // namespace hornbeam::ics
