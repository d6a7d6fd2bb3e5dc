// SPDX-License-Identifier: Apache-2.0
// The words of a command line around what CLI11 does with them: lists end where the file after them begins, and what is
// not understood is answered with the nearest that is. Before it: main(); after it: the commands.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "hornbeam/error.h"

namespace hornbeam::cli {

/// The arguments with a flag before each item of a list: `--edges 1 2 FILE` becomes `--edges=1 --edges=2 FILE`. The
/// first value always belongs to the flag, further ones as long as they can be items of it.
std::vector<std::string> with_lists_apart(const std::vector<std::string>& arguments);

/// What is wrong with `arguments`, which `command` has refused with `error`, and what to write instead.
UsageError explained(const CLI::ParseError& error, const CLI::App& command, const std::vector<std::string>& arguments);

}  // namespace hornbeam::cli
