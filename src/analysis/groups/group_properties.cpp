// SPDX-License-Identifier: Apache-2.0
// What groups are like: numbers, masses, centres, motions and radii; and the order of the catalogue.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "analysis/groups/group_members.h"
#include "analysis/vectors.h"
#include "device/host/threads.h"
#include "tree/boundary.h"

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

/// A group into the box: a cube begins where the particles say, others stand about the origin, and whoever crosses the
/// walls of a sheet is slower or faster there.
void into_box(Group& group, const GroupOptions& options, double low) {
  const double box = options.box_size;
  if (!(box > 0)) {
    std::vector<Vec3> position{group.position}, velocity{group.velocity};
    wrap(position, velocity, options.boundary, options.time);
    group.position = position[0], group.velocity = velocity[0];
    return;
  }
  for (double& at : group.position) {
    if (at >= low && at < low + box) continue;
    const double moved = at - box * std::floor((at - low) / box);
    at = moved >= low && moved < low + box ? moved : low;
  }
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
  const GroupOptions& options;
  GroupBox box;
  double low, density;  ///< density: 200 times the mean of the box, 0 without one
  double linking_length;
};

void measure_motion(const Particles& p, const Members& members, const Unwrapped& places,
                    const std::vector<double>& weight, double all, Group& group) {
  const auto velocity = [&](std::size_t k) {
    Vec3 v = p.velocity[members[k]];
    if (!places.slower.empty()) v[1] -= places.slower[k];
    return v;
  };
  for (std::size_t k = 0; k < members.size(); ++k) {
    const Vec3 v = velocity(k);
    for (int axis = 0; axis < 3; ++axis) group.velocity[axis] += weight[k] / all * v[axis];
  }
  double square = 0;
  for (std::size_t k = 0; k < members.size(); ++k) {
    const Vec3 v = minus(velocity(k), group.velocity);
    square += weight[k] / all * dot(v, v);
  }
  group.dispersion = std::sqrt(square / 3);
}

/// Whether the group leaves no gap of a linking length along some axis of the box, so that no one can say where it
/// ends.
bool spans(const std::vector<Vec3>& way, const Vec3& period, double linking_length) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!(period[axis] > 0)) continue;
    const auto [low, high] =
        std::minmax_element(way.begin(), way.end(), [axis](const Vec3& a, const Vec3& b) { return a[axis] < b[axis]; });
    if ((*high)[axis] - (*low)[axis] >= period[axis] - linking_length) return true;
  }
  return false;
}

/// Everything but where its members are in the catalogue.
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
  group.spans_box = spans(places.way, s.box.period, s.linking_length);
  Vec3 centre{};
  for (std::size_t k = 0; k < members.size(); ++k) {
    for (int axis = 0; axis < 3; ++axis) centre[axis] += weight[k] / all * places.way[k][axis];
  }
  for (int axis = 0; axis < 3; ++axis) group.position[axis] = places.about[axis] + centre[axis];
  measure_motion(s.particles, members, places, weight, all, group);
  into_box(group, s.options, s.low);
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

GroupBox box_of(const GroupOptions& options) {
  if (options.box_size > 0) return {.period = {options.box_size, options.box_size, options.box_size}};
  const BoxNow now = periodic_box(options.boundary, options.time);
  return {.period = now.period, .drift = now.drift, .speed = now.speed};
}

namespace {

/// The mean angle of coordinates, the period once around a circle.
double midst(const std::vector<Vec3>& place, int axis, double period) {
  const double turn = 2 * std::numbers::pi / period;
  double x = 0, y = 0;
  for (const Vec3& at : place) {
    x += std::cos(turn * at[axis]);
    y += std::sin(turn * at[axis]);
  }
  return std::atan2(y, x) / turn;
}

/// What is farthest from the middle of the widest gap between coordinates, around the period.
double opposite_of_gap(const std::vector<Vec3>& place, int axis, double period) {
  std::vector<double> around(place.size());
  for (std::size_t k = 0; k < place.size(); ++k) {
    around[k] = place[k][axis] - period * std::floor(place[k][axis] / period);
  }
  std::sort(around.begin(), around.end());
  double begin = around.back() - period, widest = around.front() - begin;
  for (std::size_t k = 1; k < around.size(); ++k) {
    if (around[k] - around[k - 1] <= widest) continue;
    begin = around[k - 1];
    widest = around[k] - begin;
  }
  const double middle = begin + (widest + period) / 2;
  return middle - period * std::round(middle / period);
}

/// Where coordinates are cut open, which is half a period from there: the mean angle, unless some are more than a
/// quarter of the period from it. Of a heavy end and a long tail it might cut the tail; a gap does not.
double about_which(const std::vector<Vec3>& place, int axis, double period) {
  const double mean = midst(place, axis, period);
  const bool is_compact = std::all_of(place.begin(), place.end(), [&](const Vec3& at) {
    const double way = at[axis] - mean;
    return std::abs(way - period * std::round(way / period)) <= period / 4;
  });
  return is_compact ? mean : opposite_of_gap(place, axis, period);
}

}  // namespace

Unwrapped unwrapped(const Particles& particles, const Members& members, const GroupBox& box) {
  Unwrapped found;
  found.way.reserve(members.size());
  for (const std::uint32_t i : members) found.way.push_back(particles.position[i]);
  for (int k = 0; k < 3; ++k) {  // x first: who crosses its wall in a sheet comes out elsewhere along y
    const double period = box.period[k];
    found.about[k] = period > 0 ? about_which(found.way, k, period) : particles.position[members.front()][k];
    for (Vec3& at : found.way) {
      at[k] -= found.about[k];
      const double boxes = period > 0 ? std::round(at[k] / period) : 0;
      at[k] -= period * boxes;
      if (k > 0 || box.speed == 0) continue;
      at[1] -= boxes * box.drift;
      found.slower.push_back(boxes * box.speed);
    }
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
  const double cube = options.box_size;
  Surroundings s{
      particles, options, box_of(options), cube > 0 ? low_of_box(particles, cube) : 0, 0, catalogue.linking_length};
  if (s.box.volume() > 0) {
    for (const double mass : particles.mass) s.density += 200 * mass / s.box.volume();
  }
  catalogue.groups.resize(groups.size());
  LoopFailure failure;
#pragma omp parallel for schedule(dynamic, 4)
  for (std::size_t g = 0; g < order.size(); ++g) {
    failure.run(
        [&] { catalogue.groups[g] = measured(s, groups[order[g]], bound.empty() ? nullptr : &bound[order[g]]); });
  }
  failure.rethrow();
  for (std::size_t g = 0; g < order.size(); ++g) {
    catalogue.groups[g].first = catalogue.members.size();
    const Members& members = groups[order[g]];
    const auto begin = catalogue.members.insert(catalogue.members.end(), members.begin(), members.end());
    std::stable_sort(begin, catalogue.members.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return particles.family[a] < particles.family[b]; });
  }
}

}  // namespace hornbeam::analysis
