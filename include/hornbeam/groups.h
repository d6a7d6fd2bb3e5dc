// SPDX-License-Identifier: Apache-2.0
// Groups: friends of friends, what is bound of them, and their properties (docs/groups.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hornbeam/device_arrays.h"
#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"

namespace hornbeam {

/// Particles no farther apart than the linking length are friends; friends of friends are one group. The length is
/// given, or a fraction of the mean separation of the particles, or that at which two particles of mean mass in a
/// sphere of its radius are as dense as given: one of them at most; none: 0.2 mean separations.
struct GroupOptions {
  std::optional<double> linking_length;
  std::optional<double> linking_fraction;
  std::optional<double> linking_density;
  /// Only particles of these families are linked, and the linking length is by their number or mass. Each other one
  /// joins the group of the nearest of them, if that is within the linking length. Empty: all are linked.
  std::vector<Family> primary{};
  std::int64_t min_members = 32;  ///< of a group, of any family
  bool unbind = false;            ///< whether members whose energy in their group is above 0 are taken out
  double eps = -1;                ///< softening of that; negative: the particles' own, else 0
  Softening softening = Softening::plummer;
  double G = 1;
  double box_size = 0;  ///< > 0: periodic cube, in which particles may stand anywhere, and nearest images
  Boundary boundary{};  ///< where box_size is 0: a box about the origin, periodic along some axes, or a shearing sheet,
  double time = 0;      ///< whose neighbours have drifted since time 0
  int leaf_size = 16;
  int threads = 0;              ///< of the CPU; 0: all cores
  std::string backend = "cpu";  ///< that links: or "cuda", "opencl", "auto"; unbinding runs on the CPU
  Devices device = 0;

  /// Takes the time, G and the box of the snapshot whose particles are searched. cube: the edge of a periodic cube in
  /// place of its box; 0: none.
  void settle_for(const Snapshot& snapshot, const std::optional<double>& cube = {});
  /// Edges of the periodic box, 0 along open axes.
  [[nodiscard]] Vec3 period() const;
};

/// One group. Without any mass its particles count as one each.
struct Group {
  std::uint64_t first = 0;  ///< its members are GroupCatalogue::members[first ... first + size)
  std::uint64_t size = 0;
  std::array<std::uint64_t, family_count> size_of{};  ///< by family
  double mass = 0;
  std::array<double, family_count> mass_of{};
  Vec3 position{};               ///< centre of mass, in the box; of no meaning where the group spans it
  bool spans_box = false;        ///< it is as long as a periodic box, less a linking length: it has no centre
  Vec3 velocity{};               ///< of it
  double dispersion = 0;         ///< of one component: sqrt(<|v - velocity|^2> / 3), by mass
  double half_mass_radius = 0;   ///< about the most bound particle, without unbinding about `position`
  double radius_200 = 0;         ///< about the same: within it the members are 200 times as dense as the box; 0: none
  std::int64_t most_bound = -1;  ///< index of the particle of least energy; -1 without unbinding
  double kinetic = 0, potential = 0;  ///< energies in its frame, 0 without unbinding
};

struct GroupCatalogue {
  double linking_length = 0;
  std::string backend;                 ///< what "auto" chose
  std::vector<Group> groups;           ///< by size, the largest first, ties by the least index of a member
  std::vector<std::uint32_t> members;  ///< indices, group after group, in each by family, then by index
  std::uint64_t attached = 0;          ///< members that are of other families than the primary ones
  std::uint64_t unbound = 0;           ///< members that were taken out, those of dissolved groups among them
  double seconds_tree = 0, seconds_linking = 0;

  /// The number of each particle's group, or -1: (particles).
  [[nodiscard]] std::vector<std::int64_t> group_of(std::size_t particles) const;
};

/// The same for any order of the input, number of threads and backend. Throws UsageError for options out of range (a
/// length that is not above 0, or above half the least edge of the box), Error where there are no particles, where one
/// is non-finite or none of a primary family, and where all are at one place or have no mass and the length is a
/// fraction or by density.
GroupCatalogue find_groups(const Particles& particles, const GroupOptions& options = {});

/// The label of each particle: the least index of those it is linked with, itself among them. length > 0.
std::vector<std::uint32_t> link_friends(const std::vector<Vec3>& position, double length,
                                        const GroupOptions& options = {});

}  // namespace hornbeam
