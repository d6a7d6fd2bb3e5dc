// SPDX-License-Identifier: Apache-2.0
// Block time steps: one longest step, made of the steps of all rungs (docs/dynamics.md).
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "dynamics/step_rule.h"
#include "dynamics/stepper.h"

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

class BlockSteps final : public Stepper {
 public:
  BlockSteps(const SimulationOptions& options, const ModuleTraits& traits, const TreeCosts& costs,
             std::uint64_t particles);

  [[nodiscard]] Holding holding() const override { return {.rungs = true, .copy = may_refuse_}; }
  void begin(ParticleSystem& system) override;
  /// rungs: of a checkpoint, which the domain has, too.
  void resume(const std::vector<std::uint8_t>& rungs) override;
  [[nodiscard]] double next_step(ParticleSystem& /*system*/) const override { return rule_.longest; }
  /// One longest step, of the sub-steps of all rungs. It ends early where context.go_on() says no, and where
  /// accelerations are non-finite: they would ask for the shortest steps that there are.
  std::optional<double> step(ParticleSystem& system, const StepContext& context) override;
  [[nodiscard]] bool can_give_up() const override { return can_give_up_; }
  [[nodiscard]] BlockReport report() const override;

 private:
  /// Keeps a copy of the particles; returns false where there is no room for one.
  bool remember(ParticleSystem& system);
  enum class Outcome { whole, given_up, refused };
  /// What a step that is undone takes back.
  struct Counts {
    RungCensus census;
    TreeAge age;
    BlockReport report;
  };
  /// forget: takes it back.
  std::optional<double> make_step(ParticleSystem& system, const StepContext& context, bool remembers,
                                  const std::function<void()>& forget);
  Outcome make_sub_steps(ParticleSystem& system, const StepContext& context, bool may_give_up);
  [[nodiscard]] BlockMoment block(std::uint32_t tick, int least) const {
    return {rule_.longest, rule_.deepest, tick, least};
  }
  /// Opening and closing kicks of those on rung `least` and deeper; false if a module refuses the step.
  bool open(ParticleSystem& system, std::uint32_t tick, int least);
  bool close(ParticleSystem& system, std::uint32_t tick, int least);
  void choose(ParticleSystem& system, std::uint32_t tick, int least);
  void walk(ParticleSystem& system, std::uint32_t from, std::uint32_t tick, int least, std::uint64_t due);
  [[nodiscard]] double length(std::uint32_t ticks) const;

  StepRule rule_;
  bool may_refuse_;  ///< whether a module may refuse a step
  TreeAge age_;
  RungCensus census_;
  BlockReport report_;
  const Module* refused_ = nullptr;  ///< the module that did, last
  int stricter_ = 0;                 ///< rungs by which modules are deeper in this longest step than they ask for
  bool can_give_up_ = true;          ///< whether there is room for the copy that this takes
};

/// The step of each particle on those rungs.
std::vector<double> lengths_of(const std::vector<std::uint8_t>& rungs, double longest);

/// Carries a copy saved at `tick` of a longest step (Domain::save(), after the opening kicks) to `time`, at most one
/// shortest step later. The velocity of each particle is that of the middle of its step (docs/dynamics.md eq. 6).
/// begin: time of the longest step's start; G: of the run; modules: predict() their own fields.
void predict(Snapshot& copy, const StepRule& rule, double begin, std::uint32_t tick, double time, double G,
             const ParticleSystem& modules);

}  // namespace hornbeam
