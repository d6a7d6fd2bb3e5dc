// SPDX-License-Identifier: Apache-2.0
// Gravity in the precision that is requested.
#include "interactions/gravity/gravity_module.h"

#include "device/device.h"
#include "device/precisions.h"
#include "hornbeam/error.h"
#include "hornbeam/simulation.h"
#include "interactions/gravity/evaluation.h"

namespace hornbeam {

HB_EACH_PRECISION(GravityOptions plan_domain_gravity(Device&, std::uint64_t, const GravityOptions&, const Holding&,
                                                     std::uint64_t))
HB_EACH_PRECISION(memory::Need domain_gravity_host_need(Device&, const GravityOptions&, const Holding&,
                                                        const memory::Need&))
HB_EACH_PRECISION(std::unique_ptr<Gravity> make_domain_gravity(Domain&))

GravityOptions plan_gravity(Device& device, std::uint64_t n, const GravityOptions& options, const Holding& holding,
                            std::uint64_t held) {
  return HB_CALL_IN(options.precision, plan_domain_gravity, device, n, options, holding, held);
}

memory::Need gravity_host_need(Device& device, const GravityOptions& options, const Holding& holding,
                               const memory::Need& others) {
  return HB_CALL_IN(options.precision, domain_gravity_host_need, device, options, holding, others);
}

DomainOptions domain_options(const GravityOptions& o) {
  const mixed::WalkOptions w = mixed::evaluation_options(o, o.mac, false, 0);
  return {.G = o.G,
          .curve = o.curve,
          .leaf_size = o.leaf_size,
          .group_size = o.walk == Walk::group ? o.group_size : 0,
          .moment_order = w.moment_order,
          .direct = o.walk == Walk::direct};
}

void gravity_conflicts(const SimulationOptions& options) {
  if (!options.gravity.conserve) return;
  // net force and torque are 0 only where all attract one another at one time, and torque only in open space
  const char* const subject = "gravity.conserve";
  if (options.steps == Steps::block) {
    throw UsageError(subject, "needs the accelerations of all particles at one time, which block steps do not have",
                     "use shared steps, or leave it out");
  }
  if (options.boundary.kind != BoundaryKind::open) {
    throw UsageError(subject, "cannot be combined with a periodic or sheared box", "leave one of them out");
  }
}

std::unique_ptr<Gravity> make_gravity(Domain& domain) {
  return HB_CALL_IN(domain.precision(), make_domain_gravity, domain);
}

}  // namespace hornbeam
