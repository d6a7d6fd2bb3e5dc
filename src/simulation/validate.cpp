// SPDX-License-Identifier: Apache-2.0
// Options of a simulation that do not go together, see validate.h.
#include "simulation/validate.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/deepest_rung.h"
#include "core/fields.h"
#include "dynamics/advance.h"
#include "hornbeam/error.h"
#include "interactions/gravity/gravity_module.h"
#include "interactions/modules.h"

namespace hornbeam {
namespace {

void demand(bool holds, const char* option, double value, const char* allowed) {
  if (!holds) throw UsageError(option, "is " + std::to_string(value) + ", " + allowed);
}

void validate_steps(const Particles& particles, const SimulationOptions& options, const ModuleMakers& makers) {
  if (options.steps == Steps::shared) return;
  demand(std::isfinite(options.eta) && options.eta > 0, "eta", options.eta, "must be finite and above 0");
  demand(std::isfinite(options.eta_change) && options.eta_change >= 0, "eta_change", options.eta_change,
         "must be finite and 0 or above");
  demand(options.max_rung >= 0 && options.max_rung <= deepest_rung, "max_rung", options.max_rung,
         "must be from 0 to 30");
  const auto is_soft = [](double eps) { return eps > 0; };
  const bool soft = options.gravity.eps < 0 ? std::any_of(particles.eps.begin(), particles.eps.end(), is_soft)
                                            : options.gravity.eps > 0;
  const bool by_change = options.steps == Steps::block && options.eta_change > 0;
  const bool paced = std::any_of(makers.begin(), makers.end(),
                                 [&](const auto& maker) { return maker->paces_all(options, particles); });
  // one that nothing attracts moves on a line, in the longest steps
  const bool free = particles.size() == 1 && options.potentials.empty();
  if (!soft && !by_change && !paced && !free && particles.size() > 0) {
    throw UsageError("steps = " + std::string(name(options.steps)),
                     "needs softened particles, because steps are eta sqrt(eps / |a|)",
                     "give gravity.eps, or with block steps eta_change");
  }
}

/// What does not go together with a shearing sheet.
void validate_sheet(const SimulationOptions& options) {
  if (options.boundary.kind != BoundaryKind::shear) return;
  if (options.steps != Steps::shared) {
    throw UsageError("steps = " + std::string(name(options.steps)), "cannot be combined with a shearing sheet",
                     "use shared steps");
  }
  if (options.gravity.precision == Precision::single) {
    throw UsageError("precision = single", "is too coarse for the overlap of bodies in a box", "use mixed or double");
  }
  if (options.gravity.mac == Mac::relative) {
    throw UsageError("mac = relative",
                     "needs the accelerations of the previous step, which are not stored in a shearing sheet",
                     "use offset");
  }
  const double fastest = std::max(options.boundary.omega, options.boundary.omega_z);
  if (!(options.dt * fastest < 1)) {
    throw UsageError("time.dt", "is " + std::to_string(options.dt) + ", which is longer than a radian of the epicycles",
                     "take a hundredth of an orbit or less");
  }
}

/// The same with particles that may be taken out.
void validate_leaving(const SimulationOptions& options, const ModuleMakers& makers) {
  if (options.steps == Steps::shared || !takes_out(options.boundary, makers)) return;
  throw UsageError("steps = " + std::string(name(options.steps)),
                   "cannot be combined with a box that particles may leave",
                   "use shared steps, or leave out boundary.size");
}

/// Whether a run with these options leaves its checkpoints a field of that row, and needs it to go on.
bool needs(const Holding& holding, const memory::Acting& acting, const FieldRow& row) {
  if (!row.in_checkpoints || !acting.fills(row.owner)) return false;
  if (row.owner == Owner::particles) return row.required;
  if (row.owner == Owner::gravity)
    return row.life == Life::moment;  // options have an eps of all; one of each is listed
  if (&row == &row_of(&Particles::material)) return holding.materials;
  return &row != &row_of(&Particles::spin) || holding.spins;
}

}  // namespace

std::vector<std::string> missing_to_resume(const Particles& particles, const SimulationOptions& options) {
  std::vector<std::string> missing;
  const Holding holding = holding_of(options, false);
  const memory::Acting acting = acting_in(options);
  for_each_array(particles, [&](const auto& array, const FieldRow& row) {
    if (array.size() != particles.size() && needs(holding, acting, row)) missing.emplace_back(row.name);
  });
  return missing;
}

void validate(const Snapshot& start, const SimulationOptions& options) {
  demand(std::isfinite(options.dt) && options.dt > 0.0, "dt", options.dt, "must be finite and above 0");
  options.gravity.validate();
  start.particles.validate("simulation");
  demand_advance(start.time, least_step * options.dt);
  const ModuleMakers makers = makers_of(options);
  validate_steps(start.particles, options, makers);
  options.boundary.validate();
  validate_sheet(options);
  for (const auto& maker : makers) maker->conflicts(options, start.particles);
  validate_leaving(options, makers);
  gravity_conflicts(options);
  const Particles& p = start.particles;
  if (!options.resumed) return;
  if (const std::vector<std::string> missing = missing_to_resume(p, options); !missing.empty()) {
    throw UsageError("resumed", "the start lacks " + missing.front(), "use the particles of checkpoint()");
  }
  if (options.steps != Steps::block) return;
  demand(!first_rung_beyond(p, options.max_rung), "max_rung", options.max_rung,
         "less than the rungs of the checkpoint");
}

}  // namespace hornbeam
