// SPDX-License-Identifier: Apache-2.0
// Names of pictures and movies say their format.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hornbeam::render {

/// ".png" of "A.PNG".
std::string small_ending(const std::filesystem::path& path);

/// Throws UsageError(path, what) where the name ends in none of `endings`.
void refuse_other_endings(const std::filesystem::path& path, const std::vector<std::string>& endings,
                          const std::string& what);

}  // namespace hornbeam::render
