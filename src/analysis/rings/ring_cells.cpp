// SPDX-License-Identifier: Apache-2.0
// Sorts a ring's bodies into cells, see ring_cells.h.
#include "analysis/rings/ring_cells.h"

#include <numeric>

#include "tree/boundary.h"

namespace hornbeam::analysis {
namespace {

constexpr double bodies_a_cell = 4;
constexpr int most_cells = 1 << 13;  ///< along an edge

int cells_along(double edge, double size) { return static_cast<int>(std::clamp<double>(edge / size, 1, most_cells)); }

}  // namespace

RingCells::RingCells(const Particles& p, const Boundary& sheet, double time)
    : edge_{sheet.size[0], sheet.size[1]}, drift_(periodic_box(sheet, time).drift) {
  const std::size_t n = p.size();
  std::vector<Vec3> position = p.position, none;
  wrap(position, none, sheet, time);
  const double size = std::sqrt(bodies_a_cell * edge_[0] * edge_[1] / std::max<double>(1, static_cast<double>(n)));
  columns_ = cells_along(edge_[0], size);
  rows_ = cells_along(edge_[1], size);
  cell_[0] = edge_[0] / columns_;
  cell_[1] = edge_[1] / rows_;
  const auto share = [&](const Vec3& at, std::size_t k, int cells) {
    return std::clamp(static_cast<int>((at[k] / edge_[k] + 0.5) * cells), 0, cells - 1);
  };
  std::vector<std::size_t> cell(n);
  begin_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_) + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    cell[i] = static_cast<std::size_t>(share(position[i], 0, columns_)) * static_cast<std::size_t>(rows_) +
              static_cast<std::size_t>(share(position[i], 1, rows_));
    ++begin_[cell[i] + 1];
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  std::vector<std::size_t> next = begin_;
  for (std::vector<double>* values : {&x, &y, &z, &radius, &mass}) values->resize(n);
  place.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t to = next[cell[i]]++;
    x[to] = position[i][0];
    y[to] = position[i][1];
    z[to] = position[i][2];
    radius[to] = p.radius[i];
    mass[to] = p.mass[i];
    place[to] = i;
  }
}

}  // namespace hornbeam::analysis
