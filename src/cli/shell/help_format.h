// SPDX-License-Identifier: Apache-2.0
// Help that fits the terminal.
#pragma once

#include <cstddef>
#include <string>

namespace CLI {
class App;
}

namespace hornbeam::cli {

/// Columns that help may take: of the terminal that standard output is; 0: any number, if it is none.
std::size_t help_width();

/// Breaks lines of help that are longer than `width`. Their text goes on below the column where it began, and lines
/// that already go on there are joined first.
std::string wrapped_help(const std::string& help, std::size_t width);

/// Gives a program, before it has commands, help that fits the terminal.
void fit_help(CLI::App& program);

}  // namespace hornbeam::cli
