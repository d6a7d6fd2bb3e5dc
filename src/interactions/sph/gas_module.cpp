// SPDX-License-Identifier: Apache-2.0
// Names and limits of the options of gas, and gas in the precision of a domain.
#include "interactions/sph/gas_module.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "device/precisions.h"
#include "hornbeam/error.h"
#include "hornbeam/materials.h"
#include "hornbeam/simulation.h"
#include "interactions/sph/gas_state.h"
#include "physics/sph_kernel.h"

namespace hornbeam {
namespace {

// in the order of the enumerators
constexpr std::array<std::string_view, 8> eos_names = {"none",       "ideal",     "isothermal", "polytrope",
                                                       "barotropic", "piecewise", "tillotson",  "materials"};
constexpr std::array<std::string_view, 4> kernel_names = {"wendland-c2", "wendland-c4", "wendland-c6", "cubic"};
constexpr std::array<std::string_view, 3> viscosity_names = {"fixed", "balsara", "cullen-dehnen"};
constexpr std::array<std::string_view, 2> gas_softening_names = {"fixed", "adaptive"};
/// Dehnen & Aly 2012; of the cubic spline as in Phantom (Price et al. 2018).
constexpr std::array<double, 4> usual_numbers = {100, 200, 295, 57.9058};

/// Dehnen & Aly 2012, text below eq. 19: at 100 neighbours, and the power with which it falls.
constexpr std::array<std::pair<double, double>, 4> own_excesses = {
    {{0.0294, 0.977}, {0.01342, 1.579}, {0.0116, 2.236}, {0, 0}}};

template <class Enum, std::size_t n>
Enum named(const std::array<std::string_view, n>& names, std::string_view subject, std::string_view text) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) return static_cast<Enum>(found - names.begin());
  std::string allowed;
  for (const auto& known : names) allowed += (allowed.empty() ? "" : ", ") + std::string(known);
  throw UsageError(std::string(subject), "received " + std::string(text), "there are " + allowed);
}

void demand_gas(bool holds, const char* key, double value, const char* allowed) {
  if (holds && std::isfinite(value)) return;
  throw UsageError(std::string("gas.") + key, "is " + std::to_string(value) + ", must be " + allowed);
}

void validate_pieces(const GasOptions& o) {
  if (o.eos != EquationOfState::piecewise) return;
  if (o.gammas.empty() || o.gammas.size() != o.densities.size() + 1) {
    throw UsageError("gas.gammas",
                     "has " + std::to_string(o.gammas.size()) + " values, and gas.densities has " +
                         std::to_string(o.densities.size()),
                     "give a gamma for each piece, and a density for each point between two pieces");
  }
  for (const double gamma : o.gammas) demand_gas(gamma >= 1, "gammas", gamma, "1 or above");
  double before = 0;
  for (const double density : o.densities) {
    demand_gas(density > before, "densities", density, "above 0, and above the one before");
    before = density;
  }
}

void demand_neighbours(const GasOptions& gas) {
  const double least = std::ceil(least_neighbours(gas.kernel)), most = 10000;
  if (gas.neighbours == 0 || (gas.neighbours >= least && gas.neighbours <= most)) return;
  std::ostringstream is, allowed;
  is << "is " << gas.neighbours << ", and a particle itself counts as " << own_neighbours(gas.kernel) << " with "
     << name(gas.kernel);
  allowed << "give " << least << " to " << most << ", or leave it out: " << usual_neighbours(gas.kernel);
  throw UsageError("gas.neighbours", is.str(), allowed.str());
}

[[noreturn]] void refuse_gas(std::size_t i, std::uint64_t id, const std::string& what, const std::string& remedy) {
  throw UsageError("[gas]", "particle " + std::to_string(i) + " (id " + std::to_string(id) + ") " + what, remedy);
}

}  // namespace

std::string_view name(EquationOfState eos) { return eos_names[static_cast<std::size_t>(eos)]; }
std::string_view name(SphKernel kernel) { return kernel_names[static_cast<std::size_t>(kernel)]; }
std::string_view name(Viscosity viscosity) { return viscosity_names[static_cast<std::size_t>(viscosity)]; }
std::string_view name(GasSoftening softening) { return gas_softening_names[static_cast<std::size_t>(softening)]; }

