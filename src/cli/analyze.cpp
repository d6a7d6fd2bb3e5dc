// SPDX-License-Identifier: Apache-2.0
// `hornbeam analyze`: measures of snapshots as text, JSON or a CSV table.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "cli/analyze_measures.h"
#include "cli/common.h"
#include "cli/json_table.h"
#include "hornbeam/io.h"
#include "hornbeam/units.h"
#include "io/file.h"
#include "run/record.h"

namespace hornbeam::cli {
namespace {

struct AnalyzeCommand {
  std::vector<std::string> files, types;
  std::vector<const Measure*> measures;  ///< those asked for
  bool ring = false, groups = false, json = false;
  std::string csv;
  std::vector<double> edges;
  SimulationOptions options;  ///< of which eps is used
};

std::string flags_of_measures() {
  std::string text;
  for (const Measure& measure : measures()) text += (text.empty() ? "" : ", ") + measure.flag;
  return text;
}

void print_values(const Json& json, const std::string& indent) {
  for (const auto& [key, value] : json.items()) {
    if (value.is_object()) {
      fmt::print("{}{}\n", indent, key);
      print_values(value, indent + "  ");
    } else if (value.is_array()) {
      fmt::print("{}{:<18}{:.5g}\n", indent, key, fmt::join(value.get<std::vector<double>>(), " "));
    } else {
      fmt::print("{}{:<18}{:.6g}\n", indent, key, value.get<double>());
    }
  }
}

Json measured(const AnalyzeCommand& command, const MeasureSettings& settings, const Snapshot& snapshot) {
  Json json = Json::object();
  for (const Measure* measure : command.measures) json.update(measure->measure(snapshot, settings));
  return json;
}

/// Energies count the external potentials that the file's run has recorded; where it has not, a note says so.
void find_potentials(const AnalyzeCommand& command, const std::string& file, MeasureSettings& settings,
                     std::vector<std::string>& notes) {
  const auto wants = [](const Measure* measure) { return measure->flag == "--energy"; };
  if (std::none_of(command.measures.begin(), command.measures.end(), wants)) return;
  const auto recorded = run::potentials_of(read_record(file), file);
  settings.potentials = recorded.value_or(std::vector<ExternalPotential>{});
  if (!settings.potentials.empty()) {
    notes.push_back(fmt::format("energies with the run's {} external potentials", settings.potentials.size()));
  }
  if (!recorded) notes.emplace_back("the file does not say which external potentials acted: energies are without any");
}

void analyze(const AnalyzeCommand& command) {
  if (command.ring || command.groups) {
    throw UsageError(command.ring ? "--ring" : "--groups", "is not built in this version",
                     "there are " + flags_of_measures());
  }
  if (command.measures.empty()) throw UsageError("analyze", "nothing to measure", "give " + flags_of_measures());
  if (!command.csv.empty()) io::refuse_same_file(command.csv, {command.files.begin(), command.files.end()});
  MeasureSettings settings{command.options.gravity.eps, command.edges, {}};
  for (const std::string& type : command.types) settings.families.push_back(family_from_text(type));
  Json list = Json::array();
  std::vector<Json> rows;
  for (const std::string& file : command.files) {
    Snapshot snapshot = read_snapshot(file);
    snapshot.particles.validate(file);
    find_potentials(command, file, settings, snapshot.notes);
    for (const Measure* measure : command.measures) memory::demand_beside(snapshot.particles, measure->need());
    list.push_back(measured(command, settings, snapshot));
    rows.push_back({{"file", file}, {"time", snapshot.time}});
    rows.back().update(list.back());
    if (!command.json) {
      fmt::print("{}\n", file);
      print_notes(snapshot.notes);
      print_notes({"units: " + described(snapshot.units)});
      print_values(list.back(), "  ");
    }
    if (!settings.potentials.empty()) list.back()["external_potentials"] = settings.potentials.size();
  }
  if (!command.csv.empty()) io::replace_text(command.csv, csv_table(rows, "--csv"));
  if (command.json) fmt::print("{}\n", (list.size() == 1 ? list.front() : list).dump(2));
}

}  // namespace

void add_analyze(CLI::App& program) {
  CLI::App* command = program.add_subcommand("analyze", "Energies, radii and profiles of snapshots");
  const auto options = std::make_shared<AnalyzeCommand>();
  command->add_option("FILE", options->files, "snapshots")->required()->type_name("PATH");
  for (const Measure& measure : measures()) {
    command->add_flag_callback(
        measure.flag, [options, &measure] { options->measures.push_back(&measure); }, measure.help);
  }
  command->add_flag("--ring", options->ring, "not built yet");
  command->add_flag("--groups", options->groups, "not built yet");
  command->add_option("--types", options->types, "families that radii, profiles and anisotropy look at")
      ->type_name(family_words());
  command->add_option("--edges", options->edges, "radii that bound the bins of profiles, ascending");
  add_key_flags(*command, options->options, {"eps"});
  command->add_flag("--json", options->json, "one JSON object, or a list for several files");
  command->add_option("--csv", options->csv, "a table to write: a row for each file, or for each bin of each file")
      ->type_name("PATH");
  command->callback([options] { analyze(*options); });
}

}  // namespace hornbeam::cli
