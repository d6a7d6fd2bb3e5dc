// SPDX-License-Identifier: Apache-2.0
// Rates of gas for `hornbeam-bench sph`: of each sum without gravity, of steps with it, and beside debris. After the
// flows' errors.
#pragma once

#include <algorithm>
#include <string>

#include "bench/suites/report.h"
#include "bench/suites/runner.h"

namespace hornbeam::cli {

inline constexpr double longest_flow = 900;  ///< seconds, where --wall-limit does not say otherwise

/// Whether --runs asks for a test, or leaves all.
inline bool is_asked(const Runner& runner, const std::string& test) {
  const auto& runs = runner.settings().runs;
  return runs.empty() || std::find(runs.begin(), runs.end(), test) != runs.end();
}

/// Uniform gas in a periodic box.
void rate_part(Runner& runner, Report& report);
/// A ball of gas that attracts itself, with the errors of that attract.
void gravity_part(Runner& runner, Report& report);
/// A ball of gas without gravity, some of whose particles reach over much of it from far away.
void debris_part(Runner& runner, Report& report);

}  // namespace hornbeam::cli
