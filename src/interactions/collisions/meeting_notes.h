// SPDX-License-Identifier: Apache-2.0
// Meetings of a step that go on record: noted on the device while pairs collide (bodies.h), read on the host after.
// Compiled once a precision.
#pragma once

#include <cstdint>
#include <vector>

#include "interactions/collisions/kernels/launches.h"
#include "interactions/events.h"

HB_OPEN

/// A meeting as it was noted.
struct NotedMeeting {
  std::uint32_t order;                ///< of the pair among those of the step
  std::array<std::uint32_t, 2> body;  ///< indices on input
  Encounter encounter;                ///< without ids; time: before the end of the step, negative
};

class MeetingNotes {
 public:
  explicit MeetingNotes(Device& device) : noted_(device), pairs_(device), values_(device), device_(device) {}

  /// Forgets all notes and takes those of at most that many pairs.
  void begin(std::size_t pairs);
  /// Adds the arrays of notes to those of bodies.
  void hand(BodyArrays& bodies, const DeviceArray<u32>& input) const;
  /// In the order of the pairs.
  [[nodiscard]] std::vector<NotedMeeting> read() const;
  [[nodiscard]] std::uint64_t bytes() const { return noted_.bytes() + pairs_.bytes() + values_.bytes(); }

 private:
  DeviceArray<u32> noted_, pairs_;
  DeviceArray<pos_t> values_;
  Device& device_;
};

/// Bytes of a note.
inline constexpr double note_bytes = 3 * sizeof(u32) + HB_NOTED_VALUES * sizeof(pos_t);

HB_CLOSE
