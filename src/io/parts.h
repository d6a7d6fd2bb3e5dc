// SPDX-License-Identifier: Apache-2.0
// Snapshots in several files, NAME.0.hdf5 or NAME.0 and so on: which files belong together, and their particles as one
// snapshot. Before the readers: what a user's path, of a folder or without the number, represents.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "hornbeam/particles.h"

namespace hornbeam::io {

/// Returns the file that `path` means. That is itself if it is a file. It is the first part if `path` is their name
/// without number, or a folder with only these. Otherwise it is `path`. Throws Error(path) for folders of Zarr and
/// Nchilada.
std::filesystem::path file_of(const std::filesystem::path& path);

/// All `files` of a snapshot of which `path` is one, by their numbers. Throws Error(path) where its name has no number,
/// and where one is missing.
std::vector<std::filesystem::path> parts_of(const std::filesystem::path& path, std::uint64_t files);

/// Bytes of the file and of those that are parts of the same snapshot by their names.
std::uint64_t size_with_parts(const std::filesystem::path& path);

/// Reads all parts and joins them, grouped by family, each family in the order of the parts. total: of the header, 0
/// where it says nothing. Throws Error where times differ or particles are missing.
Snapshot read_parts(const std::vector<std::filesystem::path>& parts, std::uint64_t total,
                    const std::function<Snapshot(const std::filesystem::path&)>& read);

}  // namespace hornbeam::io
