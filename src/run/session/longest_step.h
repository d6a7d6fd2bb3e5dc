// SPDX-License-Identifier: Apache-2.0
// What a run looks at inside of one longest block step, which may take hours: who asks it to stop, rungs, energy.
// loop.cpp hands it to Simulation::step().
#pragma once

#include <chrono>
#include <string>

#include "hornbeam/simulation.h"
#include "run/session/session.h"
#include "run/session/stopping.h"

namespace hornbeam::run {

class LongestStep {
 public:
  /// Both must outlive this.
  LongestStep(Session& session, Stopping& stopping);

  /// A step begins now.
  void begin();
  /// Rungs have been chosen at `time`. Returns whether the step shall go on; says so where steps have become much
  /// shorter. Throws RunGoneWrong.
  bool go_on(double time);
  /// "the step from t = 0 to 1 was given up at t = 0.2 after 12 s": where that was so, else empty.
  [[nodiscard]] const std::string& given_up() const { return given_up_; }

 private:
  using Clock = std::chrono::steady_clock;
  void look_at_rungs(double time);
  void look_at_energy(double time);

  Session& session_;
  const Simulation& simulation_;
  Stopping& stopping_;
  int deepest_ = 0;  ///< rung that has been said
  Clock::time_point began_ = Clock::now(), looked_at_ = began_;
  bool said_no_room_ = false;
  std::string given_up_;
};

}  // namespace hornbeam::run
