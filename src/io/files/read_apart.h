// SPDX-License-Identifier: Apache-2.0
// Reads HDF5 in a process of its own: on damaged files the HDF5 library may crash, loop for ever or take all memory,
// and there that is an error like any other (docs/formats.md says why a process).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "io/checkpoint.h"

namespace hornbeam::io {

/// What the child may use for a file of `size` bytes. Memory: the particles, which are at most some three times as
/// large as an uncompressed file, HDF5's own buffers, and much more for compressed files. Time of a processor: the
/// slowest filters give some 50 MB/s.
struct ReadLimits {
  explicit ReadLimits(std::uint64_t size) : memory((512ULL << 20) + 64 * size), seconds(10 + size / 5'000'000) {}

  std::uint64_t memory, seconds;
};

/// Calls `read` in a child process with bounded memory and time (by default those for the file) and returns what it
/// returned, passed through a pipe array by array. What it throws is thrown here; a crash of the child is Error(path).
/// Nothing but HDF5 and memory may be used by `read`: other threads of this program do not exist there. Where no
/// process may be forked (core/forking.h) `read` is called here.
Checkpoint read_apart(const std::filesystem::path& path, const std::function<Checkpoint()>& read,
                      const std::optional<ReadLimits>& limits = {});

}  // namespace hornbeam::io
