// SPDX-License-Identifier: Apache-2.0
// What is looked at: files (files_source.h) or a simulation at work (live_source.h). server.cpp asks, from several
// threads at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "view/frame.h"

namespace hornbeam::view {

struct FrameWish {
  std::string colour;                ///< as make_frame() takes it
  std::optional<std::size_t> index;  ///< of files; none: the last one
  std::uint64_t after = 0;           ///< live: a later one than this
};

struct FrameFound {
  std::shared_ptr<const Frame> frame;
  Json more;  ///< which it is: {"index", "name"} of files, {"version", "step"} of a simulation
};

/// What the buttons ask of a simulation.
enum class Control { pause, go_on, step };

class Source {
 public:
  Source() = default;
  virtual ~Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  /// {"title", "live": bool}, of files {"names": [...], "message"}, of a simulation {"status", "version"}.
  virtual Json state() = 0;
  /// Nothing where there is none yet. Throws Error where a file cannot be read.
  virtual std::optional<FrameFound> frame(const FrameWish& wish) = 0;
  /// {"time": [...], "relative_error": [...], "total": [...], "step": [...]; "seconds": {stage: seconds} or null}
  virtual Json energy() = 0;
  /// Throws UsageError where there is nothing to be controlled.
  virtual void control(Control what) = 0;
};

}  // namespace hornbeam::view
