// SPDX-License-Identifier: Apache-2.0
// Frames at a pace, see live_frames.h.
#include "view/live_frames.h"

#include <ctime>

#include "memory/particles.h"

namespace hornbeam::view {
namespace {

using Clock = Pace::Clock;

/// Processor time that a byte takes which is sent: 1 GB a second (docs/view.md).
constexpr auto each_byte = std::chrono::nanoseconds(1);

/// Processor time of this thread.
Clock::duration thread_time() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

/// Counts the processor time of its life, also where that ends by an exception.
class Work {
 public:
  explicit Work(Pace& pace) : pace_(pace) {}
  ~Work() { pace_.spend(Clock::now(), thread_time() - begin_); }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

 private:
  Pace& pace_;
  Clock::duration begin_ = thread_time();
};

}  // namespace

memory::Need copy_need(const memory::Acting& acting) {
  constexpr double frame = 32;  // bytes of a particle: index, position, colour, id, family, radius
  const memory::Need copy = memory::output_copy(acting);
  return copy + memory::Need{{"frame", frame}, {"next steps of the run", copy.each() + frame}};
}

std::shared_ptr<const Frame> LiveFrames::of(const Snapshot& copy, std::uint64_t version, const std::string& colour) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || !pace_.is_free(Clock::now())) return nullptr;
  if (version != version_) frames_.clear();
  version_ = version;
  const auto found =
      std::find_if(frames_.begin(), frames_.end(), [&](const auto& frame) { return frame->shows(colour); });
  std::shared_ptr<const Frame> frame = found != frames_.end() ? *found : make(copy, colour);
  pace_.spend(Clock::now(), frame->bytes() * each_byte);
  return frame;
}

std::shared_ptr<const Frame> LiveFrames::make(const Snapshot& copy, const std::string& colour) {
  const Work work(pace_);
  frames_.push_back(std::make_shared<const Frame>(frames_.empty() ? make_frame(copy, colour, most_)
                                                                  : recoloured(*frames_[0], copy, colour, most_)));
  return frames_.back();
}

}  // namespace hornbeam::view
