// SPDX-License-Identifier: Apache-2.0
// The search for spheres that touch or will within a time, with velocities, by the visitor that finds the bodies which
// meet in a run: from places at the end of the time to pairs on the device. Compiled with HB_PRECISION = HB_DOUBLE.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "hornbeam/contacts.h"
#include "hornbeam/error.h"
#include "interactions/collisions/colliding.h"
#include "interactions/collisions/kernels/launches.h"
#include "interactions/collisions/lent_contacts.h"
#include "interactions/neighbours/neighbour_search.h"
#include "interactions/pair_sources.h"

HB_OPEN

/// Of coordinates, radii and velocities: their squares are summed without overflow.
inline constexpr double largest_length = 1e150;

/// Pairs that the visitor finds, in any order; the search is made again where there was no room for all.
class ContactSearch {
 public:
  ContactSearch(Device& device, const std::vector<Vec3>& places, const std::vector<double>& radius,
                const std::vector<double>& extent, const SphereMotion& motion, const NeighbourOptions& options)
      : ContactSearch(device, PairPoints(device, places_of(places), options.leaf_size, true), motion.time, options) {
    points_.put_in_order(radius_, column_of(radius));
    points_.put_in_order(extent_, column_of(extent));
    for (int k = 0; k < 3; ++k) points_.put_in_order(velocity_[k], column_of(motion.velocity), k);
  }
  /// Of arrays on the device, with velocities.
  ContactSearch(Device& device, const LentSpheres& spheres, const MeanMotion& mean, const NeighbourOptions& options)
      : ContactSearch(device,
                      PairPoints(device, {spheres.position, periods_of(options), spheres.velocity, spheres.time},
                                 options.leaf_size, true),
                      spheres.time, options) {
    points_.put_in_order(radius_, spheres.radius);
    for (int k = 0; k < 3; ++k) points_.put_in_order(velocity_[k], *spheres.velocity, k);
    extent_.reserve(static_cast<std::size_t>(points_.count()) * sizeof(pos_t));
    device.launch(kernels::extend_ahead{.radius = radius_,
                                        .velocity = velocity_,
                                        .mean = mean,
                                        .time = time_,
                                        .n = points_.count(),
                                        .extent = extent_},
                  plain_variant, points_.count());
  }

  /// How many pairs there are, in first() and second().
  std::uint32_t find() {
    points_.reach_of_cells(cell_reach_, extent_);
    const auto room = static_cast<std::uint32_t>(std::max(1024, points_.count()));
    const std::uint32_t found = search(room);
    return found > room ? search(found) : found;
  }
  [[nodiscard]] const DeviceArray<u32>& first() const { return first_; }
  [[nodiscard]] const DeviceArray<u32>& second() const { return second_; }
  /// How far each reaches within the time, in the order of the tree.
  [[nodiscard]] const DeviceArray<pos_t>& extents() const { return extent_; }

 private:
  ContactSearch(Device& device, PairPoints&& points, double time, const NeighbourOptions& options)
      : device_(device),
        points_(std::move(points)),
        box_(period_of(options)),
        time_(time),
        images_(device),
        cell_reach_(device),
        radius_(device),
        extent_(device),
        velocity_{DeviceArray<pos_t>(device), DeviceArray<pos_t>(device), DeviceArray<pos_t>(device)},
        found_(device),
        first_(device),
        second_(device),
        image_(device) {
    upload_all(device, images_, image_values(one_image));
    found_.reserve(sizeof(u32));
  }

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
        points_, points_, true, points_.pairs(points_, cube_of_edge(box_), 1), CollidingOptions{room, time_},
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

HB_CLOSE
