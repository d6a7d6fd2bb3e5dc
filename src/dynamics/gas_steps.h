// SPDX-License-Identifier: Apache-2.0
// Shared steps of gas and all that is with it: kick, drift and kick of velocities and internal energies, as long as all
// gas allows (docs/gas.md).
#pragma once

#include <utility>

#include "dynamics/stepper.h"

namespace hornbeam {

class GasSteps final : public Stepper {
 public:
  explicit GasSteps(SimulationOptions options) : options_(std::move(options)) {}

  [[nodiscard]] Holding holding() const override { return {.copy = true}; }
  [[nodiscard]] bool heeds_until() const override { return true; }
  /// dt, or what the gas allows at the step's beginning.
  [[nodiscard]] double next_step(ParticleSystem& system) const override;
  /// Shorter than that where an internal energy would be below 0 in the end: it is made anew then, from a copy.
  std::optional<double> step(ParticleSystem& system, const StepContext& context) override;

 private:
  SimulationOptions options_;
};

}  // namespace hornbeam
