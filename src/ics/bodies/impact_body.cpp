// SPDX-License-Identifier: Apache-2.0
// Bodies of an impact, see impact_body.h.
#include "ics/bodies/impact_body.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hornbeam/error.h"
#include "ics/join.h"

namespace hornbeam::ics {
namespace {

constexpr double ball = 4 * std::numbers::pi / 3;

/// What a file says cannot be said again.
void refuse_both(const Settings& s, const std::string& which) {
  for (const Option& option : planet_options(which + "-", "", "")) {
    if (option.name == which + "-radius" || !s.is_given(option.name)) continue;
    throw UsageError(s.subject(option.name), "received both this and " + which + " = " + s.text(which),
                     "leave one of them out; the file defines the body");
  }
}

/// Where the surface is, about the centre of mass: beyond the outermost particle, of which a hundredth is left out, by
/// nine tenths of a mean separation. Planets of 300 to 3,000 particles that have settled have their profile's radius
/// within 2 % so.
double surface_of(const Particles& p) {
  std::vector<double> radii(p.size());
  std::transform(p.position.begin(), p.position.end(), radii.begin(),
                 [](const Vec3& x) { return std::hypot(x[0], x[1], x[2]); });
  const std::size_t last = p.size() - 1 - p.size() / 100;
  std::nth_element(radii.begin(), radii.begin() + static_cast<std::ptrdiff_t>(last), radii.end());
  const double outermost = radii[last];
  const double separation = outermost * std::cbrt(ball / static_cast<double>(p.size()));
  return outermost + 0.9 * separation;
}

ImpactBody body_of_file(const Request& request, const std::string& which) {
  const Settings& s = request.settings;
  refuse_both(s, which);
  if (!request.reader) throw UsageError(s.subject(which), "received no reader for its file", "pass one to make()");
  ImpactBody body;
  body.which = which;
  body.snapshot = request.reader(s.text(which));
  body.snapshot.particles.validate(s.text(which));
  forget_run(body.snapshot);
  Particles& p = body.snapshot.particles;
  body.mass = p.size() > 0 ? centre(p) : 0;
  if (!(body.mass > 0)) throw UsageError(s.subject(which), "the particles of " + s.text(which) + " have no mass");
  const std::string radius = which + "-radius";
  body.radius = s.has(radius) ? s.positive(radius) : surface_of(p);
  if (!(body.radius > 0)) {
    throw UsageError(s.subject(which), "all particles of " + s.text(which) + " are at one position",
                     "give " + radius + ", the radius of contact");
  }
  body.words = std::to_string(p.size()) + " particles of " + s.text(which) + ", mass " + shown(body.mass) +
               ", radius " + shown(body.radius) + (s.has(radius) ? "" : " about the outermost particles");
  return body;
}

}  // namespace

double ImpactBody::rule_of_eps(double particle_mass) const {
  if (profile) return eps_of_planet(*profile, particle_mass);
  const auto& density = snapshot.particles.density;
  const double mean = mass / (ball * radius * radius * radius);
  const double most = density.empty() ? mean : std::max(mean, *std::max_element(density.begin(), density.end()));
  return 0.5 * std::cbrt(particle_mass / most);
}

ImpactBody impact_body(const Request& request, const std::string& which) {
  if (request.settings.has(which)) return body_of_file(request, which);
  ImpactBody body;
  body.which = which;
  body.profile.emplace(planet_profile(request, which + "-"));
  body.mass = body.profile->mass();
  body.radius = body.profile->radius();
  body.words = words_of(*body.profile);
  return body;
}

std::vector<Option> impact_files() {
  return {
      {"target", "", "file with the particles of the target, relaxed by a run; not given: the target is drawn", "PATH"},
      {"impactor", "", "file with the particles of the impactor; not given: the impactor is drawn", "PATH"}};
}

}  // namespace hornbeam::ics
