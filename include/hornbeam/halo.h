// SPDX-License-Identifier: Apache-2.0
// Measures of haloes and satellites: masses by overdensity, the largest circular velocity, and what is bound to itself
// (docs/groups.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "hornbeam/gravity.h"
#include "hornbeam/groups.h"
#include "hornbeam/particles.h"

namespace hornbeam::analysis {

/// What overdensities are measured against: a flat universe of today.
struct Cosmology {
  double hubble = 70.0;  ///< km/s/Mpc
  double omega_m = 0.3;  ///< mean density of matter over the critical density
};

/// 3 H^2 / (8 pi G) in the units of particles; 0 if units are not physical.
double critical_density(const Units& units, const Cosmology& cosmology = {});
/// Bryan and Norman's (1998, eq. 6) density of a virialised halo over the critical density:
/// 18 pi^2 + 82 x - 39 x^2, x = omega_m - 1.
double virial_overdensity(const Cosmology& cosmology = {});

/// The sphere within which the mean density is a given one: 0 where there is none.
struct Sphere {
  double radius = 0.0, mass = 0.0;
};

struct Halo {
  Vec3 centre{};
  Sphere m200c, m500c, virial;      ///< 200 and 500 times the critical density, and Bryan and Norman's
  double v_max = 0.0, r_max = 0.0;  ///< the largest sqrt(G M(r) / r), and where
};

/// Measures all particles about `centre`. critical: density; 0: no spheres. period: edges of a periodic box, 0 along
/// open axes. The innermost hundred particles, or a hundredth of fewer than 10,000, count for no v_max of their own.
Halo halo(const Particles& particles, const Vec3& centre, double G, double critical, double virial,
          const Vec3& period = {});

/// Returns the centre of density of the members of group g. period: edges of a periodic box, 0 along open axes. The
/// centre may then be outside of it, by less than the size of the group.
Vec3 centre_of_members(const Particles& particles, const GroupCatalogue& catalogue, std::size_t g,
                       const Vec3& period = {});

struct HaloOptions {
  double G = 1.0, critical = 0.0, virial = 0.0;     ///< as of halo()
  Vec3 period{};                                    ///< edges of a periodic box, 0 along open axes
  std::size_t most = static_cast<std::size_t>(-1);  ///< of the groups, the largest ones
  int threads = 0;                                  ///< 0: all cores
};

/// Returns the halo about the centre of density of each group. All particles count, members or not. v_max is the
/// largest within the farthest member or the virial radius, whichever is larger.
std::vector<Halo> halos_of_groups(const Particles& particles, const GroupCatalogue& catalogue,
                                  const HaloOptions& options = {});

struct BoundOptions {
  double eps = -1.0;  ///< softening; negative: the particles' own
  Softening softening = Softening::plummer;
  double G = 1.0;
  int threads = 0;                  ///< 0: all cores
  std::optional<Vec3> centre = {};  ///< near which the search begins; none: the centre of density
};

/// The part of some particles that is bound to itself.
struct BoundPart {
  std::vector<std::uint32_t> members;  ///< indices, ascending; empty where nothing is bound
  double mass = 0.0;
  Vec3 centre{}, velocity{};      ///< centre of density, and mean velocity, of the members
  double half_mass_radius = 0.0;  ///< about the centre
};

/// Removes particles whose energy in the frame and the field of the rest is above 0, and takes bound ones back, until
/// nothing changes. It does so from all particles, and outwards from the nearest tenth to the centre. The larger mass
/// counts, so that a satellite with long tails is found, too. External fields do not count.
BoundPart bound(const Particles& particles, const BoundOptions& options = {});

}  // namespace hornbeam::analysis
