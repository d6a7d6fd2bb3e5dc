// SPDX-License-Identifier: Apache-2.0
// Measures of a snapshot: energies, Lagrangian radii, radial profiles. What `hornbeam analyze` prints.
#pragma once

#include <vector>

#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"

namespace hornbeam::analysis {

/// Energies with the potential by direct summation in fp64 (N <= 100,000) or the tree at theta = 0.3 in fp64;
/// eps negative: the snapshot's own softening. threads 0: all cores.
Energies energies(const Snapshot& snapshot, double eps = -1.0, int threads = 0);

/// The densest place, by shrinking spheres (Power et al. 2003): the centre of mass of ever fewer, ever nearer
/// particles. Throws Error where no particle has mass.
Vec3 centre_of_density(const Particles& particles);

/// Radii about the centre of density that hold the given fractions of the mass: the distance of the first particle with
/// which the fraction is reached. Throws UsageError for a fraction outside (0, 1].
std::vector<double> lagrangian_radii(const Particles& particles, const std::vector<double>& fractions);

struct Profile {
  std::vector<double> radius;             ///< geometric middle of each shell
  std::vector<double> density;            ///< mean of the shell
  std::vector<double> mass;               ///< within `radius`
  std::vector<double> circular_velocity;  ///< sqrt(G mass / radius)
};
/// Spherical profile in `bins` logarithmic shells about the centre of density. The shells reach from the radius with a
/// thousandth of the particles (at least 10) inside to that with a thousandth outside. Throws Error where too few
/// particles are there or all stand at one place.
Profile profile(const Particles& particles, double G, int bins = 32);

}  // namespace hornbeam::analysis
