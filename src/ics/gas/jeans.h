// SPDX-License-Identifier: Apache-2.0
// How fast plane waves grow under their own gravity.
#pragma once

namespace hornbeam::ics {

/// The rate at which a wave of wave number k grows in particles without collisions, 0 where it does not. dispersion: of
/// Maxwell's velocities along each axis. attraction: 4 pi G rho. Binney and Tremaine 2008 eq. 5.64; docs/periodic.md
/// eq. 17.
double warm_growth_rate(double k, double dispersion, double attraction);

}  // namespace hornbeam::ics
