// SPDX-License-Identifier: Apache-2.0
// Files packed by gzip, as tables are passed on: unpacked in memory before their reader sees them.
#pragma once

#include <string>
#include <vector>

#include "io/files/bytes.h"

namespace hornbeam::io {

bool looks_like_gzip(Bytes file);
/// Throws Error(subject) where it is cut or damaged, or where there is not that much memory.
std::vector<std::byte> unpacked_gzip(Bytes file, const std::string& subject);

}  // namespace hornbeam::io
