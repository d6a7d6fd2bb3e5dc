// SPDX-License-Identifier: Apache-2.0
// Several devices as one, see replicated_device.h.
#include "device/replicated_device.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "device/borrowed.h"
#include "hornbeam/error.h"

namespace hornbeam {
void Device::copy_from(const Buffer& to, Device& other, const Buffer& from, Offsets at, std::size_t bytes) {
  std::vector<std::byte> on_host(bytes);
  other.download(on_host.data(), from, at.from, bytes);
  upload(to, at.to, on_host.data(), bytes);
}

namespace {

/// Devices of one process copy by themselves, from card to card where the hardware can.
class LinksOfProcess final : public RankLinks {
 public:
  explicit LinksOfProcess(std::span<const std::unique_ptr<Device>> devices) {
    for (const auto& device : devices) {
      for (const auto& other : devices) {
        if (other != device) device->link(*other);
      }
    }
  }

  void copy(std::span<const std::unique_ptr<Device>> devices, std::span<const RankCopy> copies) override {
    meet(devices);  // what is copied has been written
    for (const RankCopy& one : copies) {
      devices[static_cast<std::size_t>(one.rank)]->copy_from(*one.to, *devices[static_cast<std::size_t>(one.owner)],
                                                             *one.from, one.at, one.bytes);
    }
    meet(devices);  // and it is copied before it changes
  }

