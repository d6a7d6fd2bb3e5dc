// SPDX-License-Identifier: Apache-2.0
// Measures as JSON, see analyze_measures.h.
#include "cli/analyze/measures.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "cli/analyze/groups.h"
#include "cli/common.h"
#include "cli/memory_plan.h"
#include "hornbeam/analysis.h"
#include "hornbeam/error.h"
#include "hornbeam/halo.h"
#include "run/records/exact_flows.h"
#include "run/records/impact_measure.h"
#include "run/records/ring_measure.h"

namespace hornbeam::cli {
namespace {

/// The particles that spherical measures look at. Throws Error where they have no mass.
Particles of_families(const Snapshot& snapshot, const MeasureSettings& settings) {
  Particles found = analysis::selected(snapshot.particles, settings.families);
  if (std::any_of(found.mass.begin(), found.mass.end(), [](double mass) { return mass > 0.0; })) return found;
  if (settings.families.empty()) throw Error(settings.file, "none of its particles has mass");
  const std::string asked = words_of(settings.families);
  if (found.size() > 0) throw Error(settings.file, "its particles of the family " + asked + " have no mass");
  std::vector<Family> there;
  for (int k = 0; k < family_count; ++k) {
    const auto family = static_cast<Family>(k);
    const auto& all = snapshot.particles.family;
    if (std::find(all.begin(), all.end(), family) != all.end()) there.push_back(family);
  }
  throw Error(settings.file, "has no particles of the family " + asked, "it has " + words_of(there));
}

Json energy(const Snapshot& snapshot, const MeasureSettings& settings) {
  const Energies e = analysis::energies(snapshot, settings.eps, 0, settings.potentials, settings.kernel,
                                        settings.self_gravity, settings.gas);
  Json json = {{"time", snapshot.time},
               {"kinetic", e.kinetic},
               {"potential", e.potential},
               {"total", e.total()},
               {"momentum", e.momentum},
               {"angular_momentum", e.angular_momentum},
               {"virial_ratio", analysis::virial_ratio(e)}};
  if (!snapshot.particles.internal_energy.empty()) json["thermal"] = e.thermal;
  return json;
}

Json lagrangian(const Snapshot& snapshot, const MeasureSettings& settings) {
  const std::vector<double> fractions = {0.01, 0.1, 0.25, 0.5, 0.75, 0.9};
  return {{"fractions", fractions}, {"radii", analysis::lagrangian_radii(of_families(snapshot, settings), fractions)}};
}

Json half_mass(const Snapshot& snapshot, const MeasureSettings& settings) {
  const Particles particles = of_families(snapshot, settings);
  return {{"time", snapshot.time}, {"half_mass_radius", analysis::lagrangian_radii(particles, {0.5}).front()}};
}

Json profile(const Snapshot& snapshot, const MeasureSettings& settings) {
  const Particles particles = of_families(snapshot, settings);
  const analysis::Profile p = analysis::profile(particles, snapshot.units.G, 32, settings.edges);
  return {{"radius", p.radius}, {"density", p.density}, {"mass", p.mass}, {"circular_velocity", p.circular_velocity}};
}

Json anisotropy(const Snapshot& snapshot, const MeasureSettings& settings) {
  const analysis::AnisotropyProfile p = analysis::anisotropy(of_families(snapshot, settings), 32, settings.edges);
  return {{"time", snapshot.time},
          {"anisotropy",
           {{"radius", p.radius},
            {"radial_dispersion", p.radial_dispersion},
            {"tangential_dispersion", p.tangential_dispersion},
            {"beta", p.anisotropy}}}};
}

void refuse_types(const MeasureSettings& settings, const std::string& flag) {
  if (settings.families.empty() || settings.draws) return;
  throw UsageError("--types", "does not apply to " + flag + ", which measures the disc of stars", "leave it out");
}

Json disc(const Snapshot& snapshot, const MeasureSettings& settings) {
  refuse_types(settings, "--disc");
  const analysis::DiscProfile p =
      analysis::disc_profile(snapshot, settings.eps, 20, settings.edges, settings.potentials, settings.kernel);
  return {{"time", snapshot.time},
          {"disc",
           {{"radius", p.radius},
            {"count", p.count},
            {"surface_density", p.surface_density},
            {"scale_height", p.scale_height},
            {"rotation", p.rotation},
            {"radial_dispersion", p.radial_dispersion},
            {"azimuthal_dispersion", p.azimuthal_dispersion},
            {"vertical_dispersion", p.vertical_dispersion},
            {"circular_velocity", p.circular_velocity},
            {"toomre_q", p.toomre_q}}}};
}

Json bar(const Snapshot& snapshot, const MeasureSettings& settings) {
  refuse_types(settings, "--bar");
  const analysis::Bar b = analysis::bar(snapshot.particles, 20, settings.edges);
  return {{"time", snapshot.time},
          {"bar",
           {{"strength", b.strength},
            {"noise", b.noise},
            {"angle", b.angle},
            {"radius", b.radius},
            {"amplitude", b.amplitude}}}};
}

/// What is bound to itself of the families that were requested.
Json bound(const Snapshot& snapshot, const MeasureSettings& settings) {
  analysis::BoundOptions options;
  options.eps = settings.eps;
  options.softening = settings.kernel;
  options.G = snapshot.units.G;
  const Particles particles = of_families(snapshot, settings);
  const analysis::BoundPart b = analysis::bound(particles, options);
  const double all = std::accumulate(particles.mass.begin(), particles.mass.end(), 0.0);
  return {{"time", snapshot.time},
          {"bound",
           {{"members", b.members.size()},
            {"mass", b.mass},
            {"fraction", b.mass / all},
            {"x", b.centre[0]},
            {"y", b.centre[1]},
            {"z", b.centre[2]},
            {"vx", b.velocity[0]},
            {"vy", b.velocity[1]},
            {"vz", b.velocity[2]},
            {"half_mass_radius", b.half_mass_radius}}}};
}

/// Of a disc in its plane with all that acts; without a disc that of the mass within spheres.
Json rotation_curve(const Snapshot& snapshot, const MeasureSettings& settings) {
  const auto& family = snapshot.particles.family;
  const bool has_disc = std::count(family.begin(), family.end(), Family::disc) >= 100;
  if (has_disc) refuse_types(settings, "--rotation-curve");
  if (!has_disc) {
    const analysis::Profile p =
        analysis::profile(of_families(snapshot, settings), snapshot.units.G, 32, settings.edges);
    return {{"time", snapshot.time},
            {"rotation_curve", {{"radius", p.radius}, {"circular_velocity", p.circular_velocity}}}};
  }
  const analysis::DiscProfile p =
      analysis::disc_profile(snapshot, settings.eps, 20, settings.edges, settings.potentials, settings.kernel);
  return {
      {"time", snapshot.time},
      {"rotation_curve", {{"radius", p.radius}, {"circular_velocity", p.circular_velocity}, {"rotation", p.rotation}}}};
}

Json black_holes(const Snapshot& snapshot, const MeasureSettings&) {
  const analysis::BlackHolePair pair = analysis::black_holes(snapshot.particles);
  return {{"time", snapshot.time},
          {"black_holes", {{"count", pair.count}, {"distance", pair.distance}, {"speed", pair.speed}}}};
}

Json ring(const Snapshot& snapshot, const MeasureSettings& settings) {
  if (settings.boundary.kind != BoundaryKind::shear) {
    throw Error(settings.file, "has no record of a shearing sheet", "measure snapshots of a run with boundary shear");
  }
  return {{"time", snapshot.time}, {"ring", run::ring_measure(snapshot, settings.boundary, settings.self_gravity)}};
}

Json disc_mass(const Snapshot& snapshot, const MeasureSettings& settings) {
  return {{"time", snapshot.time}, {"disc_mass", run::disc_mass(snapshot, settings.planet_density)}};
}

Json exact(const Snapshot& snapshot, const MeasureSettings& s) {
  return {{"time", snapshot.time},
          {"exact", run::exact_flow(snapshot, {s.model, s.model_numbers, s.gamma, s.eos}, s.file)}};
}

/// The same for all snapshots and settings.
template <memory::Need (*need)()>
memory::Need of_any(const Snapshot& /*snapshot*/, const MeasureSettings& /*settings*/) {
  return need();
}

}  // namespace

const std::vector<Measure>& measures() {
  static const std::vector<Measure> table = {
      {"--energy", "kinetic and potential energy, momenta, 2K/|W|", energy, of_any<energy_need>},
      {"--lagrangian", "radii that hold fractions of the mass", lagrangian, of_any<radial_need>, false},
      {"--half-mass", "radius that holds half of the mass", half_mass, of_any<radial_need>, false},
      {"--profile", "density, mass and circular velocity by radius", profile, of_any<radial_need>, false},
      {"--anisotropy", "radial and tangential velocity dispersion by radius", anisotropy, of_any<radial_need>},
      {"--disc", "surface density, scale height, motions and Toomre's Q of the disc, by radius", disc,
       of_any<disc_need>},
      {"--rotation-curve", "circular velocity by radius, and the rotation of a disc", rotation_curve,
       of_any<disc_need>},
      {"--bar", "second harmonic of the disc: A2/A0 by radius; strength of the inner disc with its noise, and angle",
       bar, of_any<disc_need>},
      {"--bound", "mass, centre and velocity of what is bound to itself (--types: of these families)", bound,
       of_any<disc_need>},
      {"--black-holes", "distance and relative speed of two black holes, or of one and its galaxy", black_holes,
       of_any<radial_need>},
      {"--ring", "optical depths, dispersions, viscosities, wakes and overlaps of a ring in its sheet", ring,
       of_any<radial_need>},
      {"--exact", "gas compared with the exact or reference flow of its model: " + run::models_with_flows(), exact},
      {"--disc-mass", "planet, disc and what escapes after an impact: masses, angular momenta, radius", disc_mass,
       of_any<radial_need>},
      {"--groups", "friends of friends: the largest groups, and all of them with -o", measured_groups, need_of_groups}};
  return table;
}

bool asks_for(const std::vector<const Measure*>& asked, const std::string& flag) {
  return std::any_of(asked.begin(), asked.end(), [&](const Measure* measure) { return measure->flag == flag; });
}

}  // namespace hornbeam::cli
