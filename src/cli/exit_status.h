// SPDX-License-Identifier: Apache-2.0
// How the program ends: main() returns these, and the man page tells what they mean.
#pragma once

#include <array>
#include <csignal>

namespace hornbeam::cli {

enum class Exit {
  done = 0,
  failed = 1,
  wrong_usage = 2,
  gone_wrong = 3,
  stopped = 4,
  nobody_reads = 128 + SIGPIPE  ///< as shells tell the end by that signal
};

struct ExitMeaning {
  Exit status;
  const char* meaning;
};
inline constexpr std::array exit_meanings{
    ExitMeaning{Exit::done, "What was asked for is done."},
    ExitMeaning{Exit::failed, "It failed: a file, the memory or a device is not what it should be."},
    ExitMeaning{Exit::wrong_usage, "The command line or the configuration asks for what cannot be."},
    ExitMeaning{Exit::gone_wrong, "The watchdog has stopped a run that went wrong; its last good checkpoint is kept."},
    ExitMeaning{Exit::stopped,
                "A signal, the file stop or output.wall_limit stopped a run before its end; run --resume goes on."},
    ExitMeaning{Exit::nobody_reads, "Whoever read the output went away."}};

}  // namespace hornbeam::cli
