// SPDX-License-Identifier: Apache-2.0
// How a model says which periodic box it fills.
#pragma once

#include <string>

#include "core/short_numbers.h"
#include "hornbeam/vec3.h"

namespace hornbeam::ics {

inline std::string box_note(const Vec3& size) {
  return "it fills a periodic box: [boundary] kind = \"periodic\", size = [" + shortest(size[0]) + ", " +
         shortest(size[1]) + ", " + shortest(size[2]) + "]";
}

}  // namespace hornbeam::ics
