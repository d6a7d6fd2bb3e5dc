// SPDX-License-Identifier: Apache-2.0
// `hornbeam analyze`: measures of snapshots as text, JSON, a CSV table or a plot.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "cli/analyze/groups.h"
#include "cli/analyze/measures.h"
#include "cli/analyze/plot.h"
#include "cli/analyze/surroundings.h"
#include "cli/common.h"
#include "cli/failures.h"
#include "cli/output/json_table.h"
#include "cli/output/measure_text.h"
#include "cli/output/plot_views.h"
#include "hornbeam/io.h"
#include "hornbeam/units.h"
#include "io/files/file.h"
#include "run/config/unit_text.h"

namespace hornbeam::cli {
namespace {

struct AnalyzeCommand {
  std::vector<std::string> files, types;
  std::vector<const Measure*> measures;  ///< those requested
  bool json = false;
  std::string csv, plot;
  std::vector<double> edges;
  SimulationOptions options;  ///< of which eps and, for groups, backend, device and threads are used
  MeasureSettings settings;
  ReadOptions reading;
  bool gives_planet_density = false;
  std::string model;           ///< of --exact; empty: as the record says
  std::optional<Units> units;  ///< of --units
};

bool asks_for(const AnalyzeCommand& command, const std::string& flag) { return asks_for(command.measures, flag); }

std::string flags_of_measures() {
  std::string text;
  for (const Measure& measure : measures()) text += (text.empty() ? "" : ", ") + measure.flag;
  return text;
}

/// What came of one file: of each measure that was requested, an object or why there is none.
struct Result {
  std::string file;
  double shown_time = 0.0;  ///< in the unit of shown_time()
  Units units;
  std::vector<std::string> notes;
  std::size_t potentials = 0;       ///< external ones that energies count
  std::vector<Json> values;         ///< of the measures in turn; null where it failed
  std::vector<std::string> failed;  ///< next to it: why
  Json views = Json::array();       ///< pictures of it for --plot
};

/// Of the measures that did not fail.
std::vector<std::string> flags_of(const AnalyzeCommand& command, const std::vector<std::string>& failed) {
  std::vector<std::string> flags;
  for (std::size_t i = 0; i < failed.size(); ++i) {
    if (failed[i].empty()) flags.push_back(command.measures[i]->flag);
  }
  return flags;
}

/// viewed: whether --plot shows pictures of it.
Result measured(const AnalyzeCommand& command, MeasureSettings settings, const std::string& file, bool viewed,
                Failures& failures) {
  Result result{.file = file, .units = {}, .notes = {}, .values = {}, .failed = {}};
  settings.file = file;
  const std::size_t n = command.measures.size();
  result.values.resize(n);
  result.failed.resize(n);
  Snapshot snapshot;
  const std::string unread = failures.of(file, "", [&] {
    ReadOptions reading = command.reading;
    reading.positions_alone = std::none_of(command.measures.begin(), command.measures.end(),
                                           [](const Measure* measure) { return measure->needs_velocities; });
    snapshot = read_snapshot(file, {}, reading);
    snapshot.particles.validate(file);
    find_surroundings(command.measures, command.model, file, settings, snapshot);
    if (command.units) convert_all(snapshot, settings, *command.units);
    snapshot.notes.push_back("units: " + described(snapshot.units));
  });
  result.shown_time = snapshot.time * shown_time(snapshot.units).per_unit;
  result.units = snapshot.units;
  result.notes = snapshot.notes;
  result.potentials = settings.potentials.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Measure& measure = *command.measures[i];
    result.failed[i] = !unread.empty() ? unread : failures.of(file, measure.flag, [&] {
      memory::demand_beside(snapshot.particles, measure.need(snapshot, settings));
      result.values[i] = measure.measure(snapshot, settings);
      if (result.values[i].value("groups", Json::object()).contains("spans_box")) {
        result.notes.emplace_back("groups marked spans_box are as long as the box and have no centre and no radii");
      }
    });
  }
  if (viewed && unread.empty()) {
    failures.of(file, "--plot", [&] {
      result.views = plot_views(snapshot, file, flags_of(command, result.failed), settings.families);
    });
  }
  return result;
}

bool has_any(const Result& result) {
  return !result.views.empty() ||
         std::any_of(result.failed.begin(), result.failed.end(), [](const std::string& why) { return why.empty(); });
}
bool has_all(const Result& result) {
  return std::all_of(result.failed.begin(), result.failed.end(), [](const std::string& why) { return why.empty(); });
}

std::string name_of(const Measure& measure) { return measure.flag.substr(2); }

/// All that was measured, in one object.
Json together(const AnalyzeCommand& command, const Result& result) {
  Json json = Json::object(), errors = Json::object();
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    if (result.failed[i].empty()) {
      json.update(result.values[i]);
    } else {
      errors[name_of(*command.measures[i])] = result.failed[i];
    }
  }
  if (!errors.empty()) json["errors"] = errors;
  return json;
}

