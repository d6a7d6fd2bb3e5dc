// SPDX-License-Identifier: Apache-2.0
// Laws of collisions, their limits, and collisions in the precision of a domain.
#include "interactions/collisions/collision_module.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "device/precisions.h"
#include "hornbeam/error.h"
#include "hornbeam/simulation.h"

namespace hornbeam {
namespace {

constexpr std::array<std::string_view, 7> law_names = {"none",  "constant", "power", "bridges",
                                                       "table", "merge",    "halt"};
constexpr std::array<std::string_view, 2> detection_names = {"overlap", "swept"};

void demand(bool holds, const char* key, const char* allowed) {
  if (!holds) throw UsageError(std::string("collisions.") + key, std::string("must be ") + allowed);
}

/// Points of a power law: so many for each doubling of the speed, and over so many doublings on either side of it.
constexpr int points_of_doubling = 64, doublings = 48;

RestitutionTable power_table(double scale, double speed, double exponent) {
  RestitutionTable table;
  std::vector<double> logs;
  for (int k = -doublings * points_of_doubling; k <= doublings * points_of_doubling; ++k) {
    logs.push_back(static_cast<double>(k) / points_of_doubling);
  }
  if (exponent != 0) logs.push_back(-std::log2(scale) / exponent);  // where it is cut
  std::sort(logs.begin(), logs.end());
  logs.erase(std::unique(logs.begin(), logs.end()), logs.end());
  for (const double log : logs) {
    table.speeds.push_back(speed * std::exp2(log));
    table.coefficients.push_back(std::min(1.0, scale * std::exp2(exponent * log)));
  }
  return table;
}

void validate_table(const CollisionOptions& o) {
  demand(!o.speeds.empty() && o.speeds.size() == o.coefficients.size(), "speeds",
         "one for each coefficient, and at least one");
  for (std::size_t k = 0; k < o.speeds.size(); ++k) {
    demand(std::isfinite(o.speeds[k]) && o.speeds[k] >= 0 && (k == 0 || o.speeds[k] > o.speeds[k - 1]), "speeds",
           "0 or above, and ascend");
    demand(o.coefficients[k] >= 0 && o.coefficients[k] <= 1, "coefficients", "from 0 to 1");
  }
}

}  // namespace

std::string_view name(CollisionLaw law) { return law_names[static_cast<std::size_t>(law)]; }

template <>
CollisionLaw parse<CollisionLaw>(std::string_view subject, std::string_view text) {
  const auto found = std::find(law_names.begin(), law_names.end(), text);
  if (found != law_names.end()) return static_cast<CollisionLaw>(found - law_names.begin());
  throw UsageError(std::string(subject), "received " + std::string(text),
                   "must be none, constant, power, bridges, table, merge or halt");
}

std::string_view name(Detection detection) { return detection_names[static_cast<std::size_t>(detection)]; }

template <>
Detection parse<Detection>(std::string_view subject, std::string_view text) {
  const auto found = std::find(detection_names.begin(), detection_names.end(), text);
  if (found != detection_names.end()) return static_cast<Detection>(found - detection_names.begin());
  throw UsageError(std::string(subject), "received " + std::string(text), "must be overlap or swept");
}

bool CollisionOptions::bounce() const {
  return law != CollisionLaw::none && law != CollisionLaw::merge && law != CollisionLaw::halt;
}

void CollisionOptions::validate() const {
  if (!bounce()) return;
  demand(tangential_restitution >= -1 && tangential_restitution <= 1, "tangential_restitution", "from -1 to 1");
  demand(!friction || *friction >= 0, "friction", "0 or above");
  demand(!friction || tangential_restitution < 1, "friction",
         "left out with tangential_restitution = 1, which means smooth surfaces");
  demand(std::isfinite(minimum_velocity) && minimum_velocity >= 0, "minimum_velocity", "finite and 0 or above");
  demand(!record_above || *record_above >= 0, "record_above", "0 or above");
  if (law == CollisionLaw::constant) demand(restitution >= 0 && restitution <= 1, "restitution", "from 0 to 1");
  if (law == CollisionLaw::table) validate_table(*this);
  if (law != CollisionLaw::power && law != CollisionLaw::bridges) return;
  demand(std::isfinite(scale) && scale > 0, "scale", "above 0");
  demand(std::isfinite(exponent), "exponent", "finite");
  demand(std::isfinite(speed) && speed > 0, "speed", "above 0");
}

RestitutionTable table_of(const CollisionOptions& o) {
  if (o.law == CollisionLaw::table) return {o.speeds, o.coefficients};
  if (o.law == CollisionLaw::constant || !o.bounce()) return {{0.0}, {o.restitution}};
  return power_table(o.scale, o.speed, o.law == CollisionLaw::bridges ? -0.234 : o.exponent);
}

HB_EACH_PRECISION(memory::Need domain_collisions_host_need(const Holding&, bool))
HB_EACH_PRECISION(std::unique_ptr<Module> make_domain_collisions(Domain&, const CollisionOptions&,
                                                                 const CollisionTotals&, const Surroundings&,
                                                                 const ContactGravity&))

namespace {

class CollisionMaker final : public ModuleMaker {
 public:
  CollisionMaker(CollisionOptions options, CollisionTotals totals, bool only_gravity)
      : options_(std::move(options)), totals_(std::move(totals)), gravity_{.only_gravity = only_gravity} {}

