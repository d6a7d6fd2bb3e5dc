// SPDX-License-Identifier: Apache-2.0
// The files of a run: snapshots, checkpoints, rungs.csv, run.json, each of which is replaced whole, and their names.
// Tables that grow are records/records.h's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hornbeam/io.h"
#include "hornbeam/particles.h"
#include "hornbeam/simulation.h"
#include "io/checkpoint.h"
#include "io/json.h"
#include "run/folder/folder_lock.h"

namespace hornbeam::run {

class RunDirectory {
 public:
  enum class Mode { fresh, overwrite, resume };

  /// Makes the folder (not to resume) and locks it before anything else is done there. Throws Error where another run
  /// holds it, and for one with files of an earlier run when fresh.
  RunDirectory(std::filesystem::path directory, std::vector<std::string> formats, Mode mode);
  /// Removes unfinished files that a killed run has left, and where this one was asked to, those of the run that it
  /// replaces.
  void clear() const;

  [[nodiscard]] const std::filesystem::path& path() const { return directory_; }
  /// Returns whether `directory` holds files of a run.
  static bool holds_run(const std::filesystem::path& directory);
  /// Throws UsageError where overwriting the run in `directory` would remove `input`.
  static void refuse_input(const std::filesystem::path& directory, const std::filesystem::path& input);
  /// Whether of a run in `directory` neither particles nor a checkpoint are left: it ended before its first ones.
  static bool holds_tables_alone(const std::filesystem::path& directory);
  /// Throws UsageError where both are files of one run: of two names that a shell found, the second would be replaced.
  static void refuse_output(const std::filesystem::path& output, const std::filesystem::path& input);
  /// What the lock has to say; mostly empty.
  [[nodiscard]] const std::string& lock_note() const { return lock_->note(); }

  /// Whether someone has put a file named `stop` here; it is taken away.
  [[nodiscard]] bool take_stop_file() const;

  /// Text that snapshots keep of what made them.
  void set_record(std::string record) { record_ = std::move(record); }
  /// Writes snapshot number `index` in every format; returns what the formats could not hold.
  std::vector<std::string> write_snapshot(std::size_t index, const Snapshot& snapshot) const;
  /// Where the groups of snapshot number `index` are to be.
  [[nodiscard]] std::filesystem::path groups_path(std::size_t index) const;
  /// The line that opens snapshot `index` in yt; empty where yt needs none or snapshots are not HDF5.
  [[nodiscard]] std::string yt_line(std::size_t index, const Units& units) const;
  /// The same for pynbody, which reads physical units from the file.
  [[nodiscard]] std::string pynbody_line(std::size_t index, const Units& units) const;
  [[nodiscard]] bool has_checkpoint() const;
  /// Replaces the checkpoint; the one before it stays as checkpoint_previous.hdf5.
  void write_checkpoint(const Checkpoint& checkpoint) const;
  /// latest.hdf5, which is no output of the plan: someone wants to see how the run fares.
  void write_latest(const Snapshot& snapshot) const;
  /// Names of the files of output number `index`, in all formats. Each file is there whole or not at all.
  struct OutputFiles {
    std::vector<std::string> there, missing;
  };
  [[nodiscard]] OutputFiles files_of_output(std::size_t index, bool with_groups) const;
  /// Removes the snapshots of that number, in whatever format, and its groups. Returns whether there were any.
  [[nodiscard]] bool remove_output(std::size_t index) const;
  /// rungs.csv: particles and costs by rung.
  void write_rungs(const BlockReport& report) const;
  void write_summary(const Json& summary) const;

 private:
  [[nodiscard]] std::filesystem::path snapshot_path(std::size_t index, const std::string& format) const;

  std::filesystem::path directory_;
  std::vector<std::string> formats_;
  Mode mode_;
  std::optional<FolderLock> lock_;
  std::string record_;
};

/// The newest checkpoint of a run's folder or, where that is damaged or does not hold the state of a run, the one
/// before it: then a note says so. Throws Error.
Checkpoint newest_checkpoint(const std::filesystem::path& directory, std::vector<std::string>& notes);

}  // namespace hornbeam::run
