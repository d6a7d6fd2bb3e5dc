// SPDX-License-Identifier: Apache-2.0
// Snapshots as NumPy's arrays: an .npz archive of named ones, or a single .npy of three, four, six or seven columns.
#pragma once

#include <string>
#include <vector>

#include "io/file.h"
#include "io/lacking.h"

namespace hornbeam::io {

bool looks_like_numpy(Bytes file);

Snapshot parse_numpy(Bytes file, const std::string& subject, Lacking lacking);

/// archive: named arrays; else one of seven columns. Returns a sentence for each thing that is lost.
std::vector<std::string> write_numpy(FileWriter& out, const Snapshot& snapshot, bool archive);

}  // namespace hornbeam::io
