// SPDX-License-Identifier: Apache-2.0
// A patch of a planetary ring: bodies with radii in a shearing sheet, on circular orbits but for a scatter in height,
// and a moonlet in the middle where one is requested.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "hornbeam/error.h"
#include "ics/model.h"

namespace hornbeam::ics {
namespace {

using std::numbers::pi;

/// dN/dr goes as r^slope between two radii.
class RadiusLaw {
 public:
  RadiusLaw(double least, double most, double slope) : least_(least), most_(most), power_(slope + 1) {}

  [[nodiscard]] double draw(double u) const {
    if (least_ == most_) return least_;
    if (power_ == 0) return least_ * std::pow(most_ / least_, u);
    const double low = std::pow(least_, power_), high = std::pow(most_, power_);
    return std::min(most_, std::max(least_, std::pow(low + u * (high - low), 1 / power_)));
  }
  /// The mean of r^3.
  [[nodiscard]] double mean_cube() const {
    return least_ == most_ ? std::pow(least_, 3) : integral(power_ + 3) / integral(power_);
  }

 private:
  /// Of r^(power - 1).
  [[nodiscard]] double integral(double power) const {
    const double octaves = std::log(most_ / least_);
    return power == 0 ? octaves : std::pow(least_, power) * std::expm1(power * octaves) / power;
  }

  double least_, most_, power_;
};

struct Patch {
  double x, y, surface_density, particle_density, omega, height, moonlet;
};

Patch patch_of(const Settings& s) {
  return {
      s.positive("size-x"), s.positive("size-y"),     s.positive("surface-density"),   s.positive("particle-density"),
      s.positive("omega"),  s.non_negative("height"), s.non_negative("moonlet-radius")};
}

/// What a ring's observer asks first.
std::vector<std::string> described(const Patch& patch, const Particles& p, double G) {
  double area = 0, mass = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    area += pi * p.radius[i] * p.radius[i];
    mass += p.mass[i];
  }
  const auto n = static_cast<double>(p.size());
  const double mean = mass / n, radius = std::cbrt(mean / (4.0 / 3.0 * pi * patch.particle_density));
  const double sigma = mass / (patch.x * patch.y), omega2 = patch.omega * patch.omega;
  const double hill = std::cbrt(2 * G * mean / (3 * omega2)) / (2 * radius);
  std::vector<std::string> notes = {std::to_string(p.size()) + " bodies, optical depth " +
                                    shown(area / (patch.x * patch.y)) + ", surface density " + shown(sigma) +
                                    ", critical wavelength " + shown(4 * pi * pi * G * sigma / omega2) +
                                    ", Hill radius of two mean bodies over the sum of their radii " + shown(hill)};
  constexpr double deep = 3;
  if (hill > deep) {
    notes.emplace_back(
        "WARNING: bodies are much smaller than their Hill spheres; check that the units are those of G (--units si, or "
        "[units] system = \"si\")");
  }
  return notes;
}

/// Throws UsageError, Error for more bodies than a run or the machine holds.
void demand_room(double bodies, const Settings& s) {
  constexpr double most = 1 << 30;
  if (std::isnan(bodies)) {
    throw UsageError(s.subject("slope"), "is " + s.text("slope") + ", for which masses overflow",
                     "give a slope nearer to 0");
  }
  if (!(bodies <= most)) {
    throw UsageError(s.subject("surface-density"), "makes " + shown(bodies) + " bodies; a run can have at most 2^30",
                     "give larger bodies, a smaller surface density or a smaller patch");
  }
  memory::demand(static_cast<std::size_t>(bodies), memory::particles());
}

double volume(double radius) { return 4.0 / 3.0 * pi * radius * radius * radius; }

/// Bodies among which the moonlet finds room.
Particles draw_bodies(const Patch& patch, const RadiusLaw& law, Random& random) {
  const double wanted = patch.surface_density * patch.x * patch.y;
  Particles p;
  for (double mass = 0; mass < wanted;) {
    const double radius = law.draw(random.uniform());
    const double x = patch.x * (random.uniform() - 0.5), y = patch.y * (random.uniform() - 0.5);
    const double z = patch.height * random.normal();
    if (patch.moonlet > 0 && std::hypot(x, y, z) < radius + patch.moonlet) continue;
    p.radius.push_back(radius);
    p.position.push_back({x, y, z});
    p.velocity.push_back({0, -1.5 * patch.omega * x, 0});
    p.mass.push_back(patch.particle_density * volume(radius));
    mass += p.mass.back();
  }
  return p;
}

/// At the origin, where it rests. Returns what is to be known of it.
std::string add_moonlet(const Patch& patch, const Settings& s, double G, Particles& p) {
  const double density = s.non_negative("moonlet-density");
  const double mass = (density > 0 ? density : patch.particle_density) * volume(patch.moonlet);
  p.radius.push_back(patch.moonlet);
  p.position.push_back({});
  p.velocity.push_back({});
  p.mass.push_back(mass);
  return "a moonlet of radius " + shown(patch.moonlet) + ", mass " + shown(mass) + ", Hill radius " +
         shown(std::cbrt(G * mass / (3 * patch.omega * patch.omega)));
}

Snapshot draw_ring(const Request& request) {
  const Settings& s = request.settings;
  const Patch patch = patch_of(s);
  const double least = s.positive("radius-min"), most = s.positive("radius-max");
  if (most < least) throw UsageError(s.subject("radius-max"), "is less than radius-min");
  const RadiusLaw law(least, most, s.number("slope"));
  if (patch.moonlet > 0 && patch.moonlet + most > std::min(patch.x, patch.y) / 2) {
    throw UsageError(s.subject("moonlet-radius"),
                     "is " + shown(patch.moonlet) + ", which leaves no space for the other bodies",
                     "give a larger patch");
  }
  demand_room(patch.surface_density * patch.x * patch.y / (patch.particle_density * 4.0 / 3.0 * pi * law.mean_cube()),
              s);
  Random random(request.seed, 0);
  Snapshot snapshot;
  Particles& p = snapshot.particles;
  p = draw_bodies(patch, law, random);
  snapshot.notes = described(patch, p, request.units.G);
  if (patch.moonlet > 0) snapshot.notes.push_back(add_moonlet(patch, s, request.units.G, p));
  const std::size_t n = p.position.size();
  p.id.resize(n);
  for (std::size_t i = 0; i < n; ++i) p.id[i] = i;
  p.family.assign(n, Family::disc);
  Boundary sheet;
  sheet.kind = BoundaryKind::shear;
  sheet.size = {patch.x, patch.y, 0};
  sheet.n_ghost = {2, 2, 0};  // as REBOUND's examples
  sheet.omega = patch.omega;
  snapshot.set_boundary(sheet);
  return snapshot;
}

}  // namespace

