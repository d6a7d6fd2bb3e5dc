// SPDX-License-Identifier: Apache-2.0
// Where a run begins: particles drawn, read or taken from a checkpoint, in a folder that is its own. Before it:
// config.cpp; after it: loop.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "run/config/config.h"
#include "run/folder/run_directory.h"
#include "run/folder/saved_run.h"
#include "run/records/track.h"
#include "run/session/observer.h"

namespace hornbeam::run {

/// Where a run begins: at its first step, or at a checkpoint.
struct RunStart {
  Snapshot snapshot;
  double time = 0.0;                      ///< of the run's first step
  std::string eps_source;                 ///< "model" or "estimated"; empty: as eps_source() says
  std::uint64_t step = 0;                 ///< steps made before `snapshot`
  std::optional<double> initial_energy;   ///< absent: that of `snapshot`
  double usual_speed = 0.0;               ///< Watchdog::usual_speed(), where resumed
  SoFar so_far;                           ///< where resumed
  std::vector<double> later_outputs;      ///< where resumed: those of the plan then that are later than the checkpoint
  bool changed = false;                   ///< resumed with another configuration: forces and rungs are found again
  bool has_another_energy = false;        ///< and so is the energy, from which errors count
  Followed black_holes;                   ///< that black_holes.csv is about
  bool has_room_to_write_beside = false;  ///< for a second copy of the particles
};

/// A run that may go.
struct ReadyRun {
  RunConfig config;
  Json asked;  ///< the configuration as understood, kept in checkpoints and run.json
  RunStart start;
  std::unique_ptr<RunDirectory> directory;
};

struct RunRequest {
  RunDirectory::Mode mode = RunDirectory::Mode::fresh;
  bool or_start = false;           ///< with Mode::resume: start if the folder holds no run, or one that ended at once
  bool allow_changes = false;      ///< to resume with another configuration
  std::filesystem::path folder{};  ///< files that the configuration names are relative to it
};

/// Draws or reads the particles and takes the folder; refuses first what will not find memory. Throws UsageError and
/// Error.
ReadyRun prepare(RunConfig config, const RunRequest& request, Observer& observer);
/// The same. Returns nothing if the run is to be resumed and has reached its end: that is noted, and no file is
/// touched.
std::optional<ReadyRun> prepare_unless_finished(RunConfig config, RunRequest request, Observer& observer);

/// The same of particles that stay in memory, without a folder. given: the particles; none: those that the
/// configuration draws or reads, whose names are relative to `folder`.
ReadyRun prepare_in_memory(RunConfig config, std::optional<Snapshot> given, const std::filesystem::path& folder);
/// The same from a checkpoint or the newest one in the folder of a run, with that run's configuration.
ReadyRun resume_in_memory(const std::filesystem::path& path, Observer& observer);

/// Returns a warning if particles were made in another box than this run's; empty if the box is the same, or open.
/// subject: "the model was"; remedy, for runs that are open: ": leave ...", or nothing.
std::string other_box_note(const Boundary& box, const Boundary& here, const std::string& subject,
                           const std::string& remedy = "");
/// What a Simulation takes of a configuration and its start.
SimulationOptions options_for(SimulationOptions options, const RunStart& start);
/// What the file's reader had to say, and whether the precision holds what it read.
std::vector<std::string> notes_for(const Snapshot& start, const SimulationOptions& options);

}  // namespace hornbeam::run
