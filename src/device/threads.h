// SPDX-License-Identifier: Apache-2.0
// How many threads may be requested. Used where threads are chosen: backends, neighbours, the program itself.
#pragma once

#include <cstdint>
#include <string>

namespace hornbeam {

/// Throws UsageError(subject) unless `threads` is 0 (all cores) or a number that this machine can start. More than
/// eight for each core, and more than 256, are useless and crash the OpenMP runtime.
void check_threads(std::int64_t threads, const std::string& subject);

/// Limits the threads of this thread's loops to those that fit into memory. Their stacks take at most a quarter of what
/// the process may still take, which a limit of address space bounds. OpenMP ends the process if a thread cannot be
/// started.
void fit_threads_to_memory();

}  // namespace hornbeam
