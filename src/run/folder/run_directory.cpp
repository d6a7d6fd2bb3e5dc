// SPDX-License-Identifier: Apache-2.0
// Reading and writing the files of a run, see run_directory.h.
#include "run/folder/run_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "hornbeam/error.h"
#include "hornbeam/units.h"
#include "io/files/file.h"
#include "io/formats.h"
#include "io/gadget/hdf5.h"
#include "io/tools.h"
#include "run/folder/saved_run.h"
#include "run/records/records.h"

namespace hornbeam::run {
namespace fs = std::filesystem;
namespace {

constexpr const char* checkpoint_name = "checkpoint.hdf5";
constexpr const char* previous_name = "checkpoint_previous.hdf5";
constexpr const char* second_name = "checkpoint_previous.hdf5.new";
constexpr const char* latest_name = "latest.hdf5";
constexpr const char* stop_name = "stop";
constexpr const char* rungs_name = "rungs.csv";
constexpr const char* summary_name = "run.json";

bool is_of_a_run(const fs::path& file) {
  const std::string name = file.filename().string();
  for (const char* known : {checkpoint_name, previous_name, latest_name, rungs_name, summary_name}) {
    if (name == known) return true;
  }
  for (const RecordName& table : record_names) {
    if (name == table.file) return true;
  }
  return name.starts_with("snapshot_") || (name.starts_with("groups_") && file.extension() == ".hdf5");
}

std::vector<fs::path> files_of_a_run(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.is_regular_file() && is_of_a_run(entry.path())) files.push_back(entry.path());
  }
  return files;
}

