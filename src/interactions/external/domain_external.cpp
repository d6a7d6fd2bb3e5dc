// SPDX-License-Identifier: Apache-2.0
// The attraction of external potentials, see domain_external.h. Compiled once a precision (HB_PRECISION).
#include "interactions/external/domain_external.h"

HB_OPEN

void DomainExternal::at(double time) {
  fields_.time = time;
  unit_ = 0;
}

const ExternalFields& DomainExternal::present() {
  const Frame& frame = domain_.frame();
  if (unit_ == frame.length) return on_device_;
  const std::vector<ExternalField> now = fields_in_units(fields_, frame.G, frame.length, frame.mass);
  on_device_.count = static_cast<i32>(now.size());
  unit_ = frame.length;
  on_device_.fields.reserve(now.size() * sizeof(ExternalField));
  domain_.device().upload(on_device_.fields, 0, now.data(), now.size() * sizeof(ExternalField));
  return on_device_;
}

void DomainExternal::evaluate() {
  const DeviceParticles& p = domain_.particles();
  if (p.n == 0) return;
  const StageTimer::Scope timed(domain_.timer(), &StageSeconds::walk);
  const ExternalFields& fields = present();
  const Targets targets = domain_.targets().list();
  domain_.device().launch(kernels::add_external{.fields = fields.fields,
                                                .count = fields.count,
                                                .targets = targets.count,
                                                .due = targets.list,
                                                .position = p.x,
                                                .acc = p.acc},
                          plain_variant, targets.count);
}

std::unique_ptr<Module> make_domain_external(Domain& domain, const std::vector<ExternalPotential>& potentials,
                                             double time) {
  return std::make_unique<DomainExternal>(static_cast<ParticleDomain&>(domain), potentials, time);
}

HB_CLOSE
