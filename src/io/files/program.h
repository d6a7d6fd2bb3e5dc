// SPDX-License-Identifier: Apache-2.0
// Other programs as child processes, without a shell: ffmpeg, python3.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hornbeam::io {

/// The first executable called `program` on PATH.
std::optional<std::filesystem::path> find_program(const std::string& program);

/// Runs a program with its output in `log`. Returns its exit status; -1 if it did not start or a signal ended it.
int status_of_program(const std::filesystem::path& program, std::vector<std::string> arguments,
                      const std::filesystem::path& log);
/// The same. Returns whether the exit status is 0.
bool run_program(const std::filesystem::path& program, std::vector<std::string> arguments,
                 const std::filesystem::path& log);

/// The last line of such a log: what went wrong, as most programs say it.
std::string last_line(const std::filesystem::path& log);

}  // namespace hornbeam::io
