// SPDX-License-Identifier: Apache-2.0
// The configuration of `hornbeam run`: from the text of a TOML file to checked values.
// Before it: the command line; after it: run.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/keys.h"
#include "cli/model_request.h"
#include "hornbeam/particles.h"
#include "hornbeam/simulation.h"

namespace hornbeam::cli {

struct OutputPlan {
  std::string directory = "output";
  std::optional<double> every;             ///< time between snapshots
  std::vector<double> times;               ///< further snapshots
  std::optional<double> energy_every;      ///< time between rows of energy.csv; absent: with each snapshot
  std::optional<double> checkpoint_every;  ///< time between checkpoints; absent: with each snapshot
  std::vector<std::string> formats = {"hdf5"};
};

struct RunConfig {
  std::string input_file;  ///< one of the two is given
  std::optional<ModelRequest> ic;
  std::optional<Units> units;  ///< absent: those of the input
  SimulationOptions simulation;
  double end = 0.0;
  OutputPlan output;
};

/// Parses `toml_text`, then applies `overrides` ("section.key=value"). `subject` names the text in messages.
/// Throws UsageError: unknown keys (naming the nearest known one), wrong types, values out of range, what is not built.
RunConfig parse_config(std::string_view toml_text, const std::vector<std::string>& overrides,
                       const std::string& subject);

/// The configuration as understood, defaults included, in the layout of the TOML file.
Json to_json(const RunConfig& config);

}  // namespace hornbeam::cli
