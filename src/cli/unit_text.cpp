// SPDX-License-Identifier: Apache-2.0
// Names of units and the dimensions of measured quantities, see unit_text.h.
#include "cli/unit_text.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace hornbeam::cli {
namespace {

using NamedUnits = std::vector<std::pair<const char*, double>>;

/// The name whose size in cgs that is, to a thousandth (programs differ in what they take a solar mass for).
std::string name_of_size(double size, const NamedUnits& names, const char* cgs) {
  for (const auto& [name, known] : names) {
    if (std::abs(size / known - 1.0) < 1e-3) return name;
  }
  return fmt::format("{:.6g} {}", size, cgs);
}

std::string power(const std::string& name, int exponent) {
  const bool simple = name.find_first_of(" /") == std::string::npos || exponent == 1;
  const std::string base = simple ? name : "(" + name + ")";
  return exponent == 1 ? base : fmt::format("{}^{}", base, exponent);
}

}  // namespace

std::string unit_text(const Units& units, const Dimension& dimension) {
  if (!units.physical) return "";
  const Units galactic = Units::galactic();
  const double solar_mass = galactic.mass_g / 1e10, kpc = galactic.length_cm;
  const std::string length = name_of_size(units.length_cm,
                                          {{"kpc", kpc},
                                           {"Mpc", 1e3 * kpc},
                                           {"pc", 1e-3 * kpc},
                                           {"AU", 1.495978707e13},
                                           {"km", 1e5},
                                           {"m", 1e2},
                                           {"cm", 1.0}},
                                          "cm");
  const std::string mass =
      name_of_size(units.mass_g, {{"1e10 Msun", galactic.mass_g}, {"Msun", solar_mass}, {"kg", 1e3}, {"g", 1.0}}, "g");
  const std::string velocity =
      name_of_size(units.velocity_cm_per_s, {{"km/s", 1e5}, {"m/s", 1e2}, {"cm/s", 1.0}}, "cm/s");
  std::string above, below;
  const auto add = [&](const std::string& name, int exponent) {
    if (exponent > 0) above += (above.empty() ? "" : " ") + power(name, exponent);
    if (exponent < 0) below += "/" + (name == velocity ? "(" + name + ")" : power(name, -exponent));
  };
  add(mass, dimension.mass);
  add(length, dimension.length);
  add(velocity, dimension.velocity);
  if (above.empty() && !below.empty()) above = "1";
  return above + below;
}

Dimension dimension_of(std::string_view key) {
  constexpr Dimension length{.length = 1}, mass{.mass = 1}, velocity{.velocity = 1}, energy{.mass = 1, .velocity = 2};
  static const std::map<std::string_view, Dimension> known = {
      {"time", {.length = 1, .velocity = -1}},
      {"kinetic", energy},
      {"potential", energy},
      {"total", energy},
      {"momentum", {.mass = 1, .velocity = 1}},
      {"angular_momentum", {.length = 1, .mass = 1, .velocity = 1}},
      {"radii", length},
      {"half_mass_radius", length},
      {"radius", length},
      {"scale_height", length},
      {"distance", length},
      {"mass", mass},
      {"density", {.length = -3, .mass = 1}},
      {"surface_density", {.length = -2, .mass = 1}},
      {"circular_velocity", velocity},
      {"rotation", velocity},
      {"radial_dispersion", velocity},
      {"tangential_dispersion", velocity},
      {"azimuthal_dispersion", velocity},
      {"vertical_dispersion", velocity},
      {"speed", velocity}};
  const auto found = known.find(key);
  return found == known.end() ? Dimension{} : found->second;
}

std::string unit_of(std::string_view key, const Units& units) {
  return key == "angle" ? "deg" : unit_text(units, dimension_of(key));
}

}  // namespace hornbeam::cli
