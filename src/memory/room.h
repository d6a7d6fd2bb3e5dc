// SPDX-License-Identifier: Apache-2.0
// How much memory the process may still take, and what bounds it: the machine, its control groups (containers and batch
// systems), its own limits. Memory is given lazily, so that what exceeds these ends in a kill without a word: need.h
// asks here before anything is taken.
#pragma once

#include <filesystem>
#include <limits>
#include <string>

#include "hornbeam/error.h"

namespace hornbeam::memory {

struct Room {
  double bytes = std::numeric_limits<double>::infinity();
  std::string where;   ///< what sets it, for people: "this machine (12 GB)"
  std::string remedy;  ///< how to get more of it
};

/// Returns the tightest bound of all. root: of the file system in which the kernel reports them, /proc and the mounted
/// control groups; another one in tests. reserved: bytes that only the limits of the process count (need.h).
Room room(const std::filesystem::path& root = "/", double reserved = 0);
/// Bytes of the stack of a new thread.
double stack_bytes();

/// "the limit ulimit -v (address space) = 4.0 GB"; empty where address space has no limit.
std::string address_space_limit();

inline constexpr const char* subject = "memory";

/// What demand() of need.h throws.
class NoRoom : public Error {
 public:
  NoRoom(const std::string& what, const std::string& remedy, double bytes_)
      : Error(subject, what, remedy), bytes(bytes_) {}

  double bytes;  ///< needed
};

/// "12.3 GB", "640 MB".
std::string shown_bytes(double bytes);

}  // namespace hornbeam::memory
