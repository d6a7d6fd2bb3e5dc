// SPDX-License-Identifier: Apache-2.0
// Events of a step from what is known of two bodies (hornbeam/events.h).
#pragma once

#include "hornbeam/events.h"
#include "hornbeam/vec3.h"

namespace hornbeam {

/// Two bodies when they touched.
struct Encounter {
  double time = 0;
  std::array<std::uint64_t, 2> ids{};
  std::array<double, 2> mass{};
  Vec3 displacement{}, velocity{};  ///< of the second relative to the first
};

/// Of bodies that merge, the heavier one comes first: it remains, of equals the first.
Event event_of(EventKind kind, const Encounter& encounter);

}  // namespace hornbeam
