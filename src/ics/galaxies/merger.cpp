// SPDX-License-Identifier: Apache-2.0
// Two galaxies on a Kepler orbit: each is centred, scaled, turned, and set on its way. What stands before the first
// step of a collision.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "core/fields.h"
#include "hornbeam/error.h"
#include "ics/galaxies/galaxy.h"
#include "ics/join.h"
#include "ics/model.h"

namespace hornbeam::ics {
namespace {

void check(const MergerOptions& o) {
  const auto refuse = [](const char* name, double value, const std::string& allowed) {
    throw UsageError(std::string("merger.") + name, "received " + shown(value), allowed);
  };
  const auto at_least_0 = [&](const char* name, double x) {
    if (!(x >= 0.0 && std::isfinite(x))) refuse(name, x, "must be a finite number, 0 or above");
  };
  at_least_0("pericentre", o.pericentre);
  at_least_0("separation", o.separation);
  at_least_0("eccentricity", o.eccentricity);
  at_least_0("mass-ratio", o.mass_ratio);
  for (const double angle : {o.inclination1, o.inclination2, o.node1, o.node2, o.size_exponent}) {
    if (!std::isfinite(angle)) refuse("inclination, node or size-exponent", angle, "must be a finite number");
  }
  const double e = o.eccentricity;
  if (o.pericentre == 0.0 && e != 1.0) refuse("eccentricity", e, "must be 1 when the pericentre is 0");
  const double farthest = e < 1.0 ? o.pericentre * (1.0 + e) / (1.0 - e) : std::numeric_limits<double>::infinity();
  if (o.separation <= 0.0 || o.separation < o.pericentre || o.separation > farthest) {
    refuse("separation", o.separation,
           "the orbit reaches from " + shown(o.pericentre) + (e < 1.0 ? " to " + shown(farthest) : " outwards"));
  }
}

/// Second galaxy relative to the first, inbound, pericentre on +x (Murray & Dermott 1999, section 2.3).
PhasePoint relative_orbit(const MergerOptions& o, double mu) {
  const double r = o.separation;
  const double semi_latus_rectum = o.pericentre * (1.0 + o.eccentricity);
  const double cos_anomaly =
      o.eccentricity > 0.0 ? std::clamp((semi_latus_rectum / r - 1.0) / o.eccentricity, -1.0, 1.0) : 1.0;
  const double sin_anomaly = -std::sqrt(1.0 - cos_anomaly * cos_anomaly);  // before the pericentre
  const double inverse_axis = o.pericentre > 0.0 ? (1.0 - o.eccentricity) / o.pericentre : 0.0;
  const double speed2 = mu * (2.0 / r - inverse_axis);  // vis-viva
  const double across = std::sqrt(mu * semi_latus_rectum) / r;
  const double inward = std::sqrt(std::max(0.0, speed2 - across * across));
  return {{r * cos_anomaly, r * sin_anomaly, 0.0},
          {-inward * cos_anomaly - across * sin_anomaly, -inward * sin_anomaly + across * cos_anomaly, 0.0}};
}

/// The particles of one galaxy among those of both.
struct Range {
  std::size_t begin, end;

