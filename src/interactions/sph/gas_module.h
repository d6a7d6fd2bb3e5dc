// SPDX-License-Identifier: Apache-2.0
// Gas among the particles of a domain.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "hornbeam/boundary.h"
#include "hornbeam/gas.h"
#include "interactions/module.h"

namespace hornbeam {

/// Throws UsageError where the particles or their boundary cannot be the gas that is asked for.
void check_gas(const Particles& particles, const Boundary& boundary, const GasOptions& options);

/// Where the present evaluation stands.
struct GasMoment {
  double since = 0;  ///< time since velocities and energies were kicked
  double step = 0;   ///< time since the last evaluation
};

/// What is around it.
struct GasSpace {
  bool pulls = false;  ///< whether gravity acts, too
  Vec3 box{};          ///< edges of a periodic box; 0: of an open axis
  /// Where sources stand that particles meet which reach so far, the first where they are; null: there alone.
  std::function<std::vector<SourceImage>(double reach)> images;
};

/// Of device time since load(), all particles' sums together.
struct GasSumSeconds {
  double density = 0, gradients = 0, forces = 0;
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
  [[nodiscard]] virtual GasReport report() const = 0;
  /// Waits for what is under way.
  virtual GasSumSeconds sum_seconds() = 0;
};

std::unique_ptr<Gas> make_gas(Domain& domain, const GasOptions& options);

}  // namespace hornbeam
