// SPDX-License-Identifier: Apache-2.0
// A start from a snapshot of another run: what that run had and this one has not. Between the file and the first step.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "run/config/config.h"

namespace hornbeam::run {

/// Returns a line for each thing that acted on the particles of `file`, by its record, and will not in this run. These
/// are external potentials, softening kernel, more exact forces, collisions and gas model. converted: the numbers are
/// now in other units, so that only the kinds of potentials are compared. own_eps: particles differ in softening.
std::vector<std::string> left_behind(const RunConfig& config, const std::filesystem::path& file, bool converted,
                                     bool own_eps);

}  // namespace hornbeam::run
