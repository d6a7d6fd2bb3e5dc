// SPDX-License-Identifier: Apache-2.0
// Snapshots of NEMO (its tools, gyrfalcON, Agama, unsio): structured binary, items with types and names.
#pragma once

#include <string>

#include "hornbeam/particles.h"
#include "io/files/bytes.h"
#include "io/lacking.h"

namespace hornbeam::io {

bool looks_like_nemo(Bytes file);

/// The last snapshot in the file that holds particles.
Snapshot parse_nemo(Bytes file, const std::string& subject, Lacking lacking);

}  // namespace hornbeam::io
