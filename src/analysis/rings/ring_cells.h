// SPDX-License-Identifier: Apache-2.0
// The bodies of a ring sorted into cells of the plane, for measures that look at pairs, across the walls too.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "hornbeam/boundary.h"
#include "hornbeam/particles.h"

namespace hornbeam::analysis {

class RingCells {
 public:
  RingCells(const Particles& particles, const Boundary& sheet, double time);

  /// A run of bodies that stand next to one another in the arrays below, and how far their image is from them.
  struct Run {
    std::size_t first, last;
    double x, y;
  };
  /// Calls act(Run) so that every image within `reach` of (x, y), measured along the plane, is in one run, among others
  /// that are further away.
  template <class Act>
  void around(double x, double y, double reach, const Act& act) const {
    const auto boxes = static_cast<int>(std::ceil(reach / edge_[0])) + 1;
    for (int box = -boxes; box <= boxes; ++box) {
      const double shift = box * edge_[0], from = (x - reach - shift + 0.5 * edge_[0]) / cell_[0],
                   to = (x + reach - shift + 0.5 * edge_[0]) / cell_[0];
      const int first = std::max(0, static_cast<int>(std::floor(std::max(from, 0.0)))),
                last = to < 0 ? -1 : std::min(columns_ - 1, static_cast<int>(std::floor(to)));
      for (int column = first; column <= last; ++column) {
        const double left = shift - 0.5 * edge_[0] + column * cell_[0];
        const double away = std::max({left - x, x - left - cell_[0], 0.0});
        if (away <= reach) along(column, {0, 0, shift, box * drift_}, y, std::sqrt(reach * reach - away * away), act);
      }
    }
  }

  std::vector<double> x, y, z, radius, mass;
  std::vector<std::size_t> place;  ///< of each among the particles

 private:
  [[nodiscard]] std::size_t at(int column, int row) const {
    return begin_[static_cast<std::size_t>(column) * static_cast<std::size_t>(rows_) + static_cast<std::size_t>(row)];
  }

  /// The runs of one column from y - half to y + half.
  template <class Act>
  void along(int column, Run image, double y, double half, const Act& act) const {
    const double low = (y - half - image.y) / edge_[1] + 0.5, high = (y + half - image.y) / edge_[1] + 0.5;
    for (double period = std::floor(low); period <= high; ++period) {
      const auto row_of = [&](double share) {
        return std::clamp(static_cast<int>(std::floor((share - period) * rows_)), 0, rows_ - 1);
      };
      // one past the last row of a column begins the next
      const Run run = {at(column, row_of(std::max(low, period))), at(column, row_of(std::min(high, period + 1)) + 1),
                       image.x, image.y + period * edge_[1]};
      if (run.first < run.last) act(run);
    }
  }

  double edge_[2], cell_[2], drift_;
  int columns_, rows_;
  std::vector<std::size_t> begin_;  ///< of each cell, column by column, and the end of the last
};

}  // namespace hornbeam::analysis
