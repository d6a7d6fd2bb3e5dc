// SPDX-License-Identifier: Apache-2.0
// Steps in a shearing sheet: half of the exact motion without other forces, a kick by gravity, the other half (Rein &
// Tremaine 2011), and at the end collisions.
#pragma once

#include <utility>

#include "dynamics/stepper.h"

namespace hornbeam {

class EpicycleSteps final : public Stepper {
 public:
  EpicycleSteps(SimulationOptions options, const ModuleTraits& traits)
      : options_(std::move(options)), goes_back_(traits.goes_back) {}

  [[nodiscard]] Holding holding() const override { return {.copy = goes_back_}; }

  [[nodiscard]] double next_step(ParticleSystem& /*system*/) const override { return options_.dt; }
  void begin(ParticleSystem& system) override { system.leapfrog().forget_forces(); }
  std::optional<double> step(ParticleSystem& system, const StepContext& context) override;

 private:
  void move(ParticleSystem& system, const StepContext& context) const;

  SimulationOptions options_;
  bool goes_back_;  ///< whether a step may have to be undone
};

}  // namespace hornbeam
