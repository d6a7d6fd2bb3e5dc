// SPDX-License-Identifier: Apache-2.0
// The flows that `hornbeam-bench sph` runs: how each begins, how long it goes on, and what is asked of it, beside what
// others reached at the same size.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hornbeam/simulation.h"

namespace hornbeam::cli {

/// One measure of a flow (exact_flows.h, and what the run itself adds).
struct FlowDemand {
  std::string measure;
  std::optional<double> peer{};  ///< at this size and of these options
  const char* peer_is = "prototype";
  double least = -std::numeric_limits<double>::infinity();  ///< met within these, both included
  double most = std::numeric_limits<double>::infinity();
};

struct FlowCase {
  std::string test, label, model;
  std::size_t n = 0;
  std::map<std::string, std::string> options{};
  Vec3 box{};  ///< periodic; 0: open space
  double end = 0;
  std::function<void(SimulationOptions&)> set{};
  std::vector<FlowDemand> demands{};
  bool tracked = false;  ///< energies are looked at after every step
};

/// Ascending in size within each test.
std::vector<FlowCase> flow_cases();

}  // namespace hornbeam::cli
