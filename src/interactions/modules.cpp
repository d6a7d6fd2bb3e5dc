// SPDX-License-Identifier: Apache-2.0
// The list of modules, see modules.h.
#include "interactions/modules.h"

#include "interactions/collisions/collision_module.h"
#include "interactions/external/external_module.h"
#include "interactions/own/own_module.h"
#include "interactions/sph/gas_module.h"
#include "tree/boundary.h"

namespace hornbeam {

ModuleMakers makers_of(const SimulationOptions& o) {
  const bool only_gravity = o.potentials.empty() && o.forces.empty() && !o.gas.flows();
  ModuleMakers makers{external_maker(o.potentials), own_force_maker(o.forces),
                      collision_maker(o.collisions, o.collided, only_gravity), gas_maker(o.gas)};
  std::erase(makers, nullptr);
  return makers;
}

ModuleTraits traits_of(const ModuleMakers& makers) {
  ModuleTraits all;
  for (const auto& maker : makers) {
    const ModuleTraits t = maker->traits();
    all.accelerates |= t.accelerates;
    all.attracts |= t.attracts;
    all.removes |= t.removes;
    all.limits_steps |= t.limits_steps;
    all.refuses_steps |= t.refuses_steps;
    all.goes_back |= t.goes_back;
    all.gathers |= t.gathers;
    all.replaces_softening |= t.replaces_softening;
  }
  return all;
}

bool takes_out(const Boundary& boundary, const ModuleMakers& makers) {
  return (boundary.kind == BoundaryKind::open && boundary.size != Vec3{}) || traits_of(makers).removes;
}

bool takes_out(const SimulationOptions& options) { return takes_out(options.boundary, makers_of(options)); }

GravityOptions resolved_gravity(const SimulationOptions& o, bool own_eps) {
  return resolved(
      o.gravity,
      {.attracts = o.self_gravity, .own_eps = own_eps || o.gas.adapts(), .finite_images = o.boundary.is_finite_sum()});
}

Holding holding_of(const SimulationOptions& options, bool own_eps) {
  const ModuleMakers makers = makers_of(options);
  Holding holding{.velocities = true,
                  .own_eps = own_eps,
                  .rungs = options.steps == Steps::block,
                  .images = images_of(options.boundary, 0).size() > 1,
                  .leaving = takes_out(options.boundary, makers)};
  for (const auto& maker : makers) maker->hold(holding);
  return holding;
}

memory::Acting acting_in(const SimulationOptions& options) {
  const Holding holding = holding_of(options, false);
  return {.blocks = holding.rungs,
          .gas = holding.gas,
          .softened = holding.softened,
          .reconstructed = holding.strained,
          .bodies = holding.bodies,
          .writes_steps = options.time_steps};
}

}  // namespace hornbeam
