// SPDX-License-Identifier: Apache-2.0
// Particles requested by the name of a model: between the command line or TOML and hornbeam::ics.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "hornbeam/ics.h"
#include "hornbeam/particles.h"
#include "run/config/units_asked.h"

namespace hornbeam::run {

struct ModelRequest {
  std::string model;
  std::optional<std::uint64_t> n;
  std::uint64_t seed = 1;
  std::map<std::string, std::string> options;  ///< as hornbeam::ics names them
  std::optional<Units> units;                  ///< absent: G = 1, or those of the files it names
  FileUnits of_files = FileUnits::same;        ///< what to do with these in other units
  bool softens = false;  ///< where no eps is given, particles get one near the optimum of the model
};

/// Throws UsageError(subject, ...) listing the models there are.
const ics::Model& find_model(const std::string& name, const std::string& subject);

/// Draws the model; files it names are relative to `folder`. Throws UsageError where it needs n and has none.
Snapshot draw(const ModelRequest& given, const std::filesystem::path& folder = {});

}  // namespace hornbeam::run
