// SPDX-License-Identifier: Apache-2.0
// Gravity in the precision that is asked for.
#include "interactions/gravity/gravity_module.h"

#include "device/device.h"
#include "device/precisions.h"

namespace hornbeam {

HB_EACH_PRECISION(GravityOptions plan_domain_gravity(Device&, std::uint64_t, const GravityOptions&, const Holding&,
                                                     std::uint64_t))
HB_EACH_PRECISION(memory::Need domain_gravity_host_need(const Device&, const GravityOptions&, const Holding&))
HB_EACH_PRECISION(DomainOptions gravity_domain_options(const Device&, const GravityOptions&, bool))
HB_EACH_PRECISION(std::unique_ptr<Gravity> make_domain_gravity(Domain&))

GravityOptions plan_gravity(Device& device, std::uint64_t n, const GravityOptions& options, const Holding& holding,
                            std::uint64_t held) {
  return HB_CALL_IN(options.precision, plan_domain_gravity, device, n, options, holding, held);
}

memory::Need gravity_host_need(const Device& device, const GravityOptions& options, const Holding& holding) {
  return HB_CALL_IN(options.precision, domain_gravity_host_need, device, options, holding);
}

DomainOptions domain_options(const Device& device, const GravityOptions& planned, bool own_eps) {
  return HB_CALL_IN(planned.precision, gravity_domain_options, device, planned, own_eps);
}

std::unique_ptr<Gravity> make_gravity(Domain& domain) {
  return HB_CALL_IN(domain.precision(), make_domain_gravity, domain);
}

}  // namespace hornbeam
