// SPDX-License-Identifier: Apache-2.0
// Looks at a galaxy before it runs, see galaxy_notes.h.
#include "run/setup/galaxy_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "analysis/vectors.h"
#include "core/fields.h"
#include "dynamics/particle_system.h"
#include "interactions/external/external_module.h"
#include "run/setup/some_of.h"

namespace hornbeam::run {
namespace {

using analysis::cross, analysis::dot, analysis::minus, analysis::scaled;

/// A body that external potentials attract.
struct Satellite {
  std::string what;
  Vec3 position{};
  double mass = 0;
};

/// The heaviest particle, and all particles as one if they are a compact body apart from that centre.
std::vector<Satellite> satellites(const Particles& p, const Vec3& centre) {
  std::vector<Satellite> found;
  const auto heaviest = static_cast<std::size_t>(std::max_element(p.mass.begin(), p.mass.end()) - p.mass.begin());
  found.push_back({fmt::format("the particle with id {}", p.id[heaviest]), p.position[heaviest], p.mass[heaviest]});
  Satellite all{"the particles as one body", {}, 0};
  for (std::size_t i = 0; i < p.size(); ++i) {
    all.mass += p.mass[i];
    for (std::size_t k = 0; k < 3; ++k) all.position[k] += p.mass[i] * p.position[i][k];
  }
  if (!(all.mass > 0)) return {};
  for (double& x : all.position) x /= all.mass;
  const auto apart = [](const Vec3& a, const Vec3& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); };
  double within = 0;
  const double way = apart(all.position, centre);
  for (std::size_t i = 0; i < p.size(); ++i) within += apart(p.position[i], all.position) < way / 2 ? p.mass[i] : 0;
  if (2 * within > all.mass) found.push_back(all);
  return found;
}

/// Potentials at rest about one centre, all but points: the parts of one galaxy.
struct Host {
  Vec3 centre{};
  std::vector<ExternalPotential> parts;
  [[nodiscard]] std::string text() const {
    if (parts.size() == 1) return fmt::format("potential {}", name(parts.front().kind));
    return fmt::format("potential of {} parts", parts.size());
  }
};

std::vector<Host> hosts_among(const std::vector<ExternalPotential>& potentials) {
  std::vector<Host> hosts;
  for (const ExternalPotential& potential : potentials) {
    const bool moves = potential.velocity != Vec3{};
    if (potential.kind == PotentialKind::point || moves) continue;  // no matter about it, or a place that is not fixed
    const auto same = [&](const Host& host) { return host.centre == potential.centre; };
    const auto found = std::find_if(hosts.begin(), hosts.end(), same);
    Host& host = found == hosts.end() ? hosts.emplace_back(Host{potential.centre, {}}) : *found;
    host.parts.push_back(potential);
  }
  return hosts;
}

/// The acceleration by potentials at a place. The system does the sum, so that the formulas stand once.
Vec3 pull_of(const std::vector<ExternalPotential>& potentials, const Vec3& at, double G) {
  ParticleSystem system = open_system("cpu", 0, 1);
  system.set_modules({external_maker(potentials)});
  Particles probe;
  probe.resize(1);
  probe.position[0] = at;
  GravityOptions options;
  options.G = G;
  options.precision = Precision::fp64;
  system.load(probe, options);
  system.build_tree();
  system.evaluate();
  system.domain().store(probe);
  return probe.acceleration[0];
}

/// Orbits in which dynamical friction would take a body to the centre of the host's matter: 1.17 / ln(Lambda)
/// (M / m) (r / v_c) (Binney & Tremaine 2008, eq. 8.13) over 2 pi r / v_c, with Lambda = M / m.
double orbits_to_sink(const Satellite& body, const Host& host, double G) {
  const Vec3 pull = pull_of(host.parts, body.position, G);
  const Vec3& c = host.centre;
  const double r = std::hypot(body.position[0] - c[0], body.position[1] - c[1], body.position[2] - c[2]);
  const double within = std::hypot(pull[0], pull[1], pull[2]) * r * r / G;
  const double share = within / body.mass;
  return 1.17 / std::max(1.0, std::log(share)) * share / (2 * std::numbers::pi);
}

std::string rigid_potential_note(const Particles& p, const SimulationOptions& options) {
  constexpr double few = 20;
  constexpr std::size_t fewest_of_a_system = 2;
  if (p.size() < fewest_of_a_system || !options.self_gravity) return "";
  for (const Host& host : hosts_among(options.potentials)) {
    for (const Satellite& body : satellites(p, host.centre)) {
      if (!(body.mass > 0) || body.position == host.centre) continue;
      const double orbits = orbits_to_sink(body, host, options.gravity.G);
      if (!(orbits < few)) continue;
      return fmt::format(
          "WARNING: the {} is rigid: {} would sink in its matter within some {:.2g} orbits by dynamical friction, and "
          "does not here (draw that matter as particles)",
          host.text(), body.what, std::max(orbits, 0.1));
    }
  }
  return "";
}

/// Mass and number of particles in each family.
struct FamilySums {
  std::array<double, family_count> mass{}, number{};

