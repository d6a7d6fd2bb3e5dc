// SPDX-License-Identifier: Apache-2.0
// A simulation: particles on one device, carried through time by kick-drift-kick leapfrog (docs/dynamics.md).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hornbeam/boundary.h"
#include "hornbeam/collisions.h"
#include "hornbeam/device_arrays.h"
#include "hornbeam/events.h"
#include "hornbeam/gas.h"
#include "hornbeam/gravity.h"
#include "hornbeam/own_force.h"
#include "hornbeam/particles.h"
#include "hornbeam/potential.h"

namespace hornbeam {

class ParticleSystem;

/// Step lengths: one for all; powers of two below the longest for each particle; or one for all that is as long as the
/// particles allow at both its ends (Hut, Makino & McMillan 1995).
enum class Steps { shared, block, symmetrised };
std::string_view name(Steps);

/// The cost of an aging tree, in particle-particle interactions. Block steps rebuild it when the interactions that its
/// age has added since the last build cost as much as a build. If all are 0, those of the backend are used.
struct TreeCosts {
  double cell = 0;       ///< of a multipole at a particle
  double expansion = 0;  ///< of a cell expanded about a group
  double build = 0;      ///< of building, for each particle
  double least_due = 0;  ///< targets below which a walk takes as long as for these: what keeps the device busy
};

struct SimulationOptions {
  GravityOptions gravity;
  double dt = 0.0;  ///< length of the shared step, or the longest step, > 0
  Steps steps = Steps::shared;
  double eta = 0.2;         ///< block and symmetrised: a step is at most eta sqrt(eps / |a|)
  double eta_change = 0.0;  ///< block: and eta_change |a| / |da/dt|; 0: not used
  int max_rung = 16;        ///< block: the shortest step is dt / 2^max_rung; symmetrised: refuses a shorter one
  TreeCosts costs;          ///< block
  std::vector<ExternalPotential> potentials;
  Boundary boundary;
  CollisionOptions collisions;
  CollisionTotals collided;  ///< what collisions have done before, where resumed
  GasOptions gas;
  std::vector<std::shared_ptr<OwnForce>> forces;  ///< one's own; of a resumed run, without functions: see add_force()
  bool self_gravity = true;                       ///< whether particles attract one another
  std::string backend = "auto";                   ///< "auto", "cpu", "cuda", "opencl"
  Devices device = 0;
  int threads = 0;          ///< 0: all cores
  bool time_steps = false;  ///< whether snapshots hold particle_steps(), as Particles::time_step
  bool resumed = false;     ///< the start is a Simulation's checkpoint(): continue it with the same bits
};

/// What the steps at which a rung was the highest one due have cost so far.
struct RungCost {
  std::uint64_t particles = 0;  ///< on the rung now
  std::uint64_t steps = 0;
  std::uint64_t due = 0;  ///< particles that these steps moved, summed
  Interactions interactions;
  double seconds = 0;  ///< of the wall
};

/// Of block steps since the start or the resumption.
struct BlockReport {
  std::vector<RungCost> rungs;  ///< from 0 to the deepest one used; empty for other steps
  std::uint64_t builds = 0, refits = 0;
  std::uint64_t woken = 0;     ///< gas particles whose steps were cut short, as those of their neighbours became so
  std::uint64_t repeated = 0;  ///< longest steps made again, as an internal energy fell below 0 in them
  std::uint64_t beyond = 0;    ///< particles that requested more than max_rung at the last chance
};

/// Owns its device and memory; several may live in one process. Throws Error for particles that are non-finite or
/// have negative mass, UsageError for options out of range. Nothing that it returns is other than finite: it throws
/// NotFinite instead, where it is asked or, at the latest, after 64 steps.
class Simulation {
 public:
  Simulation(Snapshot start, const SimulationOptions& options);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// What happens while a step is under way.
  struct Passing {
    std::vector<double> times;             ///< ascending, from the present time on and before the next one
    std::function<void(Snapshot)> output;  ///< receives a copy predicted to each of them, without accelerations
    /// A step of gas, which chooses its length, ends here at the latest, and here exactly where it comes so far.
    std::optional<double> until;
    /// Block steps: called inside of the longest step with the time reached, whenever rungs have been chosen; false
    /// gives the step up. For that a copy of the particles is kept on the device.
    std::function<bool(double time)> go_on;
  };

