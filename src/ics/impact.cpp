// SPDX-License-Identifier: Apache-2.0
// Two planets on their way to meet: how they touch is said, and their orbit is followed back from there.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "hornbeam/error.h"
#include "ics/planet.h"

namespace hornbeam::ics {
namespace {

PhasePoint moved(const PhasePoint& at, const PhasePoint& slope, double by) {
  PhasePoint to = at;
  for (std::size_t k = 0; k < 3; ++k) {
    to.position[k] += by * slope.position[k];
    to.velocity[k] += by * slope.velocity[k];
  }
  return to;
}

double size_of(const Vec3& v) { return std::hypot(v[0], v[1], v[2]); }

/// Of two point masses, G m1 + G m2 = mu.
PhasePoint slope(const PhasePoint& at, double mu) {
  const double r = size_of(at.position), f = -mu / (r * r * r);
  return {at.velocity, {f * at.position[0], f * at.position[1], f * at.position[2]}};
}

/// The relative motion `time` before contact. Steps are parts of the time in which it changes, however long the way: a
/// number of equal ones would pass over the contact where `time` is many times that.
PhasePoint before_contact(PhasePoint at, double mu, double time, const std::string& subject) {
  constexpr double fineness = 0.01;
  const double contact = size_of(at.position);
  for (double left = time; left > 0;) {
    const double r = size_of(at.position), change = std::min(std::sqrt(r * r * r / mu), r / size_of(at.velocity));
    const double step = std::min(left, fineness * change), h = -step;
    left -= step;
    const PhasePoint a = slope(at, mu), b = slope(moved(at, a, h / 2), mu);
    const PhasePoint c = slope(moved(at, b, h / 2), mu), d = slope(moved(at, c, h), mu);
    at = moved(moved(moved(moved(at, a, h / 6), b, h / 3), c, h / 3), d, h / 6);
    if (size_of(at.position) < contact) {
      throw UsageError(subject, "reaches back beyond an earlier contact of the same orbit",
                       "take less time, or a speed of at least 1");
    }
  }
  return at;
}

/// The impactor's motion relative to the target: at contact the velocity is along -x, and the bodies turn about each
/// other counter-clockwise.
PhasePoint approach(const Settings& s, double mu, double distance) {
  const double angle = s.number("angle") * std::numbers::pi / 180;
  if (!(angle >= 0) || !(angle < std::numbers::pi / 2)) {
    throw UsageError(s.subject("angle"), "is " + s.text("angle"), "give degrees from 0, head on, to below 90");
  }
  const double speed = s.positive("speed") * std::sqrt(2 * mu / distance);
  const PhasePoint contact = {{distance * std::cos(angle), distance * std::sin(angle), 0}, {-speed, 0, 0}};
  return before_contact(contact, mu, s.non_negative("before"), s.subject("before"));
}

void move(Particles& p, std::size_t begin, std::size_t end, const PhasePoint& by, double f) {
  for (std::size_t i = begin; i < end; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      p.position[i][k] += f * by.position[k];
      p.velocity[i][k] += f * by.velocity[k];
    }
  }
}

Snapshot draw_impact(const Request& request) {
  const Settings& s = request.settings;
  const PlanetProfile target = planet_profile(request, "target-"), impactor = planet_profile(request, "impactor-");
  const double M1 = target.mass(), M2 = impactor.mass(), mu = request.units.G * (M1 + M2);
  const PhasePoint way = approach(s, mu, target.radius() + impactor.radius());
  if (request.n < 2) throw UsageError("impact.n", "is " + std::to_string(request.n), "two bodies need a particle each");
  const auto first = static_cast<std::size_t>(std::llround(static_cast<double>(request.n) * M1 / (M1 + M2)));
  const std::size_t n1 = std::clamp<std::size_t>(first, 1, request.n - 1), n2 = request.n - n1;
  Snapshot snapshot;
  snapshot.notes = {"target: " + words_of(target), "impactor: " + words_of(impactor)};
  const double one = (M1 + M2) / static_cast<double>(request.n);
  const double rule = std::min(eps_of_planet(target, one), eps_of_planet(impactor, one));
  const double asked = eps_asked(s, rule), eps = asked > 0 ? asked : rule;
  Particles& p = snapshot.particles;
  p = planet_of_particles(request, "target-", target, n1, eps, 0, snapshot.notes);
  p.append(planet_of_particles(request, "impactor-", impactor, n2, eps, 1, snapshot.notes));
  for (std::size_t i = 0; i < p.size(); ++i) p.id[i] = i;
  move(p, 0, n1, way, -M2 / (M1 + M2));
  move(p, n1, request.n, way, M1 / (M1 + M2));
  centre(p);
  if (s.has("eps")) p.eps.assign(p.size(), asked);
  const double contact = target.radius() + impactor.radius();
  snapshot.notes.push_back("they touch after " + s.text("before") + " units of time at a speed of " +
                           shown(s.positive("speed") * std::sqrt(2 * mu / contact)) + ", " + s.text("speed") +
                           " of that of mutual escape");
  return snapshot;
}

}  // namespace

Entry impact() {
  Entry entry{
      {"impact", "Two planets about to collide: layers as of `planet`, angle, speed and time before contact", {}},
      draw_impact,
      nullptr,
      true};
  auto& options = entry.model.options;
  for (const Option& o : planet_options("target-", "0.887", "iron:0.3,granite:0.7")) options.push_back(o);
  for (const Option& o : planet_options("impactor-", "0.133", "iron:0.3,granite:0.7")) options.push_back(o);
  options.push_back({"angle", "45", "degrees between the velocity at contact and the line of centres; 0: head on"});
  options.push_back({"speed", "1", "at contact, in speeds of mutual escape, (2 G (M1 + M2) / (R1 + R2))^1/2"});
  options.push_back({"before", "", "time before contact at which it begins (has to be given)"});
  options.push_back({"settle", "0", "at most so many turns that bring each body to rest by itself; 0: none", "INT"});
  options.push_back(eps_option());
  return entry;
}

}  // namespace hornbeam::ics
