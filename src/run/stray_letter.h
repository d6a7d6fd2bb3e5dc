// SPDX-License-Identifier: Apache-2.0
// Letters beyond ASCII where TOML takes none. Before toml++ parses a configuration: version 3.3 runs into code that it
// marks as unreachable when it meets one of many such letters where a blank might stand.
#pragma once

#include <cstddef>
#include <string_view>

namespace hornbeam::run {

/// Line, counted from 1, of the first letter beyond ASCII that stands outside of strings and comments, or behind a
/// backslash in a string of several lines; 0 where there is none.
std::size_t line_of_stray_letter(std::string_view toml);

}  // namespace hornbeam::run
