// SPDX-License-Identifier: Apache-2.0
// What the program takes, read off its parsers and the table of keys: commands, their options and the words these
// allow. Completion of shells and the man page are made from it, so that they know what --help knows.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace hornbeam::cli {

/// The type of an option that takes keys of a configuration.
inline constexpr const char* setting_type = "SECTION.KEY=VALUE";

/// An option, or what is at a place of its own.
struct Taken {
  enum class Kind { nothing, words, file, folder, setting, text };

  std::vector<std::string> names;  ///< "-o", "--json"; of a place its one name, "FILE"
  std::string type, help;          ///< as --help has them
  Kind kind = Kind::text;
  std::vector<std::string> words;  ///< where it takes one of these
  bool several = false;
  bool required = false;

  [[nodiscard]] bool is_place() const { return names.front().front() != '-'; }
};

struct Command {
  std::string name;  ///< as it is typed after the program's, "ic galaxy"; of the program itself empty
  std::string summary;
  std::vector<Taken> options, places;
  std::vector<Command> commands;
};

Command tree_of(const CLI::App& program);

/// A key that --set takes.
struct Setting {
  std::string name, help;          ///< "gravity.eps"
  std::vector<std::string> words;  ///< where it takes one of these
};

/// Those of the table, and after the table's of [ic] those of all models.
std::vector<Setting> settings();

/// Does `act` with the command and all below it.
template <class Act>
void for_each_command(const Command& command, const Act& act) {
  act(command);
  for (const Command& inner : command.commands) for_each_command(inner, act);
}

}  // namespace hornbeam::cli
