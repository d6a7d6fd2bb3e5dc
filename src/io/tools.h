// SPDX-License-Identifier: Apache-2.0
// What yt and pynbody need besides the numbers: a box around open systems, and the lines that name units.
#pragma once

#include <filesystem>
#include <string>

#include "hornbeam/particles.h"

namespace hornbeam::io {

/// Returns the edge of the periodic box. For an open system it is that of a cube twice as large as needed about the
/// origin: yt draws nothing without a box, and pynbody searches for neighbours through its faces.
double cube_for_tools(const Snapshot& snapshot);

/// Returns the Python line that opens a snapshot in pynbody, which reads physical units from the file. For G = 1 it has
/// the units of yt_load_line().
std::string pynbody_load_line(const std::filesystem::path& path, const Units& units);

}  // namespace hornbeam::io
