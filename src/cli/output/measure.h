// SPDX-License-Identifier: Apache-2.0
// A force evaluation measured: medians over repetitions and the JSON object that `force` prints and `bench` keeps.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "cli/names.h"
#include "dynamics/particle_system.h"
#include "simulation/check.h"

namespace hornbeam::cli {

struct Measurement {
  StageSeconds seconds;      ///< median over the repetitions of each stage
  std::int64_t repeats = 0;  ///< how many there were
};

struct Repetition {
  std::int64_t counted = 1;  ///< evaluations that count, at least 1
  bool warm_up = false;      ///< one more before them, which builds kernels and takes memory
  double enough = std::numeric_limits<double>::infinity();  ///< no further evaluation after these wall-clock seconds
};

/// Evaluates again and again, each time from the loading on, and leaves the forces in `system`. A warm-up that alone
/// takes `enough` seconds is counted. Throws NotFinite where a force is non-finite; source: of the particles.
Measurement measure(ParticleSystem& system, const std::string& source, const Particles& particles,
                    const GravityOptions& gravity, const Repetition& repetition);

/// What `force --json` prints of an evaluation, but for its error.
Json measurement_json(const Particles& particles, const GravityOptions& asked, const ParticleSystem& system,
                      const StageSeconds& seconds);

Json to_json(const ForceError& error);

}  // namespace hornbeam::cli
