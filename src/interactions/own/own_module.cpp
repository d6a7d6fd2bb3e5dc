// SPDX-License-Identifier: Apache-2.0
// Forces of one's own in the precision of a domain.
#include "interactions/own/own_module.h"

#include <algorithm>
#include <utility>

#include "device/precisions.h"
#include "hornbeam/error.h"
#include "hornbeam/simulation.h"

namespace hornbeam {

HB_EACH_PRECISION(std::unique_ptr<Module> make_domain_own(Domain&, const std::vector<std::shared_ptr<OwnForce>>&,
                                                          const Surroundings&))

namespace {

class OwnForceMaker final : public ModuleMaker {
 public:
  explicit OwnForceMaker(std::vector<std::shared_ptr<OwnForce>> forces) : forces_(std::move(forces)) {}

  [[nodiscard]] ModuleTraits traits() const override {
    return {.accelerates = true, .attracts = true, .limits_steps = ask_for_steps(), .goes_back = true};
  }
  void conflicts(const SimulationOptions& options, const Particles& /*particles*/) const override {
    const bool asks = any_asks_for_steps(forces_);
    if (asks && options.boundary.kind == BoundaryKind::shear) {
      throw UsageError("add_force", "received step, but steps in a shearing sheet are of fixed length",
                       "leave step out");
    }
    if (asks && options.gas.flows() && options.steps == Steps::block) {
      throw UsageError("add_force", "received step, which cannot yet be combined with block steps of gas",
                       "leave step out, or use shared steps");
    }
  }
  void hold(Holding& holding) const override { holding.asks = holding.asks || ask_for_steps(); }
  [[nodiscard]] memory::Need need(Precision /*precision*/, const Holding& /*holding*/) const override {
    constexpr double vectors = 5 * sizeof(Vec3);  // positions, velocities, and accelerations: one's, summed, earlier
    return {{"particles for forces of your own", vectors + sizeof(std::uint64_t) + 3 * sizeof(std::uint32_t)}};
  }
  [[nodiscard]] std::unique_ptr<Module> make(Domain& domain, const Surroundings& around) override {
    return HB_CALL_IN(domain.precision(), make_domain_own, domain, forces_, around);
  }

 private:
  /// Or may do so, once they are brought back.
  [[nodiscard]] bool ask_for_steps() const {
    return any_asks_for_steps(forces_) ||
           std::any_of(forces_.begin(), forces_.end(), [](const auto& force) { return !force->acceleration; });
  }

  std::vector<std::shared_ptr<OwnForce>> forces_;
};

}  // namespace

bool any_asks_for_steps(const std::vector<std::shared_ptr<OwnForce>>& forces) {
  return std::any_of(forces.begin(), forces.end(), [](const auto& force) { return bool(force->step); });
}

std::shared_ptr<ModuleMaker> own_force_maker(const std::vector<std::shared_ptr<OwnForce>>& forces) {
  return forces.empty() ? nullptr : std::make_shared<OwnForceMaker>(forces);
}

}  // namespace hornbeam
