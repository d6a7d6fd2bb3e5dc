// SPDX-License-Identifier: Apache-2.0
// The contract of all that acts on particles: gravity, external potentials, gas, collisions. A system holds a list of
// modules, steppers call their hooks, and neither knows which modules there are.
//
// Order of calls. Each hook runs for all modules of the list, in its order, before the next hook runs.
//
//   load      ModuleMaker: check, hold, make      then Module: load
//   tree      prepare after each build; refit after particles have moved and kept order and cells
//   forces    at (if time has passed), set_moment, evaluate (adds), finish; once more if a finish() asks for it
//   shared    step_limit; step_begin, [drift, build, forces], step_end: false from either repeats the step at half its
//             length, from a copy of the particles; then after_step. A StepFailure thrown by any of them undoes the
//             step
//   block     step_begin of those that are active; for each tick: [drift, build or refit, forces], step_end,
//             ask_for_steps, [rungs are chosen], limit_rungs, step_begin. false repeats the longest step: limit_rungs
//             then takes all of the module's particles one rung deeper
//   results   predict, describe, report, events
//
// Arrays of the domain that carry a number from one hook to another (tree/store_fields.h), and when they hold it:
//
//   asked  ask_for_steps writes the inverse of the longest step a particle allows, below 0 where a module asks for
//          nothing; Leapfrog::choose_rungs reads it at once. A sort does not carry it
//   fall   the accelerations before a module with pressure adds its own; written by its evaluate, read by choose_rungs
//   begun  the tick at which each particle's step began; step_begin writes it, limit_rungs changes it where it cuts a
//          step short, close_rungs and choose_rungs take the step's length from it
//   span   the length of each particle's step before the present one; choose_rungs alone writes it
//   pull   accelerations of the last finish(), in the user's units; they predict velocities at the next evaluate
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hornbeam/boundary.h"
#include "hornbeam/collisions.h"
#include "hornbeam/events.h"
#include "hornbeam/gas.h"
#include "hornbeam/particles.h"
#include "memory/need.h"
#include "tree/domain.h"
#include "tree/rung_census.h"

namespace hornbeam {

/// A time within a longest step of blocks.
struct BlockMoment {
  double longest = 0;      ///< that step
  int deepest = 0;         ///< rung; the step has 2^deepest ticks
  std::uint32_t tick = 0;  ///< now
  int least = 0;           ///< particles on this rung and deeper are active
};

/// Where an evaluation is within its step.
struct StepMoment {
  double since = 0;                  ///< time since velocities were kicked, unless by blocks
  double step = 0;                   ///< time since the last evaluation, of some or of all
  std::optional<BlockMoment> block;  ///< only the particles active there are evaluated
};

/// A kick of what a module integrates by itself.
struct Kick {
  double length = 0;                 ///< of shared steps, half of one
  std::optional<BlockMoment> block;  ///< of the particles active there, by half of each one's step
};

struct SimulationOptions;

/// What surrounds the particles of a module, from one load() to the next.
struct Surroundings {
  Boundary boundary;
  double time = 0;         ///< at load()
  bool blocks = false;     ///< particles have steps of their own
  bool attracted = false;  ///< gravity acts, or what particles follow like gravity
  Units units;
  /// Id of the particle of an index on input as it is now; null: the index takes its place.
  std::function<std::uint64_t(std::size_t)> id;
};

/// What a module has changed after a step.
struct Changes {
  bool positions = false;  ///< particles may have left a periodic box
  bool forces = false;     ///< tree and accelerations no longer belong to the particles
};

/// How errors about steps speak of a module.
struct StepWords {
  std::string name;     ///< "gas"
  std::string refusal;  ///< what happens in a step that it refuses
  std::string remedy;   ///< where no step is short enough
};

/// Why a number is non-finite, and what to change.
struct Cause {
  std::string why, remedy;
};

/// What a module throws where a step cannot go on and is to be undone; the caller of the simulation gets the cause.
struct StepFailure {
  std::exception_ptr cause;
};

/// What modules have done since the start.
struct Reports {
  CollisionTotals collisions;
  GasReport gas;
};

/// One interaction on one domain: it reads the domain's fields and adds accelerations and potentials. The first of a
/// domain's modules sets them.
class Module : public FrameUser {
 public:
  /// The domain holds other particles from now on.
  virtual void load(const Particles& /*particles*/) {}
  virtual void load_lent(const LentParticles& /*particles*/) {}
  /// The tree has been made of the present positions.
  virtual void prepare() {}
  /// Particles have moved, their order and cells stay those of the last build.
  virtual void refit() {}
  /// Whether evaluate() reads the boxes of cells, so that refit() must not put them off.
  [[nodiscard]] virtual bool needs_boxes() const { return false; }

