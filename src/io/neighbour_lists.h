// SPDX-License-Identifier: Apache-2.0
// Neighbours of the particles of a snapshot as a file of their own: HDF5, NumPy's .npz or a text table.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "hornbeam/neighbours.h"

namespace hornbeam::io {

/// What was found: lists, or counts alone.
struct FoundNeighbours {
  std::vector<std::uint64_t> id;     ///< (N) of the particles, whose places in the input the lists give
  std::vector<std::uint32_t> count;  ///< (N); empty where there are lists
  NeighbourLists lists;
  std::vector<std::pair<std::string, double>> asked;  ///< "radius", "nearest", "box_size"
};

/// Throws UsageError(path) for an extension that is none of .hdf5, .h5, .npz and .csv.
void check_neighbour_file(const std::filesystem::path& path);

/// HDF5 and .npz: offset (N + 1), index and distance, or count (N); id (N); what was requested. CSV: a row a pair
/// (particle, neighbour, distance) or a particle (particle, id, count).
void write_neighbours(const std::filesystem::path& path, const FoundNeighbours& found);

}  // namespace hornbeam::io
