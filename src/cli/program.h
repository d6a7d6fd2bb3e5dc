// SPDX-License-Identifier: Apache-2.0
// What main() of a program of ours does around its command: memory and threads before it, and whatever it throws turned
// into one line and an exit status.
#pragma once

#include <string>

#include "cli/exit_status.h"

namespace hornbeam::cli {

/// Runs `command` and returns the status that the program ends with. Messages begin with `name`.
int run_program(const std::string& name, int argc, char** argv, Exit (*command)(int argc, char** argv));

}  // namespace hornbeam::cli
