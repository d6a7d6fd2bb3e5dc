// SPDX-License-Identifier: Apache-2.0
// A simulation: particles on one device, carried through time by kick-drift-kick leapfrog.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "hornbeam/gravity.h"
#include "hornbeam/particles.h"

namespace hornbeam {

class Backend;

struct SimulationOptions {
  GravityOptions gravity;
  double dt = 0.0;               ///< length of the shared step, > 0
  std::string backend = "auto";  ///< "auto", "cpu"
  int device = 0;
  int threads = 0;       ///< 0: all cores
  bool resumed = false;  ///< the start is a Simulation's snapshot(): continue it with the same bits
};

/// Owns its backend and memory; several may live in one process. Throws Error for particles that are not finite or
/// have negative mass, UsageError for options out of range.
class Simulation {
 public:
  Simulation(Snapshot start, const SimulationOptions& options);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// One kick-drift-kick step of length dt.
  void step();
  /// Steps until `end` or until `keep_going` (called after every step) returns false.
  void run(double end, const std::function<bool(const Simulation&)>& keep_going = {});

  [[nodiscard]] double time() const;
  [[nodiscard]] std::uint64_t steps() const;
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] Energies energies() const;
  /// Particles in input order with acceleration and potential, at the present time.
  [[nodiscard]] Snapshot snapshot() const;
  /// A copy drifted from the last full step to `time`, to second order; the run itself is not touched. It carries no
  /// acceleration and potential, which belong to the step.
  [[nodiscard]] Snapshot snapshot_at(double time) const;
  [[nodiscard]] const Backend& backend() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hornbeam
