// SPDX-License-Identifier: Apache-2.0
// Measures as one CSV table: what `hornbeam analyze --csv` writes.
#pragma once

#include <string>
#include <vector>

#include "cli/names.h"

namespace hornbeam::cli {

/// CSV of objects that hold numbers and arrays of numbers, or objects of these, all with the same keys. Arrays give a
/// row for each entry, beside which numbers are repeated; without arrays each object gives one row. Vectors
/// (`momentum`, `angular_momentum`) are three columns. Throws UsageError(subject, ...) for arrays of different lengths.
std::string csv_table(const std::vector<Json>& objects, const std::string& subject);

}  // namespace hornbeam::cli