  [[nodiscard]] ModuleTraits traits() const override { return {.removes = options_.law == CollisionLaw::merge}; }
  void conflicts(const SimulationOptions& options, const Particles& particles) const override;
  void check(const Particles& particles, const Surroundings& around) override;
  void hold(Holding& holding) const override {
    holding.bodies = true;
    holding.spins = holding.spins || options_.change_spins();
  }
  [[nodiscard]] memory::Need need(Precision precision, const Holding& holding) const override {
    return HB_CALL_IN(precision, domain_collisions_host_need, holding, options_.bounce() && options_.records());
  }
  void complete(Snapshot& start) const override {
    Particles& p = start.particles;
    if (options_.change_spins() && p.spin.empty()) p.spin.resize(p.size());
  }
  [[nodiscard]] std::unique_ptr<Module> make(Domain& domain, const Surroundings& around) override {
    return HB_CALL_IN(domain.precision(), make_domain_collisions, domain, options_, totals_, around, gravity_);
  }

 private:
  CollisionOptions options_;
  CollisionTotals totals_;
  ContactGravity gravity_;
};

void CollisionMaker::conflicts(const SimulationOptions& options, const Particles& /*particles*/) const {
  options_.validate();
  if (options.steps != Steps::shared) {
    throw UsageError("steps = " + std::string(name(options.steps)), "cannot be combined with collisions",
                     "use shared steps");
  }
  if (options.gravity.precision == Precision::single) {
    throw UsageError("precision = single", "is too coarse for the overlap of bodies in a box", "use mixed or double");
  }
  if (options.gravity.walk == Walk::direct) {
    throw UsageError("walk = direct", "makes no tree, which the search for collisions needs", "use walk group");
  }
  constexpr double longest_sweep = 0.25;
  if (options.boundary.kind == BoundaryKind::shear && options_.detection == Detection::swept &&
      !(options.dt * options.boundary.omega <= longest_sweep)) {
    throw UsageError("time.dt", "is so long that paths in a shearing sheet are curved within it",
                     "take a thousandth of an orbit, or detection = \"overlap\"");
  }
}

/// Bodies have radii and fit into their box.
void CollisionMaker::check(const Particles& particles, const Surroundings& around) {
  const Boundary& boundary = around.boundary;
  gravity_.unsoftened = around.attracted &&
                        std::any_of(particles.eps.begin(), particles.eps.end(), [](double eps) { return !(eps > 0); });
  if (particles.radius.size() != particles.size()) {
    throw UsageError("[collisions]", "the particles have no radii",
                     "give a model that has them (ring), or a file with a column `radius` or a dataset `Radius`");
  }
  const auto largest = std::max_element(particles.radius.begin(), particles.radius.end());
  if (largest == particles.radius.end()) return;
  for (std::size_t k = 0; k < 3; ++k) {
    if (boundary.kind == BoundaryKind::open || boundary.size[k] == 0 || boundary.size[k] >= 2 * *largest) continue;
    throw UsageError(
        "boundary.size",
        "is " + std::to_string(boundary.size[k]) + " along an axis, and the largest radius " + std::to_string(*largest),
        "the box must be at least as large as the largest body");
  }
}

}  // namespace

std::shared_ptr<ModuleMaker> collision_maker(const CollisionOptions& options, const CollisionTotals& totals,
                                             bool only_gravity) {
  return options.law == CollisionLaw::none ? nullptr : std::make_shared<CollisionMaker>(options, totals, only_gravity);
}

}  // namespace hornbeam
