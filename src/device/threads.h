// SPDX-License-Identifier: Apache-2.0
// How many threads may be asked for. Used where threads are chosen: backends, neighbours, the program itself.
#pragma once

#include <cstdint>
#include <string>

namespace hornbeam {

/// Throws UsageError(subject) unless `threads` is 0 (all cores) or a number that this machine can start: more than
/// eight a core, and more than 256, have no use and end in a crash of the OpenMP runtime.
void check_threads(std::int64_t threads, const std::string& subject);

/// Lets loops of this thread take no more threads than memory has room for: their stacks take at most a quarter of what
/// the process may still take, which a limit of address space bounds. OpenMP ends the process if a thread cannot be
/// started.
void fit_threads_to_memory();

}  // namespace hornbeam
