// SPDX-License-Identifier: Apache-2.0
// Softening lengths near the optimum for a model and its number of particles (docs/models.md). Before it: a model's
// options; after it: Particles::eps.
#pragma once

#include <cstddef>
#include <string>

#include "hornbeam/ics.h"
#include "ics/settings.h"

namespace hornbeam::ics {

/// The value of the option `eps` that asks for these rules.
inline constexpr const char* near_optimum = "auto";

/// A core of constant density, scale length a of Plummer's sphere.
double eps_of_core(double scale, std::size_t n);
/// A cusp of slope near -1, scale length a of Hernquist's sphere.
double eps_of_cusp(double scale, std::size_t n);
/// Constant density within a radius.
double eps_of_uniform(double radius, std::size_t n);
/// A disc of that scale length and height (z_d).
double eps_of_disc(double scale, double height, std::size_t n);

/// The option `eps`, as every model has it.
Option eps_option();
/// What it asks for; `rule` by default. Throws UsageError for values out of range.
double eps_asked(const Settings& settings, double rule);

}  // namespace hornbeam::ics