 private:
  /// Later work of each rank waits for what has been requested of all.
  static void meet(std::span<const std::unique_ptr<Device>> devices) {
    for (std::size_t rank = 1; rank < devices.size(); ++rank) devices.front()->follow(*devices[rank]);
    for (std::size_t rank = 1; rank < devices.size(); ++rank) devices[rank]->follow(*devices.front());
  }
};

}  // namespace

ReplicatedDevice::ReplicatedDevice(std::vector<std::unique_ptr<Device>> devices, std::int64_t least,
                                   std::unique_ptr<RankLinks> links)
    : devices_(std::move(devices)), links_(std::move(links)), least_(least) {
  for (const auto& device : devices_) {
    if (device->description() != first().description()) {
      throw Error("device", "has " + first().description() + " and " + device->description(),
                  "give devices of one kind: others compute other bits");
    }
  }
  if (links_ == nullptr) links_ = std::make_unique<LinksOfProcess>(devices_);
}

std::string ReplicatedDevice::description() const {
  return ranks() == 1 ? first().description() : std::to_string(ranks()) + " x " + first().description();
}

std::uint64_t ReplicatedDevice::free_bytes() const {
  std::uint64_t least = first().free_bytes();
  for (const auto& device : devices_) least = std::min(least, device->free_bytes());
  return least;
}

template <class Act>
void ReplicatedDevice::for_used(const Act& act) {
  const std::size_t begin = used_ < 0 ? 0 : static_cast<std::size_t>(used_);
  const std::size_t end = used_ < 0 ? devices_.size() : begin + 1;
  for (std::size_t rank = begin; rank < end; ++rank) {
    if (rank + 1 == devices_.size() && requests_left_ > 0 && --requests_left_ == 0) {
      throw Error("device", "the last of " + std::to_string(ranks()) + " ranks fails, as HORNBEAM_RANKS requests");
    }
    act(*devices_[rank], rank);
  }
}

void* ReplicatedDevice::allocate(std::size_t bytes) {
  auto copies = std::make_unique<Copies>();
  for (const auto& device : devices_) copies->emplace_back(*device).reserve(bytes);
  return copies.release();
}

void ReplicatedDevice::release(void* handle) noexcept { delete static_cast<Copies*>(handle); }

void ReplicatedDevice::upload(const Buffer& to, std::size_t offset, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  for_used([&](Device& device, std::size_t rank) { device.upload(copies_of(to)[rank], offset, from, bytes); });
}

void ReplicatedDevice::download(void* to, const Buffer& from, std::size_t offset, std::size_t bytes) {
  if (bytes == 0) return;
  flush();
  const std::size_t rank = static_cast<std::size_t>(std::max(used_, 0));
  devices_[rank]->download(to, copies_of(from)[rank], offset, bytes);
}

void ReplicatedDevice::begin_fetch(const Buffer& from, std::size_t bytes) {
  for_used([&](Device& device, std::size_t rank) { device.begin_fetch(copies_of(from)[rank], bytes); });
}

void ReplicatedDevice::end_fetch(void* to, std::size_t bytes) {
  flush();
  devices_[static_cast<std::size_t>(std::max(used_, 0))]->end_fetch(to, bytes);
}

void ReplicatedDevice::clear(const Buffer& buffer, std::size_t bytes) {
  if (bytes == 0) return;
  for_used([&](Device& device, std::size_t rank) { device.clear(copies_of(buffer)[rank], bytes); });
}

void ReplicatedDevice::copy(const Buffer& to, const Buffer& from, std::size_t bytes) {
  if (bytes == 0) return;
  for_used([&](Device& device, std::size_t rank) { device.copy(copies_of(to)[rank], copies_of(from)[rank], bytes); });
}

int ReplicatedDevice::sort_pairs(DeviceArray<std::uint64_t>& keys, DeviceArray<std::uint64_t>& spare_keys,
                                 DeviceArray<std::uint32_t>& values, DeviceArray<std::uint32_t>& spare_values,
                                 std::int64_t n, int begin, int end) {
  int lowest = begin;
  if (n == 0) return lowest;
  for_used([&](Device& device, std::size_t rank) {
    Borrowed<std::uint64_t> key(copies_of(keys)[rank], device), spare_key(copies_of(spare_keys)[rank], device);
    Borrowed<std::uint32_t> value(copies_of(values)[rank], device), spare(copies_of(spare_values)[rank], device);
    lowest = device.sort_pairs(key.array(), spare_key.array(), value.array(), spare.array(), n, begin, end);
  });
  return lowest;
}

void ReplicatedDevice::exclusive_scan(DeviceArray<std::uint32_t>& values, std::int64_t n) {
  if (n == 0) return;
  for_used([&](Device& device, std::size_t rank) {
    device.exclusive_scan(Borrowed<std::uint32_t>(copies_of(values)[rank], device).array(), n);
  });
}

void ReplicatedDevice::fork_queue() {
  for_used([&](Device& device, std::size_t /*rank*/) { device.fork_queue(); });
}

void ReplicatedDevice::use_queue(int queue) {
  if (used_ >= 0) return devices_[static_cast<std::size_t>(used_)]->use_queue(queue);
  for (const std::unique_ptr<Device>& device : devices_) device->use_queue(queue);
}

void ReplicatedDevice::join_queues(int last) {
  for_used([&](Device& device, std::size_t /*rank*/) { device.join_queues(last); });
}

/// The arguments with that rank's arrays.
Arguments ReplicatedDevice::of_rank(const Arguments& arguments, std::size_t rank) {
  return {arguments, [rank](void* handle) { return (*static_cast<Copies*>(handle))[rank].handle(); }};
}

void ReplicatedDevice::start_items(Kernel kernel, KernelVariant variant, std::int64_t items,
                                   const Arguments& arguments) {
  for_used(
      [&](Device& device, std::size_t rank) { device.start_items(kernel, variant, items, of_rank(arguments, rank)); });
}

void ReplicatedDevice::start_warps(Kernel kernel, KernelVariant variant, std::int64_t warps,
                                   const Arguments& arguments) {
  for_used(
      [&](Device& device, std::size_t rank) { device.start_warps(kernel, variant, warps, of_rank(arguments, rank)); });
}

int ReplicatedDevice::ranks_for(std::uint64_t particles) const {
  const std::uint64_t enough = particles / static_cast<std::uint64_t>(least_);
  return static_cast<int>(std::clamp<std::uint64_t>(enough, 1, devices_.size()));
}

Turns ReplicatedDevice::share(std::int64_t targets, std::int64_t unit) const {
  if (ranks() == 1 || targets < least_ * ranks()) return {targets, targets, 1};
  return Turns::of(targets, unit, ranks());
}

void ReplicatedDevice::flush() {
  for (const auto& device : devices_) device->flush();
}

void ReplicatedDevice::add(std::vector<RankCopy>& copies, std::size_t rank, const Buffer& to, std::size_t owner,
                           const Buffer& from, Offsets at, std::size_t bytes) {
  if (bytes == 0) return;
  copies.push_back(
      {static_cast<int>(rank), static_cast<int>(owner), &copies_of(to)[rank], &copies_of(from)[owner], at, bytes});
}

void ReplicatedDevice::exchange(std::span<const Exchanged> arrays, const RowsOfRanks& rows) {
  if (!rows.are_shared()) return;
  std::vector<RankCopy> copies;
  for (std::size_t rank = 0; rank < devices_.size(); ++rank) {
    for (std::size_t run = 0; run + 1 < rows.begins.size(); ++run) {
      const std::size_t owner = run % static_cast<std::size_t>(rows.ranks);
      const auto begin = static_cast<std::size_t>(rows.begins[run]),
                 end = static_cast<std::size_t>(rows.begins[run + 1]);
      if (owner == rank || begin == end) continue;
      for (const Exchanged& one : arrays) {
        const std::size_t at = one.offset + begin * one.bytes;
        add(copies, rank, *one.array, owner, *one.array, {at, at}, (end - begin) * one.bytes);
      }
    }
  }
  links_->copy(devices_, copies);
}

void ReplicatedDevice::copy_from_rank(const Buffer& to, const Buffer& from, std::size_t bytes, int shift) {
  std::vector<RankCopy> copies;
  for (std::size_t rank = 0; rank < devices_.size(); ++rank) {
    add(copies, rank, to, (rank + static_cast<std::size_t>(shift)) % devices_.size(), from, {0, 0}, bytes);
  }
  links_->copy(devices_, copies);
}

void ReplicatedDevice::join_lists(std::span<const Exchanged> arrays, std::span<const std::int64_t> counts) {
  std::vector<RankCopy> copies;
  for (std::size_t rank = 0; rank < devices_.size(); ++rank) {
    auto end = static_cast<std::size_t>(counts[rank]);
    for (std::size_t owner = 0; owner < devices_.size(); ++owner) {
      if (owner == rank) continue;
      const auto count = static_cast<std::size_t>(counts[owner]);
      for (const Exchanged& one : arrays) {
        add(copies, rank, *one.array, owner, *one.array, {end * one.bytes, 0}, count * one.bytes);
      }
      end += count;
    }
  }
  links_->copy(devices_, copies);
}

void ReplicatedDevice::keep_ranks(int ranks) {
  DeviceChoice choice = this->choice();
  choice.note = std::to_string(ranks) + " of " + std::to_string(devices_.size()) +
                " devices will compute: each needs " + std::to_string(least_) +
                " particles, with fewer it takes more time than it saves";
  set_choice(choice);
  devices_.resize(std::clamp<std::size_t>(static_cast<std::size_t>(ranks), 1, devices_.size()));
}

}  // namespace hornbeam