/// What a killed run was about to give its name.
std::vector<fs::path> left_unfinished(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const bool unfinished = entry.path().filename() == second_name || is_of_a_run(io::file_to_replace(entry.path()));
    if (unfinished && entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

void take_away(const fs::path& file) {
  std::error_code failed;
  fs::remove(file, failed);
  if (failed) throw Error(file.string(), "cannot be removed: " + failed.message(), "choose another output.directory");
}

}  // namespace

RunDirectory::RunDirectory(fs::path directory, std::vector<std::string> formats, Mode mode)
    : directory_(std::move(directory)), formats_(std::move(formats)), mode_(mode) {
  const std::string subject = directory_.string();
  try {
    if (mode != Mode::resume) {
      fs::create_directories(directory_);
    } else if (!fs::exists(directory_)) {
      throw Error(subject, "does not exist, so there is no checkpoint to resume from", "run without --resume");
    }
    lock_.emplace(directory_);
    if (mode == Mode::fresh && !files_of_a_run(directory_).empty()) {
      const bool goes_on = fs::exists(directory_ / checkpoint_name) || fs::exists(directory_ / previous_name);
      throw Error(subject, "has files of an earlier run",
                  fmt::format("{}replace it with --overwrite, or choose another output.directory",
                              goes_on ? "continue it with --resume, " : ""));
    }
  } catch (const fs::filesystem_error& error) {
    throw Error(subject, "cannot be used for output: " + error.code().message(),
                "choose another output.directory or its permissions");
  }
}

bool RunDirectory::holds_run(const fs::path& directory) {
  std::error_code absent;
  return fs::is_directory(directory, absent) && !files_of_a_run(directory).empty();
}

bool RunDirectory::holds_tables_alone(const fs::path& directory) {
  const std::vector<fs::path> files = files_of_a_run(directory);
  return std::all_of(files.begin(), files.end(), [](const fs::path& file) {
    return file.extension() == ".csv" || file.filename() == summary_name;
  });
}

void RunDirectory::refuse_output(const fs::path& output, const fs::path& input) {
  std::error_code absent;
  const fs::path directory = output.has_parent_path() ? output.parent_path() : fs::path(".");
  if (!fs::exists(directory / summary_name, absent)) return;
  const std::vector<fs::path> files = files_of_a_run(directory);
  const auto is_of_it = [&](const fs::path& path) {
    return std::any_of(files.begin(), files.end(),
                       [&](const fs::path& file) { return fs::equivalent(file, path, absent); });
  };
  if (!is_of_it(output) || !is_of_it(input)) return;
  throw UsageError(output.string(), "is a file of the run in " + directory.string(),
                   "choose another name, or remove it first");
}

void RunDirectory::refuse_input(const fs::path& directory, const fs::path& input) {
  std::error_code absent;
  if (input.empty() || !fs::is_directory(directory, absent)) return;
  for (const fs::path& file : files_of_a_run(directory)) {
    if (!fs::equivalent(file, input, absent) || absent) continue;
    throw UsageError("--overwrite", "would remove " + file.string() + ", from which the run starts",
                     "choose another output.directory, or move that file");
  }
}

void RunDirectory::clear() const {
  for (const fs::path& file : left_unfinished(directory_)) take_away(file);
  if (mode_ != Mode::overwrite) return;
  for (const fs::path& file : files_of_a_run(directory_)) take_away(file);
}

Checkpoint newest_checkpoint(const fs::path& directory, std::vector<std::string>& notes) {
  constexpr const char* anew =
      "start from its last snapshot as [input] file in another output.directory, or start again with --overwrite";
  const fs::path newest = directory / checkpoint_name, previous = directory / previous_name;
  if (!fs::exists(newest) && !fs::exists(previous)) {
    const bool is_used = !files_of_a_run(directory).empty();
    throw Error(newest.string(), "there is no checkpoint to resume from", is_used ? anew : "run without --resume");
  }
  std::string found;
  for (const fs::path& path : {newest, previous}) {
    try {
      if (!fs::exists(path)) throw Error(path.string(), "does not exist");
      Checkpoint checkpoint = hornbeam::read_checkpoint(path);
      static_cast<void>(saved_run(checkpoint, path.string()));
      if (!found.empty()) notes.push_back(fmt::format("{}; resuming from {}", found, path.string()));
      return checkpoint;
    } catch (const Error& damage) {
      found += (found.empty() ? "" : "; ") + std::string(damage.what());
    }
  }
  throw Error(directory.string(), "has no checkpoint to resume from: " + found, anew);
}

bool RunDirectory::take_stop_file() const {
  std::error_code ignored;
  return fs::remove(directory_ / stop_name, ignored);
}

std::vector<std::string> RunDirectory::write_snapshot(std::size_t index, const Snapshot& snapshot) const {
  std::vector<std::string> losses;
  for (const std::string& format : formats_) {
    const FormatSpec spec = format_named(format);
    const fs::path path = snapshot_path(index, format);
    for (std::string& loss : hornbeam::write_snapshot(path, snapshot, spec, record_)) losses.push_back(std::move(loss));
  }
  return losses;
}

fs::path RunDirectory::snapshot_path(std::size_t index, const std::string& format) const {
  return directory_ / fmt::format("snapshot_{:04}{}", index, io::usual_extension(format));
}

RunDirectory::OutputFiles RunDirectory::files_of_output(std::size_t index, bool with_groups) const {
  std::vector<fs::path> all;
  for (const std::string& format : formats_) all.push_back(snapshot_path(index, format));
  if (with_groups) all.push_back(groups_path(index));
  OutputFiles files;
  for (const fs::path& file : all) {
    (fs::exists(file) ? files.there : files.missing).push_back(file.filename().string());
  }
  return files;
}

bool RunDirectory::remove_output(std::size_t index) const {
  bool removed = false;
  for (const fs::path& file : files_of_a_run(directory_)) {
    const bool is_of_it = file.stem() == snapshot_path(index, "hdf5").stem() || file == groups_path(index);
    if (!is_of_it) continue;
    take_away(file);
    removed = true;
  }
  return removed;
}

fs::path RunDirectory::groups_path(std::size_t index) const {
  return directory_ / fmt::format("groups_{:04}.hdf5", index);
}

std::string RunDirectory::yt_line(std::size_t index, const Units& units) const {
  if (std::find(formats_.begin(), formats_.end(), "hdf5") == formats_.end()) return "";
  return io::yt_load_line(snapshot_path(index, "hdf5"), units);
}

std::string RunDirectory::pynbody_line(std::size_t index, const Units& units) const {
  if (std::find(formats_.begin(), formats_.end(), "hdf5") == formats_.end()) return "";
  return io::pynbody_load_line(snapshot_path(index, "hdf5"), units);
}

bool RunDirectory::has_checkpoint() const { return fs::exists(directory_ / checkpoint_name); }

void RunDirectory::write_checkpoint(const Checkpoint& checkpoint) const {
  const fs::path newest = directory_ / checkpoint_name, previous = directory_ / previous_name;
  // A second name for the one that is there; where the file system knows no such thing, none is kept.
  const fs::path second = directory_ / second_name;
  std::error_code failed;
  fs::remove(second, failed);
  fs::create_hard_link(newest, second, failed);
  if (!failed) fs::rename(second, previous, failed);
  fs::remove(second, failed);  // of two names of one file, as a killed run may leave them, rename() keeps both
  hornbeam::write_checkpoint(newest, checkpoint);
}

void RunDirectory::write_latest(const Snapshot& snapshot) const {
  hornbeam::write_snapshot(directory_ / latest_name, snapshot, format_named("hdf5"), record_);
}

void RunDirectory::write_rungs(const BlockReport& report) const {
  std::string text = "rung,particles,steps,due,particle_interactions,cell_interactions,expansions,wall_seconds\n";
  for (std::size_t rung = 0; rung < report.rungs.size(); ++rung) {
    const RungCost& r = report.rungs[rung];
    text += fmt::format("{},{},{},{},{},{},{},{:.3f}\n", rung, r.particles, r.steps, r.due, r.interactions.particle,
                        r.interactions.cell, r.interactions.expansion, r.seconds);
  }
  io::replace_text(directory_ / rungs_name, text);
}

void RunDirectory::write_summary(const Json& summary) const {
  io::replace_text(directory_ / summary_name, summary.dump(2) + "\n");
}

}  // namespace hornbeam::run
