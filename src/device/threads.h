// SPDX-License-Identifier: Apache-2.0
// How many threads may be asked for. Used where threads are chosen: backends, neighbours, the program itself.
#pragma once

#include <cstdint>
#include <string>

namespace hornbeam {

/// Throws UsageError(subject) unless `threads` is 0 (all cores) or a number that this machine can start: more than
/// eight a core, and more than 256, have no use and end in a crash of the OpenMP runtime.
void check_threads(std::int64_t threads, const std::string& subject);

}  // namespace hornbeam
