// SPDX-License-Identifier: Apache-2.0
// Sums of potentials for those of papers, see hornbeam/halo.h.
#include "hornbeam/halo.h"

#include <cmath>
#include <numbers>

#include "core/short_numbers.h"
#include "hornbeam/error.h"
#include "hornbeam/units.h"

namespace hornbeam {
namespace {

/// Msun and kpc.
struct Part {
  PotentialKind kind;
  double mass, scale, height;
};
struct Sum {
  std::string_view name;
  std::vector<Part> parts;
};

constexpr PotentialKind plummer = PotentialKind::plummer, nfw = PotentialKind::nfw,
                        disc = PotentialKind::miyamoto_nagai;

const std::vector<Sum>& sums() {
  // bovy14: MWPotential2014 of Bovy (2015, ApJS 216, 29), table 1, with R0 = 8 kpc and v_c(R0) = 220 km/s, of which the
  // bulge gives 0.05, the disc 0.6 and the halo 0.35 of v_c^2. The five Plummer spheres stand for its bulge, a power
  // law r^-1.8 cut off at 1.9 kpc: v_c is that of the paper within 0.25 % from 0.02 to 100 kpc.
  static const std::vector<Sum> table = {{"bovy14",
                                          {{plummer, 1.65949076e7, 0.00854, 0},
                                           {plummer, 4.93264775e7, 0.03309, 0},
                                           {plummer, 1.818616118e8, 0.10042, 0},
                                           {plummer, 7.585098537e8, 0.31159, 0},
                                           {plummer, 3.96372521e9, 1.09391, 0},
                                           {disc, 6.8193902783e10, 3.0, 0.28},
                                           {nfw, 4.36833248e11, 16.0, 0}}}};
  return table;
}

void demand_units(const Units& units, std::string_view what, const std::string& subject) {
  if (units.physical) return;
  throw UsageError(subject, std::string(what) + " needs physical units, and with G = 1 numbers have no units",
                   "give [units], such as system = \"galactic\"");
}

}  // namespace

std::vector<std::string_view> known_potentials() {
  std::vector<std::string_view> names;
  for (const Sum& sum : sums()) names.push_back(sum.name);
  return names;
}

std::vector<ExternalPotential> known_potential(std::string_view name, const Units& units, const std::string& subject) {
  for (const Sum& sum : sums()) {
    if (sum.name != name) continue;
    demand_units(units, name, subject);
    const double mass = mass_from("Msun", subject) / units.mass_g,
                 length = length_from("kpc", subject) / units.length_cm;
    std::vector<ExternalPotential> parts;
    for (const Part& part : sum.parts) {
      ExternalPotential one;
      one.kind = part.kind;
      one.mass = part.mass * mass;
      one.scale = part.scale * length;
      one.height = part.height * length;
      parts.push_back(one);
    }
    return parts;
  }
  std::string names;
  for (const Sum& sum : sums()) names += (names.empty() ? "" : ", ") + std::string(sum.name);
  throw UsageError(subject, std::string(name) + " is no known potential", "there are " + names);
}

ExternalPotential nfw_with(double m200, double c, const Units& units, const std::string& subject, double hubble) {
  demand_units(units, "m200", subject);
  for (const auto& [key, value] : {std::pair("m200", m200), std::pair("c", c), std::pair("hubble", hubble)}) {
    if (!(value > 0) || !std::isfinite(value)) {
      throw UsageError(subject + "." + key, "received " + shortest(value), "must be above 0");
    }
  }
  const double density = 200 * analysis::critical_density(units, {.hubble = hubble});
  ExternalPotential halo;
  halo.kind = PotentialKind::nfw;
  halo.scale = std::cbrt(3 * m200 / (4 * std::numbers::pi * density)) / c;
  halo.mass = m200 / (std::log1p(c) - c / (1 + c));
  return halo;
}

}  // namespace hornbeam