void print_result(const AnalyzeCommand& command, const Result& result) {
  const std::string unit = run::shown_unit_of("time", result.units);
  fmt::print("{}, time {:.6g}{}\n", result.file, result.shown_time, unit.empty() ? "" : " [" + unit + "]");
  print_notes(result.notes);
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    fmt::print("  {}{}\n", name_of(*command.measures[i]),
               result.failed[i].empty() ? "" : ": failed: " + result.failed[i]);
    if (result.failed[i].empty()) fmt::print("{}", measure_text(result.values[i], result.units));
  }
}

/// One table or plot has one unit for each of its columns.
void demand_one_system(const std::vector<Result>& results, const std::string& flag) {
  for (const Result& result : results) {
    const Result& first = results.front();
    if (agree(result.units, first.units)) continue;
    throw UsageError(flag,
                     fmt::format("{} is in {}, and {} in {}", first.file, described(first.units), result.file,
                                 described(result.units)),
                     "measure each with its own " + flag + ", or convert them to the same units");
  }
}

void write_table(const AnalyzeCommand& command, const std::vector<Result>& results) {
  std::vector<Json> rows;
  for (const Result& result : results) {
    if (!has_all(result)) continue;
    rows.push_back({{"file", result.file}, {"time", 0}});
    rows.back().update(together(command, result));
    rows.back()["time"] = result.shown_time;
  }
  if (!rows.empty())
    io::replace_text(command.csv, csv_table(rows, "--csv", [&](const std::string& key) {
                       return run::shown_unit_of(key, results.front().units);
                     }));
}

void add_units(const Json& values, const Units& units, Json& known) {
  for (const auto& [key, value] : values.items()) {
    known[key] = run::shown_unit_of(key, units);
    if (value.is_object()) add_units(value, units, known);
  }
}

void draw_plot(const AnalyzeCommand& command, const std::vector<Result>& results) {
  const Units& units = results.front().units;
  Json plot = {{"units", Json::object()}, {"views", Json::array()}, {"measures", Json::array()}};
  for (const char* key : {"time", "position", "surface_density"}) plot["units"][key] = run::shown_unit_of(key, units);
  for (const Result& result : results) {
    for (const Json& view : result.views) plot["views"].push_back(view);
  }
  for (std::size_t i = 0; i < command.measures.size(); ++i) {
    Json rows = Json::array();
    for (const Result& result : results) {
      if (!result.failed[i].empty()) continue;
      rows.push_back({{"file", result.file}, {"time", result.shown_time}, {"values", result.values[i]}});
      add_units(result.values[i], result.units, plot["units"]);
    }
    plot["measures"].push_back({{"name", name_of(*command.measures[i])}, {"rows", rows}});
  }
  plot_measures(command.plot, plot);
  if (!command.json) fmt::print("plot in {}\n", command.plot);
}

