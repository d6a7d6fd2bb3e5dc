// SPDX-License-Identifier: Apache-2.0
// Neighbour lists that stay where they were found: on the device, for kernels that go on with them there, or on the
// CPU. They come to the host when asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "device/device.h"
#include "hornbeam/neighbours.h"

namespace hornbeam {

/// An image of the sources: shift, and what it adds to their velocities.
struct SourceImage {
  Vec3 shift{}, velocity{};
};

/// The list of open space, and of a cube whose nearest images are met.
inline const std::vector<SourceImage> one_image(1);

/// Whose neighbours are kept.
struct KeptTargets {
  const std::vector<Vec3>* points = nullptr;    ///< null: the sources, none of them its own neighbour
  std::vector<SourceImage> images = one_image;  ///< where sources stand besides; the first is where they are
};

class KeptNeighbours {
 public:
  virtual ~KeptNeighbours() = default;
  /// Neighbours in all rows.
  [[nodiscard]] virtual std::uint64_t entries() const = 0;
  /// A copy on the host: rows by index or (for the k nearest) by distance; a source may stand there once an image.
  [[nodiscard]] virtual NeighbourLists lists() const = 0;
};

class NeighboursOnHost final : public KeptNeighbours {
 public:
  explicit NeighboursOnHost(NeighbourLists lists) : lists_(std::move(lists)) {}
  [[nodiscard]] std::uint64_t entries() const override { return lists_.index.size(); }
  [[nodiscard]] NeighbourLists lists() const override { return lists_; }
  [[nodiscard]] const NeighbourLists& view() const { return lists_; }

 private:
  NeighbourLists lists_;
};

/// The arrays of NeighbourLists on a device, which must outlive them.
class NeighboursOnDevice final : public KeptNeighbours {
 public:
  /// Room for the rows of these counts on the host.
  NeighboursOnDevice(Device& device, const std::vector<std::uint32_t>& counts);

  [[nodiscard]] std::uint64_t entries() const override { return entries_; }
  [[nodiscard]] NeighbourLists lists() const override;
  [[nodiscard]] std::int32_t rows() const { return rows_; }
  [[nodiscard]] const DeviceArray<std::uint64_t>& offset() const { return offset_; }
  [[nodiscard]] const DeviceArray<std::uint32_t>& index() const { return index_; }
  [[nodiscard]] const DeviceArray<double>& distance2() const { return distance2_; }

 private:
  Device& device_;
  std::int32_t rows_;
  std::uint64_t entries_ = 0;
  DeviceArray<std::uint64_t> offset_;
  DeviceArray<std::uint32_t> index_;
  DeviceArray<double> distance2_;
};

}  // namespace hornbeam
