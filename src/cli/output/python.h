// SPDX-License-Identifier: Apache-2.0
// Python, started for plots by matplotlib and asked for its ffmpeg.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hornbeam::cli {

/// The source tree whose build/ this program is in; empty where it stands elsewhere.
std::filesystem::path source_tree();

/// Runs a Python with these arguments: the source tree's own, which has matplotlib after `make demo` or `make bench`,
/// else python3 on PATH. Empty where one of them exits with 0, else what the last one said. log: a file for their
/// words, removed at the end.
std::string why_python_fails(const std::vector<std::string>& arguments, const std::filesystem::path& log);

/// The ffmpeg that the Python package imageio-ffmpeg brings, where one of the same Pythons has it. log: as above.
std::optional<std::filesystem::path> ffmpeg_of_python(const std::filesystem::path& log);

}  // namespace hornbeam::cli
