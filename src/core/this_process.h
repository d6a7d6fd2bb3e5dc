// SPDX-License-Identifier: Apache-2.0
// What this process is, for people and for other processes.
#pragma once

#include <unistd.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string>

namespace hornbeam {

/// The name of its machine; empty where there is none.
inline std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

/// The words that it was started with, each of which ends with a zero.
inline std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace hornbeam
