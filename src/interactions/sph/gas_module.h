// SPDX-License-Identifier: Apache-2.0
// Gas among the particles of a domain.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "hornbeam/boundary.h"
#include "hornbeam/gas.h"
#include "hornbeam/materials.h"
#include "interactions/module.h"
#include "memory/need.h"
#include "tree/rung_census.h"

namespace hornbeam {

/// Throws UsageError where the particles or their boundary cannot be the gas that is asked for.
void check_gas(const Particles& particles, const Boundary& boundary, const GasOptions& options,
               const Materials& materials);

/// A time within a longest step of blocks.
struct GasBlock {
  double longest = 0;      ///< that step
  int deepest = 0;         ///< rung; it has 2^deepest ticks
  std::uint32_t tick = 0;  ///< now
  int least = 0;           ///< those on this rung and deeper are due
};

/// Where the present evaluation stands.
struct GasMoment {
  double since = 0;               ///< time since velocities and energies were kicked, unless by blocks
  double step = 0;                ///< time since the last evaluation, of some or of all
  std::optional<GasBlock> block;  ///< for those that are due there alone
};

/// What is around it.
struct GasSpace {
  bool pulls = false;   ///< whether gravity acts, too
  bool blocks = false;  ///< whether particles have steps of their own
  Vec3 box{};           ///< edges of a periodic box; 0: of an open axis
  /// Where sources stand that particles meet which reach so far, the first where they are; null: there alone.
  std::function<std::vector<SourceImage>(double reach)> images;
};

/// Of device time since load(), all particles' sums together.
struct GasSumSeconds {
  double density = 0, forces = 0;  ///< gradients are gathered with the density
};

class Gas : public Module {
 public:
  [[nodiscard]] std::string_view name() const override { return "gas"; }
  /// Of the evaluations from now on.
  virtual void set_moment(const GasMoment& moment) = 0;
  virtual void set_space(GasSpace space) = 0;
  /// u += (du/dt) dt; returns how many energies are below 0 then, as none may be.
  virtual std::uint64_t kick(double dt) = 0;
  /// The longest step that all gas allows, by the last evaluation; infinite where there is none.
  virtual double longest_step() = 0;

  // block steps
  /// Tells Leapfrog::choose_rungs() what gas asks for, by the last evaluation; stricter: in steps shorter by that.
  virtual void ask_for_steps(double stricter) = 0;
  /// After the rungs of those that are due have been chosen: keeps neighbours within one rung of one another, and
  /// wakes those that are not due where they would be too slow. All go down by `deeper` rungs before.
  virtual void limit_rungs(const GasBlock& block, int deeper, RungCensus& census) = 0;
  /// u += (du/dt) dt / 2 of those that are due, dt the step that begins or the time since it did; returns how many are
  /// below 0 then.
  virtual std::uint64_t begin_steps(const GasBlock& block) = 0;
  virtual std::uint64_t end_steps(const GasBlock& block) = 0;
  [[nodiscard]] virtual GasReport report() const = 0;
  /// Waits for what is under way.
  virtual GasSumSeconds sum_seconds() = 0;
};

/// What its sums take of the host's memory beside the fields of the particles, on the CPU.
memory::Need gas_host_need(Precision precision, const Holding& holding);

std::unique_ptr<Gas> make_gas(Domain& domain, const GasOptions& options, const Materials& materials);

}  // namespace hornbeam