  /// One kick-drift-kick step; of block steps, one of the longest, at whose ends all particles are synchronised.
  /// Returns false where it was given up: then everything is as it was before. Throws Error where time no longer
  /// advances.
  bool step(const Passing& passing = {});
  /// Whether the device has room for the copy that Passing::go_on takes; otherwise a step that has begun ends.
  [[nodiscard]] bool can_give_up() const;
  /// How long the next step will be: dt, or with symmetrised steps about.
  [[nodiscard]] double next_step() const;
  /// Returns how long the next step of each particle will be, in input order: dt / 2^rung with block steps, next_step()
  /// with others.
  [[nodiscard]] std::vector<double> particle_steps() const;
  /// Whether steps choose their lengths and heed Passing::until.
  [[nodiscard]] bool heeds_until() const;
  /// Steps until `end`, until no particle is left, or until `keep_going` (called after every step) returns false.
  /// go_on: see Passing. If it stops a step, the run ends there.
  void run(double end, const std::function<bool(const Simulation&)>& keep_going = {},
           const std::function<bool(double time)>& go_on = {});

  /// Adds a force of one's own to all others, from the present time on; forces and rungs are found again. Of a run that
  /// was resumed with forces (SimulationOptions::forces without functions), each call brings back the next of them, and
  /// nothing is found again; step() throws UsageError as long as one is missing. An exception from a function undoes
  /// the step and reaches the caller.
  void add_force(const OwnForce& force);

  [[nodiscard]] double time() const;
  [[nodiscard]] std::uint64_t steps() const;
  /// Particles that are there now.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] Energies energies() const;
  /// Of particles `which` (places in input order, ascending), at the present time: much cheaper than snapshot().
  [[nodiscard]] std::vector<Motion> motions(const std::vector<std::size_t>& which) const;
  /// Particles in input order with acceleration and potential, at the present time.
  [[nodiscard]] Snapshot snapshot() const;
  /// The same for a resumed Simulation: accelerations and potentials are those of G = 1, rungs are there for block
  /// steps.
  [[nodiscard]] Snapshot checkpoint() const;
  /// Returns a copy drifted from the last full step to `time`, to second order. Internal energies, densities and
  /// smoothing lengths follow the flow to first order. The run itself does not change. The copy has no accelerations
  /// and potentials, which belong to the step.
  [[nodiscard]] Snapshot snapshot_at(double time) const;
  [[nodiscard]] const ParticleSystem& system() const;
  /// As used: with gravity.eps where all particles have one softening.
  [[nodiscard]] const SimulationOptions& options() const;
  [[nodiscard]] BlockReport block_report() const;
  /// Since the start, with options().collided.
  [[nodiscard]] CollisionTotals collisions() const;
  /// The pairs of bodies that came into contact in the last step, where collisions.law is halt. The next step looks
  /// for pairs again; a pair that stays in contact is not reported a second time.
  [[nodiscard]] const std::vector<IdPair>& halted() const;
  /// What happened to single bodies in the last step: merged, bounced, halted in the order in which they were
  /// resolved, then left in the order of the input. The same on every backend.
  [[nodiscard]] const std::vector<Event>& events() const;
  [[nodiscard]] GasReport gas() const;
  /// As used: the backend's own where none were given.
  [[nodiscard]] TreeCosts costs() const;

 private:
  /// A copy at `time`, within the step under way, of which `tick` has been reached.
  [[nodiscard]] Snapshot snapshot_within(double time, std::uint32_t tick) const;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hornbeam
