// SPDX-License-Identifier: Apache-2.0
// What several commands share: flags from the table of keys, particles from a file or a model, reports as JSON.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/exit_status.h"
#include "cli/names.h"
#include "hornbeam/error.h"
#include "hornbeam/gravity.h"
#include "hornbeam/io.h"
#include "hornbeam/particles.h"
#include "run/records/figures.h"

namespace hornbeam::cli {

// Each adds its command to the program; the command's work runs when the command line names it.
void add_info(CLI::App& program);
void add_selftest(CLI::App& program);
void add_init(CLI::App& program);
void add_ic(CLI::App& program);
void add_run(CLI::App& program);
void add_force(CLI::App& program);
void add_neighbours(CLI::App& program);
void add_convert(CLI::App& program);
void add_analyze(CLI::App& program);
void add_render(CLI::App& program);
void add_movie(CLI::App& program);
void add_view(CLI::App& program);
void add_completion(CLI::App& program);
void add_man(CLI::App& program);

/// Reads the command line as `program` says, and so runs what it asks for; returns how the program ends, as
/// run_command().
Exit parse_and_run(CLI::App& program, int argc, char** argv);

/// The flag of each key in `names` (empty: of all), setting `options` while the command line is read.
void add_key_flags(CLI::App& command, SimulationOptions& options, const std::vector<std::string>& names = {});

/// -n and --seed as commands spell them; `request` must outlive the parsing.
void add_model_flags(CLI::App& command, ModelRequest& request);

/// --physical and --blocks; `reading` must outlive the parsing.
void add_reading_flags(CLI::App& command, ReadOptions& reading);

/// --units; `units` must outlive the parsing.
void add_units_flag(CLI::App& command, std::optional<Units>& units);

/// The value called `text`; throws UsageError(flag, ...) naming the nearest known one.
template <class Value>
Value among(const std::map<std::string, Value>& known, const std::string& text, const std::string& flag) {
  const auto found = known.find(text);
  if (found != known.end()) return found->second;
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const auto& [name, value] : known) names.push_back(name);
  throw UsageError(flag, "received " + text, suggestion(text, names));
}
/// The family that --types calls `text` ("black-hole").
Family family_from_text(const std::string& text);

/// "{gas,halo,...}", as --help shows what --types takes.
std::string family_words();

/// Families as --types calls them: "halo, black-hole".
std::string words_of(const std::vector<Family>& families);

/// One line for each note, to stdout.
void print_notes(const std::vector<std::string>& notes);

}  // namespace hornbeam::cli
