// SPDX-License-Identifier: Apache-2.0
// Measures as JSON, see analyze_measures.h.
#include "cli/analyze_measures.h"

#include "cli/memory_plan.h"
#include "hornbeam/analysis.h"

namespace hornbeam::cli {
namespace {

Json energy(const Snapshot& snapshot, const MeasureSettings& settings) {
  const Energies e = analysis::energies(snapshot, settings.eps, 0, settings.potentials, settings.kernel);
  return {{"time", snapshot.time},
          {"kinetic", e.kinetic},
          {"potential", e.potential},
          {"total", e.total()},
          {"momentum", e.momentum},
          {"angular_momentum", e.angular_momentum},
          {"virial_ratio", analysis::virial_ratio(e)}};
}

Json lagrangian(const Snapshot& snapshot, const MeasureSettings& settings) {
  const std::vector<double> fractions = {0.01, 0.1, 0.25, 0.5, 0.75, 0.9};
  return {{"fractions", fractions},
          {"radii", analysis::lagrangian_radii(analysis::selected(snapshot.particles, settings.families), fractions)}};
}

Json half_mass(const Snapshot& snapshot, const MeasureSettings& settings) {
  const Particles particles = analysis::selected(snapshot.particles, settings.families);
  return {{"time", snapshot.time}, {"half_mass_radius", analysis::lagrangian_radii(particles, {0.5}).front()}};
}

Json profile(const Snapshot& snapshot, const MeasureSettings& settings) {
  const Particles particles = analysis::selected(snapshot.particles, settings.families);
  const analysis::Profile p = analysis::profile(particles, snapshot.units.G, 32, settings.edges);
  return {{"radius", p.radius}, {"density", p.density}, {"mass", p.mass}, {"circular_velocity", p.circular_velocity}};
}

Json anisotropy(const Snapshot& snapshot, const MeasureSettings& settings) {
  const analysis::AnisotropyProfile p =
      analysis::anisotropy(analysis::selected(snapshot.particles, settings.families), 32, settings.edges);
  return {{"time", snapshot.time},
          {"anisotropy",
           {{"radius", p.radius},
            {"radial_dispersion", p.radial_dispersion},
            {"tangential_dispersion", p.tangential_dispersion},
            {"beta", p.anisotropy}}}};
}

Json disc(const Snapshot& snapshot, const MeasureSettings& settings) {
  const analysis::DiscProfile p = analysis::disc_profile(snapshot, settings.eps, 20, settings.edges);
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
  const analysis::Bar b = analysis::bar(snapshot.particles, 20, settings.edges);
  return {{"time", snapshot.time},
          {"bar", {{"strength", b.strength}, {"angle", b.angle}, {"radius", b.radius}, {"amplitude", b.amplitude}}}};
}

Json black_holes(const Snapshot& snapshot, const MeasureSettings&) {
  const analysis::BlackHolePair pair = analysis::black_holes(snapshot.particles);
  return {{"time", snapshot.time},
          {"black_holes", {{"count", pair.count}, {"distance", pair.distance}, {"speed", pair.speed}}}};
}

}  // namespace

const std::vector<Measure>& measures() {
  static const std::vector<Measure> table = {
      {"--energy", "kinetic and potential energy, momenta, 2K/|W|", energy, energy_need},
      {"--lagrangian", "radii that hold fractions of the mass", lagrangian, radial_need},
      {"--half-mass", "radius that holds half of the mass", half_mass, radial_need},
      {"--profile", "density, mass and circular velocity by radius", profile, radial_need},
      {"--anisotropy", "radial and tangential velocity dispersion by radius", anisotropy, radial_need},
      {"--disc", "surface density, scale height, motions and Toomre's Q of the disc, by radius", disc, disc_need},
      {"--bar", "second harmonic of the disc: A2/A0 by radius, strength and angle", bar, disc_need},
      {"--black-holes", "distance and relative speed of two black holes, or of one and its galaxy", black_holes,
       radial_need}};
  return table;
}

}  // namespace hornbeam::cli
