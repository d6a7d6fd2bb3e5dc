// SPDX-License-Identifier: Apache-2.0
// Text tables, one particle a line: with a header that names the columns, or in GalactICS' or Agama's fixed order.
#pragma once

#include <string>
#include <vector>

#include "hornbeam/io.h"
#include "io/files/file.h"
#include "io/lacking.h"

namespace hornbeam::io {

/// Whether the bytes look like text.
bool looks_like_text(Bytes file);

Snapshot parse_csv(Bytes file, Columns columns, const std::string& subject, Lacking lacking = Lacking::refused);

/// Numbers are written so that reading gives the same bits. Returns a sentence for each thing that is lost.
std::vector<std::string> write_csv(FileWriter& out, const Snapshot& snapshot, Columns columns,
                                   const std::string& subject);

}  // namespace hornbeam::io
