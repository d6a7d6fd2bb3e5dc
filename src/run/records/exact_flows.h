// SPDX-License-Identifier: Apache-2.0
// A snapshot of gas compared with the exact or reference flow of the model it was drawn from: what `analyze --exact`
// prints, Python has as hornbeam.analysis.exact(), and `hornbeam-bench sph` compares with what is requested.
#pragma once

#include <map>
#include <string>

#include "hornbeam/particles.h"
#include "io/json.h"

namespace hornbeam::run {

/// The model, its options that are numbers, and the gas that ran.
struct FlowModel {
  std::string name;
  std::map<std::string, double> numbers{};
  double gamma = 5.0 / 3.0;
  std::string eos = "ideal";  ///< empty: not told

  [[nodiscard]] double number(const std::string& option, double otherwise) const {
    const auto found = numbers.find(option);
    return found == numbers.end() ? otherwise : found->second;
  }
};

/// "sod, sedov, noh, ...": models whose flow is known.
std::string models_with_flows();
/// An object of numbers. Throws Error, naming `file`, where the model has no such flow or the snapshot no gas.
Json exact_flow(const Snapshot& snapshot, const FlowModel& model, const std::string& file);

}  // namespace hornbeam::run
