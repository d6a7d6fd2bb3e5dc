// SPDX-License-Identifier: Apache-2.0
// Values of neighbours straight from the walks over pairs, in the precision of the file that includes this.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "interactions/neighbours/within.h"
#include "interactions/pair_sources.h"
#include "support/devices.h"
#include "tree/host/host_cells.h"

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

/// The number of neighbours of each, by walks that start from the cells start(cells) of the tree.
template <class Start>
std::vector<u32> counts_from(const std::string& backend, bool groups, const std::vector<Vec3>& x, double radius,
                             Start start) {
  const std::unique_ptr<Device> cpu = open_device("cpu", 0), device = open_device(backend, 0);
  const std::vector<i32> cells =
      start(host_view(PairPoints(*cpu, places_of(x), 8, groups).tree().cells()));  // every device's are alike
  const PairPoints points(*device, places_of(x), 8, groups);
  const auto length = static_cast<pos_t>(radius);
  DeviceArray<pos_t> images(*device);
  DeviceArray<i32> starts(*device);
  DeviceArray<u32> found(*device);
  upload_all(*device, images, image_values(one_image));
  upload_all(*device, starts, cells);
  std::vector<u32> counts(x.size());
  found.reserve(counts.size() * sizeof(u32));
  PairOptions pairs = points.pairs(points, no_box(), 1);
  pairs.starts = static_cast<i32>(cells.size());
  launch_pairs<kernels::within_of_groups, kernels::within_of_each>(
      points, points, groups, pairs, WithinOptions{length * length, {0, points.count()}, 1},
      WithinArrays{.pairs = points.arrays(points, images, &starts, nullptr),
                   .radius = nullptr,
                   .offset = nullptr,
                   .found = found,
                   .index = nullptr,
                   .distance2 = nullptr});
  download_all(*device, counts, found);
  return counts;
}

HB_CLOSE
