// SPDX-License-Identifier: Apache-2.0
// Planet, disc and debris as JSON, see impact_measure.h.
#include "run/records/impact_measure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "hornbeam/impact.h"

namespace hornbeam::run {

namespace {

/// The materials that there are, ascending.
std::vector<double> kinds_of(const Particles& p) {
  std::vector<double> kinds = p.material;
  std::sort(kinds.begin(), kinds.end());
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  return kinds;
}

std::vector<std::uint32_t> places_of(const Particles& p, const std::vector<double>& kinds) {
  std::vector<std::uint32_t> places;
  places.reserve(p.material.size());
  for (const double material : p.material) {
    places.push_back(
        static_cast<std::uint32_t>(std::lower_bound(kinds.begin(), kinds.end(), material) - kinds.begin()));
  }
  return places;
}

}  // namespace

Json disc_mass(const Snapshot& snapshot, double planet_density) {
  const std::vector<double> materials = kinds_of(snapshot.particles);
  const analysis::ImpactOutcome o = analysis::impact_outcome(snapshot.particles, snapshot.units.G, planet_density,
                                                             places_of(snapshot.particles, materials));
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
  if (!materials.empty()) {
    json["material"] = materials;
    for (std::size_t f = 0; f < fates.size(); ++f) json[fates[f] + "_of_material"] = o.by_kind[f];
  }
  return json;
}

}  // namespace hornbeam::run
