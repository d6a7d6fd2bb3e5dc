// SPDX-License-Identifier: Apache-2.0
// Shared steps, and which stepper options name.
#include "dynamics/stepper.h"

#include "dynamics/advance.h"
#include "dynamics/block_steps.h"
#include "dynamics/epicycle_steps.h"
#include "dynamics/gas_steps.h"
#include "dynamics/symmetrised_step.h"

namespace hornbeam {
namespace {

/// All particles by the same dt, and at the end collisions.
class SharedSteps final : public Stepper {
 public:
  explicit SharedSteps(double dt) : dt_(dt) {}
  [[nodiscard]] double next_step(ParticleSystem& /*system*/) const override { return dt_; }
  std::optional<double> step(ParticleSystem& system, const StepContext& context) override {
    context.pass(context.time, context.time + dt_, 0);
    kick_drift_kick(system, context, dt_);
    const bool moved = system.collide(dt_);
    if (system.take_out() || moved) {  // forces are those of where bodies are: else they turn
      system.build_tree();
      system.evaluate();
    }
    return dt_;
  }

 private:
  double dt_;
};

}  // namespace

void kick_drift_kick(ParticleSystem& system, const StepContext& context, double dt) {
  demand_advance(context.time, dt);
  system.leapfrog().kick(0.5 * dt);
  system.leapfrog().drift(dt);
  context.place(context.time + dt);
  system.build_tree();
  system.evaluate();
  system.leapfrog().kick(0.5 * dt);
}

std::unique_ptr<Stepper> make_stepper(const SimulationOptions& options, const TreeCosts& costs,
                                      std::uint64_t particles) {
  if (options.boundary.kind == BoundaryKind::shear) return std::make_unique<EpicycleSteps>(options);
  if (options.steps == Steps::block) return std::make_unique<BlockSteps>(options, costs, particles);
  if (options.gas.flows()) return std::make_unique<GasSteps>(options);
  if (options.steps == Steps::symmetrised) return std::make_unique<SymmetrisedSteps>(options);
  return std::make_unique<SharedSteps>(options.dt);
}

}  // namespace hornbeam
