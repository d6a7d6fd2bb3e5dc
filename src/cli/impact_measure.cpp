// SPDX-License-Identifier: Apache-2.0
// Planet, disc and debris as JSON, see impact_measure.h.
#include "cli/impact_measure.h"

#include <array>
#include <cmath>

#include "hornbeam/impact.h"

namespace hornbeam::cli {

Json disc_mass(const Snapshot& snapshot, const MeasureSettings& settings) {
  const analysis::ImpactOutcome o =
      analysis::impact_outcome(snapshot.particles, snapshot.units.G, settings.planet_density);
  const std::array<std::string, analysis::fate_count> fates = {"planet", "disc", "escaping"};
  Json json = Json::object();
  for (std::size_t f = 0; f < fates.size(); ++f) json[fates[f] + "_mass"] = o.mass[f];
  for (std::size_t f = 0; f < fates.size(); ++f) json[fates[f] + "_particles"] = o.particles[f];
  for (std::size_t f = 0; f < fates.size(); ++f) json[fates[f] + "_angular_momentum"] = o.angular_momentum[f];
  const Vec3& j = o.angular_momentum[1];
  const double along = o.mass[1] > 0 ? std::hypot(j[0], j[1], j[2]) / o.mass[1] : 0;
  json["disc_radius"] = along * along / (snapshot.units.G * o.mass[0]);
  json["planet_density"] = o.density;
  json["planet_radius"] = o.radius;
  json["equatorial_radius"] = o.equatorial_radius;
  json["spin"] = o.spin;
  json["iterations"] = o.iterations;
  json["change"] = o.change;
  return {{"time", snapshot.time}, {"disc_mass", json}};
}

}  // namespace hornbeam::cli
