// SPDX-License-Identifier: Apache-2.0
// Lists, unknown commands and misplaced options, see arguments.h.
#include "cli/shell/arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>

#include "cli/common.h"

namespace hornbeam::cli {
namespace {

/// "--eps", not "-5", which is a number.
bool is_flag(const std::string& text) {
  return text.size() > 1 && text[0] == '-' && std::isdigit(static_cast<unsigned char>(text[1])) == 0 && text[1] != '.';
}

bool is_number(const std::string& text) {
  try {
    number_from_text(text, "");
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

bool is_family(const std::string& text) {
  try {
    family_from_text(text);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

/// What distinguishes an item from a file, for each option that takes several.
const std::map<std::string, std::function<bool(const std::string&)>>& lists() {
  static const std::map<std::string, std::function<bool(const std::string&)>> known = {
      {"--edges", is_number},
      {"--types", is_family},
      {"--set", [](const std::string& text) { return text.find('=') != std::string::npos; }},
      {"--runs", [](const std::string& text) {
         return text == "direct" || text.starts_with("theta-") || text.starts_with("block-");
       }}};
  return known;
}

std::string flag_in(const std::string& flag) { return flag.substr(0, flag.find('=')); }

/// The value that `flag`, at `at`, was given: behind its = or as the next argument.
std::string value_of(const std::vector<std::string>& arguments, std::size_t at) {
  if (at >= arguments.size()) return "VALUE";
  const std::size_t sign = arguments[at].find('=');
  if (sign != std::string::npos) return arguments[at].substr(sign + 1);
  const bool follows = at + 1 < arguments.size() && !is_flag(arguments[at + 1]);
  return follows ? arguments[at + 1] : "VALUE";
}

std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_snames()) flags.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  }
  return flags;
}

/// Keys of the configuration called `flag`, as `run` takes them on its command line: "--set gravity.eps=0.1".
std::string as_settings(const std::string& flag, const std::string& value) {
  std::vector<std::string> settings;
  for (const Key& key : keys()) {
    if (key.flag() == flag) settings.push_back(fmt::format("--set {}.{}={}", key.section, key.name, value));
  }
  return fmt::format("{}", fmt::join(settings, " or "));
}

std::vector<std::string> commands_with(const CLI::App* program, const std::string& flag) {
  std::vector<std::string> names;
  if (program == nullptr) return names;
  for (const CLI::App* other : program->get_subcommands([](const CLI::App*) { return true; })) {
    const std::vector<std::string> flags = flags_of(*other);
    if (std::find(flags.begin(), flags.end(), flag) != flags.end()) names.push_back("hornbeam " + other->get_name());
  }
  return names;
}

/// "did you mean --theta?" of what `command` knows, its configuration's keys among it; else all its options.
std::string nearest_of(const CLI::App& command, const std::string& flag, const std::string& value) {
  std::vector<std::string> known = flags_of(command);
  const std::vector<std::string> own = known;
  if (command.get_name() == "run") {
    for (const Key& key : keys()) known.push_back(key.flag());
  }
  const auto word = [](const std::string& name) {  // letters count, not the dashes that all have
    return name.substr(std::min(name.find_first_not_of('-'), name.size()), 64);
  };
  const auto distance = [&](const std::string& name) { return run::edit_distance(word(flag), word(name)); };
  const auto nearest = std::min_element(known.begin(), known.end(),
                                        [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  if (nearest == known.end() || 2 * distance(*nearest) > word(flag).size()) {
    return fmt::format("known: {}", fmt::join(own, ", "));
  }
  const bool is_own = std::find(own.begin(), own.end(), *nearest) != own.end();
  return fmt::format("did you mean {}?", is_own ? *nearest : as_settings(*nearest, value));
}

/// What to write in place of the unknown option at `at`.
std::string instead_of(const CLI::App& command, const std::vector<std::string>& arguments, std::size_t at) {
  std::string flag = flag_in(arguments.at(at));
  if (flag.size() > 2) std::replace(flag.begin() + 2, flag.end(), '_', '-');
  const std::string value = value_of(arguments, at);
  const std::vector<std::string> own = flags_of(command);
  const bool is_own = std::find(own.begin(), own.end(), flag) != own.end();
  const std::string settings = command.get_name() == "run" && !is_own ? as_settings(flag, value) : "";
  if (!settings.empty()) return "write " + settings;
  const std::vector<std::string> others = commands_with(command.get_parent(), flag);
  if (!is_own && !others.empty()) return fmt::format("it is an option of {}", fmt::join(others, ", "));
  return nearest_of(command, flag, value);
}

std::string full_name(const CLI::App& command) {
  return command.get_parent() == nullptr ? command.get_name() : "hornbeam " + command.get_name();
}

UsageError unknown_command(const CLI::App& program, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return {word, "is no command of hornbeam", suggestion(word, names)};
}

}  // namespace

std::vector<std::string> with_lists_apart(const std::vector<std::string>& arguments) {
  std::vector<std::string> apart;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto list = lists().find(flag_in(arguments[i]));
    if (list == lists().end()) {
      apart.push_back(arguments[i]);
      continue;
    }
    const bool has_first = arguments[i].find('=') != std::string::npos;
    if (has_first || i + 1 == arguments.size() || is_flag(arguments[i + 1])) {
      apart.push_back(arguments[i]);
    } else {
      apart.push_back(list->first + "=" + arguments[++i]);
    }
    while (i + 1 < arguments.size() && !is_flag(arguments[i + 1]) && list->second(arguments[i + 1])) {
      apart.push_back(list->first + "=" + arguments[++i]);
    }
  }
  return apart;
}

UsageError explained(const CLI::ParseError& error, const CLI::App& command, const std::vector<std::string>& arguments) {
  const std::vector<std::string> extras = command.remaining();
  const std::vector<CLI::App*> chosen = command.get_subcommands();
  const std::string help = "try " + full_name(command) + " --help";
  if (command.get_name() == "hornbeam") {
    if (extras.empty() && !chosen.empty()) return explained(error, *chosen.front(), arguments);
    if (extras.empty()) return {"hornbeam", error.what(), help};
    const std::string first = flag_in(extras.front());
    if (!is_flag(first)) return unknown_command(command, first);
    return {first, "comes before the command", "write hornbeam COMMAND " + first + "; " + help};
  }
  const auto unknown = std::find_if(extras.begin(), extras.end(), is_flag);
  if (unknown != extras.end()) {
    const auto at = std::find(arguments.begin(), arguments.end(), *unknown) - arguments.begin();
    return {flag_in(*unknown), "is no option of " + full_name(command),
            instead_of(command, arguments, static_cast<std::size_t>(at))};
  }
  if (extras.empty()) return {full_name(command), error.what(), help};
  return {extras.front(), "is one argument more than " + full_name(command) + " takes", help};
}

}  // namespace hornbeam::cli
