// SPDX-License-Identifier: Apache-2.0
// Points in a queue and the seconds between them: from the device's own clock, or from ours where the driver does not
// time markers.
#pragma once

#include <array>
#include <chrono>

#include "device/opencl/opencl_context.h"

namespace hornbeam {

class OpenClStamps {
 public:
  explicit OpenClStamps(OpenClContext& context);
  ~OpenClStamps();
  OpenClStamps(const OpenClStamps&) = delete;
  OpenClStamps& operator=(const OpenClStamps&) = delete;

  int stamp();
  /// Waits for `to`; both among the last `remembered`.
  double seconds(int from, int to);
  [[nodiscard]] bool device_clock() const { return device_clock_; }

  static constexpr int remembered = 4096;

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] bool markers_have_times();
  [[nodiscard]] cl_int time_of(cl_event event, cl_ulong* nanoseconds) const;
  [[nodiscard]] std::size_t slot_of(int stamp) const;

  OpenClContext& context_;
  bool device_clock_ = false;
  int next_ = 0;
  std::array<cl_event, remembered> events_{};          ///< with the device's clock
  std::array<Clock::time_point, remembered> times_{};  ///< with ours
};

}  // namespace hornbeam
