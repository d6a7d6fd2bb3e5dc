// SPDX-License-Identifier: Apache-2.0
#include "interactions/neighbours/kept_neighbours.h"

namespace hornbeam {

NeighboursOnDevice::NeighboursOnDevice(Device& device, const std::vector<std::uint32_t>& counts)
    : device_(device),
      rows_(static_cast<std::int32_t>(counts.size())),
      offset_(device),
      index_(device),
      distance2_(device) {
  std::vector<std::uint64_t> offset(counts.size() + 1, 0);
  for (std::size_t i = 0; i < counts.size(); ++i) offset[i + 1] = offset[i] + counts[i];
  entries_ = offset.back();
  offset_.reserve(offset.size() * sizeof(std::uint64_t));
  device.upload(offset_, 0, offset.data(), offset.size() * sizeof(std::uint64_t));
  if (entries_ == 0) return;
  index_.reserve(entries_ * sizeof(std::uint32_t));
  distance2_.reserve(entries_ * sizeof(double));
}

NeighbourLists NeighboursOnDevice::lists() const {
  NeighbourLists lists;
  lists.offset.resize(static_cast<std::size_t>(rows_) + 1);
  device_.download(lists.offset.data(), offset_, 0, lists.offset.size() * sizeof(std::uint64_t));
  lists.index.resize(entries_);
  lists.distance2.resize(entries_);
  if (entries_ == 0) return lists;
  device_.download(lists.index.data(), index_, 0, entries_ * sizeof(std::uint32_t));
  device_.download(lists.distance2.data(), distance2_, 0, entries_ * sizeof(double));
  return lists;
}

}  // namespace hornbeam