  /// What moves by itself is where it is at `time`, from now on.
  virtual void at(double /*time*/) {}
  virtual void set_moment(const StepMoment& /*moment*/) {}
  /// Adds accelerations and potentials of the domain's targets.
  virtual void evaluate() {}
  /// All modules have evaluated; true if they are to do so once more, with what this one has learnt.
  virtual bool finish() { return false; }
  /// The domain's accelerations were restored instead of evaluated.
  virtual void restore() {}

  /// The longest shared step by the last evaluation.
  [[nodiscard]] virtual double step_limit() { return std::numeric_limits<double>::infinity(); }
  /// Opening and closing kick of quantities that only this module integrates; false refuses the step.
  virtual bool step_begin(const Kick& /*kick*/) { return true; }
  virtual bool step_end(const Kick& /*kick*/) { return true; }
  /// Writes `asked` of the particles active in a block; stricter: for steps shorter by this factor.
  virtual void ask_for_steps(const BlockMoment& /*block*/, double /*stricter*/) {}
  /// Called after active particles got rungs. Changes rungs, wakes inactive particles, and counts them. deeper > 0:
  /// takes all its particles that many rungs deeper instead; all must be active.
  virtual void limit_rungs(const BlockMoment& /*block*/, int /*deeper*/, RungCensus& /*census*/) {}
  /// A shared step of this length has ended; the tree is that of the present positions.
  virtual Changes after_step(double /*length*/) { return {}; }
  /// Whether all particles of the step just made stay until the next one has been made.
  [[nodiscard]] virtual bool keeps_all() const { return false; }
  /// What has happened in the step just made.
  [[nodiscard]] virtual std::vector<Event> events() const { return {}; }
  [[nodiscard]] virtual StepWords step_words() const { return {}; }

  /// Adds what the module's forces have of energy beyond the sums over accelerations and potentials.
  virtual void add_energies(Energies& /*energies*/) {}
  /// Whether predict() does anything.
  [[nodiscard]] virtual bool predicts() const { return false; }
  /// Brings fields of a copy of the particles to another time. saved: what Domain::save() wrote; since: the time since
  /// each particle's fields were kicked; step: since they were evaluated.
  virtual void predict(Particles& /*copy*/, const Particles& /*saved*/, const std::vector<double>& /*since*/,
                       double /*step*/) const {}
  /// Adds to a snapshot what follows from its fields.
  virtual void describe(Particles& /*snapshot*/) const {}
  virtual void report(Reports& /*reports*/) const {}
  /// Why particle i has an acceleration that is non-finite though gravity and potentials give a finite one.
  [[nodiscard]] virtual std::optional<Cause> cause(const Particles& /*particles*/, std::size_t /*i*/) const {
    return {};
  }

  [[nodiscard]] virtual Bytes bytes() const { return {}; }
};

/// What a module asks of systems and steppers.
struct ModuleTraits {
  bool accelerates = false;         ///< evaluations are needed without gravity, too
  bool attracts = false;            ///< particles follow its accelerations as they follow gravity
  bool removes = false;             ///< it marks particles to be taken out
  bool limits_steps = false;        ///< step_limit() may be shorter than dt
  bool refuses_steps = false;       ///< step_begin() or step_end() may return false
  bool goes_back = false;           ///< it may throw StepFailure
  bool gathers = false;             ///< it sums over neighbours: without gravity the tree gets leaves for that
  bool replaces_softening = false;  ///< ask_for_steps() takes the place of the criterion by softening

  /// Of the particles at the beginning of each step, from which it is repeated or undone.
  [[nodiscard]] bool need_copy() const { return refuses_steps || goes_back; }
};

/// A module as options describe it, before there is a device. A system makes its modules at each load().
class ModuleMaker {
 public:
  virtual ~ModuleMaker() = default;
  [[nodiscard]] virtual ModuleTraits traits() const { return {}; }
  /// Throws UsageError for options of the module that are out of range, or that do not go together with others or
  /// with these particles; before anything is loaded.
  virtual void conflicts(const SimulationOptions& /*options*/, const Particles& /*particles*/) const {}
  /// Whether each of these particles gets its step from the module, so that none needs a softening for it.
  [[nodiscard]] virtual bool paces_all(const SimulationOptions& /*options*/, const Particles& /*particles*/) const {
    return false;
  }
  /// Throws UsageError for particles or surroundings on which the module cannot act.
  virtual void check(const Particles& /*particles*/, const Surroundings& /*around*/) {}
  /// Names the fields that the domain must store.
  virtual void hold(Holding& /*holding*/) const {}
  /// What the module takes of the host's memory next to these fields, on the CPU.
  [[nodiscard]] virtual memory::Need need(Precision /*precision*/, const Holding& /*holding*/) const { return {}; }
  /// Gives a run's start what the module adds to it.
  virtual void complete(Snapshot& /*start*/) const {}
  [[nodiscard]] virtual std::unique_ptr<Module> make(Domain& domain, const Surroundings& around) = 0;
};

using ModuleMakers = std::vector<std::shared_ptr<ModuleMaker>>;

}  // namespace hornbeam
