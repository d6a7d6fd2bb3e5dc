// SPDX-License-Identifier: Apache-2.0
// Measures as one CSV table: what `hornbeam analyze --csv` writes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/names.h"

namespace hornbeam::cli {

/// CSV of objects that hold numbers and arrays of numbers, or objects of these, all with the same keys. Arrays give a
/// row for each entry, next to which numbers are repeated; without arrays each object gives one row. Vectors
/// (`momentum`, `angular_momentum`) are three columns. The header has units behind names, "mass [Msun]": those of
/// `unit_of` a key, where there are any. Throws UsageError(subject, ...) for arrays of different lengths.
std::string csv_table(
    const std::vector<Json>& objects, const std::string& subject,
    const std::function<std::string(const std::string&)>& unit_of = [](const std::string&) { return std::string(); });

}  // namespace hornbeam::cli
