// SPDX-License-Identifier: Apache-2.0
// The configuration of `hornbeam run`: from the text of a TOML file to checked values.
// Before it: the command line; after it: start.cpp.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hornbeam/groups.h"
#include "hornbeam/io.h"
#include "hornbeam/particles.h"
#include "hornbeam/simulation.h"
#include "io/json.h"
#include "run/config/model_request.h"
#include "run/config/units_asked.h"

namespace hornbeam::run {

struct OutputPlan {
  std::string directory = "output";
  std::optional<double> every;              ///< time between snapshots
  std::vector<double> times;                ///< further snapshots
  std::optional<double> energy_every;       ///< time between rows of energy.csv; absent: with each snapshot
  std::optional<double> black_holes_every;  ///< time between rows of black_holes.csv; absent: there is none
  std::optional<double> ring_every;         ///< the same of ring.csv
  std::optional<std::int64_t>
      groups_every;                       ///< snapshots from one with a catalogue of groups to the next; absent: none
  GroupOptions groups;                    ///< how they are found; box, eps, G and softening are the run's
  std::vector<std::string> groups_types;  ///< of which families; empty: all
  std::vector<std::string> groups_primary_types;  ///< of these those that are linked; empty: all
  std::optional<double> checkpoint_every;         ///< time between checkpoints; absent: with each snapshot
  std::optional<double> wall_every;               ///< seconds of the clock between checkpoints with latest.hdf5
  std::optional<double> wall_limit;               ///< seconds of the clock after which the run stops as if asked to
  std::vector<std::string> formats = {"hdf5"};
  bool snapshots = true;    ///< false: at their times there are rows of energy.csv alone
  bool checkpoints = true;  ///< false: the run cannot be resumed
};

/// What stops a run because it went wrong.
struct WatchdogPlan {
  double energy = 0.1;  ///< largest |relative error| of the energy; 0: any
  bool energy_given = false;
  double runaway = 100.0;  ///< largest speed, in the larger of the escape and the particle speeds at the start; 0: any
  bool collapse = true;    ///< block steps: whether particles that ask for more than max_rung stop it
  int every = 1;           ///< steps between looks at the energy; 0: never
};

struct RunConfig {
  std::string input_file;  ///< one of the two is given
  ReadOptions reading{};   ///< how input_file is read
  std::optional<ModelRequest> ic;
  UnitsAsked units_asked;
  std::optional<Units> units;  ///< what these make; absent: those of the input
  SimulationOptions simulation;
  bool boundary_given = false;  ///< there is a [boundary]; else that of the input counts
  std::optional<double> start;  ///< what the clock shows at the start; absent: that of the input
  double end = 0.0;
  OutputPlan output;
  WatchdogPlan watchdog;

  /// Whether energy is conserved. It is not with external potentials that move, collisions, gas that is kept cold, or
  /// walls at which particles come back to another potential.
  [[nodiscard]] bool conserves_energy() const;
};

/// What is set elsewhere than in the text.
struct SaidElsewhere {
  bool particles = false;          ///< which particles: neither [input] nor [ic] may
  bool end = false;                ///< when the run ends: time.end may be absent, and RunConfig::end is infinite then
  std::filesystem::path folder{};  ///< files that the configuration names are relative to it
  std::optional<Units> units{};    ///< of the particles, for values with units if there is no [units]
};

/// Parses `toml_text`, then applies `overrides` ("section.key=value"). `subject` names the text in messages.
/// Throws UsageError: unknown keys (naming the nearest known one), wrong types, values out of range, what is not built.
RunConfig parse_config(std::string_view toml_text, const std::vector<std::string>& overrides,
                       const std::string& subject, const SaidElsewhere& elsewhere = {});

/// The configuration as understood, defaults included, in the layout of the TOML file.
Json to_json(const RunConfig& config);

}  // namespace hornbeam::run
