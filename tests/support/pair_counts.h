// SPDX-License-Identifier: Apache-2.0
// Numbers of neighbours straight from the walks over pairs, in the precision of the file that includes this.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "interactions/pair_sources.h"
#include "support/devices.h"

namespace hornbeam {

/// Calls act(backend, groups) for the CPU and every device, and each walk.
template <class Act>
void for_each_pair_walk(Act act) {
  std::vector<std::string> backends = device_backends();
  backends.insert(backends.begin(), "cpu");
  for (const std::string& backend : backends) {
    for (const bool groups : {true, false}) act(backend, groups);
  }
}

}  // namespace hornbeam

HB_OPEN

inline std::vector<u32> counts_on_cpu(HostPoints& points, WithinOptions options, const std::vector<i32>& start) {
  std::vector<u32> found(static_cast<std::size_t>(points.count()));
  const std::vector<pos_t> images = image_values(one_image);
  WithinView view{};
  points.give(view, points, std::numeric_limits<pos_t>::infinity(), images);
  view.options = options;
  view.found = found.data();
  view.start = start.data();
  view.pairs.starts = static_cast<i32>(start.size());
  const auto& groups = points.groups();
  if (groups.empty()) {
    points.kernels().within_of_each(view, points.cells());
  } else {
    points.kernels().within_of_groups(view, points.cells(), groups.data(), static_cast<i32>(groups.size()));
  }
  return found;
}

inline std::vector<u32> counts_on_device(Device& device, const DevicePoints& points, WithinOptions options,
                                         const std::vector<i32>& start) {
  DeviceArray<pos_t> images(device);
  DeviceArray<i32> starts(device);
  DeviceArray<u32> found(device);
  upload_all(device, images, image_values(one_image));
  upload_all(device, starts, start);
  std::vector<u32> counts(static_cast<std::size_t>(points.count()));
  found.reserve(counts.size() * sizeof(u32));
  PairOptions pairs = points.pairs(points, std::numeric_limits<pos_t>::infinity(), 1);
  pairs.starts = static_cast<i32>(start.size());
  launch_pairs<kernels::within_of_groups, kernels::within_of_each>(
      device, points, points, pairs, options,
      WithinArrays{.pairs = points.arrays(points, images, &starts, nullptr),
                   .offset = nullptr,
                   .found = found,
                   .index = nullptr,
                   .distance2 = nullptr});
  download_all(device, counts, found);
  return counts;
}

/// The number of neighbours of each, by walks that start from the cells start(cells) of the tree.
template <class Start>
std::vector<u32> counts_from(const std::string& backend, bool groups, const std::vector<Vec3>& x, double radius,
                             Start start) {
  const auto length = static_cast<pos_t>(radius);
  HostPoints points(x, 8, groups);
  const WithinOptions options{length * length, {0, points.count()}, 1};
  const std::vector<i32> cells = start(points.cells());
  if (backend == "cpu") return counts_on_cpu(points, options, cells);
  const std::unique_ptr<Device> device = open_device(backend, 0);
  return counts_on_device(*device, DevicePoints(*device, x, 8, groups), options, cells);  // the same tree
}

HB_CLOSE