  explicit FamilySums(const Particles& p) {
    for (std::size_t i = 0; i < p.size(); ++i) {
      const auto family = static_cast<std::size_t>(p.family[i]);
      mass[family] += p.mass[i];
      ++number[family];
    }
  }
  /// Mean mass of a particle; 0: there is none.
  [[nodiscard]] double mean(std::size_t family) const { return number[family] > 0 ? mass[family] / number[family] : 0; }
};

std::string heavy_halo_note(const FamilySums& sums) {
  constexpr double much = 10;
  constexpr auto halo = static_cast<std::size_t>(Family::halo), disc = static_cast<std::size_t>(Family::disc);
  if (sums.number[halo] == 0 || !(sums.mean(disc) > 0)) return "";
  const double ratio = sums.mean(halo) / sums.mean(disc);
  if (ratio <= much) return "";
  return fmt::format(
      "WARNING: particles of the halo are {:.3g} times as heavy as those of the disc: passing through, they heat and "
      "thicken it (give the halo more particles, {} or so)",
      ratio, static_cast<std::uint64_t>(std::ceil(sums.mass[halo] / (much / 2) / sums.mean(disc))));
}

std::string light_black_hole_note(const FamilySums& sums) {
  constexpr double much = 10;
  constexpr auto hole = static_cast<std::size_t>(Family::black_hole);
  std::size_t heaviest = static_cast<std::size_t>(Family::gas);
  for (std::size_t k = 0; k < family_count; ++k) {
    if (k != hole && sums.mean(k) > sums.mean(heaviest)) heaviest = k;
  }
  if (!(sums.mean(hole) > 0) || !(sums.mean(heaviest) > 0)) return "";
  const double ratio = sums.mean(hole) / sums.mean(heaviest);
  if (ratio >= much) return "";
  return fmt::format(
      "WARNING: the black hole has only {:.2g} times the mass of a particle of family {}, which push it about (take "
      "more particles, until it has {:.0f} times their mass or more)",
      ratio, family_names[heaviest], much * much);
}

constexpr std::size_t enough = 100000;  // for a median

double median(std::vector<double> values) {
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  return *half;
}

/// The disc of a galaxy as seen along its axis of rotation.
struct SeenDisc {
  Vec3 centre{};
  double height = 0;                    ///< z_d of a profile sech^2(z / z_d) with its median height
  double radius = 0;                    ///< median
  double rotation = 0, dispersion = 0;  ///< near that radius: mean azimuthal velocity, radial dispersion
  Vec3 place{};                         ///< at that radius
};

Vec3 mean_of(const std::vector<Vec3>& all, const std::vector<std::size_t>& which) {
  Vec3 sum{};
  for (const std::size_t i : which) {
    for (std::size_t k = 0; k < 3; ++k) sum[k] += all[i][k] / static_cast<double>(which.size());
  }
  return sum;
}

/// None: too few particles, or they do not rotate.
std::optional<SeenDisc> disc_of(const Particles& p) {
  constexpr std::size_t fewest = 100;
  const std::vector<std::size_t> which = some_of(p, enough, Family::disc);
  if (which.size() < fewest || p.velocity.size() != p.size()) return std::nullopt;
  SeenDisc disc;
  disc.centre = mean_of(p.position, which);
  const Vec3 drift = mean_of(p.velocity, which);
  Vec3 spin{};
  for (const std::size_t i : which) {
    const Vec3 own = cross(minus(p.position[i], disc.centre), minus(p.velocity[i], drift));
    for (std::size_t k = 0; k < 3; ++k) spin[k] += own[k];
  }
  const double length = std::sqrt(dot(spin, spin));
  if (!(length > 0)) return std::nullopt;
  const Vec3 axis = scaled(spin, 1 / length);
  std::vector<double> heights, radii;
  for (const std::size_t i : which) {
    const Vec3 way = minus(p.position[i], disc.centre);
    heights.push_back(std::abs(dot(way, axis)));
    radii.push_back(std::sqrt(std::max(0.0, dot(way, way) - heights.back() * heights.back())));
  }
  disc.height = median(heights) / std::atanh(0.5);
  disc.radius = median(radii);
  double number = 0, along = 0, outward2 = 0;
  for (std::size_t k = 0; k < which.size(); ++k) {
    if (std::abs(radii[k] - disc.radius) > 0.2 * disc.radius) continue;
    const Vec3 way = minus(p.position[which[k]], disc.centre), v = minus(p.velocity[which[k]], drift);
    along += dot(cross(axis, way), v) / radii[k];
    outward2 += std::pow((dot(way, v) - dot(way, axis) * dot(v, axis)) / radii[k], 2);
    for (std::size_t d = 0; d < 3; ++d) disc.place[d] = disc.centre[d] + way[d] * disc.radius / radii[k];
    ++number;
  }
  disc.rotation = along / number;
  disc.dispersion = std::sqrt(outward2 / number);
  return disc;
}

/// Whether a disc would need to rotate much faster in its own field and that of the potentials: models of galaxies
/// draw velocities for their own parts alone.
std::string slow_disc_note(const Particles& p, const SeenDisc& disc, const SimulationOptions& options, double G) {
  constexpr double much = 1.15, drift = 3;  // dispersions hold some of the weight, as an asymmetric drift
  std::vector<ExternalPotential> about;     // it; others it orbits in
  for (const ExternalPotential& one : options.potentials) {
    const Vec3 to = minus(one.centre, disc.centre);
    if (dot(to, to) < disc.radius * disc.radius) about.push_back(one);
  }
  if (about.empty()) return "";
  const Vec3 way = minus(disc.place, disc.centre);
  const double r = std::sqrt(dot(way, way));
  double within = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3 to = minus(p.position[i], disc.centre);
    within += dot(to, to) < r * r ? p.mass[i] : 0;
  }
  const double inward = -dot(pull_of(about, disc.place, G), way), own = options.self_gravity ? G * within / r : 0;
  const double needed2 = inward + own, held2 = disc.rotation * disc.rotation + drift * std::pow(disc.dispersion, 2);
  if (!(needed2 > much * held2)) return "";
  return fmt::format(
      "WARNING: at radius {:.3g} the disc rotates at {:.3g}, and with [[potential]] it would take {:.3g}: it is not in "
      "balance and will contract (models know their own parts alone: draw the halo as particles)",
      disc.radius, disc.rotation, std::sqrt(needed2));
}

