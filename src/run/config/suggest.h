// SPDX-License-Identifier: Apache-2.0
// The nearest known name to a mistyped one, for the error messages of options and configuration keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hornbeam::run {

/// Least number of letters to insert, delete, replace or swap with their neighbour that turns `a` into `b`, none of
/// them touched twice (Damerau 1964, Levenshtein 1966).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// "did you mean NAME?" with the known name nearest to `text`; where none comes near, "known: NAME, NAME, ...".
std::string suggestion(std::string_view text, const std::vector<std::string>& known);

}  // namespace hornbeam::run
