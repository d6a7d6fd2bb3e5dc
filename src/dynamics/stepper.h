// SPDX-License-Identifier: Apache-2.0
// How a system is carried from one time to the next: a part that a Simulation composes with a system.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "dynamics/particle_system.h"
#include "hornbeam/simulation.h"

namespace hornbeam {

/// What surrounds one step.
struct StepContext {
  double time;   ///< at its beginning
  double until;  ///< later than that: where steps that choose their length end at the latest
  /// Called before the particles drift from one time to another, for outputs in between; tick: of block steps, where in
  /// the longest step the first of these lies.
  std::function<void(double from, double to, std::uint32_t tick)> pass;
  /// Block steps: asked inside of the longest step, at the time reached, whether to go on; null: always.
  std::function<bool(double)> go_on;
  /// Accelerations are non-finite: throws, saying whose.
  std::function<void()> report_not_finite;
};

class Stepper {
 public:
  virtual ~Stepper() = default;

  /// What must be held of each particle for it.
  [[nodiscard]] virtual Holding holding() const { return {}; }
  /// The first accelerations are there: those of a new run, or of one that is resumed from `rungs`.
  virtual void begin(ParticleSystem& /*system*/) {}
  virtual void resume(const std::vector<std::uint8_t>& /*rungs*/) {}
  /// Whether steps choose their lengths, and so can end at StepContext::until.
  [[nodiscard]] virtual bool heeds_until() const { return false; }
  /// How long the next step will be, at most.
  [[nodiscard]] virtual double next_step(ParticleSystem& system) const = 0;
  /// One step, at whose ends all particles are synchronised: its length, or none where it was given up; then everything
  /// is as it was before. Throws Error where time no longer advances.
  virtual std::optional<double> step(ParticleSystem& system, const StepContext& context) = 0;
  /// Whether there is room for the copy that giving up takes.
  [[nodiscard]] virtual bool can_give_up() const { return true; }
  [[nodiscard]] virtual BlockReport report() const { return {}; }
};

/// Takes the system back to the beginning of the step, where Domain::remember() has kept it: the same particles, so the
/// same tree.
void go_back(ParticleSystem& system, const StepContext& context);

/// Returns what make() returns. A StepFailure on the way calls go_back().
template <class Make>
auto undo_if_it_fails(ParticleSystem& system, const StepContext& context, const Make& make) {
  try {
    return make();
  } catch (const StepFailure&) {
    go_back(system, context);
    throw;
  }
}

/// Kick, drift and kick of all particles, dt long. Returns the module that refuses the step; null: none.
const Module* kick_drift_kick(ParticleSystem& system, const StepContext& context, double dt);

/// The one that options.steps names; traits: of all modules; costs: of block steps.
std::unique_ptr<Stepper> make_stepper(const SimulationOptions& options, const ModuleTraits& traits,
                                      const TreeCosts& costs, std::uint64_t particles);

}  // namespace hornbeam
