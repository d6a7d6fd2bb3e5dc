// SPDX-License-Identifier: Apache-2.0
// What yt and pynbody need beside the numbers: a box around open systems, and the lines that name units.
#pragma once

#include <filesystem>
#include <string>

#include "hornbeam/particles.h"

namespace hornbeam::io {

/// Edge of the periodic box; of an open system, which has none, that of a cube with room for it on either side of the
/// origin and as much again around: yt draws nothing without a box, and pynbody looks for neighbours through its faces.
double cube_for_tools(const Snapshot& snapshot);

/// The Python lines that open a G = 1 snapshot in pynbody with units in which G is 1, those of yt_load_line(); empty
/// for physical units, which pynbody reads from the file.
std::string pynbody_load_line(const std::filesystem::path& path, const Units& units);

}  // namespace hornbeam::io
