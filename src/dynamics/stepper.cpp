// SPDX-License-Identifier: Apache-2.0
// Shared steps, and which stepper options name.
#include "dynamics/stepper.h"

#include <algorithm>
#include <sstream>

#include "dynamics/advance.h"
#include "dynamics/block_steps.h"
#include "dynamics/epicycle_steps.h"
#include "dynamics/symmetrised_step.h"
#include "hornbeam/error.h"

namespace hornbeam {
namespace {

/// A step below this part of dt would take for ever.
constexpr double least_part_of_dt = 0x1p-40;

/// `step`, or what is left of the way: all of it, or the first half where the second would be short.
double shortened(double step, double left) {
  constexpr double rounding = 1 + 1e-9;  // of a way that was to be so many steps
  if (left <= step * rounding) return left;
  return std::min(step, left / 2);
}

/// All particles by the same step: dt, or less where modules ask for it or refuse a step.
class SharedSteps final : public Stepper {
 public:
  SharedSteps(double dt, const ModuleTraits& traits) : dt_(dt), traits_(traits) {}
  [[nodiscard]] Holding holding() const override { return {.copy = traits_.need_copy()}; }
  [[nodiscard]] bool heeds_until() const override { return traits_.limits_steps; }
  [[nodiscard]] double next_step(ParticleSystem& system) const override;
  std::optional<double> step(ParticleSystem& system, const StepContext& context) override {
    context.pass(context.time, context.time + dt_, 0);
    const double dt = traits_.limits_steps ? shortened(next_step(system), context.until - context.time) : dt_;
    if (traits_.need_copy()) system.domain().remember();
    return undo_if_it_fails(system, context, [&] { return make_step(system, context, dt); });
  }

 private:
  /// dt long, or shorter; the length made.
  double make_step(ParticleSystem& system, const StepContext& context, double dt) const;

  double dt_;
  ModuleTraits traits_;
};

double SharedSteps::next_step(ParticleSystem& system) const {
  if (!traits_.limits_steps) return dt_;
  const auto [limit, module] = system.step_limit();
  const double step = std::min(dt_, limit);
  if (!(step >= least_part_of_dt * dt_)) {
    const StepWords words = module->step_words();
    std::ostringstream asked;
    asked << words.name << " requires steps of " << step / dt_ << " dt";
    throw Error("time.dt", asked.str(), words.remedy);
  }
  return step;
}

double SharedSteps::make_step(ParticleSystem& system, const StepContext& context, double dt) const {
  while (const Module* refused = kick_drift_kick(system, context, dt)) {
    system.domain().go_back();
    dt /= 2;
    if (dt >= least_part_of_dt * dt_) continue;
    const StepWords words = refused->step_words();
    std::ostringstream lost;
    lost << words.name << " " << words.refusal << " in every step, down to " << least_part_of_dt << " dt";
    throw Error("time.dt", lost.str(), words.remedy);
  }
  const bool stale = system.act_after(dt);
  if (system.take_out() || stale) {  // forces are those of where bodies are: otherwise they turn
    system.build_tree();
    system.evaluate();
  }
  return dt;
}

}  // namespace

void go_back(ParticleSystem& system, const StepContext& context) {
  system.at(context.time);
  system.domain().go_back();
  system.build_tree();
}

const Module* kick_drift_kick(ParticleSystem& system, const StepContext& context, double dt) {
  demand_advance(context.time, dt);
  const Kick half{.length = 0.5 * dt, .block = {}};
  system.leapfrog().kick(0.5 * dt);
  const Module* before = system.step_begin(half);
  system.leapfrog().drift(dt);
  system.at(context.time + dt);
  system.build_tree();
  system.evaluate({.since = 0.5 * dt, .step = dt, .block = {}});
  system.leapfrog().kick(0.5 * dt);
  const Module* after = system.step_end(half);
  return before != nullptr ? before : after;
}

std::unique_ptr<Stepper> make_stepper(const SimulationOptions& options, const ModuleTraits& traits,
                                      const TreeCosts& costs, std::uint64_t particles) {
  if (options.boundary.kind == BoundaryKind::shear) return std::make_unique<EpicycleSteps>(options, traits);
  if (options.steps == Steps::block) return std::make_unique<BlockSteps>(options, traits, costs, particles);
  if (options.steps == Steps::symmetrised) return std::make_unique<SymmetrisedSteps>(options);
  return std::make_unique<SharedSteps>(options.dt, traits);
}

}  // namespace hornbeam
