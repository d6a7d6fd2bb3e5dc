// SPDX-License-Identifier: Apache-2.0
// Spheres that touch or will, from positions, radii and velocities to pairs: the visitor that finds the bodies which
// meet in a run looks back from the end of the time. Compiled with HB_PRECISION = HB_DOUBLE.
#include <algorithm>
#include <cmath>
#include <string>

#include "device/devices.h"
#include "hornbeam/contacts.h"
#include "hornbeam/error.h"
#include "interactions/collisions/touching.h"
#include "interactions/neighbours/search.h"
#include "interactions/pair_sources.h"

namespace hornbeam {

using namespace fp64;

namespace {

constexpr double largest_length = 1e150;

double size_of(const Vec3& v) { return std::hypot(v[0], v[1], v[2]); }

[[noreturn]] void refuse_of_particle(std::size_t i, const std::string& what, double value, const char* allowed) {
  throw UsageError("particle " + std::to_string(i), what + " = " + std::to_string(value) + ": must be " + allowed);
}

void demand_one_each(const char* name, std::size_t count, std::size_t n) {
  if (count == n) return;
  throw UsageError(name, std::to_string(count) + " values for " + std::to_string(n) + " positions", "give one each");
}

void check_motion(const SphereMotion& motion, std::size_t n) {
  demand_one_each("velocity", motion.velocity.size(), n);
  if (!(motion.time >= 0 && motion.time <= largest_length)) {
    throw UsageError("dt = " + std::to_string(motion.time), "must be 0 or more, and finite");
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (const double v : motion.velocity[i]) {
      if (!(std::abs(v) <= largest_length)) refuse_of_particle(i, "velocity", v, "finite and within 1e150 of 0");
    }
  }
}

/// Radii, and how far each may come within the time beside the mean motion.
std::vector<double> extents_of(const std::vector<double>& radius, const SphereMotion& motion) {
  constexpr double rounding = 1e-9;
  std::vector<double> extent = radius;
  if (motion.time == 0) return extent;
  Vec3 mean{};
  const auto n = static_cast<double>(radius.size());
  for (const Vec3& v : motion.velocity) mean = {mean[0] + v[0] / n, mean[1] + v[1] / n, mean[2] + v[2] / n};
  for (std::size_t i = 0; i < extent.size(); ++i) {
    const Vec3& v = motion.velocity[i];
    const double speed = size_of({v[0] - mean[0], v[1] - mean[1], v[2] - mean[2]});
    extent[i] = (extent[i] + speed * motion.time) * (1 + rounding);
  }
  return extent;
}

void demand_wide_box(double box, const std::vector<double>& extent) {
  const double largest = extent.empty() ? 0 : *std::max_element(extent.begin(), extent.end());
  if (!(largest <= largest_length)) throw UsageError("dt", "spheres come farther than 1e150 within it", "take less");
  if (box == 0 || box >= 4 * largest) return;
  throw UsageError("box = " + std::to_string(box),
                   "must be at least four times the largest radius with its way within dt, " + std::to_string(largest),
                   "take a larger box or a shorter dt");
}

std::vector<Vec3> places_after(const std::vector<Vec3>& position, const SphereMotion& motion, double box) {
  std::vector<Vec3> places = position;
  if (motion.time == 0) return places;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) places[i][k] += motion.velocity[i][k] * motion.time;
  }
  if (box > 0) wrap_into_box(places, box);
  return places;
}

using IndexPair = std::array<std::uint32_t, 2>;

