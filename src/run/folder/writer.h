// SPDX-License-Identifier: Apache-2.0
// Writes a run's files during its next steps: one thread that does what it is given, one after the other.
// outputs.cpp gives.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace hornbeam::run {

/// Every function here is for the one thread that gives.
class Writer {
 public:
  /// Of the particles, that work yet to be done may hold: the one being written, and the next one.
  static constexpr std::size_t most_copies = 2;

  /// beside: on a thread of its own, where the system gives one; else give() works itself.
  explicit Writer(bool beside);
  /// Waits until all is done.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  [[nodiscard]] bool is_beside() const { return thread_.joinable(); }

  /// Waits until there is room for another copy; to be called before one is made. Throws as look() does.
  void make_room();
  /// Calls `work` when everything given before is done, and releases it. look() then calls `done`, which may be empty.
  /// has_copy: `work` has a copy of the particles. Throws as look() does.
  void give(std::function<void()> work, std::function<void()> done, bool has_copy);
  /// Calls `done` of what is. Throws what `work` has thrown, after which nothing else is done, for good.
  void look();
  /// Waits until all is done, then look().
  void finish();
  /// Spent on work so far.
  [[nodiscard]] double seconds() const;

 private:
  struct Task {
    std::function<void()> work, done;
    bool has_copy = false;
  };
  void serve();
  void work_off(std::unique_lock<std::mutex>& lock);
  [[nodiscard]] std::size_t copies() const;

  mutable std::mutex mutex_;  ///< of all but the thread
  std::condition_variable changed_;
  std::deque<Task> waiting_;  ///< the first one is being worked on
  std::vector<std::function<void()>> done_;
  std::exception_ptr failure_;
  double seconds_ = 0.0;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace hornbeam::run
