// SPDX-License-Identifier: Apache-2.0
// Steps in a shearing sheet: half of the exact motion without other forces, a kick by gravity, the other half (Rein &
// Tremaine 2011), and at the end collisions.
#pragma once

#include <utility>

#include "dynamics/stepper.h"

namespace hornbeam {

class EpicycleSteps final : public Stepper {
 public:
  explicit EpicycleSteps(SimulationOptions options) : options_(std::move(options)) {}

  [[nodiscard]] double next_step(ParticleSystem& /*system*/) const override { return options_.dt; }
  void begin(ParticleSystem& system) override { system.leapfrog().forget_forces(); }
  std::optional<double> step(ParticleSystem& system, const StepContext& context) override;

 private:
  SimulationOptions options_;
};

}  // namespace hornbeam
