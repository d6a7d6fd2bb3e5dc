// SPDX-License-Identifier: Apache-2.0
// What happened to single bodies in a step, as events.csv and Python's `events` have it (docs/collisions.md).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace hornbeam {

/// merged: two bodies became one. bounced: faster than CollisionOptions::record_above. left: a body passed the walls of
/// an open box and was removed. halted: two bodies collided, which ends the run.
enum class EventKind { merged, bounced, left, halted };
std::string_view name(EventKind);

/// Two bodies as they were when they touched. For `left`, the second is the centre of the box at rest.
struct Event {
  EventKind kind = EventKind::merged;
  double contact_time = 0;             ///< overlap, left: the end of the step; swept: when they touched
  std::array<std::uint64_t, 2> ids{};  ///< merged: the first one remains; left: twice that of the body
  std::array<double, 2> mass{};        ///< left: the second is 0
  double speed = 0;                    ///< of one relative to the other
  double angle = 0;  ///< degrees between approach and line of centres: 0 head-on, 90 grazing; left: 0 straight out
};

}  // namespace hornbeam
