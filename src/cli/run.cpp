// SPDX-License-Identifier: Apache-2.0
// `hornbeam run`: from a configuration to a folder of snapshots. Before it: config.cpp; it drives a Simulation.
#include "cli/run.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

#include "backend/backend.h"
#include "cli/common.h"
#include "cli/config.h"
#include "cli/run_directory.h"
#include "hornbeam/error.h"
#include "hornbeam/io.h"
#include "hornbeam/version.h"

namespace hornbeam::cli {
namespace {

struct RunCommand {
  std::string file;
  std::vector<std::string> overrides;
  bool resume = false, overwrite = false;
};

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.is_open() || file.bad()) {
    throw Error(path, std::string("cannot be read: ") + std::strerror(errno), "give a TOML file");
  }
  return text;
}

RunStart fresh_start(RunConfig& config, const std::filesystem::path& folder) {
  RunStart start;
  start.snapshot = config.ic ? draw(*config.ic, folder) : read_snapshot(folder / config.input_file);
  if (config.units) start.snapshot.units = *config.units;
  start.time = start.snapshot.time;
  return start;
}

/// Throws UsageError where `now` would not continue the run that `then` began.
void refuse_changes(const Json& then, const Json& now) {
  for (const char* section : {"input", "ic", "units", "gravity", "device", "boundary"}) {
    const Json before = then.value(section, Json()), after = now.value(section, Json());
    const Json differences = Json::diff(before, after);
    for (const Json& difference : differences) {
      const std::string path = std::string(section) + difference.value("path", "");
      const bool free = path == "device/threads" || path == "device/device";
      if (!free) {
        throw UsageError(path, "differs from the run that wrote the checkpoint (" + before.dump() + ")",
                         "put it back, or start a new run with the last snapshot as [input] file");
      }
    }
  }
  if (then["time"]["dt"] != now["time"]["dt"]) {
    throw UsageError("time.dt", "was " + then["time"]["dt"].dump() + " when the checkpoint was written",
                     "put it back, or start a new run with the last snapshot as [input] file");
  }
}

RunStart resumed_start(RunConfig& config, const RunDirectory& directory) {
  Checkpoint checkpoint = directory.read_checkpoint();
  const Json saved = Json::parse(checkpoint.configuration, nullptr, false);
  if (!saved.is_object() || !saved.contains("configuration")) {
    throw Error((directory.path() / "checkpoint.hdf5").string(), "does not hold the configuration of a run",
                "start a new run with the last snapshot as [input] file");
  }
  refuse_changes(saved["configuration"], to_json(config));
  config.simulation.gravity.leaf_size = saved["sizes"]["leaf_size"];
  config.simulation.gravity.group_size = saved["sizes"]["group_size"];
  RunStart start;
  start.time = saved["start_time"];
  start.step = checkpoint.step;
  start.initial_energy = checkpoint.initial_energy;
  start.snapshot = std::move(checkpoint.snapshot);
  return start;
}

void run(const RunCommand& command) {
  if (command.resume && command.overwrite) {
    throw UsageError("--resume", "cannot be combined with --overwrite", "give one of them");
  }
  RunConfig config = parse_config(read_text(command.file), command.overrides, command.file);
  const Json asked = to_json(config);
  const auto open = [&](RunDirectory::Mode mode) {
    return RunDirectory(config.output.directory, config.output.formats, mode);
  };
  if (command.resume) {
    RunDirectory directory = open(RunDirectory::Mode::resume);
    RunStart start = resumed_start(config, directory);
    run_to_the_end(config, asked, std::move(start), directory);
  } else {
    RunStart start = fresh_start(config, std::filesystem::path(command.file).parent_path());
    RunDirectory directory = open(command.overwrite ? RunDirectory::Mode::overwrite : RunDirectory::Mode::fresh);
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
  command->add_flag("--overwrite", options->overwrite, "replace the files of an earlier run in output.directory");
  command->callback([options] { run(*options); });
}

}  // namespace hornbeam::cli
