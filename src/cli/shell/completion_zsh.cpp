// SPDX-License-Identifier: Apache-2.0
// Zsh: a function for each command, in the words of its _arguments.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/shell/completion.h"

namespace hornbeam::cli {
namespace {

constexpr const char* zsh_head = R"zsh(#compdef hornbeam
# Completion of zsh for hornbeam, made by `hornbeam completion zsh`.
# source <(hornbeam completion zsh), or as _hornbeam in a folder of $fpath.
)zsh";

constexpr const char* zsh_tail = R"zsh(
if [[ $funcstack[1] == _hornbeam ]]; then
  _hornbeam "$@"
else
  compdef _hornbeam hornbeam
fi
)zsh";

/// In single quotes.
std::string quoted(const std::string& text) {
  std::string safe = "'";
  for (const char c : text) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return safe + "'";
}

std::string function_of(const std::string& command) {
  std::string name = "_hornbeam";
  if (!command.empty()) name += "_" + command;
  for (char& c : name) {
    if (c == ' ' || c == '-') c = '_';
  }
  return name;
}

std::string action_of(const Taken& taken) {
  switch (taken.kind) {
    case Taken::Kind::words:
      return fmt::format("({})", fmt::join(taken.words, " "));
    case Taken::Kind::file:
      return "_files";
    case Taken::Kind::folder:
      return "_files -/";
    case Taken::Kind::setting:
      return "_hornbeam_settings";
    case Taken::Kind::nothing:
    case Taken::Kind::text:
      break;
  }
  return " ";
}

/// ":what:action"
std::string value_of(const Taken& taken, const std::string& what) {
  const std::string words = taken.kind == Taken::Kind::words ? "word" : with_backslashes(what, ":\\");
  return fmt::format(":{}:{}", words, action_of(taken));
}

std::string option_spec(const Taken& option) {
  const bool takes_value = option.kind != Taken::Kind::nothing;
  const std::string help = "[" + with_backslashes(option.help, "[]:\\") + "]";
  const std::string value = takes_value ? value_of(option, option.type) : "";
  std::string specs;
  for (const std::string& name : option.names) {
    const std::string others =
        option.several || option.names.size() < 2 ? "" : fmt::format("({})", fmt::join(option.names, " "));
    const std::string sign = takes_value && name.starts_with("--") ? "=" : "";
    specs += " \\\n    " + quoted((option.several ? "*" : "") + others + name + sign + help + value);
  }
  return specs;
}

std::string commands_of(const Command& command) {
  std::string text = "  case $state in\n    command)\n      local -a names=(\n";
  for (const Command& inner : command.commands) {
    const std::string name = inner.name.substr(inner.name.rfind(' ') + 1);
    text += "        " + quoted(name + ":" + with_backslashes(inner.summary, "\\")) + "\n";
  }
  text += "      )\n      _describe -t commands command names && ret=0 ;;\n    arguments)\n";
  text += "      local name=" + function_of(command.name) + "_${line[1]//-/_}\n";
  return text + "      (( $+functions[$name] )) && $name && ret=0 ;;\n  esac\n";
}

std::string function_text(const Command& command) {
  std::string text = fmt::format("\n{}() {{\n", function_of(command.name));
  text += "  local curcontext=\"$curcontext\" state line ret=1\n  typeset -A opt_args\n  _arguments -C";
  for (const Taken& option : command.options) text += option_spec(option);
  for (std::size_t i = 0; i < command.places.size(); ++i) {
    const Taken& place = command.places[i];
    const std::string where = place.several ? "*" : std::to_string(i + 1);
    text += " \\\n    " + quoted(where + value_of(place, place.names.front()));
  }
  if (!command.commands.empty()) text += " \\\n    '1: :->command' '*:: :->arguments'";
  text += " && ret=0\n";
  if (!command.commands.empty()) text += commands_of(command);
  return text + "  return ret\n}\n";
}

std::string settings_text(const std::vector<Setting>& settings) {
  std::string keys, cases;
  for (const Setting& setting : settings) {
    keys += "    " + quoted(setting.name + ":" + with_backslashes(setting.help, "\\")) + "\n";
    if (setting.words.empty()) continue;
    cases += fmt::format("      {}) words=({}) ;;\n", setting.name, fmt::join(setting.words, " "));
  }
  return "\n_hornbeam_settings() {\n  if compset -P '*='; then\n    local -a words=()\n    case ${${IPREFIX%=}##*=} "
         "in\n" +
         cases + "    esac\n    compadd -a words\n    return\n  fi\n  local -a keys=(\n" + keys +
         "  )\n  _describe -t settings setting keys -q -S =\n}\n";
}

}  // namespace

std::string zsh_completion(const Command& program, const std::vector<Setting>& settings) {
  std::string text = zsh_head + settings_text(settings);
  for_each_command(program, [&](const Command& command) { text += function_text(command); });
  return text + zsh_tail;
}

}  // namespace hornbeam::cli