  template <class T, class Act>
  void each(std::vector<T>& array, const Act& act) const {  // optional arrays may be empty
    for (std::size_t i = begin; i < std::min(end, array.size()); ++i) act(array[i]);
  }
};

/// x^n, and 1 for n below 0.
double power(double x, int n) {
  double product = 1;
  for (; n > 0; --n) product *= x;
  return product;
}

/// The factor of what has that dimension, velocities scaling by `speed`, whose square is `speed2` to the last bit.
double scaled_by(const Dimension& d, double size, double mass, double speed, double speed2) {
  const double above =
      power(mass, d.mass) * power(speed2, d.velocity / 2) * power(speed, d.velocity % 2) * power(size, d.length);
  const double below =
      power(mass, -d.mass) * power(speed2, -d.velocity / 2) * power(speed, -d.velocity % 2) * power(size, -d.length);
  return above / below;
}

/// Mass by f, size by f^x, velocity by sqrt(mass / size): an equilibrium stays one.
void scale_galaxy(Particles& particles, Range galaxy, double mass_factor, double size_exponent) {
  const double size = std::pow(mass_factor, size_exponent);
  const double energy = mass_factor / size;  // per unit mass
  const double speed = std::sqrt(energy);
  for_each_array(particles, [&](auto& array, const FieldRow& row) {
    using Value = typename std::decay_t<decltype(array)>::value_type;
    const double factor = scaled_by(row.dimension, size, mass_factor, speed, energy);
    if constexpr (std::is_same_v<Value, double>) {
      galaxy.each(array, [factor](double& x) { x *= factor; });
    } else if constexpr (std::is_same_v<Value, Vec3>) {
      galaxy.each(array, [f = factor](Vec3& x) { x = {f * x[0], f * x[1], f * x[2]}; });
    }
  });
}

/// About x by the inclination, then about z by the node's angle, then moved by `shift`.
void turn_and_move(Particles& particles, Range galaxy, double inclination_degrees, double node_degrees,
                   const PhasePoint& shift) {
  constexpr double degree = std::numbers::pi / 180.0;
  const double ci = std::cos(inclination_degrees * degree), si = std::sin(inclination_degrees * degree);
  const double cn = std::cos(node_degrees * degree), sn = std::sin(node_degrees * degree);
  const auto turned = [=](const Vec3& x, const Vec3& by) -> Vec3 {
    const double y = ci * x[1] - si * x[2];
    return {cn * x[0] - sn * y + by[0], sn * x[0] + cn * y + by[1], si * x[1] + ci * x[2] + by[2]};
  };
  for_each_field([&](const auto& field) {
    if constexpr (std::is_same_v<typename std::decay_t<decltype(field)>::Value, Vec3>) {
      const Vec3 by = field.array == &Particles::position   ? shift.position
                      : field.array == &Particles::velocity ? shift.velocity
                                                            : Vec3{};
      galaxy.each(particles.*field.array, [&](Vec3& v) { v = turned(v, by); });
    }
  });
}

PhasePoint scaled(const PhasePoint& p, double f) {
  return {{f * p.position[0], f * p.position[1], f * p.position[2]},
          {f * p.velocity[0], f * p.velocity[1], f * p.velocity[2]}};
}

void centre_galaxy(Particles& particles, Range galaxy, const char* which) {
  const double mass = centre(particles, galaxy.begin, galaxy.end);
  if (!(mass > 0.0)) throw Error("merger", std::string("the ") + which + " galaxy has no mass");
}

/// Scales, turns and moves the galaxies, which are centred; the second begins at `split`.
void set_on_orbit(Particles& particles, std::size_t split, double G, const MergerOptions& options) {
  const Range first{0, split}, second{split, particles.size()};
  const double mass1 = total_mass(particles, first.begin, first.end);
  double mass2 = total_mass(particles, second.begin, second.end);
  if (options.mass_ratio > 0.0) {
    scale_galaxy(particles, second, options.mass_ratio * mass1 / mass2, options.size_exponent);
    mass2 = options.mass_ratio * mass1;
  }
  const double total = mass1 + mass2;
  const PhasePoint relative = relative_orbit(options, G * total);
  turn_and_move(particles, first, options.inclination1, options.node1, scaled(relative, -mass2 / total));
  turn_and_move(particles, second, options.inclination2, options.node2, scaled(relative, mass1 / total));
}

MergerOptions merger_options(const Settings& s) {
  MergerOptions o;
  o.pericentre = s.non_negative("pericentre");
  o.separation = s.positive("separation");
  o.eccentricity = s.non_negative("eccentricity");
  if (s.has("mass-ratio")) o.mass_ratio = s.positive("mass-ratio");
  o.size_exponent = s.number("size-exponent");
  o.inclination1 = s.number("inclination1");
  o.inclination2 = s.number("inclination2");
  o.node1 = s.number("node1");
  o.node2 = s.number("node2");
  return o;
}

Snapshot merge_files(const Request& request, const MergerOptions& options) {
  const Settings& s = request.settings;
  if (!request.reader) throw UsageError("merger", "received no reader for its galaxy files", "pass one to make()");
  const Snapshot first = request.reader(s.text("galaxy1"));
  const std::optional<Snapshot> other =
      s.has("galaxy2") ? std::optional(request.reader(s.text("galaxy2"))) : std::nullopt;
  const Snapshot& second = other ? *other : first;
  Snapshot merged = merge(first, second, options);
  add_notes(first, merged.notes);
  add_notes(second, merged.notes);
  if (request.n != 0 && request.n != merged.particles.size()) {
    merged.notes.push_back("n = " + std::to_string(request.n) + " was not used, as the galaxy files have " +
                           std::to_string(merged.particles.size()) + " particles");
  }
  if (s.has("eps")) merged.particles.eps.assign(merged.particles.size(), s.non_negative("eps"));
  return merged;
}

/// Both galaxies with one shape, drawn side by side: next to them no second copy is held.
Snapshot merge_drawn(const Request& request, const MergerOptions& options) {
  const GalaxyShape shape = galaxy_shape(request.settings, request.units);
  if (request.n == 1) throw UsageError("merger.n", "received 1", "must be at least 2, a particle for each galaxy");
  const GalaxyNumbers first = galaxy_numbers(request.settings, shape, request.n - request.n / 2);
  const GalaxyNumbers second = galaxy_numbers(request.settings, shape, request.n / 2);
  if (first.total() == 0) throw UsageError("merger.n", "is missing", "give n, or the number of particles of each part");
  Snapshot merged;
  merged.particles = room_for(first.total() + second.total());
  const bool quiet = request.settings.truth("quiet");
  const GalaxySoftening eps1 = galaxy_softening(request.settings, shape, first);
  GalaxySoftening eps2 = galaxy_softening(request.settings, shape, second);
  if (options.mass_ratio > 0.0 &&
      shape.eps > 0.0) {  // the second before it is scaled, and with it the run's one length
    const double unscaled = shape.eps / std::pow(options.mass_ratio, options.size_exponent);
    eps2 = {true, unscaled, unscaled, unscaled, unscaled};
  }
  Galaxy(softened(shape, eps1)).draw(merged.particles, 0, first, {request.seed, quiet, 0});
  Galaxy(softened(shape, eps2)).draw(merged.particles, first.total(), second, {request.seed, quiet, 1});
  soften(merged.particles, 0, first, eps1);
  soften(merged.particles, first.total(), second, eps2);
  set_on_orbit(merged.particles, first.total(), merged.units.G, options);
  if (shape.eps > 0.0) merged.particles.eps.assign(merged.particles.size(), shape.eps);  // to the last bit
  return merged;
}

Snapshot draw_merger(const Request& request) {
  const MergerOptions options = merger_options(request.settings);
  check(options);
  if (request.settings.has("galaxy1")) return merge_files(request, options);
  if (request.settings.has("galaxy2")) {
    throw UsageError("merger.galaxy1", "not given", "give the first galaxy's file too, or neither file");
  }
  return merge_drawn(request, options);
}

}  // namespace

Snapshot merge(const Snapshot& first, const Snapshot& second, const MergerOptions& options) {
  check(options);
  if (!same(first.units, second.units)) throw Error("merger", "the two galaxies have different units");
  first.particles.validate("first galaxy");
  second.particles.validate("second galaxy");
  constexpr double most_bytes = memory::particle_bytes + memory::eps_bytes + 2 * sizeof(double);
  memory::demand(first.particles.size() + 2 * second.particles.size(), {{"the galaxies side by side", most_bytes}});
  Snapshot merged = first, other = second;
  Particles &a = merged.particles, &b = other.particles;
  for (Snapshot* galaxy : {&merged, &other}) forget_run(*galaxy);
  if (a.size() == 0 || b.size() == 0) {
    throw Error("merger", std::string("the ") + (a.size() == 0 ? "first" : "second") + " galaxy has no mass");
  }
  const std::uint64_t offset = offset_ids(a, b, "merger", "galaxies");
  const std::size_t split = a.size();
  const std::vector<std::string> warnings = merged.append(other);
  centre_galaxy(a, {0, split}, "first");
  centre_galaxy(a, {split, a.size()}, "second");
  set_on_orbit(a, split, merged.units.G, options);
  merged.notes = {"merger: ids of the second galaxy are its own plus " + std::to_string(offset)};
  merged.notes.insert(merged.notes.end(), warnings.begin(), warnings.end());
  return merged;
}

Entry merger() {
  Entry entry{
      {"merger",
       "Two galaxies, from files or drawn as `galaxy` draws them, on a Kepler orbit, before their first passage",
       {{"galaxy1", "", "file of the first galaxy; not given: two galaxies are drawn with the options of the model",
         "PATH"},
        {"galaxy2", "", "file of the second galaxy; not given: the first again", "PATH"},
        measured(a_length,
                 {"pericentre", "", "closest approach of the orbit of two point masses, in the galaxies' length unit"}),
        measured(a_length, {"separation", "", "distance of the centres at the start, in the galaxies' length unit"}),
        {"eccentricity", "1", "eccentricity of the orbit: 1 parabolic, below bound, above hyperbolic"},
        {"mass-ratio", "", "mass of the second galaxy over the first; not given: the masses of the files, or 1"},
        {"size-exponent", "0.5", "exponent by which sizes follow masses: mass-ratio f scales sizes by f to this power"},
        in_unit("deg", {"inclination1", "0", "angle in degrees between the first galaxy's z axis and the orbit's"}),
        in_unit("deg", {"inclination2", "0", "angle in degrees between the second galaxy's z axis and the orbit's"}),
        in_unit("deg", {"node1", "0",
                        "angle in degrees from the pericentre's direction to the first galaxy's ascending node"}),
        in_unit("deg", {"node2", "0",
                        "angle in degrees from the pericentre's direction to the second galaxy's ascending node"})}},
      draw_merger,
      nullptr,
      false,
      nullptr,
      galaxy_sound};
  for (const Option& option : galaxy_options()) entry.model.options.push_back(option);
  return entry;
}

}  // namespace hornbeam::ics
