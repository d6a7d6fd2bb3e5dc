// SPDX-License-Identifier: Apache-2.0
// JSON as the run library and the commands write it: in the order in which keys were set.
#pragma once

#include <nlohmann/json.hpp>

namespace hornbeam::run {

using Json = nlohmann::ordered_json;

}  // namespace hornbeam::run