template <>
EquationOfState parse<EquationOfState>(std::string_view subject, std::string_view text) {
  return named<EquationOfState>(eos_names, subject, text);
}
template <>
SphKernel parse<SphKernel>(std::string_view subject, std::string_view text) {
  return named<SphKernel>(kernel_names, subject, text);
}
template <>
Viscosity parse<Viscosity>(std::string_view subject, std::string_view text) {
  return named<Viscosity>(viscosity_names, subject, text);
}

template <>
GasSoftening parse<GasSoftening>(std::string_view subject, std::string_view text) {
  return named<GasSoftening>(gas_softening_names, subject, text);
}

double usual_neighbours(SphKernel kernel) { return usual_numbers[static_cast<std::size_t>(kernel)]; }

double own_neighbours(SphKernel kernel) {
  const auto shape = static_cast<int>(kernel);
  return mixed::kernel_constant(shape) * mixed::kernel_value(shape, 0.0) * 4 * std::numbers::pi / 3;
}

double own_excess(SphKernel kernel, double neighbours) {
  const auto [at_100, power] = own_excesses[static_cast<std::size_t>(kernel)];
  return at_100 * std::pow(neighbours / 100, -power);
}

double least_neighbours(SphKernel kernel) { return 2 * own_neighbours(kernel); }

double GasOptions::effective_neighbours() const { return neighbours > 0 ? neighbours : usual_neighbours(kernel); }

void GasOptions::validate() const {
  if (!flows()) return;
  const bool cold = eos == EquationOfState::isothermal || eos == EquationOfState::barotropic;
  demand_gas(gamma > 1, "gamma", gamma, "above 1");
  demand_gas(mean_weight > 0, "mean_weight", mean_weight, "above 0");
  validate_pieces(*this);
  demand_gas(!cold || sound_speed > 0, "sound_speed", sound_speed, "above 0");
  const bool has_constant = eos == EquationOfState::polytrope || eos == EquationOfState::piecewise;
  demand_gas(!has_constant || constant > 0, "constant", constant, "above 0");
  demand_gas(eos != EquationOfState::barotropic || critical_density > 0, "critical_density", critical_density,
             "above 0");
  demand_neighbours(*this);
  if (bias_correction && kernel == SphKernel::cubic) {
    throw UsageError("gas.bias_correction", "is true, and the kernel cubic has no such correction",
                     "take a Wendland kernel, or leave it out");
  }
  demand_gas(alpha >= 0, "alpha", alpha, "0 or above");
  demand_gas(alpha_min >= 0 && alpha_min <= alpha, "alpha_min", alpha_min, "from 0 to alpha");
  demand_gas(alpha_start <= alpha, "alpha_start", alpha_start, "at most alpha");
  demand_gas(beta >= 0, "beta", beta, "0 or above");
  demand_gas(conductivity >= 0, "conductivity", conductivity, "0 or above");
  demand_gas(courant > 0 && courant <= 1, "courant", courant, "above 0 and at most 1");
  demand_gas(force_step > 0 && force_step <= 1, "force_step", force_step, "above 0 and at most 1");
  demand_gas(max_smoothing_length >= 0 && std::isfinite(max_smoothing_length), "max_smoothing_length",
             max_smoothing_length, "above 0, or 0 for none");
  demand_gas(tolerance >= 1e-12 && tolerance <= 0.1, "tolerance", tolerance, "from 1e-12 to 0.1");
}

HB_EACH_PRECISION(memory::Need domain_gas_host_need(const Holding&))
HB_EACH_PRECISION(std::unique_ptr<Gas> make_domain_gas(Domain&, const GasOptions&, const Materials&,
                                                       const Surroundings&))

namespace {

class GasMaker final : public ModuleMaker {
 public:
  explicit GasMaker(GasOptions options) : options_(std::move(options)) {}

  [[nodiscard]] ModuleTraits traits() const override {
    return {.accelerates = true,
            .limits_steps = true,
            .refuses_steps = true,
            .gathers = true,
            .replaces_softening = options_.adapts()};
  }
  void conflicts(const SimulationOptions& options, const Particles& particles) const override;
  [[nodiscard]] bool paces_all(const SimulationOptions& options, const Particles& particles) const override {
    const auto is_gas = [](Family family) { return family == Family::gas; };
    return !options.self_gravity || std::all_of(particles.family.begin(), particles.family.end(), is_gas);
  }
  void check(const Particles& p, const Surroundings& around) override;
  void hold(Holding& holding) const override {
    holding.gas = true;
    holding.softened = options_.adapts();
    holding.strained = options_.reconstructs();
    holding.materials = materials_ ? materials_->all().size() > 1 : options_.has_materials();
  }
  [[nodiscard]] memory::Need need(Precision precision, const Holding& holding) const override {
    return HB_CALL_IN(precision, domain_gas_host_need, holding);
  }
  void complete(Snapshot& start) const override { start.gas = parameters_of(options_); }
  [[nodiscard]] std::unique_ptr<Module> make(Domain& domain, const Surroundings& around) override {
    return HB_CALL_IN(domain.precision(), make_domain_gas, domain, options_, *materials_, around);
  }

