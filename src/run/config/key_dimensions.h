// SPDX-License-Identifier: Apache-2.0
// What the keys of a configuration are measured in. Before it: the table of keys; quantities.cpp and the Python package
// convert values with units by it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hornbeam/dimension.h"

namespace hornbeam::run {

struct KeyDimension {
  std::string_view section, key;
  Dimension dimension{};
  std::string_view unit{};  ///< in which the key always is: "s"
};

/// Of all keys that are no pure numbers, texts or files.
const std::vector<KeyDimension>& key_dimensions();

inline constexpr Dimension time_dimension{.length = 1, .velocity = -1};

}  // namespace hornbeam::run
