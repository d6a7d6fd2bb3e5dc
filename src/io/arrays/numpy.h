// SPDX-License-Identifier: Apache-2.0
// Snapshots as NumPy's arrays: an .npz archive of named ones, or a single .npy of three, four, six or seven columns.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "io/files/file.h"
#include "io/lacking.h"

namespace hornbeam::io {

/// Arrays that say in which box particles move: its edges, how many images attract, and of a sheet its frequencies.
inline constexpr std::array<const char*, 4> boundary_names{"boundary_size", "boundary_n_ghost", "boundary_omega",
                                                           "boundary_omega_z"};
/// An array that says for which ideal gas particles were made.
inline constexpr const char* gamma_name = "gas_gamma";
inline constexpr const char* mean_weight_name = "gas_mean_weight";

bool looks_like_numpy(Bytes file);

Snapshot parse_numpy(Bytes file, const std::string& subject, Lacking lacking);

/// archive: named arrays; otherwise one of seven columns. Returns a sentence for each thing that is lost.
std::vector<std::string> write_numpy(FileWriter& out, const Snapshot& snapshot, bool archive);

}  // namespace hornbeam::io
