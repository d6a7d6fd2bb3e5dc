// SPDX-License-Identifier: Apache-2.0
// Periodic cubes filled evenly, with gas or with particles that have random motions: what plane waves, glasses and
// turbulence start from.
#pragma once

#include <string>
#include <vector>

#include "hornbeam/error.h"
#include "ics/gas/gas.h"
#include "ics/gas/lattice.h"

namespace hornbeam::ics {

/// One of several words that an option takes, as its index. Throws UsageError for another.
template <std::size_t count>
std::size_t word_of(const Settings& settings, const std::string& name, const std::array<std::string, count>& words) {
  const std::string given = settings.text(name);
  std::string all;
  for (std::size_t i = 0; i < count; ++i) {
    if (words[i] == given) return i;
    all += (i > 0 ? ", " : "") + words[i];
  }
  throw UsageError(settings.subject(name), "received " + given, "there are " + all);
}

/// The request's n places in a cube of that edge about the origin, on the lattice that its option `lattice` names.
/// A glass takes any n from fewest_in_glass on. Throws UsageError, naming `model`, for an n that does not fill it.
std::vector<Vec3> places_in_cube(const Request& request, const std::string& model, double edge);
inline constexpr std::size_t fewest_in_glass = 128;

/// Maxwell's velocities of that dispersion along each axis at rest on the whole. They are a sequence of low discrepancy
/// in place of random numbers: neighbours in the order of `places_in_cube` have all velocities.
std::vector<Vec3> maxwell_velocities(std::size_t n, double dispersion, Seed seed);

/// Lets particles of equal mass with these velocities be at rest on the whole.
void take_mean_out(std::vector<Vec3>& velocity);

/// Collisionless particles of equal mass at rest at these places.
Snapshot particles_at(const std::vector<Vec3>& places, double mass);

}  // namespace hornbeam::ics
