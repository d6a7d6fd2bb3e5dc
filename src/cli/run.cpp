// SPDX-License-Identifier: Apache-2.0
// `hornbeam run`: from a configuration to a folder of snapshots. Before it: config.cpp; it drives a Simulation.
#include "cli/run.h"

#include <fmt/format.h>

#include <memory>

#include "backend/backend.h"
#include "cli/common.h"
#include "cli/config.h"
#include "cli/memory_plan.h"
#include "cli/run_directory.h"
#include "cli/saved_run.h"
#include "cli/schedule.h"
#include "hornbeam/error.h"
#include "hornbeam/io.h"
#include "io/file.h"

namespace hornbeam::cli {
namespace {

struct RunCommand {
  std::string file;
  std::vector<std::string> overrides;
  bool resume = false, overwrite = false, allow_changes = false;
};

/// Refuses a run that will not find memory, on the device or here, before minutes go into drawing its particles.
void admit(const RunConfig& config) {
  if (!config.ic || !config.ic->n) return;
  const SimulationOptions& o = config.simulation;
  const std::uint64_t n = *config.ic->n;
  const auto backend = open_backend(o.backend, o.device, o.threads);
  memory::demand(n, memory::particles() + run_need(*backend, config, false));
  backend->admit(n, o.gravity, held_by_run(o, false));
}

/// The same for particles that are here already.
void admit(const RunConfig& config, const Particles& particles) {
  const SimulationOptions& o = config.simulation;
  const auto backend = open_backend(o.backend, o.device, o.threads);
  memory::demand_beside(particles, run_need(*backend, config, o.gravity.eps < 0 && !particles.eps.empty()));
}

RunStart fresh_start(RunConfig& config, const std::filesystem::path& folder) {
  admit(config);
  RunStart start;
  start.snapshot = config.ic ? draw(*config.ic, folder) : read_snapshot(folder / config.input_file);
  if (!config.ic) admit(config, start.snapshot.particles);
  if (config.units) start.snapshot.units = *config.units;
  start.time = start.snapshot.time;
  return start;
}

/// What of `then`, the configuration that wrote the checkpoint, `now` has otherwise: "time/dt: was 0.1, is 0.2".
/// Outputs, the end, the watchdog, and which threads and device do the same work may change freely.
std::vector<std::string> changes(const Json& then, const Json& now) {
  std::vector<std::string> found;
  for (const char* section : {"input", "ic", "units", "gravity", "potential", "time", "device", "boundary"}) {
    const Json before = then.value(section, Json()).flatten(), after = now.value(section, Json()).flatten();
    Json all = before;
    all.update(after);
    for (const auto& [key, value] : all.items()) {
      const std::string path = section + key;
      const bool free = path == "device/threads" || path == "device/device" || path == "time/end";
      const Json was = before.value(key, Json()), is = after.value(key, Json());
      if (!free && was != is) found.push_back(fmt::format("{}: was {}, is {}", path, was.dump(), is.dump()));
    }
  }
  return found;
}

/// Throws UsageError for changes nobody allowed; says them else. Returns whether there are any.
bool settle_changes(const std::vector<std::string>& found, bool allowed) {
  if (found.empty()) return false;
  std::string list;
  for (const std::string& change : found) list += (list.empty() ? "" : "; ") + change;
  if (!allowed) {
    throw UsageError("--resume", "the configuration is not the one that wrote the checkpoint: " + list,
                     "put it back, or give --allow-changes");
  }
  print_notes({"resuming with changes: " + list});
  return true;
}

RunStart resumed_start(RunConfig& config, const RunDirectory& directory, bool allow_changes) {
  std::vector<std::string> notes;
  Checkpoint checkpoint = directory.read_checkpoint(
      notes, [](const Checkpoint& candidate, const std::string& subject) { saved_run(candidate, subject); });
  print_notes(notes);
  const SavedRun saved = saved_run(checkpoint, directory.path().string());
  RunStart start;
  start.changed = settle_changes(changes(saved.configuration, to_json(config)), allow_changes);
  if (!start.changed) {  // sizes and costs that the device chose
    config.simulation.gravity.leaf_size = saved.leaf_size;
    config.simulation.gravity.group_size = saved.group_size;
    config.simulation.costs = saved.costs;
  }
  start.time = saved.start_time;
  start.usual_speed = saved.usual_speed;
  start.so_far = saved.so_far;
  start.step = checkpoint.step;
  start.initial_energy = checkpoint.initial_energy;
  start.snapshot = std::move(checkpoint.snapshot);
  admit(config, start.snapshot.particles);
  return start;
}

void run(const RunCommand& command) {
  if (command.resume && command.overwrite) {
    throw UsageError("--resume", "cannot be combined with --overwrite", "give one of them");
  }
  if (command.allow_changes && !command.resume) {
    throw UsageError("--allow-changes", "is for --resume", "give both, or neither");
  }
  RunConfig config = parse_config(io::read_text(command.file), command.overrides, command.file);
  const Json asked = to_json(config);
  using Mode = RunDirectory::Mode;
  const OutputPlan& plan = config.output;
  if (command.resume) {
    RunDirectory directory(plan.directory, plan.formats, Mode::resume);
    RunStart start = resumed_start(config, directory, command.allow_changes);
    check_times(plan, start.time, config.end, config.simulation.dt);
    run_to_the_end(config, asked, std::move(start), directory);
  } else {
    const std::filesystem::path folder = std::filesystem::path(command.file).parent_path();
    if (command.overwrite && !config.ic) RunDirectory::refuse_input(plan.directory, folder / config.input_file);
    RunStart start = fresh_start(config, folder);
    check_times(plan, start.time, config.end, config.simulation.dt);
    RunDirectory directory(plan.directory, plan.formats, command.overwrite ? Mode::overwrite : Mode::fresh);
    run_to_the_end(config, asked, std::move(start), directory);
  }
}

}  // namespace

void add_run(CLI::App& program) {
  CLI::App* command = program.add_subcommand("run", "Simulate as a TOML file says");
  const auto options = std::make_shared<RunCommand>();
  command->add_option("CONFIG", options->file, "TOML file")->required();
  command->add_option("--set", options->overrides, "section.key=value, over what the file says");
  for (const Key& key : keys()) {
    if (std::string(key.section) != "device") continue;
    command->add_option_function<std::string>(
        key.flag(),
        [options, &key](const std::string& text) {
          options->overrides.push_back(fmt::format("{}.{}={}", key.section, key.name, text));
        },
        key.help);
  }
  command->add_flag("--resume", options->resume, "continue from the checkpoint in output.directory");
  command->add_flag("--allow-changes", options->allow_changes, "with --resume: go on with another configuration");
  command->add_flag("--overwrite", options->overwrite, "replace the files of an earlier run in output.directory");
  command->callback([options] { run(*options); });
}

}  // namespace hornbeam::cli
