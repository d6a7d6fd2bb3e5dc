// SPDX-License-Identifier: Apache-2.0
// Names and limits of external potentials.
#include "hornbeam/potential.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <string>

#include "hornbeam/error.h"

namespace hornbeam {
namespace {

// in the order of the enumerators
constexpr std::array<std::string_view, 6> names = {"point", "plummer",     "hernquist",
                                                   "nfw",   "logarithmic", "miyamoto-nagai"};

void demand(bool holds, std::string_view subject, const char* key, double value, const char* allowed) {
  if (holds && std::isfinite(value)) return;
  std::ostringstream received;
  received << "received " << value;
  throw UsageError(std::string(subject) + "." + key, received.str(), allowed);
}

}  // namespace

std::string_view name(PotentialKind kind) { return names[static_cast<std::size_t>(kind)]; }

std::vector<std::string_view> potential_kinds() { return {names.begin(), names.end()}; }

template <>
PotentialKind parse<PotentialKind>(std::string_view subject, std::string_view text) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) return static_cast<PotentialKind>(found - names.begin());
  std::string allowed;
  for (const auto& known : names) allowed += (allowed.empty() ? "" : ", ") + std::string(known);
  throw UsageError(std::string(subject) + " = " + std::string(text), "is not one of " + allowed);
}

void ExternalPotential::validate(std::string_view subject) const {
  const bool logarithmic = kind == PotentialKind::logarithmic, flat = kind == PotentialKind::miyamoto_nagai;
  const bool may_be_sharp = kind == PotentialKind::point || logarithmic || flat;
  if (logarithmic) {
    demand(speed > 0, subject, "speed", speed, "must be above 0");
    demand(flattening > 0, subject, "flattening", flattening, "must be above 0");
  } else if (flat) {
    demand(mass != 0, subject, "mass", mass, "must be above 0, or below 0 to take away from another disc");
  } else {
    demand(mass > 0, subject, "mass", mass, "must be above 0");
  }
  if (flat) demand(height >= 0, subject, "height", height, "must be 0 or above");
  demand(may_be_sharp ? scale >= 0 : scale > 0, subject, "scale", scale,
         may_be_sharp ? "must be 0 or above" : "must be above 0");
  for (std::size_t k = 0; k < 3; ++k) {
    demand(true, subject, "centre", centre[k], "must be finite");
    demand(true, subject, "velocity", velocity[k], "must be finite");
  }
}

}  // namespace hornbeam
