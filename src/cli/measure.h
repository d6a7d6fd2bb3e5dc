// SPDX-License-Identifier: Apache-2.0
// A force evaluation measured: medians over repetitions and the JSON object that `force` prints and `bench` keeps.
#pragma once

#include <cstdint>
#include <limits>

#include "backend/backend.h"
#include "cli/keys.h"
#include "gravity/check.h"

namespace hornbeam::cli {

struct Measurement {
  StageSeconds seconds;      ///< median over the repetitions of each stage
  std::int64_t repeats = 0;  ///< how many there were
};

/// Evaluates `repeat` times (at least once), each from the loading on, and leaves the forces in `particles`; stops
/// early once evaluations have taken `enough` seconds of wall-clock time.
Measurement measure(Backend& backend, Particles& particles, const GravityOptions& gravity, std::int64_t repeat,
                    double enough = std::numeric_limits<double>::infinity());

/// What `force --json` prints of an evaluation, but for its error (design, section 6).
Json measurement_json(const Particles& particles, const GravityOptions& asked, const Backend& backend,
                      const StageSeconds& seconds);

Json to_json(const ForceError& error);

}  // namespace hornbeam::cli
