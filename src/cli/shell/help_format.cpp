// SPDX-License-Identifier: Apache-2.0
// Help that fits the terminal, see help_format.h.
#include "cli/shell/help_format.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <sstream>
#include <utility>
#include <vector>

#include "cli/output/progress.h"

namespace hornbeam::cli {
namespace {

/// Where texts of options begin, in CLI11's help and in lists of keys.
constexpr std::size_t text_column = 30;
/// Columns that texts take at least.
constexpr std::size_t narrowest = 24;

std::size_t indent_of(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first == std::string::npos ? line.size() : first;
}

/// Whether a text begins at text_column of that line.
bool has_text(const std::string& line) {
  return line.size() > text_column && line[text_column] != ' ' && line[text_column - 1] == ' ';
}

/// Lines, with those that only go on with the text of the line before joined to it.
std::vector<std::string> joined_lines(const std::string& help) {
  std::vector<std::string> lines;
  std::istringstream from(help);
  for (std::string line; std::getline(from, line);) {
    const bool goes_on = !lines.empty() && indent_of(line) == text_column && has_text(line) && has_text(lines.back());
    if (goes_on) {
      lines.back() += " " + line.substr(text_column);
    } else {
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

/// The line in lines of at most `width`, the later ones from `column` on.
void break_line(const std::string& line, std::size_t width, std::size_t column, std::string& out) {
  std::string rest = line;
  for (std::size_t least = indent_of(line); rest.size() > width; least = column) {
    std::size_t end = rest.rfind(' ', width);
    if (end == std::string::npos || end <= least) end = rest.find(' ', width);  // a word that is too long
    if (end == std::string::npos) break;
    const std::size_t next = rest.find_first_not_of(' ', end);
    if (next == std::string::npos) break;
    out += rest.substr(0, rest.find_last_not_of(' ', end) + 1) + "\n";
    rest = std::string(column, ' ') + rest.substr(next);
  }
  out += rest + "\n";
}

class FittedHelp final : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    const std::string help = CLI::Formatter::make_help(app, std::move(name), mode);
    const std::size_t width = help_width();
    return width == 0 ? help : wrapped_help(help, width);
  }
};

}  // namespace

std::size_t help_width() { return is_terminal() ? line_width() : 0; }

std::string wrapped_help(const std::string& help, std::size_t width) {
  std::string out;
  for (const std::string& line : joined_lines(help)) {
    const bool narrow = width < text_column + narrowest;
    const std::size_t column =
        (has_text(line) || indent_of(line) == text_column) && !narrow ? text_column : indent_of(line) + 2;
    break_line(line, width, column, out);
  }
  return out;
}

void fit_help(CLI::App& program) { program.formatter(std::make_shared<FittedHelp>()); }

}  // namespace hornbeam::cli
