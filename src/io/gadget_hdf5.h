// SPDX-License-Identifier: Apache-2.0
// Snapshots in Gadget-4's HDF5 layout, as yt and pynbody open them (docs/formats.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hornbeam/particles.h"
#include "io/file.h"
#include "io/lacking.h"

namespace hornbeam::io {

Snapshot read_gadget_hdf5(const std::filesystem::path& path, Lacking lacking = Lacking::refused);

/// Physical units become kpc, 1e10 Msun and km/s. Returns a sentence for each change that makes.
/// stars: particles of disc and bulge are written as stars.
std::vector<std::string> write_gadget_hdf5(const ReplacedFile& target, const Snapshot& snapshot, bool stars = false);

/// The Python line that opens a G = 1 snapshot in yt with units in which G is 1: kpc, km/s and 1/G solar masses.
std::string yt_load_line(const std::filesystem::path& path);

}  // namespace hornbeam::io
