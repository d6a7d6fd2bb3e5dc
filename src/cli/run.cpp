// SPDX-License-Identifier: Apache-2.0
// `hornbeam run`: from a configuration to a folder of snapshots. Before it: the command line; after it: src/run/.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/common.h"
#include "cli/exit_status.h"
#include "cli/output/dry_run.h"
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
  bool resume = false, resume_or_start = false, overwrite = false, allow_changes = false, dry_run = false;
};

void check(const RunCommand& command) {
  const std::string resumes = command.resume_or_start ? "--resume-or-start" : "--resume";
  if (command.resume && command.resume_or_start) {
    throw UsageError("--resume", "cannot be combined with --resume-or-start", "give one of them");
  }
  if ((command.resume || command.resume_or_start) && command.overwrite) {
    throw UsageError(resumes, "cannot be combined with --overwrite", "give one of them");
  }
  if (command.dry_run && (command.resume || command.resume_or_start || command.overwrite)) {
    throw UsageError("--dry-run", "starts no run and writes no files",
                     "leave out --resume, --resume-or-start and --overwrite");
  }
  if (command.allow_changes && !command.resume && !command.resume_or_start) {
    throw UsageError("--allow-changes", "is an option of --resume", "give both, or neither");
  }
}

void run(const RunCommand& command) {
  check(command);
  run::RunRequest request{.or_start = command.resume_or_start,
                          .allow_changes = command.allow_changes,
                          .folder = std::filesystem::path(command.file).parent_path()};
  if (command.resume || command.resume_or_start) request.mode = run::RunDirectory::Mode::resume;
  if (command.overwrite) request.mode = run::RunDirectory::Mode::overwrite;
  RunReport report;
  run::RunConfig config =
      run::parse_config(io::read_text(command.file), command.overrides, command.file, {.folder = request.folder});
  if (command.dry_run) return dry_run(config, request.folder, report);
  std::optional<run::ReadyRun> ready = run::prepare_unless_finished(std::move(config), request, report);
  if (!ready) return;
  catch_stop_signals();
  if (run::run_to_the_end(std::move(*ready), report)) throw CLI::RuntimeError(static_cast<int>(Exit::stopped));
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
  command->add_flag("--resume-or-start", options->resume_or_start,
                    "start if output.directory holds no run, and resume that run otherwise (for job scripts)");
  command->add_flag("--allow-changes", options->allow_changes, "with --resume: continue with another configuration");
  command->add_flag("--dry-run", options->dry_run,
                    "print the memory and time that the run would take and the step that its particles need");
  command->add_flag("--overwrite", options->overwrite, "replace the files of an earlier run in output.directory");
  command->footer(
      "The exit status is 4 if a signal, the file `stop` or output.wall_limit stopped the run before its end.\n\n"
      "CONFIG.toml:\n" +
      run::keys_text());
  command->callback([options] { run(*options); });
}

}  // namespace hornbeam::cli
