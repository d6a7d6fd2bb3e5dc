// SPDX-License-Identifier: Apache-2.0
// A planet of particles, from what a user says of it: between planet_profile.h and the models `planet` and `impact`.
#pragma once

#include <string>
#include <vector>

#include "ics/bodies/planet_profile.h"
#include "ics/model.h"

namespace hornbeam::ics {

/// Those of the defaults.
inline constexpr const char* units_of_planets = "Rearth, Mearth, km/s";

/// Options of one planet, each name after `prefix`; those without a default must be given one way or the other.
std::vector<Option> planet_options(const std::string& prefix, const std::string& mass, const std::string& layers);

/// What they say. Throws UsageError for units that are not physical, and for values out of range.
PlanetProfile planet_profile(const Request& request, const std::string& prefix);

/// Near the distance of particles of that mass at the centre: half of it.
double eps_of_planet(const PlanetProfile& profile, double particle_mass);

/// Draws n particles of one mass, at rest or rotating about z as the options set it, relaxed if `settle` is above 0.
/// eps: their softening meanwhile. stream: of the random numbers.
Particles planet_of_particles(const Request& request, const std::string& prefix, const PlanetProfile& profile,
                              std::size_t n, double eps, std::uint64_t stream, std::vector<std::string>& notes);

/// "mass 1, radius 1.02, density 13.1 to 3.2, pressure 0 to 26": of the centre and the surface.
std::string words_of(const PlanetProfile& profile);

}  // namespace hornbeam::ics
