// SPDX-License-Identifier: Apache-2.0
// How many threads the parallel loops of a scope take.
#pragma once

#include <omp.h>

namespace hornbeam {

/// Loops of this scope, entered by the thread that made it, take `count` threads; afterwards as many as before. OpenMP
/// keeps the number for each thread of the program: simulations on threads of their own do not meet.
class Threads {
 public:
  explicit Threads(int count) : before_(omp_get_max_threads()) { omp_set_num_threads(count); }
  ~Threads() { omp_set_num_threads(before_); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  int before_;
};

}  // namespace hornbeam
