// SPDX-License-Identifier: Apache-2.0
// From what options ask for to materials.
#include <algorithm>
#include <cmath>

#include "hornbeam/error.h"
#include "materials/law.h"

namespace hornbeam {
namespace {

constexpr double proton_mass_over_boltzmann = 1.67262192e-24 / 1.380649e-16;  // cgs

double kelvin_of(const Units& units, double mean_weight) {
  const double speed = units.velocity_cm_per_s;
  return units.physical ? mean_weight * proton_mass_over_boltzmann * speed * speed : 0;
}

/// Each piece goes on where the one before it ends, in pressure and in energy.
std::vector<double> pieces_of(const GasOptions& o) {
  std::vector<double> numbers;
  double K = o.constant, beyond = 0;
  const auto own = [](double K_, double gamma, double rho) {
    return gamma > 1 ? K_ * std::pow(rho, gamma - 1) / (gamma - 1) : 0;
  };
  for (std::size_t k = 0; k < o.gammas.size(); ++k) {
    const double gamma = o.gammas[k], begin = k > 0 ? o.densities[k - 1] : 0;
    if (k > 0) {
      const double next = K * std::pow(begin, o.gammas[k - 1] - gamma);
      beyond += own(K, o.gammas[k - 1], begin) - own(next, gamma, begin);
      K = next;
    }
    numbers.insert(numbers.end(), {begin, gamma, K, beyond});
  }
  return numbers;
}

/// One whose law is not Tillotson's nor a table.
Material plain_material(const GasOptions& o, const Units& units) {
  auto made = std::make_shared<Material::Law>();
  made->name = name(o.eos);
  made->kelvin = kelvin_of(units, o.mean_weight);
  made->law.kind = static_cast<int>(o.eos);
  made->law.gas = {made->law.kind, o.gamma, o.sound_speed * o.sound_speed, o.constant, o.critical_density};
  if (o.eos == EquationOfState::piecewise) {
    made->table = pieces_of(o);
    made->law.rows = static_cast<int>(o.gammas.size());
  }
  return Material(made);
}

std::string asked_names() {
  std::string names;
  for (const KnownMaterial& known : known_materials()) names += std::string(known.name) + ", ";
  return names + "ideal, and NAME=FILE for a table";
}

Material open_one(const std::string& asked, const Units& units, const std::string& subject, const GasOptions& gas) {
  if (asked == "ideal") {
    GasOptions ideal = gas;
    ideal.eos = EquationOfState::ideal;
    return plain_material(ideal, units);
  }
  const materials::FromSi si = materials::from_si(units, subject);
  const std::size_t equals = asked.find('=');
  if (equals != std::string::npos) {
    const std::string named = asked.substr(0, equals);
    if (materials::id_named(named) < 0) {
      throw UsageError(subject, "has a table for " + named, "name the material as forsterite, fe85si15 or a number");
    }
    return Material(materials::table_of(asked.substr(equals + 1), named, si));
  }
  if (auto found = materials::tillotson_named(asked, si)) return Material(found);
  throw UsageError(subject, "received " + asked, "there are " + asked_names());
}

}  // namespace

Material open_material(const std::string& asked, const Units& units, const std::string& subject, double gamma) {
  GasOptions gas;
  gas.gamma = gamma;
  return open_one(asked, units, subject, gas);
}

Materials open_materials(const GasOptions& options, const Units& units) {
  if (options.eos != EquationOfState::tillotson && options.eos != EquationOfState::materials) {
    return Materials({plain_material(options, units)});
  }
  std::vector<std::string> asked = options.materials;
  if (asked.empty()) {
    for (const KnownMaterial& known : known_materials()) asked.emplace_back(known.name);
  }
  std::vector<Material> all;
  for (const std::string& one : asked) {
    all.push_back(open_one(one, units, "gas.materials", options));
    const auto same = [&](const Material& m) { return m.id() == all.back().id(); };
    if (std::count_if(all.begin(), all.end(), same) > 1) {
      throw UsageError("gas.materials", "names " + all.back().name() + " twice", "name it once");
    }
  }
  return Materials(std::move(all));
}

}  // namespace hornbeam
