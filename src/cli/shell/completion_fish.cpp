// SPDX-License-Identifier: Apache-2.0
// Fish: a line for each option of each command.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/shell/completion.h"

namespace hornbeam::cli {
namespace {

constexpr const char* fish_head = R"fish(# Completion of fish for hornbeam, made by `hornbeam completion fish`.
# hornbeam completion fish | source

# Whether the words of the line begin with the command $argv.
function __hornbeam_at
    set -l words (commandline -opc)
    set -l last (math (count $argv) + 1)
    test $last -eq 1; and return 0
    test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
end

# Whether there is nothing behind the command $argv yet.
function __hornbeam_ends
    __hornbeam_at $argv; and test (count (commandline -opc)) -eq (math (count $argv) + 1)
end

# Whether the words behind the command $argv[2..] that are no options are at the place $argv[1].
function __hornbeam_place
    __hornbeam_at $argv[2..]; or return 1
    set -l words (commandline -opc)
    set -l first (math (count $argv) + 1)
    test (count (string match -v -- '-*' $words[$first..-1])) -eq (math $argv[1] - 1)
end

complete -c hornbeam -e
complete -c hornbeam -f
)fish";

/// In single quotes.
std::string in_quotes(const std::string& text) { return "'" + with_backslashes(text, "'\\") + "'"; }

/// What follows an option: -x and words, files, or nothing.
std::string taken_text(const Taken& taken) {
  switch (taken.kind) {
    case Taken::Kind::nothing:
      return "";
    case Taken::Kind::words:
      return " -x -a " + in_quotes(fmt::format("{}", fmt::join(taken.words, " ")));
    case Taken::Kind::file:
      return " -r -F";
    case Taken::Kind::folder:
      return " -x -a '(__fish_complete_directories (commandline -ct))'";
    case Taken::Kind::setting:
      return " -x -a '(__hornbeam_settings)'";
    case Taken::Kind::text:
      break;
  }
  return " -x";
}

std::string option_line(const Command& command, const Taken& option) {
  std::string line =
      fmt::format("complete -c hornbeam -n '__hornbeam_at{}{}'", command.name.empty() ? "" : " ", command.name);
  if (command.name.empty()) line = "complete -c hornbeam -n __hornbeam_ends";
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    line += (is_long ? " -l " : " -s ") + name.substr(is_long ? 2 : 1);
  }
  return line + taken_text(option) + " -d " + in_quotes(option.help) + "\n";
}

std::string place_line(const Command& command, std::size_t i) {
  const Taken& place = command.places[i];
  const std::string where = place.several ? fmt::format("'__hornbeam_at {}'", command.name)
                                          : fmt::format("'__hornbeam_place {} {}'", i + 1, command.name);
  std::string what = taken_text(place);
  if (place.kind == Taken::Kind::file) what = " -F";
  if (place.kind == Taken::Kind::text) return "";
  return fmt::format("complete -c hornbeam -n {}{}\n", where, what);
}

std::string command_lines(const Command& command) {
  std::string text;
  const std::string where = command.name.empty() ? "__hornbeam_ends" : "'__hornbeam_ends " + command.name + "'";
  for (const Command& inner : command.commands) {
    text += fmt::format("complete -c hornbeam -n {} -a {} -d {}\n", where, inner.name.substr(inner.name.rfind(' ') + 1),
                        in_quotes(inner.summary));
  }
  for (const Taken& option : command.options) text += option_line(command, option);
  for (std::size_t i = 0; i < command.places.size(); ++i) text += place_line(command, i);
  return text;
}

}  // namespace

std::string fish_completion(const Command& program, const std::vector<Setting>& settings) {
  std::string text = std::string(fish_head) + "\nfunction __hornbeam_settings\n    printf '%s\\t%s\\n' \\\n";
  for (const Setting& setting : settings) {
    const std::string help = in_quotes(setting.help);
    if (setting.words.empty()) text += fmt::format("        {}= {} \\\n", setting.name, help);
    for (const std::string& word : setting.words) {
      text += fmt::format("        {}={} {} \\\n", setting.name, in_quotes(word), help);
    }
  }
  text = text.substr(0, text.size() - 3) + "\nend\n\n";
  for_each_command(program, [&](const Command& command) { text += command_lines(command); });
  return text;
}

}  // namespace hornbeam::cli
