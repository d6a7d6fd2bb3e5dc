// SPDX-License-Identifier: Apache-2.0
// Neighbour lists that stay where they were found: on the device, for kernels that go on with them there. They come to
// the host when requested.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "hornbeam/neighbours.h"
#include "tree/images.h"

namespace hornbeam {

/// Where rows of these lengths begin, one after another, and where the last one ends.
inline std::vector<std::uint64_t> row_offsets(const std::vector<std::uint32_t>& counts) {
  std::vector<std::uint64_t> offset(counts.size() + 1, 0);
  for (std::size_t i = 0; i < counts.size(); ++i) offset[i + 1] = offset[i] + counts[i];
  return offset;
}

/// Whose neighbours are kept.
struct KeptTargets {
  const std::vector<Vec3>* points = nullptr;    ///< null: the sources, none of them its own neighbour
  std::vector<SourceImage> images = one_image;  ///< where sources stand besides; the first is where they are
};

/// On the device that searched, which must outlive it.
class KeptNeighbours {
 public:
  virtual ~KeptNeighbours() = default;
  /// Neighbours in all rows.
  [[nodiscard]] virtual std::uint64_t entries() const = 0;
  /// A copy on the host: rows by index or (for the k nearest) by distance; a source may be there once an image.
  [[nodiscard]] virtual NeighbourLists lists() const = 0;
};

/// Rows in memory of the device that is its caller's from now on (device/lending.h).
struct LentRows {
  std::shared_ptr<void> offset;    ///< (N + 1) u64
  std::shared_ptr<void> index;     ///< u32
  std::shared_ptr<void> distance;  ///< next to index, double or float
  std::uint64_t entries = 0;
};

}  // namespace hornbeam