 private:
  void demand_softening(const SimulationOptions& options, const Particles& particles) const;

  GasOptions options_;
  std::optional<Materials> materials_;  ///< in the units of the particles that were checked
};

void GasMaker::conflicts(const SimulationOptions& options, const Particles& particles) const {
  options_.validate();
  if (options.steps == Steps::symmetrised) {
    throw UsageError("steps = symmetrised", "cannot be combined with gas", "use shared or block steps");
  }
  if (options.collisions.law != CollisionLaw::none) {
    throw UsageError("[collisions]", "cannot be combined with gas", "leave one of them out");
  }
  if (options.boundary.kind == BoundaryKind::open && options.boundary.size != Vec3{}) {
    throw UsageError("boundary.size", "with an open boundary cannot yet be combined with gas",
                     "leave it out, or take a periodic box");
  }
  if (options.gravity.walk == Walk::direct) {
    throw UsageError("walk = direct", "makes no tree, which the search for neighbours needs", "use walk group");
  }
  if (options_.adapts()) demand_softening(options, particles);
}

/// Gas that is softened by its H takes the place of a softening that ends, too, and by which no pair is lost in
/// rounding.
void GasMaker::demand_softening(const SimulationOptions& options, const Particles& particles) const {
  const char* const subject = "gas.softening = adaptive";
  if (!options.self_gravity) {
    throw UsageError(subject, "softens gravity, which self_gravity = false switches off", "leave one of them out");
  }
  if (options.gravity.softening != Softening::spline) {
    throw UsageError(subject, "needs the spline softening", "give gravity.softening = \"spline\"");
  }
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const double own = particles.eps.empty() ? 0 : particles.eps[i];
    if (particles.family[i] != Family::gas || (options.gravity.eps < 0 ? own : options.gravity.eps) > 0) continue;
    throw UsageError(subject, "needs a fixed softening above 0 as its minimum, and the gas has none",
                     "give gravity.eps, a small fraction of the smallest H to be resolved");
  }
}

void GasMaker::check(const Particles& p, const Surroundings& around) {
  materials_ = open_materials(options_, around.units);
  if (around.boundary.kind == BoundaryKind::shear) {
    throw UsageError("[gas]", "cannot yet be combined with a shearing sheet",
                     "give boundary.kind = \"periodic\" or \"open\"");
  }
  if (options_.has_energy() && p.internal_energy.empty() &&
      std::find(p.family.begin(), p.family.end(), Family::gas) != p.family.end()) {
    throw UsageError("[gas]", "the particles have no internal energies",
                     "give a model of gas (sod, sedov, evrard), a file with a dataset `InternalEnergy` or a column "
                     "`internal_energy`, or an eos that needs none");
  }
  if (std::find(p.family.begin(), p.family.end(), Family::gas) == p.family.end()) {
    throw UsageError("[gas]", "there are no particles of the family gas",
                     "add a column `family` with 0 or gas to a table, take a model of gas (sod, sedov, evrard), or "
                     "leave [gas] out");
  }
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.family[i] != Family::gas) continue;
    if (!(p.mass[i] > 0)) refuse_gas(i, p.id[i], "is gas without mass", "give it another family, or a mass");
    if (options_.has_energy() && options_.is_heat() && p.internal_energy[i] < 0)
      refuse_gas(i, p.id[i], "has an internal energy below 0", "give 0 or more");
    if (!options_.has_materials()) continue;
    if (p.material.empty() && materials_->all().size() > 1) {
      refuse_gas(i, p.id[i],
                 "has no material, and the materials in [gas] are " + std::to_string(materials_->all().size()),
                 "give a dataset `MaterialIDs` or a column `material`, or name one in gas.materials");
    }
    if (!p.material.empty()) static_cast<void>(materials_->place_of(static_cast<int>(p.material[i])));
  }
}

}  // namespace

std::shared_ptr<ModuleMaker> gas_maker(const GasOptions& options) {
  return options.flows() ? std::make_shared<GasMaker>(options) : nullptr;
}

}  // namespace hornbeam
