// SPDX-License-Identifier: Apache-2.0
// Scripts that complete Hornbeam's command line, one for each shell. After them: the shell, which reads them once.
#pragma once

#include <string>
#include <vector>

#include "cli/shell/command_tree.h"

namespace hornbeam::cli {

std::string bash_completion(const Command& program, const std::vector<Setting>& settings);
std::string zsh_completion(const Command& program, const std::vector<Setting>& settings);
std::string fish_completion(const Command& program, const std::vector<Setting>& settings);

/// `text` with each of the letters in `marked` behind a backslash, and line ends as blanks.
std::string with_backslashes(const std::string& text, const std::string& marked);

}  // namespace hornbeam::cli
