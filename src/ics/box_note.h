// SPDX-License-Identifier: Apache-2.0
// How a model says which periodic box it fills: its sizes and "]" follow.
#pragma once

#include <string>

namespace hornbeam::ics {

inline const std::string fills_box = "it fills a periodic box: [boundary] kind = \"periodic\", size = [";

}  // namespace hornbeam::ics
