// SPDX-License-Identifier: Apache-2.0
// What the measures of `hornbeam analyze` must know besides the particles.
#pragma once

#include <string>
#include <vector>

#include "cli/analyze/measures.h"

namespace hornbeam::cli {

/// What some measures say of forces takes the kernel and the external potentials that the file's run has recorded;
/// where it has not, a note of the snapshot says so. Those of a ring take its sheet, those of exact flows its model, or
/// `model` if that is not empty.
void find_surroundings(const std::vector<const Measure*>& asked, const std::string& model, const std::string& file,
                       MeasureSettings& settings, Snapshot& snapshot);

/// The snapshot in those units, with what its run says of its surroundings. A file without units is taken to be in
/// them.
void convert_all(Snapshot& snapshot, MeasureSettings& settings, const Units& units);

}  // namespace hornbeam::cli
