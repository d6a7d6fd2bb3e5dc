// SPDX-License-Identifier: Apache-2.0
// Planets in hydrostatic balance of layers of materials, see planet.h.
#include "ics/bodies/planet.h"

#include <cmath>
#include <numbers>

#include "hornbeam/error.h"
#include "ics/gas/gas.h"
#include "ics/gas/settle.h"
#include "ics/gas/shells.h"

namespace hornbeam::ics {
namespace {

/// The particles of a layer stand together; how many each has.
std::vector<std::size_t> numbers_of_layers(const PlanetProfile& profile, std::size_t n) {
  std::vector<std::size_t> numbers;
  double below = 0;
  std::size_t before = 0;
  for (const Layer& layer : profile.layers()) {
    below += layer.fraction;
    const bool last = numbers.size() + 1 == profile.layers().size();
    const std::size_t within = last ? n : static_cast<std::size_t>(std::llround(below * static_cast<double>(n)));
    if (within <= before) {
      throw UsageError("n", "leaves no particle for the layer of " + layer.asked, "give more particles");
    }
    numbers.push_back(within - before);
    before = within;
  }
  return numbers;
}

void fill_layer(Particles& p, std::size_t first, std::size_t n, const PlanetProfile& profile, std::size_t layer,
                Random& random) {
  const double below = profile.nodes(layer).front().mass, mass = profile.nodes(layer).back().mass - below;
  const auto at = [&](double part) { return profile.at_mass(layer, below + part * mass); };
  const std::vector<Shell> shells = shells_of(n, mass, [&](double part) {
    const PlanetProfile::Node node = at(part);
    return LayerPlace{node.radius, node.density};
  });
  for (const Shell& shell : shells) {
    for (const Vec3& x : sphere_points(shell.n, random)) {
      for (std::size_t k = 0; k < 3; ++k) p.position[first][k] = shell.radius * x[k];
      p.internal_energy[first] = at(shell.part).energy;
      p.material[first++] = profile.layers()[layer].material.id();
    }
  }
}

/// The root mean square of z over that of x and y.
double flattening(const Particles& p) {
  double across = 0, along = 0;
  for (const Vec3& x : p.position) {
    across += (x[0] * x[0] + x[1] * x[1]) / 2;
    along += x[2] * x[2];
  }
  return across > 0 ? std::sqrt(along / across) : 1;
}

/// How particles of a planet come to rest.
struct PlanetRest {
  int turns;
  double eps, spin;
};

std::string settle_planet(Particles& p, const PlanetProfile& profile, const std::vector<std::size_t>& layer_of,
                          const PlanetRest& rest, const Units& units) {
  Settling settling{.turns = rest.turns, .G = units.G, .spin = rest.spin, .gas = {}, .units = units, .energy = {}};
  settling.gas.eos = EquationOfState::materials;
  for (const Layer& layer : profile.layers()) {
    auto& all = settling.gas.materials;
    if (std::find(all.begin(), all.end(), layer.asked) == all.end()) all.push_back(layer.asked);
  }
  settling.energy = [&](std::size_t i, double density) { return profile.compression(layer_of[i]).energy_at(density); };
  p.eps.assign(p.size(), rest.eps);
  const Settled done = settle(p, settling);
  p.eps.clear();
  return "relaxed in " + std::to_string(done.turns) + " iterations: K / |W| = " + shown(done.kinetic_over_potential) +
         (rest.spin == 0 ? "" : ", axes z / x = " + shown(flattening(p)));
}

Snapshot draw_planet(const Request& request) {
  const PlanetProfile profile = planet_profile(request, "");
  Snapshot snapshot;
  snapshot.notes.push_back(words_of(profile));
  const double one = profile.mass() / static_cast<double>(std::max<std::size_t>(1, request.n));
  const double rule = eps_of_planet(profile, one), asked = eps_asked(request.settings, rule);
  snapshot.particles =
      planet_of_particles(request, "", profile, request.n, asked > 0 ? asked : rule, 0, snapshot.notes);
  if (request.settings.has("eps")) snapshot.particles.eps.assign(request.n, asked);
  return snapshot;
}

}  // namespace

std::vector<Option> planet_options(const std::string& prefix, const std::string& mass, const std::string& layers) {
  const std::string of = prefix.empty() ? "" : "of the " + prefix.substr(0, prefix.size() - 1) + ": ";
  return {measured(a_mass, {prefix + "mass", mass, of + "mass; not given: it follows from the radius"}),
          measured(a_length, {prefix + "radius", "", of + "radius; not given: it follows from the mass"}),
          {prefix + "layers", layers,
           of + "layers from the centre outwards, each MATERIAL:MASS-FRACTION[:TEMPERATURE]: iron, granite, water, "
                "basalt, ice, aluminium, or NAME=FILE, a table",
           "TEXT"},
          in_unit("K", {prefix + "temperature", "1000",
                        of + "temperature in K of each layer if it is brought to the surface"}),
          {prefix + "exponent", "", of + "T goes with the density to this power; not given: at constant entropy"},
          measured(a_frequency, {prefix + "spin", "0", of + "angular velocity about z"})};
}

PlanetProfile planet_profile(const Request& request, const std::string& prefix) {
  const Settings& s = request.settings;
  if (!request.units.physical) {
    throw UsageError(s.subject(prefix + "layers"),
                     "need physical units, as their materials have densities and strengths in SI units",
                     "give --units \"Rearth,Mearth,km/s\" or [units]");
  }
  const std::vector<Layer> layers = layers_from(s.text(prefix + "layers"), s.positive(prefix + "temperature"),
                                                request.units, s.subject(prefix + "layers"));
  const double exponent = s.has(prefix + "exponent") ? s.non_negative(prefix + "exponent") : -1;
  if (s.has(prefix + "radius")) {
    if (s.is_given(prefix + "mass")) {
      throw UsageError(s.subject(prefix + "radius"),
                       "received both this and " + prefix + "mass, and each sets the other", "leave one of them out");
    }
    return planet_of_radius(layers, s.positive(prefix + "radius"), request.units.G, exponent);
  }
  return {layers, s.positive(prefix + "mass"), request.units.G, exponent};
}

double eps_of_planet(const PlanetProfile& profile, double particle_mass) {
  return 0.5 * std::cbrt(particle_mass / profile.central_density());
}

Particles planet_of_particles(const Request& request, const std::string& prefix, const PlanetProfile& profile,
                              std::size_t n, double eps, std::uint64_t stream, std::vector<std::string>& notes) {
  constexpr double slow = 0.1;  // of that which tears it apart: a sphere is out of balance by a hundredth
  Particles p = gas_at_rest(n, profile.mass() / static_cast<double>(n)).particles;
  p.material.assign(n, 0);
  Random random(request.seed, stream);
  std::vector<std::size_t> layer_of(n);
  std::size_t first = 0;
  const std::vector<std::size_t> numbers = numbers_of_layers(profile, n);
  for (std::size_t layer = 0; layer < numbers.size(); ++layer) {
    fill_layer(p, first, numbers[layer], profile, layer, random);
    std::fill_n(layer_of.begin() + static_cast<std::ptrdiff_t>(first), numbers[layer], layer);
    first += numbers[layer];
  }
  centre(p);
  const auto turns = static_cast<int>(request.settings.non_negative("settle"));
  const double spin = request.settings.number(prefix + "spin");
  const double most = std::sqrt(request.units.G * profile.mass() / std::pow(profile.radius(), 3));
  if (turns > 0) notes.push_back(settle_planet(p, profile, layer_of, {turns, eps, spin}, request.units));
  if (std::abs(spin) > most) {
    notes.push_back(prefix + "spin of " + shown(spin) + " is more than the " + shown(most) +
                    " at which gravity balances rotation at the surface: the planet flies apart");
  } else if (turns == 0 && std::abs(spin) > slow * most) {
    notes.push_back("WARNING: " + prefix + "spin of " + shown(spin) +
                    " flattens a planet, and this one is a sphere out of equilibrium (give settle = 300)");
  }
  for (std::size_t i = 0; i < n; ++i) p.velocity[i] = {-spin * p.position[i][1], spin * p.position[i][0], 0};
  return p;
}

std::string words_of(const PlanetProfile& profile) {
  const PlanetProfile::Node &core = profile.nodes(0).front(), &top = profile.nodes(profile.layers().size() - 1).back();
  std::string vapour;
  for (std::size_t l = 0; l < profile.layers().size(); ++l) {
    const Layer& layer = profile.layers()[l];
    if (profile.nodes(l).back().density > 0.5 * layer.material.reference_density()) continue;
    vapour += "; the layer of " + layer.asked + " is vapour at its upper edge (a lower temperature makes it dense)";
  }
  return "mass " + shown(profile.mass()) + ", radius " + shown(profile.radius()) + ", density " + shown(core.density) +
         " at the centre and " + shown(top.density) + " at the surface, pressure " + shown(core.pressure) +
         " at the centre" + vapour;
}

Entry planet() {
  Entry entry{{"planet", "Planet of layers of materials in hydrostatic balance, particles on shells",
               planet_options("", "1", "iron:0.3,granite:0.7")},
              draw_planet,
              nullptr,
              true,
              units_of_planets};
  entry.model.options.push_back(
      {"settle", "0", "largest number of damped iterations that relax the particles; 0: none", "INT"});
  entry.model.options.push_back(eps_option());
  return entry;
}

}  // namespace hornbeam::ics
