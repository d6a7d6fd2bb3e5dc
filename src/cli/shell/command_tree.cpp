// SPDX-License-Identifier: Apache-2.0
// Walks the parsers of CLI11, see command_tree.h.
#include "cli/shell/command_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cli/common.h"
#include "cli/ic.h"
#include "hornbeam/units.h"
#include "io/formats.h"

namespace hornbeam::cli {
namespace {

std::vector<std::string> texts(const std::vector<std::string_view>& views) { return {views.begin(), views.end()}; }

/// "{plummer,spline}"
std::vector<std::string> words_in_braces(const std::string& type) {
  std::vector<std::string> words;
  if (type.size() < 3 || type.front() != '{' || type.back() != '}') return words;
  for (std::size_t at = 1; at < type.size();) {
    const std::size_t end = std::min(type.find(',', at), type.size() - 1);
    words.push_back(type.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

/// The words that may replace what --help calls `type`; none where they cannot be told.
std::vector<std::string> words_of(const std::string& type) {
  if (type == "FORMAT") return texts(io::format_names());
  if (type == "UNITS") return texts(unit_systems());
  if (type != "MODEL") return words_in_braces(type);
  std::vector<std::string> models;
  for (const ics::Model& model : ics::models()) models.push_back(model.name);
  return models;
}

Taken::Kind kind_of(const Taken& taken) {
  if (!taken.words.empty()) return Taken::Kind::words;
  if (taken.type == setting_type) return Taken::Kind::setting;
  if (taken.names.front() == "DIR") return Taken::Kind::folder;
  return taken.type == "PATH" || taken.type == "PNG" ? Taken::Kind::file : Taken::Kind::text;
}

Taken taken(const CLI::Option& option) {
  Taken result;
  for (const std::string& name : option.get_snames()) result.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) result.names.push_back("--" + name);
  if (option.get_positional()) result.names = {option.get_name(true)};
  result.help = option.get_description();
  result.required = option.get_required();
  if (option.get_items_expected_max() == 0) {
    result.kind = Taken::Kind::nothing;
    return result;
  }
  result.type = option.get_type_name();
  result.words = words_of(result.type);
  result.kind = kind_of(result);
  result.several = option.get_items_expected_max() > 1;
  return result;
}

Command command_of(const CLI::App& app, const std::string& name) {
  Command command{.name = name, .summary = app.get_description(), .options = {}, .places = {}, .commands = {}};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // not in --help either
    const Taken found = taken(*option);
    (found.is_place() ? command.places : command.options).push_back(found);
  }
  for (const CLI::App* inner : app.get_subcommands([](const CLI::App*) { return true; })) {
    command.commands.push_back(command_of(*inner, name + (name.empty() ? "" : " ") + inner->get_name()));
  }
  if (name != "ic") return command;
  for (const ics::Model& model : ics::models()) {  // which have parsers of their own
    command.commands.push_back(command_of(*ModelCommand(model).parser, name + " " + model.name));
  }
  return command;
}

/// Keys of models as [ic] has them, each once.
void add_model_settings(std::vector<Setting>& all) {
  std::set<std::string> known;
  for (const Setting& setting : all) known.insert(setting.name);
  for (const ics::Model& model : ics::models()) {
    for (const ics::Option& option : model.options) {
      std::string name = "ic." + option.name;
      std::replace(name.begin(), name.end(), '-', '_');
      if (known.insert(name).second) all.push_back({name, option.help, words_in_braces(option.type)});
    }
  }
}

}  // namespace

Command tree_of(const CLI::App& program) { return command_of(program, ""); }

std::vector<Setting> settings() {
  std::vector<Setting> all;
  bool in_ic = false;
  for (const Key& key : keys()) {
    if (in_ic && key.section != "ic") add_model_settings(all);
    in_ic = key.section == "ic";
    all.push_back({key.section + "." + key.name, key.help, words_of(key.type())});
  }
  return all;
}

}  // namespace hornbeam::cli
