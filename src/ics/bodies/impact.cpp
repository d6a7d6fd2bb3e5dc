// SPDX-License-Identifier: Apache-2.0
// Two planets on their way to meet: how they touch is reported, and their orbit is followed back from there.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "hornbeam/error.h"
#include "hornbeam/units.h"
#include "ics/bodies/impact_body.h"
#include "ics/join.h"

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
      throw UsageError(subject, "is so long that the bodies had already touched on this orbit",
                       "give a shorter time, or a speed of at least 1");
    }
  }
  return at;
}

/// The impactor's motion relative to the target: at contact the velocity is along -x, and the bodies turn about each
/// other counter-clockwise.
PhasePoint approach(const Settings& s, double mu, double distance) {
  const double angle = s.number("angle") * std::numbers::pi / 180;
  if (!(angle >= 0) || !(angle < std::numbers::pi / 2)) {
    throw UsageError(s.subject("angle"), "is " + s.text("angle"), "give degrees from 0 (head on) to below 90");
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

/// How many particles each body has, as those of files or those of layers in proportion to the masses.
std::array<std::size_t, 2> numbers_of(const Request& request, const std::array<ImpactBody, 2>& bodies) {
  const std::array held = {bodies[0].snapshot.particles.size(), bodies[1].snapshot.particles.size()};
  if (bodies[0].is_read() && bodies[1].is_read()) return held;
  const double M1 = bodies[0].mass, M2 = bodies[1].mass;
  for (const std::size_t k : {0, 1}) {
    if (!bodies[k].is_read()) continue;
    const double as_many = static_cast<double>(held[k]) * bodies[1 - k].mass / bodies[k].mass;
    std::array<std::size_t, 2> numbers = held;
    numbers[1 - k] = request.n > 0 ? request.n - std::min(request.n, held[k])
                                   : static_cast<std::size_t>(std::max(1LL, std::llround(as_many)));
    if (numbers[1 - k] > 0) return numbers;
    throw UsageError("impact.n",
                     "is " + std::to_string(request.n) + ", and the file of the " + bodies[k].which + " has " +
                         std::to_string(held[k]) + " particles",
                     "give a larger n, or leave it out");
  }
  if (request.n < 2) throw UsageError("impact.n", "is " + std::to_string(request.n), "two bodies need a particle each");
  const auto first = static_cast<std::size_t>(std::llround(static_cast<double>(request.n) * M1 / (M1 + M2)));
  const std::size_t n1 = std::clamp<std::size_t>(first, 1, request.n - 1);
  return {n1, request.n - n1};
}

/// Those of files must be in the units of what is drawn.
Units units_of(const Request& request, const std::array<ImpactBody, 2>& bodies) {
  std::optional<Units> found;
  for (const ImpactBody& body : bodies) {
    const Units& units = body.is_read() ? body.snapshot.units : request.units;
    if (found && !same(*found, units)) {
      throw UsageError("impact",
                       "the two bodies have different units: " + described(*found) + " and " + described(units),
                       "give units (--units, [units]), to which both are converted");
    }
    found = units;
  }
  return *found;
}

/// Files keep their softening unless a length is given.
void soften(const Settings& s, ImpactBody& body, double asked) {
  Particles& p = body.snapshot.particles;
  const bool keeps = body.is_read() && !p.eps.empty() && s.has("eps") && s.text("eps") == near_optimum;
  if (s.has("eps") && !keeps) p.eps.assign(p.size(), asked);
}

void refuse_idle_settle(const Settings& s, const std::array<ImpactBody, 2>& bodies) {
  if (!bodies[0].is_read() || !bodies[1].is_read() || !(s.non_negative("settle") > 0)) return;
  throw UsageError(s.subject("settle"), "applies to bodies that Hornbeam makes, and both come from files",
                   "leave it out");
}

/// Whether the gas is of numbered materials; nothing without gas.
std::optional<bool> has_materials(const Particles& p) {
  std::optional<bool> found;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.family[i] == Family::gas) found = found.value_or(false) || (!p.material.empty() && p.material[i] != 0);
  }
  return found;
}

/// No run knows the law of gas without a material next to gas with one.
void demand_materials(const std::array<ImpactBody, 2>& bodies) {
  std::array<std::optional<bool>, 2> with;
  for (const std::size_t k : {0, 1}) {
    with[k] = bodies[k].is_read() ? has_materials(bodies[k].snapshot.particles) : std::optional(true);
  }
  if (!with[0] || !with[1] || *with[0] == *with[1]) return;
  const std::size_t without = *with[0] ? 1 : 0;
  throw UsageError("impact",
                   "the gas of the " + bodies[without].which + " has no MaterialIDs, and that of the " +
                       bodies[1 - without].which + " has",
                   "give MaterialIDs to both, or to none");
}

