// SPDX-License-Identifier: Apache-2.0
// Snapshots in Gadget-4's HDF5 layout, as yt and pynbody open them (docs/formats.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hornbeam/io.h"
#include "io/files/file.h"

namespace hornbeam::io {

Snapshot read_gadget_hdf5(const std::filesystem::path& path, const ReadOptions& options = {});

/// In the snapshot's own units. Returns a sentence for each thing that is lost. stars: particles of disc and bulge are
/// written as stars. record: text to keep of what made the snapshot.
std::vector<std::string> write_gadget_hdf5(const ReplacedFile& target, const Snapshot& snapshot, bool stars,
                                           const std::string& record);
/// What was given as `record`; empty where the file has none.
std::string read_gadget_record(const std::filesystem::path& path);

/// Returns the Python line that opens a snapshot in yt, which assumes kpc, 1e10 Msun and km/s. For G = 1 it has
/// units in which G is 1: kpc, km/s and 1/G solar masses.
std::string yt_load_line(const std::filesystem::path& path, const Units& units);
/// The same for a catalogue of groups, of which yt reads no units from the file.
std::string yt_catalogue_line(const std::filesystem::path& path, const Units& units);

}  // namespace hornbeam::io
