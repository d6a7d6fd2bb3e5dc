// SPDX-License-Identifier: Apache-2.0
// The bounds on threads, see threads.h.
#include "device/threads.h"

#include <omp.h>

#include <algorithm>

#include "hornbeam/error.h"
#include "memory/room.h"

namespace hornbeam {

void check_threads(std::int64_t threads, const std::string& subject) {
  const std::string cores = std::to_string(omp_get_num_procs());
  const std::int64_t most = std::max(256, 8 * omp_get_num_procs());
  if (threads < 0) throw UsageError(subject, "must be at least 1, or 0 for all cores");
  if (threads <= most) return;
  throw UsageError(subject, "is more than this machine can use; it has " + cores + " cores",
                   "give at most " + std::to_string(most) + ", or 0 for all cores");
}

void fit_threads_to_memory() {
  const double fit = memory::room().bytes / 4 / memory::stack_bytes();
  if (fit < omp_get_max_threads()) omp_set_num_threads(std::max(1, static_cast<int>(fit)));
}

}  // namespace hornbeam