/// Both, one after the other, where they are.
Snapshot joined(const Request& request, std::array<ImpactBody, 2>& bodies, std::vector<std::string>& notes) {
  const bool is_drawn = !bodies[0].is_read() && !bodies[1].is_read();
  Snapshot all = std::move(bodies[0].snapshot);
  Particles& second = bodies[1].snapshot.particles;
  if (!is_drawn) {
    notes.push_back("impact: ids of the impactor are its own plus " +
                    std::to_string(offset_ids(all.particles, second, "impact", "bodies")));
  }
  const std::vector<std::string> warnings = all.append(bodies[1].snapshot);
  notes.insert(notes.end(), warnings.begin(), warnings.end());
  for (std::size_t i = 0; i < all.particles.size() && is_drawn; ++i) all.particles.id[i] = i;
  const std::size_t n = all.particles.size();
  if (!is_drawn && request.n > 0 && request.n != n) {
    notes.push_back("n = " + std::to_string(request.n) + " was not used, as the files have " + std::to_string(n) +
                    " particles");
  }
  return all;
}

Snapshot draw_impact(const Request& request) {
  const Settings& s = request.settings;
  std::array bodies = {impact_body(request, "target"), impact_body(request, "impactor")};
  refuse_idle_settle(s, bodies);
  const Units units = units_of(request, bodies);
  const double M1 = bodies[0].mass, M2 = bodies[1].mass, mu = units.G * (M1 + M2);
  const double contact = bodies[0].radius + bodies[1].radius;
  const PhasePoint way = approach(s, mu, contact);
  const std::array<std::size_t, 2> numbers = numbers_of(request, bodies);
  std::vector<std::string> notes = {"target: " + bodies[0].words, "impactor: " + bodies[1].words};
  add_notes(bodies[0].snapshot, notes);
  add_notes(bodies[1].snapshot, notes);
  demand_materials(bodies);
  const double one = (M1 + M2) / static_cast<double>(numbers[0] + numbers[1]);
  const double rule = std::min(bodies[0].rule_of_eps(one), bodies[1].rule_of_eps(one));
  const double asked = eps_asked(s, rule);
  for (const std::size_t k : {0, 1}) {
    ImpactBody& body = bodies[k];
    if (!body.is_read()) {
      body.snapshot.particles =
          planet_of_particles(request, body.which + "-", *body.profile, numbers[k], asked > 0 ? asked : rule, k, notes);
      body.snapshot.units = units;
      body.snapshot.has_units = true;
    }
    soften(s, body, asked);
  }
  Snapshot snapshot = joined(request, bodies, notes);
  Particles& p = snapshot.particles;
  move(p, 0, numbers[0], way, -M2 / (M1 + M2));
  move(p, numbers[0], p.size(), way, M1 / (M1 + M2));
  centre(p);
  notes.push_back("the bodies touch after " + s.text("before") + " units of time at a speed of " +
                  shown(s.positive("speed") * std::sqrt(2 * mu / contact)) + ", " + s.text("speed") +
                  " of that of mutual escape");
  snapshot.notes = std::move(notes);
  return snapshot;
}

}  // namespace

Entry impact() {
  Entry entry{
      {"impact",
       "Two planets about to collide, from files or layers as of `planet`: angle, speed and time before contact",
       {}},
      draw_impact,
      nullptr,
      true,
      units_of_planets};
  auto& options = entry.model.options;
  options = impact_files();
  for (const Option& o : planet_options("target-", "0.887", "iron:0.3,granite:0.7")) options.push_back(o);
  for (const Option& o : planet_options("impactor-", "0.133", "iron:0.3,granite:0.7")) options.push_back(o);
  options.push_back(in_unit(
      "deg", {"angle", "45", "angle between the velocity at contact and the line of centres, in degrees; 0: head on"}));
  options.push_back(
      {"speed", "1", "speed at contact, in units of the mutual escape speed (2 G (M1 + M2) / (R1 + R2))^1/2"});
  options.push_back(measured_apart(a_time, {"before", "", "time from the start to contact (required)"}));
  options.push_back(
      {"settle", "0", "largest number of damped iterations that relax each body by itself; 0: none", "INT"});
  options.push_back(eps_option());
  return entry;
}

}  // namespace hornbeam::ics
