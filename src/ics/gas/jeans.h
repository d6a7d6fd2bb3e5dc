// SPDX-License-Identifier: Apache-2.0
// How fast plane waves grow under their own gravity.
#pragma once

namespace hornbeam::ics {

/// Returns the rate at which a wave of wave number k grows in particles without collisions, or 0. The dispersion is
/// that of Maxwell's velocities along each axis, the attraction 4 pi G rho (Binney and Tremaine 2008 eq. 5.64;
/// docs/periodic.md eq. 17).
double warm_growth_rate(double k, double dispersion, double attraction);

}  // namespace hornbeam::ics
