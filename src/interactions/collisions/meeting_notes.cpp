// SPDX-License-Identifier: Apache-2.0
// Notes of meetings, see meeting_notes.h. Compiled once a precision (HB_PRECISION).
#include "interactions/collisions/meeting_notes.h"

#include <algorithm>

HB_OPEN

void MeetingNotes::begin(std::size_t pairs) {
  noted_.reserve(sizeof(u32));
  device_.clear(noted_, sizeof(u32));
  pairs_.reserve(3 * pairs * sizeof(u32));
  values_.reserve(HB_NOTED_VALUES * pairs * sizeof(pos_t));
}

void MeetingNotes::hand(BodyArrays& bodies, const DeviceArray<u32>& input) const {
  bodies.input = &input;
  bodies.noted = &noted_;
  bodies.noted_pairs = &pairs_;
  bodies.noted_values = &values_;
}

std::vector<NotedMeeting> MeetingNotes::read() const {
  u32 count = 0;
  device_.download(&count, noted_, 0, sizeof count);
  std::vector<NotedMeeting> found(count);
  if (count == 0) return found;
  std::vector<u32> pairs(3 * found.size());
  std::vector<pos_t> values(HB_NOTED_VALUES * found.size());
  device_.download(pairs.data(), pairs_, 0, pairs.size() * sizeof(u32));
  device_.download(values.data(), values_, 0, values.size() * sizeof(pos_t));
  for (std::size_t k = 0; k < found.size(); ++k) {
    const u32* words = pairs.data() + 3 * k;
    const pos_t* v = values.data() + HB_NOTED_VALUES * k;
    const auto at = [v](int i) { return static_cast<double>(v[i]); };
    found[k] = {words[0],
                {words[1], words[2]},
                {.time = -at(8),
                 .ids = {},
                 .mass = {at(6), at(7)},
                 .displacement = {at(0), at(1), at(2)},
                 .velocity = {at(3), at(4), at(5)}}};
  }
  std::sort(found.begin(), found.end(), [](const NotedMeeting& a, const NotedMeeting& b) { return a.order < b.order; });
  return found;
}

HB_CLOSE
