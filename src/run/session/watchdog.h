// SPDX-License-Identifier: Apache-2.0
// What notices that a run went wrong: energy, runaway particles, steps that collapse. outputs.cpp asks it before
// it writes a checkpoint, so that the last one is good. Numbers that are non-finite never leave the Simulation.
#pragma once

#include "hornbeam/error.h"
#include "hornbeam/simulation.h"
#include "run/config/config.h"

namespace hornbeam::run {

/// The run went wrong (the command line exits 3).
class RunGoneWrong : public Error {
 public:
  using Error::Error;
};

class Watchdog {
 public:
  /// shown: how times are written where a run is stopped.
  explicit Watchdog(const WatchdogPlan& plan, ShownTime shown = {}) : plan_(plan), shown_(std::move(shown)) {}

  /// Takes the larger of the particles' speeds and escape speeds as what is usual. p: with potentials.
  void begin(const Particles& p);
  /// What begin() took, for the checkpoint, and back.
  [[nodiscard]] double usual_speed() const { return usual_speed_; }
  void resume(double usual_speed) { usual_speed_ = usual_speed; }

  /// After step number `step`: energy (relative_error of it) and rungs. Throws RunGoneWrong, naming the particle where
  /// there is one.
  void look(const Simulation& simulation, std::uint64_t step, double relative_error) const;
  /// Rungs as they have just been chosen, at `time`, which may lie inside of a longest step; `beyond` of a BlockReport.
  void look_at_rungs(const Simulation& simulation, double time, std::uint64_t beyond) const;
  /// Energy inside of a longest step, where velocities and potentials of different times are summed: only what no such
  /// difference explains throws.
  void look_inside(const Simulation& simulation, double time, double relative_error) const;
  /// Whether look() has something to look at after this step.
  [[nodiscard]] bool wants_energy(std::uint64_t step) const {
    return plan_.every > 0 && step % static_cast<std::uint64_t>(plan_.every) == 0;
  }
  /// All particles, about to be kept.
  void look(const Snapshot& state, const SimulationOptions& options) const;

 private:
  WatchdogPlan plan_;
  ShownTime shown_;
  double usual_speed_ = 0.0;
};

}  // namespace hornbeam::run
