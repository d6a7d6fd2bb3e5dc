// SPDX-License-Identifier: Apache-2.0
// The parser of `hornbeam ic MODEL`, each model's its own.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/names.h"

namespace hornbeam::cli {

/// What the command line asks of a model, filled as `parser` reads it.
struct ModelCommand {
  explicit ModelCommand(const ics::Model& model);
  ModelCommand(const ModelCommand&) = delete;  // the parser knows where this stands
  ModelCommand& operator=(const ModelCommand&) = delete;
  ~ModelCommand() = default;

  ModelRequest request;
  std::string output;
  std::unique_ptr<CLI::App> parser;
};

}  // namespace hornbeam::cli
