// SPDX-License-Identifier: Apache-2.0
// The search for spheres that touch, from points with radii to rows on the device: counts first, which say where rows
// begin. Compiled with HB_PRECISION = HB_DOUBLE.
#pragma once

#include <utility>
#include <vector>

#include "interactions/collisions/touching.h"
#include "interactions/pair_sources.h"

HB_OPEN

class TouchingSearch {
 public:
  TouchingSearch(Device& device, PairPoints&& points, const std::vector<SourceImage>& images, double box, bool groups)
      : points_(std::move(points)),
        box_(box),
        image_count_(images.size()),
        groups_(groups),
        radius_(device),
        images_(device),
        cell_reach_(device) {
    upload_all(device, images_, image_values(images));
  }

  [[nodiscard]] const PairPoints& points() const { return points_; }
  /// In the order of the points; to be filled first.
  [[nodiscard]] DeviceArray<pos_t>& radius() { return radius_; }
  /// How many each touches, by index on input.
  void count(const DeviceArray<u32>& found) {
    points_.reach_of_cells(cell_reach_, radius_);
    run(0, nullptr, &found, nullptr, nullptr);
  }
  /// The other one of each pair, in rows that begin there, in any order, and its image.
  void fill(const DeviceArray<u64>& offset, const DeviceArray<u32>& partner, const DeviceArray<i32>& image) const {
    run(1, &offset, nullptr, &partner, &image);
  }

 private:
  void run(i32 rows, const DeviceArray<u64>* offset, const DeviceArray<u32>* found, const DeviceArray<u32>* partner,
           const DeviceArray<i32>* image) const {
    launch_pairs<kernels::touching_of_groups, kernels::touching_of_each>(
        points_, points_, groups_, points_.pairs(points_, cube_of_edge(box_), image_count_), TouchingOptions{rows},
        TouchingArrays{.pairs = points_.arrays(points_, images_, nullptr, &cell_reach_),
                       .radius = radius_,
                       .target_radius = radius_,
                       .offset = offset,
                       .found = found,
                       .partner = partner,
                       .partner_image = image});
  }

  PairPoints points_;
  double box_;
  std::size_t image_count_;
  bool groups_;
  DeviceArray<pos_t> radius_, images_, cell_reach_;
};

HB_CLOSE
