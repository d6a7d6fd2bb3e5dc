// SPDX-License-Identifier: Apache-2.0
// Block time steps: one longest step, made of the steps of all rungs (docs/dynamics.md). Simulation::step() calls it;
// it calls the backend.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "backend/backend.h"
#include "hornbeam/simulation.h"

namespace hornbeam {

/// Decides when an aged tree costs as much as a new one, from counted interactions alone (never from a clock, on which
/// no bit may depend).
class TreeAge {
 public:
  TreeAge(const TreeCosts& costs, std::uint64_t particles) : costs_(costs), particles_(particles) {}

  /// The tree was built.
  void reset();
  /// A walk for `due` particles, rung `least` the highest of them, took these interactions. What it took beyond the
  /// first such walk of this tree, for each particle due, is put down to age; at least costs.least_due times.
  void count(int least, std::uint64_t due, const Interactions& interactions);
  [[nodiscard]] bool is_old() const { return added_ >= costs_.build * static_cast<double>(particles_); }

 private:
  TreeCosts costs_;
  std::uint64_t particles_;
  std::array<double, 31> first_{};  ///< cost a particle of the first walk from each rung; 0: there was none
  double added_ = 0;
};

class BlockSteps {
 public:
  BlockSteps(const SimulationOptions& options, const TreeCosts& costs, std::uint64_t particles);

  /// Gives all particles their first rungs, from their accelerations.
  void begin(Backend& device);
  /// Takes the rungs of a checkpoint, which the backend has, too.
  void resume(const std::vector<std::uint8_t>& rungs);
  /// One longest step from `time` on. place(t): puts external potentials where they are at t.
  /// pass(from, to, tick): called before the particles drift from one to the other, `tick` being from's.
  /// go_on(t): called after each sub-step but the last; where it says no the step ends there, which step() returns as
  /// false. Ends early, too, and is_broken(), where accelerations are not finite: they would ask for the shortest steps
  /// that there are.
  bool step(Backend& device, double time, const std::function<void(double)>& place,
            const std::function<void(double, double, std::uint32_t)>& pass, const std::function<bool(double)>& go_on);

  [[nodiscard]] bool is_broken() const { return census_.not_finite > 0; }
  [[nodiscard]] const StepRule& rule() const { return rule_; }
  [[nodiscard]] BlockReport report() const;

 private:
  void walk(Backend& device, int least, std::uint64_t due);
  [[nodiscard]] double length(std::uint32_t ticks) const;

  StepRule rule_;
  TreeAge age_;
  RungCensus census_;
  BlockReport report_;
};

/// Carries a copy saved at `tick` of a longest step (Backend::save(), after the opening kicks) to `time`, at most one
/// shortest step later: velocities of each particle stand in the middle of its step (docs/dynamics.md eq. 6).
/// begin: time of the longest step's start; G: of the run.
void predict(Snapshot& copy, const StepRule& rule, double begin, std::uint32_t tick, double time, double G);

}  // namespace hornbeam
