// SPDX-License-Identifier: Apache-2.0
// External potentials in the precision of a domain.
#include "interactions/external/external_module.h"

#include <utility>

#include "device/precisions.h"
#include "hornbeam/simulation.h"

namespace hornbeam {

HB_EACH_PRECISION(std::unique_ptr<Module> make_domain_external(Domain&, const std::vector<ExternalPotential>&, double))

namespace {

class ExternalMaker final : public ModuleMaker {
 public:
  explicit ExternalMaker(std::vector<ExternalPotential> potentials) : potentials_(std::move(potentials)) {}
  [[nodiscard]] ModuleTraits traits() const override { return {.accelerates = true, .attracts = true}; }
  void conflicts(const SimulationOptions& /*options*/, const Particles& /*particles*/) const override {
    for (const ExternalPotential& potential : potentials_) potential.validate("potential");
  }
  [[nodiscard]] std::unique_ptr<Module> make(Domain& domain, const Surroundings& around) override {
    return HB_CALL_IN(domain.precision(), make_domain_external, domain, potentials_, around.time);
  }

 private:
  std::vector<ExternalPotential> potentials_;
};

}  // namespace

std::shared_ptr<ModuleMaker> external_maker(const std::vector<ExternalPotential>& potentials) {
  return potentials.empty() ? nullptr : std::make_shared<ExternalMaker>(potentials);
}

}  // namespace hornbeam
