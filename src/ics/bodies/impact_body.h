// SPDX-License-Identifier: Apache-2.0
// One of the two bodies of `impact`: layers of a planet to be drawn, or the particles of a file.
#pragma once

#include <optional>
#include <string>

#include "ics/bodies/planet.h"

namespace hornbeam::ics {

struct ImpactBody {
  std::string which;                     ///< "target" or "impactor", which its options begin with
  std::optional<PlanetProfile> profile;  ///< of what is to be drawn
  Snapshot snapshot;                     ///< of what was read: centred, at rest as a whole
  double mass = 0, radius = 0;
  std::string words;  ///< for the note

  [[nodiscard]] bool is_read() const { return !profile; }
  /// Near the distance of particles of that mass at the centre: half of it.
  [[nodiscard]] double rule_of_eps(double particle_mass) const;
};

/// Throws UsageError for options that say the body twice.
ImpactBody impact_body(const Request& request, const std::string& which);

/// The options that name the files.
std::vector<Option> impact_files();

}  // namespace hornbeam::ics
