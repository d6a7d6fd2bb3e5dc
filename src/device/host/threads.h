// SPDX-License-Identifier: Apache-2.0
// How many threads the parallel loops of a scope take.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <limits>
#include <utility>

namespace hornbeam {

/// What a loop does with each of its items.
enum class Work {
  item,  ///< some ten nanoseconds: kicks, drifts, keys, cells
  walk   ///< some microseconds: a particle's walk, or its meetings with neighbours
};

/// As many of `most` threads as so many items are worth. Alone on a machine threads wake in some microseconds; where
/// other programs want the cores, too, every loop waits until the last of its threads gets one, for milliseconds: 543
/// bodies took 45 s with two threads and 0.8 s with one. So a loop of less than about a millisecond is one thread's
/// (docs/performance.md). Results do not depend on it: nothing is summed in an order of threads.
inline int threads_for(int most, std::int64_t items, Work work) {
  const bool walks = work == Work::walk;
  const std::int64_t least = walks ? 1024 : 16384, each = walks ? 128 : 2048;
  return items < least ? 1 : static_cast<int>(std::min<std::int64_t>(items / each, most));
}

/// Most threads of the loops that this thread enters, whatever these would take.
inline thread_local int most_threads = std::numeric_limits<int>::max();

/// Loops of this scope, entered by the thread that made it, take `count` threads; afterwards as many as before. OpenMP
/// keeps the number for each thread of the program: simulations on threads of their own do not meet.
class Threads {
 public:
  explicit Threads(int count) : before_(omp_get_max_threads()) { omp_set_num_threads(std::min(count, most_threads)); }
  ~Threads() { omp_set_num_threads(before_); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  int before_;
};

/// The first exception within a parallel loop, which no exception may leave: run() keeps it, rethrow(), behind the
/// loop, throws it.
class LoopFailure {
 public:
  template <class Act>
  void run(const Act& act) {
    try {
      act();
    } catch (...) {
#pragma omp critical(hornbeam_loop_failure)
      if (first_ == nullptr) first_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (first_ != nullptr) std::rethrow_exception(first_);
  }

 private:
  std::exception_ptr first_;
};

/// Loops of this scope are of the thread that made it alone: it does not begin threads of its own.
class NoTeam {
 public:
  NoTeam() : before_(std::exchange(most_threads, 1)) {}
  ~NoTeam() { most_threads = before_; }
  NoTeam(const NoTeam&) = delete;
  NoTeam& operator=(const NoTeam&) = delete;

 private:
  int before_;
  Threads one_{1};
};

}  // namespace hornbeam
