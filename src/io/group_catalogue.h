// SPDX-License-Identifier: Apache-2.0
// A catalogue of groups as a file of its own, in Gadget-4's layout (docs/groups.md), or as a table.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "hornbeam/groups.h"
#include "hornbeam/halo.h"

namespace hornbeam::io {

/// A catalogue's name as Gadget-4 gives it, with the number of a part.
inline constexpr const char* subfind_example = "fof_subhalo_tab_000.0.hdf5";
/// Whether yt, which looks for parts, and pynbody, which looks at the beginning, open a catalogue of that name.
bool is_named_as_subfind(const std::filesystem::path& path);

/// Throws UsageError(path) for an extension that is none of .hdf5, .h5 and .csv.
void check_group_file(const std::filesystem::path& path);

/// The halo about each group, and what their masses are measured against; none: of no group.
struct GroupHalos {
  double critical = 0, virial = 0;  ///< density, and Bryan and Norman's over it; 0: there are no masses
  std::vector<analysis::Halo> halos;
};

/// The haloes about the `most` largest groups. critical: density; all particles count: members alone would end where
/// their links do.
GroupHalos halos_about(const Particles& particles, const GroupCatalogue& catalogue, const GroupOptions& options,
                       double critical, const analysis::Cosmology& cosmology,
                       std::size_t most = static_cast<std::size_t>(-1));

/// What was found in a snapshot with those options.
void write_groups(const std::filesystem::path& path, const GroupCatalogue& catalogue, const GroupHalos& halos,
                  const Snapshot& snapshot, const GroupOptions& options);

}  // namespace hornbeam::io
