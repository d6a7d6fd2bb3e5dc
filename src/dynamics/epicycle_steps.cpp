// SPDX-License-Identifier: Apache-2.0
// One step of a shearing sheet, see epicycle_steps.h.
#include "dynamics/epicycle_steps.h"

#include "dynamics/advance.h"

namespace hornbeam {

std::optional<double> EpicycleSteps::step(ParticleSystem& system, const StepContext& context) {
  const double dt = options_.dt, end = context.time + dt;
  demand_advance(context.time, dt);
  context.pass(context.time, end, 0);
  if (goes_back_) system.domain().remember();
  undo_if_it_fails(system, context, [&] { move(system, context); });
  system.at(end);
  system.build_tree();  // that of the present positions, back in the box
  system.leapfrog().forget_forces();
  system.act_after(dt);
  system.take_out();
  return dt;
}

/// The step without what comes at its end.
void EpicycleSteps::move(ParticleSystem& system, const StepContext& context) const {
  const Boundary& sheet = options_.boundary;
  const double dt = options_.dt;
  if (system.evaluates()) {
    system.leapfrog().drift_epicycles(sheet, 0.5 * dt);
    system.at(context.time + 0.5 * dt);
    system.build_tree();
    system.evaluate();
    system.leapfrog().kick(dt);
    system.leapfrog().drift_epicycles(sheet, 0.5 * dt);
  } else {
    system.leapfrog().drift_epicycles(sheet, dt);
  }
}

}  // namespace hornbeam
