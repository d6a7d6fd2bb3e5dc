// SPDX-License-Identifier: Apache-2.0
// The command line as a whole, from its words to the command's work; the program's main() comes before it.
#pragma once

namespace hornbeam::cli {

/// Does what the command line asks; false where it is empty, which help answers. Throws UsageError where it cannot be
/// read, and whatever the command throws.
bool run_command(int argc, char** argv);

}  // namespace hornbeam::cli
