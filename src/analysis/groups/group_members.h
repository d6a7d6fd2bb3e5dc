// SPDX-License-Identifier: Apache-2.0
// Members of groups on their way from labels to a catalogue: which of them are bound, and what they are together.
#pragma once

#include <cstdint>
#include <vector>

#include "hornbeam/groups.h"

namespace hornbeam::analysis {

/// Indices of particles, ascending.
using Members = std::vector<std::uint32_t>;

/// What unbinding finds about a group.
struct Bound {
  std::int64_t most_bound = -1;
  double kinetic = 0, potential = 0;
};

/// The box that groups are in: its edges, 0 along open axes, and what a sheet's next box along x has drifted along y,
/// and how fast.
struct GroupBox {
  Vec3 period{};
  double drift = 0, speed = 0;

  [[nodiscard]] bool is_open() const { return period == Vec3{}; }
  [[nodiscard]] double volume() const { return period[0] * period[1] * period[2]; }  ///< 0: endless
};
GroupBox box_of(const GroupOptions& options);

/// Positions of members in one piece, whatever walls of the periodic box they stand across: relative to a place in the
/// midst of them.
struct Unwrapped {
  Vec3 about{};
  std::vector<Vec3> way;       ///< from there to each
  std::vector<double> slower;  ///< of a sheet: what the others' motion along y is less in that piece; else empty
};
Unwrapped unwrapped(const Particles& particles, const Members& members, const GroupBox& box);

/// Removes unbound members of each group in rounds: those whose energy in the frame of the rest is above 0, the most
/// energetic first, at most a quarter a round. Then it takes those back whose energy is below 0 in the frame and the
/// field of the rest, until nothing changes. The energy of gas includes its internal energy. Drops groups with too few
/// members left. Adds the number of removed ones to `removed`.
std::vector<Bound> unbind(const Particles& particles, const GroupOptions& options, std::vector<Members>& groups,
                          std::uint64_t& removed);

/// Returns those of `members` that are bound to one another, from the field and frame of `start`, some of them, on.
Members unbind_from(const Particles& particles, const GroupOptions& options, const Members& members,
                    const Members& start);

/// Orders the groups and their members, and measures them. bound: of each group, or empty.
void fill_catalogue(const Particles& particles, const GroupOptions& options, const std::vector<Members>& groups,
                    const std::vector<Bound>& bound, GroupCatalogue& catalogue);

}  // namespace hornbeam::analysis
