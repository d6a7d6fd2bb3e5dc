// SPDX-License-Identifier: Apache-2.0
// Names of units and the dimensions of measured quantities, see unit_text.h.
#include "run/config/unit_text.h"

#include <map>

#include "core/short_numbers.h"
#include "hornbeam/units.h"

namespace hornbeam::run {
namespace {

/// What figures and columns are measured in, by their names; numbers alone are not in it. As long as it has rows.
const std::map<std::string_view, Dimension>& dimensions() {
  constexpr Dimension length{.length = 1}, mass{.mass = 1}, velocity{.velocity = 1}, energy{.mass = 1, .velocity = 2};
  static const std::map<std::string_view, Dimension> known = {
      {"kinetic", energy},
      {"potential", energy},
      {"thermal", energy},
      {"density_error", {.length = -3, .mass = 1}},
      {"velocity_error", velocity},
      {"pressure_error", {.length = -3, .mass = 1, .velocity = 2}},
      {"total", energy},
      {"momentum", {.mass = 1, .velocity = 1}},
      {"angular_momentum", {.length = 1, .mass = 1, .velocity = 1}},
      {"position", length},
      {"radii", length},
      {"half_mass_radius", length},
      {"radius", length},
      {"scale_height", length},
      {"distance", length},
      {"linking_length", length},
      {"radius_200", length},
      {"centre_x", length},
      {"centre_y", length},
      {"centre_z", length},
      {"m200c", mass},
      {"m500c", mass},
      {"mvir", mass},
      {"r200c", length},
      {"r500c", length},
      {"rvir", length},
      {"v_max", velocity},
      {"r_max", length},
      {"x", length},
      {"y", length},
      {"z", length},
      {"mass", mass},
      {"density", {.length = -3, .mass = 1}},
      {"velocity", velocity},
      {"pressure", {.length = -3, .mass = 1, .velocity = 2}},
      {"internal_energy", {.velocity = 2}},
      {"shock_radius", length},
      {"found_radius", length},
      {"planet_mass", mass},
      {"disc_mass", mass},
      {"escaping_mass", mass},
      {"planet_angular_momentum", {.length = 1, .mass = 1, .velocity = 1}},
      {"disc_angular_momentum", {.length = 1, .mass = 1, .velocity = 1}},
      {"escaping_angular_momentum", {.length = 1, .mass = 1, .velocity = 1}},
      {"planet_of_material", mass},
      {"disc_of_material", mass},
      {"escaping_of_material", mass},
      {"disc_radius", length},
      {"planet_density", {.length = -3, .mass = 1}},
      {"planet_radius", length},
      {"equatorial_radius", length},
      {"spin", {.length = -1, .velocity = 1}},
      {"surface_density", {.length = -2, .mass = 1}},
      {"circular_velocity", velocity},
      {"rotation", velocity},
      {"radial_dispersion", velocity},
      {"tangential_dispersion", velocity},
      {"azimuthal_dispersion", velocity},
      {"vertical_dispersion", velocity},
      {"vx", velocity},
      {"vy", velocity},
      {"vz", velocity},
      {"dispersion", velocity},
      {"translational_viscosity", {.length = 1, .velocity = 1}},
      {"gravitational_viscosity", {.length = 1, .velocity = 1}},
      {"speed", velocity}};
  return known;
}

}  // namespace

std::string unit_text(const Units& units, const Dimension& dimension) {
  return with_short_numbers(unit_name(units, dimension.length, dimension.mass, dimension.velocity));
}

Dimension dimension_of(std::string_view key) {
  for (const std::string_view of : {"mean_", "reference_"}) {
    if (key.starts_with(of)) key.remove_prefix(of.size());
  }
  const auto found = dimensions().find(key);
  return found == dimensions().end() ? Dimension{} : found->second;
}

std::string unit_of(std::string_view key, const Units& units) {
  if (key == "angle" || key == "wake_pitch") return "deg";
  return key == "time" ? time_unit_name(units) : unit_text(units, dimension_of(key));
}

std::string shown_unit_of(std::string_view key, const Units& units) {
  return key == "time" ? shown_time(units).name : unit_of(key, units);
}

}  // namespace hornbeam::run
