// SPDX-License-Identifier: Apache-2.0
// Measures for people: names, numbers and units in columns.
#pragma once

#include <string>

#include "cli/names.h"
#include "hornbeam/particles.h"

namespace hornbeam::cli {

/// Lines of what a measure gave: a line for each number or vector, then a table whose columns are the arrays, or
/// several where arrays differ in length. Columns have two blanks between them at least; names and units are above.
std::string measure_text(const Json& measured, const Units& units);

}  // namespace hornbeam::cli
