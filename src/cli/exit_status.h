// SPDX-License-Identifier: Apache-2.0
// How the program ends: main() returns these, and the man page shows what they mean.
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
  nobody_reads = 128 + SIGPIPE  ///< as shells report the end by that signal
};

struct ExitMeaning {
  Exit status;
  const char* meaning;
};
inline constexpr std::array exit_meanings{
    ExitMeaning{Exit::done, "The command has succeeded."},
    ExitMeaning{Exit::failed, "The command has failed: there was a problem with a file, the memory or a device."},
    ExitMeaning{Exit::wrong_usage, "The command line or the configuration is wrong."},
    ExitMeaning{Exit::gone_wrong, "The watchdog has stopped a run that went wrong. The last good checkpoint is kept."},
    ExitMeaning{
        Exit::stopped,
        "A signal, the file stop or output.wall_limit has stopped a run before its end. run --resume continues it."},
    ExitMeaning{Exit::nobody_reads, "The program that read the output has ended."}};

}  // namespace hornbeam::cli