void check_request(const AnalyzeCommand& command) {
  const bool pictures_alone = !command.plot.empty() && command.csv.empty() && !command.json;
  if (command.measures.empty() && !pictures_alone) {
    throw UsageError("analyze", "received no measure", "give " + flags_of_measures());
  }
  if (!command.plot.empty()) check_plot(command.plot);
  if (command.measures.empty() && command.files.size() > most_views) {
    throw UsageError("--plot", fmt::format("received {} files and no measure", command.files.size()),
                     fmt::format("give at most {}, which are drawn side by side, or use hornbeam movie", most_views));
  }
  const std::vector<std::string>& of_groups = command.settings.group_flags;
  if (!of_groups.empty() && !asks_for(command, "--groups")) {
    throw UsageError(of_groups.front(), "is an option of --groups", "give --groups, too");
  }
  if (command.gives_planet_density) {
    if (!asks_for(command, "--disc-mass")) {
      throw UsageError("--planet-density", "is an option of --disc-mass", "give --disc-mass, too");
    }
    const double density = command.settings.planet_density;
    if (!(density > 0)) throw UsageError("--planet-density", fmt::format("received {}", density), "give more than 0");
  }
  if (command.units && asks_for(command, "--exact")) {
    throw UsageError("--units", "cannot be combined with --exact, which knows the model only in the units of its run",
                     "leave one of them out");
  }
  if (!command.model.empty() && !asks_for(command, "--exact")) {
    throw UsageError("--model", "is an option of --exact", "give --exact, too");
  }
  check_group_files(command.settings, command.files.size());
  for (const std::string& output :
       {command.csv, command.plot, command.settings.group_file, command.settings.sorted_file}) {
    if (!output.empty()) io::refuse_same_file(output, {command.files.begin(), command.files.end()});
  }
}

void analyze(const AnalyzeCommand& command) {
  check_request(command);
  MeasureSettings settings = command.settings;
  settings.eps = command.options.gravity.eps;
  settings.groups.backend = command.options.backend;
  settings.groups.device = command.options.device;
  settings.groups.threads = command.options.threads;
  settings.edges = command.edges;
  settings.draws = !command.plot.empty();
  for (const std::string& type : command.types) settings.families.push_back(family_from_text(type));
  Failures failures;
  std::vector<Result> results;
  const std::string &first = command.files.front(), &last = command.files.back();
  for (const std::string& file : command.files) {
    const bool viewed = !command.plot.empty() && (command.measures.empty() || &file == &first || &file == &last);
    results.push_back(measured(command, settings, file, viewed, failures));
  }
  if (std::none_of(results.begin(), results.end(), has_any)) return failures.rethrow();
  std::vector<Result> read;
  std::copy_if(results.begin(), results.end(), std::back_inserter(read), has_any);
  if (!command.csv.empty()) demand_one_system(read, "--csv");
  if (!command.plot.empty()) demand_one_system(read, "--plot");
  Json list = Json::array();
  for (const Result& result : results) {
    if (!command.json) print_result(command, result);
    if (!command.json) print_group_lines(command.settings, result.units);
    list.push_back(together(command, result));
    if (result.potentials > 0) list.back()["external_potentials"] = result.potentials;
  }
  if (command.json) fmt::print("{}\n", (list.size() == 1 ? list.front() : list).dump(2));
  if (!command.csv.empty()) write_table(command, read);
  if (!command.plot.empty()) draw_plot(command, read);
  failures.rethrow();
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
  command->add_option("--types", options->types, "families whose radii, profiles and anisotropy are measured")
      ->allow_extra_args(false)
      ->type_name(family_words());
  command->add_option("--edges", options->edges, "edges of the bins of profiles, ascending")->allow_extra_args(false);
  add_key_flags(*command, options->options, {"eps", "backend", "device", "threads"});
  command
      ->add_option_function<std::string>(
          "--planet-density",
          [options](const std::string& text) {
            options->settings.planet_density = number_from_text(text, "--planet-density");
            options->gives_planet_density = true;
          },
          "mean density of the planet of --disc-mass (default: that of its particles)")
      ->type_name("FLOAT");
  command
      ->add_option("--model", options->model,
                   "model of the gas for --exact, with its usual options, if the file's run does not name it")
      ->type_name("MODEL");
  add_group_flags(*command, {options, &options->settings});
  add_reading_flags(*command, options->reading);
  add_units_flag(*command, options->units);
  command->add_flag("--json", options->json, "print one JSON object, or a list for several files");
  command->add_option("--csv", options->csv, "CSV file to write: a row for each file, or for each bin of each file")
      ->type_name("PATH");
  command
      ->add_option("--plot", options->plot,
                   "picture of all measures, or of the snapshots if no measure is given (needs Python with matplotlib)")
      ->type_name("PNG");
  command->callback([options] { analyze(*options); });
}

}  // namespace hornbeam::cli
