// SPDX-License-Identifier: Apache-2.0
// What groups are like: numbers, masses, centres, motions and radii; and the order of the catalogue.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "analysis/group_members.h"
#include "analysis/vectors.h"

namespace hornbeam::analysis {
namespace {

/// Where the box begins along every axis: files hold it from 0 on, or about the origin.
double low_of_box(const Particles& particles, double box) {
  const auto inside = [box](double low) {
    return [low, box](const Vec3& x) {
      return std::all_of(x.begin(), x.end(), [&](double at) { return at >= low && at < low + box; });
    };
  };
  const auto& all = particles.position;
  return !std::all_of(all.begin(), all.end(), inside(0)) && std::all_of(all.begin(), all.end(), inside(-box / 2))
             ? -box / 2
             : 0;
}

double into_box(double x, double low, double box) {
  if (!(box > 0) || (x >= low && x < low + box)) return x;
  const double moved = x - box * std::floor((x - low) / box);
  return moved >= low && moved < low + box ? moved : low;
}

struct Weighed {
  double distance, mass;
};

/// The members' distances from a place in their midst with their weights, the nearest first.
std::vector<Weighed> by_distance(const std::vector<Vec3>& way, const std::vector<double>& weight, const Vec3& centre) {
  std::vector<Weighed> found(way.size());
  for (std::size_t k = 0; k < way.size(); ++k) {
    const Vec3 d = minus(way[k], centre);
    found[k] = {std::sqrt(dot(d, d)), weight[k]};
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Weighed& a, const Weighed& b) { return a.distance < b.distance; });
  return found;
}

double half_mass_radius(const std::vector<Weighed>& sorted) {
  double all = 0, within = 0;
  for (const Weighed& w : sorted) all += w.mass;
  for (const Weighed& w : sorted) {
    within += w.mass;
    if (2 * within >= all) return w.distance;
  }
  return 0;
}

/// The outermost member within whose distance they are together as dense as that.
double radius_of_density(const std::vector<Weighed>& sorted, double density) {
  double within = 0, radius = 0;
  for (const Weighed& w : sorted) {
    within += w.mass;
    const double volume = 4 * std::numbers::pi / 3 * w.distance * w.distance * w.distance;
    if (density > 0 && within >= density * volume) radius = w.distance;
  }
  return radius;
}

/// What all groups are measured with.
struct Surroundings {
  const Particles& particles;
  double box, low, density;  ///< density: 200 times the mean of the box, 0 without one
  double linking_length;
};

void measure_motion(const Particles& p, const Members& members, const std::vector<double>& weight, double all,
                    Group& group) {
  for (std::size_t k = 0; k < members.size(); ++k) {
    for (int axis = 0; axis < 3; ++axis) group.velocity[axis] += weight[k] / all * p.velocity[members[k]][axis];
  }
  double square = 0;
  for (std::size_t k = 0; k < members.size(); ++k) {
    const Vec3 v = minus(p.velocity[members[k]], group.velocity);
    square += weight[k] / all * dot(v, v);
  }
  group.dispersion = std::sqrt(square / 3);
}

/// Whether the group leaves no gap of a linking length along some axis of the box, so that nobody can say where it
/// ends.
bool spans(const std::vector<Vec3>& way, double box, double linking_length) {
  if (!(box > 0)) return false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto [low, high] =
        std::minmax_element(way.begin(), way.end(), [axis](const Vec3& a, const Vec3& b) { return a[axis] < b[axis]; });
    if ((*high)[axis] - (*low)[axis] >= box - linking_length) return true;
  }
  return false;
}

/// Everything but where its members stand in the catalogue.
Group measured(const Surroundings& s, const Members& members, const Bound* bound) {
  Group group;
  group.size = members.size();
  for (const std::uint32_t i : members) {
    const auto family = static_cast<std::size_t>(s.particles.family[i]);
    ++group.size_of[family];
    group.mass_of[family] += s.particles.mass[i];
  }
  for (const double mass : group.mass_of) group.mass += mass;
  std::vector<double> weight(members.size(), 1);
  for (std::size_t k = 0; k < members.size() && group.mass > 0; ++k) weight[k] = s.particles.mass[members[k]];
  const double all = group.mass > 0 ? group.mass : static_cast<double>(group.size);
  const Unwrapped places = unwrapped(s.particles, members, s.box);
  group.spans_box = spans(places.way, s.box, s.linking_length);
  Vec3 centre{};
  for (std::size_t k = 0; k < members.size(); ++k) {
    for (int axis = 0; axis < 3; ++axis) centre[axis] += weight[k] / all * places.way[k][axis];
  }
  for (int axis = 0; axis < 3; ++axis) group.position[axis] = into_box(places.about[axis] + centre[axis], s.low, s.box);
  measure_motion(s.particles, members, weight, all, group);
  if (bound != nullptr) {
    group.most_bound = bound->most_bound;
    group.kinetic = bound->kinetic;
    group.potential = bound->potential;
    const auto at = std::lower_bound(members.begin(), members.end(), static_cast<std::uint32_t>(bound->most_bound));
    centre = places.way[static_cast<std::size_t>(at - members.begin())];
  }
  const std::vector<Weighed> sorted = by_distance(places.way, weight, centre);
  group.half_mass_radius = half_mass_radius(sorted);
  if (group.mass > 0) group.radius_200 = radius_of_density(sorted, s.density);
  return group;
}

}  // namespace

Unwrapped unwrapped(const Particles& particles, const Members& members, double box) {
  Unwrapped found;
  found.about = particles.position[members.front()];
  if (box > 0) {  // the mean angle, the box once around a circle
    const double turn = 2 * std::numbers::pi / box;
    for (int k = 0; k < 3; ++k) {
      double x = 0, y = 0;
      for (const std::uint32_t i : members) {
        x += std::cos(turn * particles.position[i][k]);
        y += std::sin(turn * particles.position[i][k]);
      }
      found.about[k] = std::atan2(y, x) / turn;
    }
  }
  found.way.reserve(members.size());
  for (const std::uint32_t i : members) {
    Vec3 d = minus(particles.position[i], found.about);
    for (double& x : d) x -= box > 0 ? box * std::round(x / box) : 0;
    found.way.push_back(d);
  }
  return found;
}

void fill_catalogue(const Particles& particles, const GroupOptions& options, const std::vector<Members>& groups,
                    const std::vector<Bound>& bound, GroupCatalogue& catalogue) {
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (groups[a].size() != groups[b].size()) return groups[a].size() > groups[b].size();
    return groups[a].front() < groups[b].front();
  });
  const double box = options.box_size;
  Surroundings s{particles, box, box > 0 ? low_of_box(particles, box) : 0, 0, catalogue.linking_length};
  if (box > 0) {
    for (const double mass : particles.mass) s.density += 200 * mass / (box * box * box);
  }
  catalogue.groups.resize(groups.size());
#pragma omp parallel for schedule(dynamic, 4)
  for (std::size_t g = 0; g < order.size(); ++g) {
    catalogue.groups[g] = measured(s, groups[order[g]], bound.empty() ? nullptr : &bound[order[g]]);
  }
  for (std::size_t g = 0; g < order.size(); ++g) {
    catalogue.groups[g].first = catalogue.members.size();
    const Members& members = groups[order[g]];
    const auto begin = catalogue.members.insert(catalogue.members.end(), members.begin(), members.end());
    std::stable_sort(begin, catalogue.members.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return particles.family[a] < particles.family[b]; });
  }
}

}  // namespace hornbeam::analysis
