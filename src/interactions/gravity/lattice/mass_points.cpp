// SPDX-License-Identifier: Apache-2.0
// Small cells as points, see mass_points.h. Compiled once a precision (HB_PRECISION).
#include "interactions/gravity/lattice/mass_points.h"

#include <cmath>
#include <numbers>

#include "interactions/gravity/kernels/launches.h"

HB_OPEN
namespace {

/// The first level whose cells are, when full, small enough: their particles lie within some 0.6 of the diagonal.
i32 level_of(const MassPoints::Cut& cut) {
  const double most = cut.widest / (0.6 * std::numbers::sqrt3);
  i32 level = 0;
  for (double edge = cut.edge; edge > most && level < HB_LEVELS; edge /= 2) ++level;
  return level;
}

}  // namespace

MassPoints::MassPoints(Device& device)
    : device_(device),
      counts_(device),
      position_{DeviceArray<pos_t>(device), DeviceArray<pos_t>(device), DeviceArray<pos_t>(device)},
      mass_(device),
      spread_(device) {}

MassPoints::Points MassPoints::of(const DeviceParticles& p, const Cells* cells, const Cut& cut) {
  const Points particles{p.n, p.x, p.mass, nullptr};
  if (cells == nullptr) return particles;
  const i32 level = level_of(cut), begin = cells->levels.begin[level], end = cells->levels.begin[level + 1];
  const auto widest = static_cast<real>(cut.widest * cut.unit);
  const auto ends = static_cast<std::size_t>(end);
  counts_.reserve((ends + 1) * sizeof(u32));
  device_.launch(
      kernels::count_mass_points{
          .begin = begin, .end = end, .widest = widest, .counts = counts_, .cells = cells->arrays()},
      plain_variant, i64{end} + 1);
  device_.exclusive_scan(counts_, i64{end} + 1);
  u32 count = 0;
  device_.download(&count, counts_, ends * sizeof(u32), sizeof count);
  if (particles_a_point * count > p.n) return particles;
  for (auto& axis : position_) axis.reserve(count * sizeof(pos_t));
  mass_.reserve(count * sizeof(real));
  spread_.reserve(count * sizeof(real));
  const double per_length = cut.scale / cut.unit;
  device_.launch(kernels::list_mass_points{.end = end,
                                           .widest = widest,
                                           .moment_stride = cut.moment_stride,
                                           .per_length2 = static_cast<real>(per_length * per_length),
                                           .sums = counts_,
                                           .point = position_,
                                           .point_mass = mass_,
                                           .point_spread = spread_,
                                           .particles = p.arrays(),
                                           .cells = cells->arrays()},
                 plain_variant, end);
  return {static_cast<i32>(count), position_, mass_, spread_};
}

std::uint64_t MassPoints::bytes() const {
  std::uint64_t sum = counts_.bytes() + mass_.bytes() + spread_.bytes();
  for (const auto& axis : position_) sum += axis.bytes();
  return sum;
}

void MassPoints::release() {
  counts_.release();
  mass_.release();
  spread_.release();
  for (auto& axis : position_) axis.release();
}

HB_CLOSE
