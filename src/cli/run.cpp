// SPDX-License-Identifier: Apache-2.0
// `hornbeam run`: from a configuration to a folder of snapshots. Before it: the command line; after it: src/run/.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/common.h"
#include "cli/output/run_report.h"
#include "cli/shell/command_tree.h"
#include "hornbeam/error.h"
#include "io/files/file.h"
#include "run/config/config.h"
#include "run/session/loop.h"
#include "run/session/start.h"

namespace hornbeam::cli {
namespace {

struct RunCommand {
  std::string file;
  std::vector<std::string> overrides;
  bool resume = false, overwrite = false, allow_changes = false;
};

void run(const RunCommand& command) {
  if (command.resume && command.overwrite) {
    throw UsageError("--resume", "cannot be combined with --overwrite", "give one of them");
  }
  if (command.allow_changes && !command.resume) {
    throw UsageError("--allow-changes", "is for --resume", "give both, or neither");
  }
  run::RunRequest request{.allow_changes = command.allow_changes,
                          .folder = std::filesystem::path(command.file).parent_path()};
  if (command.resume) request.mode = run::RunDirectory::Mode::resume;
  if (command.overwrite) request.mode = run::RunDirectory::Mode::overwrite;
  RunReport report;
  run::RunConfig config = run::parse_config(io::read_text(command.file), command.overrides, command.file);
  run::ReadyRun ready = run::prepare(std::move(config), request, report);
  catch_stop_signals();
  run::run_to_the_end(std::move(ready), report);
}

}  // namespace

void add_run(CLI::App& program) {
  CLI::App* command = program.add_subcommand("run", "Simulate what a TOML file describes");
  const auto options = std::make_shared<RunCommand>();
  command->add_option("CONFIG", options->file, "TOML file")->required()->type_name("PATH");
  command->add_option("--set", options->overrides, "value that replaces the file's")->type_name(setting_type);
  for (const Key& key : keys()) {
    if (key.section != "device") continue;
    CLI::Option* const option = command->add_option_function<std::string>(
        key.flag(),
        [options, &key](const std::string& text) {
          options->overrides.push_back(fmt::format("{}.{}={}", key.section, key.name, text));
        },
        run::described(key));
    option->type_name(key.type());
  }
  command->add_flag("--resume", options->resume, "continue from the checkpoint in output.directory");
  command->add_flag("--allow-changes", options->allow_changes, "with --resume: continue with another configuration");
  command->add_flag("--overwrite", options->overwrite, "replace the files of an earlier run in output.directory");
  command->footer("CONFIG.toml:\n" + run::keys_text());
  command->callback([options] { run(*options); });
}

}  // namespace hornbeam::cli
