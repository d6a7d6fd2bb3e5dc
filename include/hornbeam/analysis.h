// SPDX-License-Identifier: Apache-2.0
// Measures of a snapshot: energies, radii and profiles, discs, bars, black holes. What `hornbeam analyze` prints.
#pragma once

#include <optional>
#include <vector>

#include "hornbeam/gas.h"
#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"
#include "hornbeam/potential.h"

namespace hornbeam::analysis {

/// Energies with the potential by direct summation in fp64 (N <= 100,000) or the tree at theta = 0.3 in fp64;
/// eps negative: the snapshot's own softening. threads 0: all cores. External potentials count as they are at the
/// snapshot's time. kernel: of the softening. self_gravity: whether particles attract one another. gas: by whose kernel
/// and neighbours gas is softened, where its softening is adaptive; then the tree takes the place of direct summation.
Energies energies(const Snapshot& snapshot, double eps = -1.0, int threads = 0,
                  const std::vector<ExternalPotential>& potentials = {}, Softening kernel = Softening::plummer,
                  bool self_gravity = true, const GasOptions& gas = {});

/// 2 K / |W|, 1 in equilibrium; 0 where there is no potential energy.
double virial_ratio(const Energies& energies);

/// The particles of some families, with all their arrays; empty: of all.
Particles selected(const Particles& particles, const std::vector<Family>& families);
/// These in the snapshot's box and units, without its notes.
Snapshot selected(const Snapshot& snapshot, const std::vector<Family>& families);
/// The same of the particles with these indices, in this order.
Snapshot selected(const Snapshot& snapshot, const std::vector<std::size_t>& places);
/// Their indices, ascending.
std::vector<std::size_t> places_of(const Particles& particles, const std::vector<Family>& families);

/// Returns the densest position. It begins with shrinking spheres (Power et al. 2003), the centre of mass of ever fewer
/// particles. From there it goes to the point about which the core balances with the weights (1 + r^2 / s^2)^(-5/2).
/// Here s is the radius up to which the mass within r grows faster than r^(3/2). Throws Error if no particle has mass.
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
/// Spherical profile in shells about the centre of density. `edges` (ascending, above 0) bound the shells; without them
/// there are `bins` logarithmic ones, from the radius with a thousandth of the particles (at least 10, or a quarter of
/// fewer than 40) inside to that with a thousandth outside. Throws Error where too few particles are there or all stand
/// at one place, UsageError for edges that do not ascend.
Profile profile(const Particles& particles, double G, int bins = 32, const std::vector<double>& edges = {});

struct AnisotropyProfile {
  std::vector<double> radius;                 ///< geometric middle of each shell
  std::vector<double> radial_dispersion;      ///< sigma_r
  std::vector<double> tangential_dispersion;  ///< of one tangential component, about the shell's mean rotation
  std::vector<double> anisotropy;             ///< beta = 1 - sigma_t^2 / sigma_r^2: 0 isotropic, 1 radial orbits
};
/// Velocity dispersions (weighted by mass) in the shells of profile(), about the centre of density and the mean
/// velocity of the particles in the innermost tenth of the mass. Shells with fewer than two particles are left out.
AnisotropyProfile anisotropy(const Particles& particles, int bins = 32, const std::vector<double>& edges = {});

/// In rings about the disc's axis. Velocities and lengths in the snapshot's units.
struct DiscProfile {
  std::vector<double> radius;                ///< middle of each ring
  std::vector<double> count;                 ///< stars in it
  std::vector<double> surface_density;       ///< of the stars
  std::vector<double> scale_height;          ///< median |z| / atanh(1/2): z_d of a sech^2(z / z_d) profile
  std::vector<double> rotation;              ///< mean azimuthal velocity
  std::vector<double> radial_dispersion;     ///< sigma_R
  std::vector<double> azimuthal_dispersion;  ///< sigma_phi
  std::vector<double> vertical_dispersion;   ///< sigma_z
  std::vector<double> circular_velocity;     ///< sqrt(R a_R), a_R the stars' mean acceleration inwards
  std::vector<double> toomre_q;              ///< sigma_R kappa / (3.36 G Sigma), kappa from circular_velocity
};
/// The stars are those of the family `disc`, else `star`; Error where there are fewer than 100. The centre is that of
/// density of all particles, the axis the stars' angular momentum. Accelerations are the snapshot's where it has them
/// and eps is negative, else computed with eps (negative: its own), that kernel and the external potentials. `edges`
/// (ascending, from 0) bound the rings; without them there are `bins` equally wide ones out to the radius with 99 % of
/// the stars. Rings with fewer than 10 stars are left out.
DiscProfile disc_profile(const Snapshot& snapshot, double eps = -1.0, int bins = 20,
                         const std::vector<double>& edges = {}, const std::vector<ExternalPotential>& potentials = {},
                         Softening kernel = Softening::plummer);

/// The second harmonic of the disc's surface density.
struct Bar {
  std::vector<double> radius;     ///< middle of each ring
  std::vector<double> amplitude;  ///< |A_2| / A_0 = |sum m exp(2 i phi)| / sum m
  double strength = 0.0;          ///< of the inner disc: the largest smoothed over three rings
  double noise = 0.0;             ///< what stars of these three rings without any pattern have in the mean
  double angle = 0.0;             ///< of the bar's long axis where it is strongest, degrees in [0, 180)
};
/// In rings and about axes as disc_profile(); a disc seen face on keeps its x direction in `angle`. The inner disc is
/// within the radius that holds three quarters of the stars; with `edges` it is all between them. A strength that is
/// not several times the noise, sqrt(pi sum m^2 / 4) / sum m, is no bar.
Bar bar(const Particles& particles, int bins = 20, const std::vector<double>& edges = {});

/// Mass per area in squares about the centre of density.
struct SurfaceDensity {
  Vec3 centre{};
  double width = 2.0;         ///< of the picture, length units
  int bins = 0;               ///< squares along either side
  std::vector<double> value;  ///< (bins, bins), the lowest row first
};
/// As seen along an axis: 2 (z) shows x to the right and y up, 1 x and z, 0 y and z. The centre is that of all
/// particles, those of the families alone are counted (empty: all). bins: none: as many as leave some 10 of them a
/// square, 16 to 256. width: none: 2.1 times the radius that holds 95 % of them. Throws UsageError where there are none
/// of these families, and for numbers out of range.
SurfaceDensity surface_density(const Particles& particles, int axis = 2, const std::vector<Family>& families = {},
                               std::optional<int> bins = {}, std::optional<double> width = {});

/// The distance and relative speed of two black holes. For one it is the distance from the centre of density of all
/// other particles, and the speed relative to the mean velocity of the innermost tenth of their mass.
struct BlackHolePair {
  int count = 2;  ///< how many there are
  double distance = 0.0, speed = 0.0;
};
/// Throws Error unless the family black_hole has one or two particles.
BlackHolePair black_holes(const Particles& particles);

/// A closest approach.
struct Passage {
  double time = 0.0, distance = 0.0;
};
/// Returns the closest approaches of two bodies with known relative motion at `times` (ascending). Minima are found on
/// the cubic between two times. The distance before and after a minimum must have been 1.5 times as large.
std::vector<Passage> passages(const std::vector<double>& times, const std::vector<Motion>& relative);

}  // namespace hornbeam::analysis