/// Masses given in other units than meant: what is drawn in them is in balance, and rotates as no galaxy does.
std::string odd_rotation_note(const SeenDisc& disc, const Units& units) {
  constexpr double smallest = 0.1, largest = 300, slowest = 1, fastest = 2000;
  const Units kpc_and_km_per_s = Units::galactic();
  const double radius = disc.radius * units.length_cm / kpc_and_km_per_s.length_cm;
  const double speed = disc.rotation * units.velocity_cm_per_s / kpc_and_km_per_s.velocity_cm_per_s;
  if (!units.physical || radius < smallest || radius > largest || (speed > slowest && speed < fastest)) return "";
  return fmt::format(
      "WARNING: at a radius of {:.2g} kpc the disc rotates at {:.2g} km/s, as no galaxy does (are lengths and "
      "masses in the units of the run?)",
      radius, speed);
}

/// What particles of these are softened with, in the median.
double softening_of(const Particles& p, const std::vector<std::size_t>& which, const GravityOptions& options) {
  if (options.eps >= 0 || p.eps.empty()) return std::max(options.eps, 0.0);
  std::vector<double> eps;
  eps.reserve(which.size());
  for (const std::size_t i : which) eps.push_back(p.eps[i]);
  return median(eps);
}

std::string thick_softening_note(const Particles& p, const SeenDisc& disc, const GravityOptions& options) {
  const double eps = softening_of(p, some_of(p, enough, Family::disc), options);
  if (!(eps > disc.height)) return "";
  return fmt::format(
      "WARNING: the softening of the disc, {:.3g}, exceeds its height, {:.3g}: bars and spirals are suppressed (take "
      "at most half of the height)",
      eps, disc.height);
}

std::string wide_softening_note(const Particles& p, const SimulationOptions& options) {
  constexpr std::size_t fewest = 32;
  const std::vector<std::size_t> which = some_of(p, enough);
  if (which.size() < fewest || options.boundary.kind != BoundaryKind::open || !options.self_gravity) return "";
  Vec3 middle{};
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<double> values;
    values.reserve(which.size());
    for (const std::size_t i : which) values.push_back(p.position[i][k]);
    middle[k] = median(values);
  }
  std::vector<double> squares;
  for (const std::size_t i : which) {
    const Vec3 way = minus(p.position[i], middle);
    squares.push_back(dot(way, way));
  }
  const double half = std::sqrt(median(squares)), eps = softening_of(p, which, options.gravity);
  if (!(eps > half) || !(half > 0)) return "";
  return fmt::format(
      "WARNING: the softening, {:.3g}, exceeds the radius {:.3g} of half of the particles: they hardly attract one "
      "another (is it in the units of the run?)",
      eps, half);
}

}  // namespace

std::vector<std::string> galaxy_notes(const Snapshot& start, const SimulationOptions& options) {
  const Particles& particles = start.particles;
  const FamilySums sums(particles);
  std::vector<std::string> notes = {rigid_potential_note(particles, options), heavy_halo_note(sums),
                                    light_black_hole_note(sums), wide_softening_note(particles, options)};
  if (const std::optional<SeenDisc> disc = disc_of(particles)) {
    notes.push_back(slow_disc_note(particles, *disc, options, start.units.G));
    notes.push_back(odd_rotation_note(*disc, start.units));
    if (options.self_gravity) notes.push_back(thick_softening_note(particles, *disc, options.gravity));
  }
  std::erase(notes, "");
  return notes;
}

}  // namespace hornbeam::run
