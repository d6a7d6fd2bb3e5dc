// SPDX-License-Identifier: Apache-2.0
// Potentials of the Milky Way and of haloes by the numbers that papers give (docs/dynamics.md, "Potentials by name").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hornbeam/potential.h"

namespace hornbeam {

/// "bovy14".
std::vector<std::string_view> known_potentials();

/// The potentials whose sum is the one of that name, in these units. Throws UsageError(subject, ...) for another name,
/// and if units are not physical.
std::vector<ExternalPotential> known_potential(std::string_view name, const Units& units, const std::string& subject);

/// The halo of Navarro, Frenk and White that has the mass m200 within r200, where its mean density is 200 times the
/// critical one of today, and the concentration c = r200 / scale. hubble: in km/s/Mpc. Throws UsageError(subject, ...)
/// for numbers that are not above 0, and if units are not physical.
ExternalPotential nfw_with(double m200, double c, const Units& units, const std::string& subject, double hubble = 70.0);

}  // namespace hornbeam
