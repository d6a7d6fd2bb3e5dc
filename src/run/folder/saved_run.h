// SPDX-License-Identifier: Apache-2.0
// What a run keeps in its checkpoints besides the particles: written by session.cpp, read by start.cpp to go on.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hornbeam/simulation.h"
#include "io/checkpoint.h"
#include "io/json.h"
#include "run/records/records.h"

namespace hornbeam::run {

/// An event and the end of the step in which it happened, as events.csv has them.
struct RecordedEvent {
  double time = 0.0;
  std::uint64_t step = 0;
  Event event;
};

/// What a checkpoint knows of the tables next to it.
struct SoFar {
  double largest_error = 0.0;  ///< of |relative_error| in energy.csv
  RowCounts rows;
  std::optional<std::uint64_t> outputs;  ///< snapshots; none: of a checkpoint that does not say
  double outputs_until = -HUGE_VAL;      ///< up to this time, that of the checkpoint or of a later snapshot
  CollisionTotals collisions;            ///< since the start of the run
  double ring_time = 0.0;                ///< of the last row of ring.csv
  CollisionTotals at_ring_row;           ///< then
  std::vector<RecordedEvent> events;     ///< of a session without tables
};

struct SavedRun {      // NOLINT(bugprone-exception-escape): moving JSON checks invariants that hold
  Json configuration;  ///< as understood by the run that wrote the checkpoint
  double start_time = 0.0;
  int leaf_size = 0, group_size = 0;  ///< as the device chose them
  double eps = -1;                    ///< of all particles, as it was given or estimated; negative: their own
  TreeCosts costs;
  double usual_speed = 0.0;  ///< Watchdog::usual_speed()
  SoFar so_far;
  std::vector<std::string> forces;  ///< names of those that were added (hornbeam/own_force.h)
};

/// The text of Checkpoint::configuration.
std::string to_text(const SavedRun& run);

/// Events as rows of events.csv.
Json events_json(const std::vector<RecordedEvent>& events);

/// Reads it back. Throws Error(subject) if something is missing or of another kind, or if the particles are not as that
/// configuration leaves them: without a field that is needed to go on, or on rungs beyond the deepest.
SavedRun saved_run(const Checkpoint& checkpoint, const std::string& subject);

}  // namespace hornbeam::run
