// SPDX-License-Identifier: Apache-2.0
// Materials known by name: parameters of Tillotson's equation, and the numbers that files give to materials.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "hornbeam/error.h"
#include "materials/law.h"

namespace hornbeam {
namespace {

struct Parameters {
  KnownMaterial known;
  mixed::TillotsonLaw law;  ///< SI
};

/// Melosh 1989 and what SWIFT and miluphcuda take, who agree but on water and ice, where these are SWIFT's; aluminium:
/// miluphcuda's, with the specific heat of the cold metal. Water and ice lose what holds them together from 0.925 to
/// 0.875 of their density.
constexpr std::array<Parameters, 6> parameters = {{
    {{"iron", 100, 7800, 449}, {7800, 0.5, 1.5, 1.28e11, 1.05e11, 9.5e6, 2.4e6, 8.67e6, 5, 5, 0, 0}},
    {{"granite", 101, 2680, 790}, {2680, 0.5, 1.3, 1.8e10, 1.8e10, 1.6e7, 3.5e6, 1.8e7, 5, 5, 0, 0}},
    {{"water", 102, 998, 4186}, {998, 0.7, 0.15, 2.18e9, 1.325e10, 7e6, 4.19e5, 2.69e6, 10, 5, 0.875, 0.925}},
    {{"basalt", 103, 2700, 790}, {2700, 0.5, 1.5, 2.67e10, 2.67e10, 4.87e8, 4.72e6, 1.82e7, 5, 5, 0, 0}},
    {{"ice", 104, 1293, 2093}, {1293, 0.3, 0.1, 1.07e10, 6.5e10, 1e7, 7.73e5, 3.04e6, 10, 5, 0.875, 0.925}},
    {{"aluminium", 105, 2700, 897}, {2700, 0.5, 1.63, 7.52e10, 6.5e10, 5e6, 3e6, 1.39e7, 5, 5, 0, 0}},
}};

/// Of materials that tables describe, as WoMa and SWIFT number them.
constexpr std::array<std::pair<std::string_view, int>, 12> numbered = {{{"ideal", 0},
                                                                        {"sesame-iron", 300},
                                                                        {"sesame-basalt", 301},
                                                                        {"sesame-water", 302},
                                                                        {"ss08-water", 303},
                                                                        {"aqua", 304},
                                                                        {"cms19-h", 305},
                                                                        {"cms19-he", 306},
                                                                        {"cd21-hhe", 307},
                                                                        {"forsterite", 400},
                                                                        {"aneos-iron", 401},
                                                                        {"fe85si15", 402}}};

/// du / d ln rho = P / rho, by Runge and Kutta's rule up to 50 times the density without pressure.
std::vector<double> cold_curve(const mixed::TillotsonLaw& law) {
  constexpr double h = Material::Law::cold_step;
  const auto slope = [&law](double x, double u) {
    const double rho = law.density * std::exp(x);
    return mixed::tillotson_state(law, rho, u).pressure / rho;
  };
  std::vector<double> cold = {0};
  for (double x = 0; x < std::log(50.0); x += h) {
    const double u = cold.back(), a = slope(x, u), b = slope(x + h / 2, u + h / 2 * a);
    const double c = slope(x + h / 2, u + h / 2 * b), d = slope(x + h, u + h * c);
    cold.push_back(u + h / 6 * (a + 2 * b + 2 * c + d));
  }
  return cold;
}

}  // namespace

std::vector<KnownMaterial> known_materials() {
  std::vector<KnownMaterial> all;
  all.reserve(std::size(parameters));
  for (const Parameters& p : parameters) all.push_back(p.known);
  return all;
}

std::string material_name(int id) {
  for (const Parameters& p : parameters) {
    if (p.known.id == id) return std::string(p.known.name);
  }
  for (const auto& [name, number] : numbered) {
    if (number == id) return std::string(name);
  }
  return std::to_string(id);
}

namespace materials {

int id_named(std::string_view name) {
  for (const Parameters& p : parameters) {
    if (p.known.name == name) return p.known.id;
  }
  for (const auto& [known, number] : numbered) {
    if (known == name) return number;
  }
  int number = -1;
  const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), number);
  return fault == std::errc{} && end == name.data() + name.size() && number >= 0 ? number : -1;
}

FromSi from_si(const Units& units, const std::string& subject) {
  if (!units.physical) {
    throw UsageError(subject, "needs physical units, and with G = 1 numbers have no units",
                     "give [units], or a file with units");
  }
  const double density = units.mass_g / (units.length_cm * units.length_cm * units.length_cm);
  const double speed = units.velocity_cm_per_s;
  return {1e-3 / density, 1e4 / (speed * speed), 10 / (density * speed * speed), 100 / speed};
}

std::shared_ptr<Material::Law> tillotson_named(std::string_view name, const FromSi& si) {
  const auto found =
      std::find_if(parameters.begin(), parameters.end(), [name](const Parameters& p) { return p.known.name == name; });
  if (found == parameters.end()) return nullptr;
  auto made = std::make_shared<Material::Law>();
  made->id = found->known.id;
  made->name = name;
  made->law.kind = HB_EOS_TILLOTSON;
  mixed::TillotsonLaw& law = made->law.tillotson = found->law;
  law.density *= si.density;
  for (double* pressure : {&law.A, &law.B}) *pressure *= si.pressure;
  for (double* energy : {&law.energy, &law.incipient, &law.complete}) *energy *= si.energy;
  made->reference_density = law.density;
  made->specific_heat = found->known.specific_heat * si.energy;
  made->cold = cold_curve(law);
  return made;
}

}  // namespace materials
}  // namespace hornbeam
