// SPDX-License-Identifier: Apache-2.0
// The command line as a whole, from its words to the command's work; the program's main() comes before it.
#pragma once

#include "cli/exit_status.h"

namespace hornbeam::cli {

/// Does what the command line asks and returns how the program ends. Help answers an empty one, which is wrong usage.
/// Throws UsageError if it cannot be read, and whatever the command throws.
Exit run_command(int argc, char** argv);

}  // namespace hornbeam::cli