/// Pairs that the visitor finds, in any order; the search is made again where there was no room for all.
class ContactSearch {
 public:
  ContactSearch(Device& device, const std::vector<Vec3>& places, const std::vector<double>& radius,
                const std::vector<double>& extent, const SphereMotion& motion, const NeighbourOptions& options)
      : device_(device),
        points_(device, places, options.leaf_size, true),
        box_(period_of(options)),
        time_(motion.time),
        images_(device),
        cell_reach_(device),
        radius_(device),
        extent_(device),
        velocity_{DeviceArray<pos_t>(device), DeviceArray<pos_t>(device), DeviceArray<pos_t>(device)},
        found_(device),
        first_(device),
        second_(device),
        image_(device) {
    points_.put_in_order(radius_, radius);
    points_.put_in_order(extent_, extent);
    std::vector<double> along(places.size());
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t i = 0; i < along.size(); ++i) along[i] = motion.velocity[i][k];
      points_.put_in_order(velocity_[k], along);
    }
    points_.reach_of_cells(cell_reach_, extent_);
    upload_all(device, images_, image_values(one_image));
    found_.reserve(sizeof(u32));
  }

  std::vector<IndexPair> pairs() {
    std::uint32_t room = static_cast<std::uint32_t>(std::max(1024, points_.count()));
    std::uint32_t found = search(room);
    if (found > room) found = search(room = found);
    std::vector<std::uint32_t> first(found), second(found);
    download_all(device_, first, first_);
    download_all(device_, second, second_);
    std::vector<IndexPair> pairs(found);
    for (std::size_t k = 0; k < pairs.size(); ++k) pairs[k] = {first[k], second[k]};
    return pairs;
  }

 private:
  std::uint32_t search(std::uint32_t room) {
    constexpr std::uint32_t most_pairs = std::uint32_t{1} << 30;
    if (room > most_pairs) {
      throw Error("collisions", std::to_string(room) + " pairs touch, more than 2^30", "take smaller radii");
    }
    for (Buffer* const list :
         {static_cast<Buffer*>(&first_), static_cast<Buffer*>(&second_), static_cast<Buffer*>(&image_)}) {
      list->reserve(room * sizeof(u32));
    }
    device_.clear(found_, sizeof(u32));
    launch_pairs<kernels::colliding_of_groups, kernels::colliding_of_each>(
        points_, points_, true, points_.pairs(points_, box_, 1), CollidingOptions{room, time_},
        CollidingArrays{.pairs = points_.arrays(points_, images_, nullptr, &cell_reach_),
                        .extent = extent_,
                        .target_extent = extent_,
                        .radius = radius_,
                        .vx = velocity_[0],
                        .vy = velocity_[1],
                        .vz = velocity_[2],
                        .found = found_,
                        .pair_first = first_,
                        .pair_second = second_,
                        .in_image = image_});
    std::uint32_t found = 0;
    device_.download(&found, found_, 0, sizeof found);
    return found;
  }

  Device& device_;
  PairPoints points_;
  double box_, time_;
  DeviceArray<pos_t> images_, cell_reach_, radius_, extent_, velocity_[3];
  DeviceArray<u32> found_, first_, second_;
  DeviceArray<i32> image_;
};

/// The way from one place to the nearest image of another.
Vec3 nearest_way(const Vec3& from, const Vec3& to, double box) {
  Vec3 way{};
  for (std::size_t k = 0; k < 3; ++k) way[k] = nearest_difference(to[k] - from[k], box);
  return way;
}

double product(const Vec3& a, const Vec3& b) { return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]; }

void check_spheres(const std::vector<Vec3>& position, const std::vector<double>& radius,
                   const NeighbourOptions& options) {
  check_search(position, options);
  demand_one_each("radius", radius.size(), position.size());
  for (std::size_t i = 0; i < radius.size(); ++i) {
    if (!(radius[i] >= 0 && radius[i] <= largest_length)) {
      refuse_of_particle(i, "radius", radius[i], "0 or more, up to 1e150");
    }
  }
}

}  // namespace

std::vector<Contact> find_contacts(const std::vector<Vec3>& position, const std::vector<double>& radius,
                                   const NeighbourOptions& options) {
  check_spheres(position, radius, options);
  demand_wide_box(options.box_size, radius);
  std::vector<Contact> contacts;
  for (const TouchingPair& pair : touching_spheres(position, radius, one_image, options)) {
    const Vec3 way = nearest_way(position[pair.first], position[pair.second], period_of(options));
    contacts.push_back({pair.first, pair.second, radius[pair.first] + radius[pair.second] - size_of(way), 0});
  }
  return contacts;
}

std::vector<Contact> find_contacts(const std::vector<Vec3>& position, const std::vector<double>& radius,
                                   const SphereMotion& motion, const NeighbourOptions& options) {
  check_spheres(position, radius, options);
  check_motion(motion, position.size());
  const std::vector<double> extent = extents_of(radius, motion);
  demand_wide_box(options.box_size, extent);
  if (position.empty()) return {};
  const std::unique_ptr<Device> device = open_device(options.backend, options.device, options.threads);
  if (!device->has(Precision::fp64)) {
    throw UsageError("backend = " + options.backend, "has no fp64, in which spheres are searched for",
                     "use backend cpu");
  }
  const std::vector<Vec3> places = places_after(position, motion, options.box_size);
  std::vector<IndexPair> pairs = ContactSearch(*device, places, radius, extent, motion, options).pairs();
  std::sort(pairs.begin(), pairs.end());
  std::vector<Contact> contacts;
  contacts.reserve(pairs.size());
  const double box = period_of(options);
  for (const auto& [i, j] : pairs) {
    const Vec3 &a = motion.velocity[i], &b = motion.velocity[j], v = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const Vec3 end = nearest_way(places[i], places[j], box), way = nearest_way(position[i], position[j], box);
    const double touch = radius[i] + radius[j];
    const double ago = time_since_contact(product(end, end), product(v, end), product(v, v), touch, motion.time);
    contacts.push_back({i, j, touch - size_of(way), motion.time - std::max(ago, 0.0)});
  }
  return contacts;
}

}  // namespace hornbeam
