// SPDX-License-Identifier: Apache-2.0
// Tipsy files: header, then gas, dark and star records of single-precision numbers (docs/formats.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hornbeam/io.h"
#include "io/files/file.h"

namespace hornbeam::io {

/// Whether the bytes begin with a Tipsy header, in either byte order.
bool looks_like_tipsy(Bytes file);

/// Byte order, padding and ids are found from the content and named in the notes.
Snapshot parse_tipsy(Bytes file, const std::string& subject);

/// Returns a sentence for each thing that is lost. Physical units become kpc and 1e10 Msun with G = 1.
std::vector<std::string> write_tipsy(FileWriter& out, const Snapshot& snapshot, const FormatSpec& format,
                                     const std::string& subject);

/// Tipsy's convention: G = 1 with the given lengths and masses; the default is what write_tipsy() writes.
Units tipsy_units(double kpc = 1.0, double solar_masses = 1e10);

/// The units that Tipsy's tools take from a `.param` file next to `path`: its own, otherwise the only one there.
void read_tipsy_param(const std::filesystem::path& path, const ReadOptions& options, Snapshot& snapshot);

/// Returns temperature over internal energy of an ideal gas, by the gamma and mean weight of its run, or 5/3 and 0.6.
/// It is 1 if the units have no size.
double kelvin_per_energy(const Units& units, const std::optional<GasParameters>& gas);

/// Throws where writing `path` would replace a file next to it that says something else, or itself.
void check_tipsy_param(const std::filesystem::path& path, const Units& units);

/// Writes that file next to `path` unless one that says the same is there. Returns sentences about conflicts.
std::vector<std::string> write_tipsy_param(const std::filesystem::path& path, const Snapshot& snapshot);

}  // namespace hornbeam::io
