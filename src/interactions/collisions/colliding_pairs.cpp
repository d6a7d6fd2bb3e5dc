// SPDX-License-Identifier: Apache-2.0
// Spheres that touch or will, from positions, radii and velocities to pairs: the visitor that finds the bodies which
// meet in a run looks back from the end of the time. Compiled with HB_PRECISION = HB_DOUBLE.
#include <algorithm>
#include <cmath>
#include <string>

#include "device/devices.h"
#include "hornbeam/contacts.h"
#include "hornbeam/error.h"
#include "interactions/collisions/contact_search.h"
#include "interactions/collisions/touching.h"
#include "interactions/neighbours/search.h"

namespace hornbeam {

using namespace fp64;

namespace {

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

/// Radii, and how far each may come within the time relative to the mean motion.
std::vector<double> extents_of(const std::vector<double>& radius, const SphereMotion& motion) {
  std::vector<double> extent = radius;
  if (motion.time == 0) return extent;
  Vec3 mean{};
  const auto n = static_cast<double>(radius.size());
  for (const Vec3& v : motion.velocity) mean = {mean[0] + v[0] / n, mean[1] + v[1] / n, mean[2] + v[2] / n};
  for (std::size_t i = 0; i < extent.size(); ++i) {
    const Vec3& v = motion.velocity[i];
    extent[i] = extent_ahead(extent[i], {v[0], v[1], v[2]}, {mean[0], mean[1], mean[2]}, motion.time);
  }
  return extent;
}

double largest_of(const std::vector<double>& extent) {
  return extent.empty() ? 0 : *std::max_element(extent.begin(), extent.end());
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

/// The way from one place to the nearest image of another.
SphereWay nearest_way(const Vec3& from, const Vec3& to, double box) {
  return {nearest_difference(to[0] - from[0], box), nearest_difference(to[1] - from[1], box),
          nearest_difference(to[2] - from[2], box)};
}

using IndexPair = std::array<std::uint32_t, 2>;

/// In order.
std::vector<IndexPair> pairs_of(Device& device, ContactSearch&& search) {
  const std::uint32_t found = search.find();
  std::vector<std::uint32_t> first(found), second(found);
  download_all(device, first, search.first());
  download_all(device, second, search.second());
  std::vector<IndexPair> pairs(found);
  for (std::size_t k = 0; k < pairs.size(); ++k) pairs[k] = {first[k], second[k]};
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

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

void demand_wide_box(double box, double largest) {
  if (!(largest <= largest_length))
    throw UsageError("dt", "spheres move farther than 1e150 within it", "give a shorter dt");
  if (box == 0 || box >= 4 * largest) return;
  throw UsageError("box = " + std::to_string(box),
                   "must be at least four times the largest radius plus the path within dt, " + std::to_string(largest),
                   "take a larger box or a shorter dt");
}

std::vector<Contact> find_contacts(const std::vector<Vec3>& position, const std::vector<double>& radius,
                                   const NeighbourOptions& options) {
  check_spheres(position, radius, options);
  demand_wide_box(options.box_size, largest_of(radius));
  std::vector<Contact> contacts;
  for (const TouchingPair& pair : touching_spheres(position, radius, one_image, options)) {
    const SphereWay way = nearest_way(position[pair.first], position[pair.second], period_of(options));
    const double touch = radius[pair.first] + radius[pair.second];
    contacts.push_back({pair.first, pair.second, contact_terms(way, way, {}, touch, {}).overlap, 0});
  }
  return contacts;
}

std::vector<Contact> find_contacts(const std::vector<Vec3>& position, const std::vector<double>& radius,
                                   const SphereMotion& motion, const NeighbourOptions& options) {
  check_spheres(position, radius, options);
  check_motion(motion, position.size());
  const std::vector<double> extent = extents_of(radius, motion);
  demand_wide_box(options.box_size, largest_of(extent));
  if (position.empty()) return {};
  const std::unique_ptr<Device> device = open_device(options.backend, options.device, options.threads);
  if (!device->has(Precision::fp64)) {
    throw UsageError("backend = " + options.backend, "has no double precision, which the search for collisions needs",
                     "use backend cpu");
  }
  const std::vector<Vec3> places = places_after(position, motion, options.box_size);
  const std::vector<IndexPair> pairs =
      pairs_of(*device, ContactSearch(*device, places, radius, extent, motion, options));
  std::vector<Contact> contacts;
  contacts.reserve(pairs.size());
  const double box = period_of(options);
  for (const auto& [i, j] : pairs) {
    const Vec3 &a = motion.velocity[i], &b = motion.velocity[j];
    const SphereWay now = nearest_way(position[i], position[j], box), end = nearest_way(places[i], places[j], box);
    const ContactTerms terms = contact_terms(now, end, {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, radius[i] + radius[j],
                                             {options.box_size, motion.time, 1});
    contacts.push_back({i, j, terms.overlap, terms.time});
  }
  return contacts;
}

}  // namespace hornbeam
