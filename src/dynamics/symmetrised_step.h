// SPDX-License-Identifier: Apache-2.0
// Shared steps whose length is symmetric in time: the mean of what the particles allow at both ends (docs/dynamics.md).
#pragma once

#include <utility>

#include "dynamics/stepper.h"

namespace hornbeam {

class SymmetrisedSteps final : public Stepper {
 public:
  explicit SymmetrisedSteps(SimulationOptions options) : options_(std::move(options)) {}

  [[nodiscard]] Holding holding() const override { return {.copy = true}; }
  /// Of the present particles: at most dt. Throws Error where less than dt / 2^max_rung.
  [[nodiscard]] double next_step(ParticleSystem& system) const override;
  /// Trials, each from the same start, until length and mean agree.
  std::optional<double> step(ParticleSystem& system, const StepContext& context) override;

 private:
  double agreed(ParticleSystem& system, const StepContext& context, double at_start) const;

  SimulationOptions options_;
};

}  // namespace hornbeam