Entry ring() {
  return {{"ring",
           "Patch of a planetary ring in a shearing sheet: bodies with radii; as many as make the surface density",
           {measured(a_length, {"size-x", "200", "edge length of the patch along the radius"}),
            measured(a_length, {"size-y", "200", "edge length of the patch along the orbit"}),
            measured(a_surface_density,
                     {"surface-density", "400", "surface density: mass per area, larger gives more bodies"}),
            measured(a_density, {"particle-density", "400", "density of a body: mass per volume"}),
            measured(a_length, {"radius-min", "1", "smallest radius of a body"}),
            measured(a_length, {"radius-max", "1", "largest radius of a body"}),
            {"slope", "-3", "exponent of the radius in the size distribution of bodies: smaller gives more small ones"},
            measured(a_frequency, {"omega", "1.3143527e-4", "angular frequency of the orbit, as boundary.omega"}),
            measured(a_length, {"height", "1", "standard deviation of z"}),
            measured(a_length, {"moonlet-radius", "0", "radius of a moonlet at rest in the middle; 0: none"}),
            measured(a_density, {"moonlet-density", "0", "density of the moonlet; 0: particle-density"}),
            eps_option()}},
          draw_ring,
          [](const Settings& s, std::size_t) { return 0.1 * s.positive("radius-min"); },
          true,
          "si"};
}

}  // namespace hornbeam::ics
