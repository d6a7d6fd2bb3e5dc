// SPDX-License-Identifier: Apache-2.0
// What main() of a program of ours does around its command: memory and threads before it, and whatever it throws turned
// into one line and an exit status.
#pragma once

#include <string>

namespace hornbeam::cli {

/// Runs `command`, which returns false where the command line was empty. Messages begin with `name`.
int run_program(const std::string& name, int argc, char** argv, bool (*command)(int argc, char** argv));

}  // namespace hornbeam::cli
