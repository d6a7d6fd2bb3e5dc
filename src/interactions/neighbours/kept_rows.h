// SPDX-License-Identifier: Apache-2.0
// Rows of neighbours on a device. Compiled once a precision.
#pragma once

#include <cstdint>
#include <vector>

#include "device/transfer.h"
#include "interactions/neighbours/kept_neighbours.h"
#include "stages/views.h"

HB_OPEN

class KeptRows final : public KeptNeighbours {
 public:
  /// Room for rows of these lengths.
  KeptRows(Device& device, const std::vector<std::uint32_t>& counts)
      : device_(device), rows_(static_cast<i32>(counts.size())), offset_(device), index_(device), distance2_(device) {
    const std::vector<std::uint64_t> offset = row_offsets(counts);
    entries_ = offset.back();
    offset_.reserve(offset.size() * sizeof(u64));
    device.upload(offset_, 0, offset.data(), offset.size() * sizeof(u64));
    if (entries_ == 0) return;
    index_.reserve(entries_ * sizeof(u32));
    distance2_.reserve(entries_ * sizeof(pos_t));
  }

  [[nodiscard]] std::uint64_t entries() const override { return entries_; }
  [[nodiscard]] NeighbourLists lists() const override {
    NeighbourLists lists;
    lists.offset.resize(static_cast<std::size_t>(rows_) + 1);
    device_.download(lists.offset.data(), offset_, 0, lists.offset.size() * sizeof(u64));
    lists.index.resize(entries_);
    lists.distance2.resize(entries_);
    if (entries_ == 0) return lists;
    device_.download(lists.index.data(), index_, 0, entries_ * sizeof(u32));
    download_values<pos_t>(device_, distance2_, entries_, [&](std::size_t i, pos_t v) { lists.distance2[i] = v; });
    return lists;
  }

  [[nodiscard]] i32 rows() const { return rows_; }
  [[nodiscard]] const DeviceArray<u64>& offset() const { return offset_; }
  [[nodiscard]] const DeviceArray<u32>& index() const { return index_; }
  [[nodiscard]] const DeviceArray<pos_t>& distance2() const { return distance2_; }

 private:
  Device& device_;
  i32 rows_;
  u64 entries_ = 0;
  DeviceArray<u64> offset_;
  DeviceArray<u32> index_;
  DeviceArray<pos_t> distance2_;
};

HB_CLOSE
