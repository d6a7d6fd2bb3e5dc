// SPDX-License-Identifier: Apache-2.0
// The measure --disc-mass of `hornbeam analyze`.
#pragma once

#include "cli/analyze_measures.h"

namespace hornbeam::cli {

/// Planet, disc and what escapes after an impact (docs/analysis.md).
Json disc_mass(const Snapshot& snapshot, const MeasureSettings& settings);

}  // namespace hornbeam::cli
