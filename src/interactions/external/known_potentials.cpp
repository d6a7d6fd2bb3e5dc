// SPDX-License-Identifier: Apache-2.0
// Sums of potentials for those of papers, see hornbeam/potential.h.
#include "hornbeam/potential.h"

#include <cmath>
#include <numbers>
#include <span>

#include "core/short_numbers.h"
#include "hornbeam/error.h"
#include "hornbeam/halo.h"
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
  std::span<const Part> parts;
};

constexpr PotentialKind plummer = PotentialKind::plummer, nfw = PotentialKind::nfw,
                        disc = PotentialKind::miyamoto_nagai;

/// MWPotential2014 of Bovy (2015, ApJS 216, 29), table 1, with R0 = 8 kpc and v_c(R0) = 220 km/s, of which the bulge
/// gives 0.05, the disc 0.6 and the halo 0.35 of v_c^2. The five Plummer spheres replace its bulge, a power law r^-1.8
/// cut off at 1.9 kpc: v_c is that of the paper within 0.25 % from 0.02 to 100 kpc.
constexpr Part bovy14[] = {{plummer, 1.65949076e7, 0.00854, 0},  {plummer, 4.93264775e7, 0.03309, 0},
                           {plummer, 1.818616118e8, 0.10042, 0}, {plummer, 7.585098537e8, 0.31159, 0},
                           {plummer, 3.96372521e9, 1.09391, 0},  {disc, 6.8193902783e10, 3.0, 0.28},
                           {nfw, 4.36833248e11, 16.0, 0}};

/// The best fit of McMillan (2017, MNRAS 465, 76), table 3. Its halo is that of the paper. The discs are a fit to the
/// exact field of the rest: two exponential stellar discs (896 and 183 Msun/pc^2 at the centre, 2.5 and 3.02 kpc long,
/// 300 and 900 pc thick), two discs of gas exp(-Rm/R - R/Rd) sech^2(z / 2 zd) (HI: 53.1 Msun/pc^2, Rd 7 kpc, Rm 4 kpc,
/// zd 85 pc; H2: 2180, 1.5, 12, 45 pc) and the flattened bulge (98.4 Msun/pc^3, (1 + r'/75 pc)^-1.8
/// exp(-(r'/2.1 kpc)^2), axis ratio 0.5). Masses below 0 make edges and holes, as in Smith et al. (2015, MNRAS 448,
/// 2934). docs/dynamics.md has the errors.
constexpr Part mcmillan17[] = {{disc, -318309507, 0.020592, 4.69947},
                               {disc, -1.65309535e09, 0.0209493, 1.85166},
                               {disc, -3.31223776e09, 0.029874, 0.438189},
                               {disc, 57543320.4, 0.0447393, 0.0322123},
                               {disc, 744870098, 0.116753, 0.117847},
                               {disc, 6.22429359e09, 0.152247, 0.37954},
                               {disc, 2.18791724e10, 1.11151, 0.656847},
                               {disc, -7.98451427e09, 4.34664, 0.106962},
                               {disc, 5.06191327e10, 6.15497, 0.118538},
                               {disc, 1.8184756e11, 6.96509, 0.444285},
                               {disc, -6.62469349e10, 9.13427, 0.143429},
                               {disc, -2.51945167e11, 9.60084, 0.384373},
                               {disc, 1.45582832e11, 11.6109, 0.249193},
                               {disc, -9.85609892e09, 33.0101, 0.162001},
                               {nfw, 8.08045747e11, 19.6, 0}};

constexpr Sum sums[] = {{"bovy14", bovy14}, {"mcmillan17", mcmillan17}};

void demand_units(const Units& units, std::string_view what, const std::string& subject) {
  if (units.physical) return;
  throw UsageError(subject, std::string(what) + " needs physical units, and with G = 1 numbers have no units",
                   "give [units], such as system = \"galactic\"");
}

}  // namespace

std::vector<std::string_view> known_potentials() {
  std::vector<std::string_view> names;
  for (const Sum& sum : sums) names.push_back(sum.name);
  return names;
}

std::vector<ExternalPotential> known_potential(std::string_view name, const Units& units, const std::string& subject) {
  for (const Sum& sum : sums) {
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
  for (const Sum& sum : sums) names += (names.empty() ? "" : ", ") + std::string(sum.name);
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
