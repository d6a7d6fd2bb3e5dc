// SPDX-License-Identifier: Apache-2.0
// Options of a simulation that do not go together, see validate.h.
#include "simulation/validate.h"
#include "core/deepest_rung.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/deepest_rung.h"
#include "core/fields.h"
#include "dynamics/advance.h"
#include "hornbeam/error.h"
#include "interactions/modules.h"

namespace hornbeam {
namespace {

void demand(bool holds, const char* option, double value, const char* allowed) {
  if (!holds) throw UsageError(option, "is " + std::to_string(value) + ", " + allowed);
}

void validate_steps(const Particles& particles, const SimulationOptions& options) {
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
  const auto is_gas = [](Family family) { return family == Family::gas; };
  const bool flows = options.gas.flows() &&
                     (!options.self_gravity || std::all_of(particles.family.begin(), particles.family.end(), is_gas));
  if (!soft && !by_change && !flows && particles.size() > 0) {
    throw UsageError("steps = " + std::string(name(options.steps)),
                     "needs softened particles: steps are eta sqrt(eps / |a|)",
                     "give gravity.eps, or with block steps eta_change");
  }
}

/// Gas that is softened by its H takes the place of a softening that ends, too, and by which no pair is lost in
/// rounding.
void validate_softening(const Particles& particles, const SimulationOptions& options) {
  if (!options.gas.adapts()) return;
  const char* const subject = "gas.softening = adaptive";
  if (!options.self_gravity) {
    throw UsageError(subject, "is of gravity, which self_gravity = false leaves out", "leave out one of the two");
  }
  if (options.gravity.softening != Softening::spline) {
    throw UsageError(subject, "needs a fixed softening that ends at a radius, for the least there is",
                     "give gravity.softening = \"spline\"");
  }
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const double own = particles.eps.empty() ? 0 : particles.eps[i];
    if (particles.family[i] != Family::gas || (options.gravity.eps < 0 ? own : options.gravity.eps) > 0) continue;
    throw UsageError(subject, "needs a fixed softening, for the least there is, and gas has none",
                     "give gravity.eps, a small part of the smallest H that is to come");
  }
}

/// Net force and torque are nothing where all pull one another at one time, and torque where nothing pulls from beyond.
void validate_conservation(const SimulationOptions& options) {
  if (!options.gravity.conserve) return;
  const char* const subject = "gravity.conserve";
  if (options.steps == Steps::block) {
    throw UsageError(subject, "takes pulls of all particles at one time, which block steps do not have",
                     "use shared steps, or leave it out");
  }
  if (options.boundary.kind != BoundaryKind::open) {
    throw UsageError(subject, "does not go with a box whose images pull", "leave one of the two out");
  }
}

/// What does not go together with gas.
void validate_gas(const SimulationOptions& options) {
  if (options.steps == Steps::symmetrised) {
    throw UsageError("steps = symmetrised", "does not go with gas", "use shared or block steps");
  }
  if (options.collisions.law != CollisionLaw::none) {
    throw UsageError("[collisions]", "do not go with gas", "leave one of them out");
  }
  if (takes_out(options)) {
    throw UsageError("boundary.size", "of an open box does not go with gas yet",
                     "leave it out, or take a periodic box");
  }
  if (options.gravity.walk == Walk::direct) {
    throw UsageError("walk = direct", "makes no tree to find neighbours with", "use walk group");
  }
}

/// What does not go together with a shearing sheet and with collisions.
void validate_rings(const SimulationOptions& options) {
  const bool sheet = options.boundary.kind == BoundaryKind::shear,
             collide = options.collisions.law != CollisionLaw::none;
  if ((sheet || collide) && options.steps != Steps::shared) {
    throw UsageError("steps = " + std::string(name(options.steps)),
                     std::string("does not go with ") + (sheet ? "a shearing sheet" : "collisions"),
                     "use shared steps");
  }
  if ((sheet || collide) && options.gravity.precision == Precision::single) {
    throw UsageError("precision = single", "does not hold the overlap of bodies in a box", "use mixed or double");
  }
  if (collide && options.gravity.walk == Walk::direct) {
    throw UsageError("walk = direct", "makes no tree to find collisions with", "use walk group");
  }
  if (options.gas.flows()) return validate_gas(options);
  if (!options.self_gravity && !options.potentials.empty()) {
    throw UsageError("self_gravity = false", "leaves out all kicks, those of external potentials too",
                     "give masses of 0 instead, or leave the potentials out");
  }
  if (sheet && options.gravity.mac == Mac::relative) {
    throw UsageError("mac = relative", "needs the accelerations of the step before, which a sheet does not keep",
                     "use offset");
  }
  const double fastest = std::max(options.boundary.omega, options.boundary.omega_z);
  if (sheet && !(options.dt * fastest < 1)) {
    throw UsageError("time.dt",
                     "is " + std::to_string(options.dt) + ", longer than a radian of the sheet's oscillations",
                     "take a hundredth of an orbit or less");
  }
  if (takes_out(options) && options.steps != Steps::shared) {
    throw UsageError("steps = " + std::string(name(options.steps)), "does not go with a box that particles may leave",
                     "use shared steps, or leave out boundary.size");
  }
  constexpr double longest_sweep = 0.25;
  if (sheet && collide && options.collisions.detection == Detection::swept &&
      !(options.dt * options.boundary.omega <= longest_sweep)) {
    throw UsageError("time.dt", "is so long that ways in a sheet are not straight within it",
                     "take a thousandth of an orbit, or detection overlap");
  }
  if (!sheet && !options.self_gravity) {
    throw UsageError("self_gravity = false", "is for shearing sheets and gas", "leave it out, or give masses of 0");
  }
}

}  // namespace

namespace {

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
  validate_steps(start.particles, options);
  for (const ExternalPotential& potential : options.potentials) potential.validate("potential");
  options.boundary.validate();
  options.collisions.validate();
  options.gas.validate();
  validate_rings(options);
  validate_softening(start.particles, options);
  validate_conservation(options);
  const Particles& p = start.particles;
  if (!options.resumed) return;
  if (const std::vector<std::string> missing = missing_to_resume(p, options); !missing.empty()) {
    throw UsageError("resumed", "the start lacks " + missing.front(), "take it from checkpoint()");
  }
  if (options.steps != Steps::block) return;
  demand(!first_rung_beyond(p, options.max_rung), "max_rung", options.max_rung,
         "less than the rungs of the checkpoint");
}

}  // namespace hornbeam
