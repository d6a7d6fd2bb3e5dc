// SPDX-License-Identifier: Apache-2.0
// Finds a disc's stars, centre, axis and rest frame, see disc_frame.h.
#include "analysis/disc/disc_frame.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "analysis/vectors.h"
#include "hornbeam/analysis.h"
#include "hornbeam/error.h"

namespace hornbeam::analysis {
namespace {

std::vector<std::size_t> members(const Particles& particles) {
  for (const Family family : {Family::disc, Family::star}) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < particles.size(); ++i) {
      if (particles.family[i] == family && particles.mass[i] > 0.0) found.push_back(i);
    }
    if (found.size() >= 100) return found;
  }
  throw Error("disc", "fewer than 100 particles with mass are of the family disc or star",
              "the measure needs at least 100");
}

struct Frame {
  Vec3 centre, motion, axis, first, second;  // the last two span the plane
};

Frame frame(const Particles& particles, const std::vector<std::size_t>& stars) {
  Frame f{};
  f.centre = centre_of_density(particles);
  double mass = 0.0;
  for (const std::size_t i : stars) {
    mass += particles.mass[i];
    for (int k = 0; k < 3; ++k) f.motion[k] += particles.mass[i] * particles.velocity[i][k];
  }
  f.motion = scaled(f.motion, 1.0 / mass);
  Vec3 spin{};
  for (const std::size_t i : stars) {
    const Vec3 moment = cross(minus(particles.position[i], f.centre), minus(particles.velocity[i], f.motion));
    for (int k = 0; k < 3; ++k) spin[k] += particles.mass[i] * moment[k];
  }
  if (dot(spin, spin) == 0.0)
    throw Error("disc", "the angular momentum of its stars is 0", "a disc that does not rotate has no axis");
  f.axis = unit(spin);
  // x as far as it lies in the plane, else y: a disc seen face on keeps its angles.
  const Vec3 x = std::abs(f.axis[0]) < 0.9 ? Vec3{1.0, 0.0, 0.0} : Vec3{0.0, 1.0, 0.0};
  f.first = unit(minus(x, scaled(f.axis, dot(x, f.axis))));
  f.second = cross(f.axis, f.first);
  return f;
}

DiscStar star(const Particles& particles, std::size_t i, const Frame& f) {
  const Vec3 place = minus(particles.position[i], f.centre), velocity = minus(particles.velocity[i], f.motion);
  const double x = dot(place, f.first), y = dot(place, f.second);
  const double R = std::hypot(x, y), angle = std::atan2(y, x);
  const double c = std::cos(angle), s = std::sin(angle);
  Vec3 outwards;
  for (int k = 0; k < 3; ++k) outwards[k] = c * f.first[k] + s * f.second[k];
  return {R,
          dot(place, f.axis),
          angle,
          dot(velocity, outwards),
          dot(velocity, cross(f.axis, outwards)),
          dot(velocity, f.axis),
          particles.mass[i],
          i,
          outwards};
}

}  // namespace

std::vector<DiscStar> disc_stars(const Particles& particles) {
  const std::vector<std::size_t> found = members(particles);
  const Frame f = frame(particles, found);
  std::vector<DiscStar> stars;
  stars.reserve(found.size());
  for (const std::size_t i : found) stars.push_back(star(particles, i, f));
  return stars;
}

double outer_radius(const std::vector<DiscStar>& stars) {
  std::vector<double> radius;
  radius.reserve(stars.size());
  for (const DiscStar& s : stars) radius.push_back(s.R);
  const auto place = radius.begin() + static_cast<std::ptrdiff_t>(radius.size() * 99 / 100);
  std::nth_element(radius.begin(), place, radius.end());
  return *place;
}

}  // namespace hornbeam::analysis
