// SPDX-License-Identifier: Apache-2.0
// The haloes about the groups of a catalogue, see hornbeam/halo.h. Each sphere is searched for with a radius that is
// doubled until the mean density within has fallen below all that are looked for. Spheres of like radius are searched
// together in one tree.
#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "analysis/halo_measure.h"
#include "hornbeam/halo.h"
#include "hornbeam/neighbours.h"
#include "interactions/neighbours/search.h"

namespace hornbeam::analysis {
namespace {

/// So few spheres are found faster by going over all particles.
constexpr std::size_t few_spheres = 8;
/// Neighbours that are listed at once, unless one sphere has more.
constexpr std::size_t fewest_listed = std::size_t{1} << 22;

/// A group whose sphere is not found yet.
struct Pending {
  std::size_t group = 0;
  HaloMeasure measure;
  int doublings = 0;  ///< its radius is 2^doublings
};

class HaloSearch {
 public:
  HaloSearch(const Particles& particles, const GroupCatalogue& catalogue, const HaloOptions& options);
  std::vector<Halo> run();

 private:
  [[nodiscard]] Pending begun(std::size_t g) const;
  [[nodiscard]] double least_density() const;
  [[nodiscard]] Shells scanned(const Vec3& centre, double radius) const;
  void search(const std::vector<Pending>& spheres, double radius);
  void search_listed(std::span<const Pending> spheres, std::span<const Vec3> centres, double radius);
  void measure(const Pending& sphere, Shells shells, double radius);

  const Particles& particles_;
  const GroupCatalogue& catalogue_;
  const HaloOptions& options_;
  std::vector<Vec3> position_;  ///< in the box
  double whole_ = 0;            ///< no sphere needs a larger radius
  NeighbourOptions neighbours_;
  std::vector<Halo> found_;
  std::map<int, std::vector<Pending>> pending_;  ///< by their doublings
};

HaloSearch::HaloSearch(const Particles& particles, const GroupCatalogue& catalogue, const HaloOptions& options)
    : particles_(particles),
      catalogue_(catalogue),
      options_(options),
      position_(particles.position),
      found_(std::min(options.most, catalogue.groups.size())) {
  neighbours_.threads = options.threads;
  neighbours_.box = options.period;
  wrap_into_box(position_, options.period);
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (std::size_t i = 0; i < position_.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], position_[i][k]);
      high[k] = std::max(high[k], position_[i][k]);
    }
  }
  if (!position_.empty()) whole_ = std::hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}

double HaloSearch::least_density() const { return std::min(200.0, options_.virial) * options_.critical; }

/// With a radius that takes in the members, and twice the volume that their mass fills at the least density.
Pending HaloSearch::begun(std::size_t g) const {
  const Group& group = catalogue_.groups[g];
  Pending sphere{.group = g,
                 .measure = {.centre = centre_of_members(particles_, catalogue_, g, options_.period),
                             .G = options_.G,
                             .critical = options_.critical,
                             .virial = options_.virial,
                             .few = few_of(group.size)}};
  for (std::uint64_t k = group.first; k < group.first + group.size; ++k) {
    const Vec3& member = particles_.position[catalogue_.members[k]];
    const double distance = distance_between(member, sphere.measure.centre, options_.period);
    sphere.measure.reach = std::max(sphere.measure.reach, distance);
  }
  double radius = sphere.measure.reach;
  if (least_density() > 0) radius = std::max(radius, std::cbrt(group.mass / least_density() / 2));
  if (!(radius > 0)) radius = whole_ > 0 ? whole_ : 1;  // all members at one place
  sphere.doublings = static_cast<int>(std::ceil(std::log2(radius * 1.001)));
  return sphere;
}

Shells HaloSearch::scanned(const Vec3& centre, double radius) const {
  Shells shells;
  for (std::size_t i = 0; i < position_.size(); ++i) {
    const double distance = distance_between(position_[i], centre, options_.period);
    if (distance <= radius) shells.emplace_back(distance, particles_.mass[i]);
  }
  return shells;
}

/// Notes the halo, or that its sphere has to be larger.
void HaloSearch::measure(const Pending& sphere, Shells shells, double radius) {
  std::sort(shells.begin(), shells.end());
  const Halo halo = measured_halo(shells, sphere.measure);
  double largest = halo.virial.radius;
  for (const Sphere& one : {halo.m200c, halo.m500c}) largest = std::max(largest, one.radius);
  const bool whole = radius >= whole_ || (least_density() <= 0 && radius >= sphere.measure.reach);
  if (whole || (least_density() > 0 && largest < radius)) {
    found_[sphere.group] = halo;
    return;
  }
#pragma omp critical(group_halos)
  pending_[sphere.doublings + 1].push_back({sphere.group, sphere.measure, sphere.doublings + 1});
}

void HaloSearch::search_listed(std::span<const Pending> spheres, std::span<const Vec3> centres, double radius) {
  const NeighbourLists lists =
      neighbours_of_points(position_, std::vector<Vec3>(centres.begin(), centres.end()), radius, neighbours_);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t s = 0; s < spheres.size(); ++s) {
    Shells shells;
    for (std::uint64_t k = lists.offset[s]; k < lists.offset[s + 1]; ++k) {
      shells.emplace_back(std::sqrt(lists.distance2[k]), particles_.mass[lists.index[k]]);
    }
    measure(spheres[s], std::move(shells), radius);
  }
}

void HaloSearch::search(const std::vector<Pending>& spheres, double radius) {
  if (spheres.size() <= few_spheres || radius >= whole_) {
#pragma omp parallel for schedule(dynamic)
    for (const Pending& sphere : spheres) measure(sphere, scanned(sphere.measure.centre, radius), radius);
    return;
  }
  std::vector<Vec3> centres;
  for (const Pending& sphere : spheres) centres.push_back(sphere.measure.centre);
  wrap_into_box(centres, options_.period);
  const std::vector<std::uint32_t> counts = count_of_points(position_, centres, radius, neighbours_);
  const std::size_t most = std::max(fewest_listed, position_.size());
  const std::span<const Pending> all(spheres);
  const std::span<const Vec3> places(centres);
  std::size_t listed = 0, first = 0;
  for (std::size_t s = 0; s < spheres.size(); ++s) {
    if (listed + counts[s] > most && s > first) {
      search_listed(all.subspan(first, s - first), places.subspan(first, s - first), radius);
      first = s, listed = 0;
    }
    listed += counts[s];
  }
  search_listed(all.subspan(first), places.subspan(first), radius);
}

std::vector<Halo> HaloSearch::run() {
  std::vector<Pending> all(found_.size());
#pragma omp parallel for schedule(dynamic) if (all.size() > few_spheres)
  for (std::size_t g = 0; g < all.size(); ++g) all[g] = begun(g);
  for (const Pending& sphere : all) pending_[sphere.doublings].push_back(sphere);
  while (!pending_.empty()) {
    const auto next = pending_.extract(pending_.begin());
    std::vector<Pending> spheres = next.mapped();
    std::sort(spheres.begin(), spheres.end(), [](const Pending& a, const Pending& b) { return a.group < b.group; });
    search(spheres, std::ldexp(1.0, next.key()));
  }
  return std::move(found_);
}

}  // namespace

std::vector<Halo> halos_of_groups(const Particles& particles, const GroupCatalogue& catalogue,
                                  const HaloOptions& options) {
  return HaloSearch(particles, catalogue, options).run();
}

}  // namespace hornbeam::analysis
