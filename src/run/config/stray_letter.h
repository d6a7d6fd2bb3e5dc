// SPDX-License-Identifier: Apache-2.0
// What toml++ 3.3 does not survive, looked for before it parses a configuration: letters beyond ASCII where a blank
// might stand, which lead to code that it marks as unreachable, and keys of so many parts that its recursion ends the
// stack.
#pragma once

#include <cstddef>
#include <string_view>

namespace hornbeam::run {

/// Returns the line, counted from 1, of the first non-ASCII letter outside of strings and comments. One after a
/// backslash in a string of several lines counts, too. 0 without any.
std::size_t line_of_stray_letter(std::string_view toml);

inline constexpr int most_key_parts = 100;
/// Line of the first key of more than most_key_parts parts (a.b.c has three); 0 where there is none.
std::size_t line_of_long_key(std::string_view toml);

}  // namespace hornbeam::run
