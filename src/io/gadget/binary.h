// SPDX-License-Identifier: Apache-2.0
// Gadget-2 binary snapshots, formats 1 and 2: Fortran records of one quantity each (docs/formats.md).
#pragma once

#include <string>
#include <vector>

#include "hornbeam/io.h"
#include "io/files/file.h"

namespace hornbeam::io {

/// Whether the bytes begin with a Gadget-2 record guard, in either byte order.
bool looks_like_gadget_binary(Bytes file);

/// Format, byte order and the width of numbers and ids are found from the content and named in the notes.
Snapshot parse_gadget_binary(Bytes file, const std::string& subject, const ReadOptions& options = {});

struct FilesOfSnapshot {
  std::uint64_t files = 1, total = 0;  ///< files of the whole snapshot, 1 where this file holds all; particles in all
};
/// By the file's header.
FilesOfSnapshot files_of_gadget_binary(Bytes file, const std::string& subject);

/// Returns a sentence for each thing that is lost. Physical units become kpc, 1e10 Msun and km/s.
std::vector<std::string> write_gadget_binary(FileWriter& out, const Snapshot& snapshot, const FormatSpec& format,
                                             const std::string& subject);

}  // namespace hornbeam::io
