// SPDX-License-Identifier: Apache-2.0
// The part of some particles that is bound to itself, see hornbeam/halo.h: unbinding of groups, of one group.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/groups/group_members.h"
#include "analysis/radial_order.h"
#include "hornbeam/analysis.h"
#include "hornbeam/halo.h"

namespace hornbeam::analysis {
namespace {

constexpr std::size_t fewest_to_begin = 100;

double mass_of(const Particles& particles, const Members& members) {
  return std::accumulate(members.begin(), members.end(), 0.0,
                         [&](double sum, std::uint32_t i) { return sum + particles.mass[i]; });
}

/// The nearest tenth, at least a hundred.
Members core_about(const Particles& particles, const Members& all, const Vec3& centre) {
  Members near = all;
  const std::size_t count = std::min(near.size(), std::max(fewest_to_begin, near.size() / 10));
  const auto nearer = [&](std::uint32_t a, std::uint32_t b) {
    return distance_squared(particles.position[a], centre) < distance_squared(particles.position[b], centre);
  };
  std::nth_element(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count) - 1, near.end(), nearer);
  near.resize(count);
  std::sort(near.begin(), near.end());
  return near;
}

void describe(const Particles& particles, BoundPart& part) {
  if (part.members.empty()) return;
  Particles own;
  own.resize(part.members.size());
  for (std::size_t k = 0; k < part.members.size(); ++k) {
    const std::uint32_t i = part.members[k];
    own.position[k] = particles.position[i];
    own.mass[k] = particles.mass[i];
    own.id[k] = k;
    for (std::size_t axis = 0; axis < 3; ++axis) part.velocity[axis] += particles.mass[i] * particles.velocity[i][axis];
  }
  for (double& v : part.velocity) v /= part.mass;
  const RadialOrder order(own);
  part.centre = order.centre;
  part.half_mass_radius = order.radius_with(0.5);
}

}  // namespace

BoundPart bound(const Particles& particles, const BoundOptions& options) {
  particles.validate("bound");
  BoundPart part;
  Members all(particles.size());
  std::iota(all.begin(), all.end(), std::uint32_t{0});
  if (!(mass_of(particles, all) > 0)) return part;
  GroupOptions group;
  group.unbind = true;
  group.min_members = 1;
  group.eps = options.eps;
  group.softening = options.softening;
  group.G = options.G;
  group.threads = options.threads;
  const Members core = core_about(particles, all, options.centre.value_or(centre_of_density(particles)));
  for (const Members& start : {all, core}) {
    Members found = unbind_from(particles, group, all, start);
    const double mass = mass_of(particles, found);
    if (mass > part.mass) part.members = std::move(found), part.mass = mass;
  }
  describe(particles, part);
  return part;
}

}  // namespace hornbeam::analysis
