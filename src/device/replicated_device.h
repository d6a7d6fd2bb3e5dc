// SPDX-License-Identifier: Apache-2.0
// Several devices of one kind as one: each holds every array and does the same work, which gives each the same bits. A
// walk shares its targets out (Device::on_each_rank()) and exchanges what they got, so nothing above it knows of ranks.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device/device.h"

namespace hornbeam {

/// Targets a rank below which a launch, and particles a rank below which a device, takes more time than it saves.
inline constexpr std::int64_t least_targets_of_rank = 1 << 17;

/// A piece of an array that a rank gets from the one that has written it.
struct RankCopy {
  int rank, owner;
  const Buffer *to, *from;  ///< that of `rank` and that of `owner`
  Device::Offsets at;
  std::size_t bytes;
};

/// How pieces of arrays get from rank to rank.
class RankLinks {
 public:
  virtual ~RankLinks() = default;
  /// Copies behind what has been requested of all devices so far, and before what will be.
  virtual void copy(std::span<const std::unique_ptr<Device>> devices, std::span<const RankCopy> copies) = 0;
};

class ReplicatedDevice final : public Device {
 public:
  /// devices: at least one; rank r is devices[r]. least: targets a rank from which on a launch is shared. links: null
  /// for devices of this process. Throws Error where they are of different kinds.
  explicit ReplicatedDevice(std::vector<std::unique_ptr<Device>> devices, std::int64_t least = least_targets_of_rank,
                            std::unique_ptr<RankLinks> links = nullptr);

  [[nodiscard]] std::string backend() const override { return first().backend(); }
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] std::uint64_t memory_bytes() const override { return first().memory_bytes(); }
  [[nodiscard]] int threads() const override { return first().threads(); }
  [[nodiscard]] bool shares_host_memory() const override { return first().shares_host_memory(); }
  [[nodiscard]] std::uint64_t free_bytes() const override;  ///< of the fullest
  [[nodiscard]] std::uint64_t largest_buffer() const override { return first().largest_buffer(); }
  [[nodiscard]] bool has(Precision precision) const override { return first().has(precision); }
  [[nodiscard]] int lanes() const override { return first().lanes(); }
  [[nodiscard]] bool runs(Kernel kernel) const override { return first().runs(kernel); }

  void* allocate(std::size_t bytes) override;
  void release(void* handle) noexcept override;
  void upload(const Buffer& to, std::size_t offset, const void* from, std::size_t bytes) override;
  void download(void* to, const Buffer& from, std::size_t offset, std::size_t bytes) override;
  void begin_fetch(const Buffer& from, std::size_t bytes) override;
  void end_fetch(void* to, std::size_t bytes) override;
  void clear(const Buffer& buffer, std::size_t bytes) override;
  void copy(const Buffer& to, const Buffer& from, std::size_t bytes) override;
  int sort_pairs(DeviceArray<std::uint64_t>& keys, DeviceArray<std::uint64_t>& spare_keys,
                 DeviceArray<std::uint32_t>& values, DeviceArray<std::uint32_t>& spare_values, std::int64_t n,
                 int begin, int end) override;
  void exclusive_scan(DeviceArray<std::uint32_t>& values, std::int64_t n) override;
  int stamp() override { return first().stamp(); }
  double seconds(int from, int to) override {
    flush();
    return first().seconds(from, to);
  }
  void flush() override;

  [[nodiscard]] int ranks() const override { return static_cast<int>(devices_.size()); }
  [[nodiscard]] int ranks_for(std::uint64_t particles) const override;
  [[nodiscard]] Turns share(std::int64_t targets, std::int64_t unit) const override;
  void exchange(std::span<const Exchanged> arrays, const RowsOfRanks& rows) override;
  void copy_from_rank(const Buffer& to, const Buffer& from, std::size_t bytes, int shift) override;
  void join_lists(std::span<const Exchanged> arrays, std::span<const std::int64_t> counts) override;
  void keep_ranks(int ranks) override;
  void join_queues(int last) override;
  /// Lets the last rank fail at its request of that number, for tests; 0: never.
  void fail_at(std::int64_t request) { requests_left_ = request; }

 protected:
  void start_items(Kernel kernel, KernelVariant variant, std::int64_t items, const Arguments& arguments) override;
  void start_warps(Kernel kernel, KernelVariant variant, std::int64_t warps, const Arguments& arguments) override;
  void use_rank(int rank) override { used_ = rank; }
  void fork_queue() override;
  void use_queue(int queue) override;

 private:
  /// An array on each device; a handle of this device is a pointer to one.
  using Copies = std::vector<Buffer>;
  [[nodiscard]] static Copies& copies_of(const Buffer& buffer) { return *static_cast<Copies*>(buffer.handle()); }

  [[nodiscard]] static Arguments of_rank(const Arguments& arguments, std::size_t rank);
  [[nodiscard]] const Device& first() const { return *devices_.front(); }
  [[nodiscard]] Device& first() { return *devices_.front(); }
  /// Calls act(device, rank) for the rank in use, or for all.
  template <class Act>
  void for_used(const Act& act);
  /// Adds a copy of part of that rank's array of `from` to this rank's of `to`.
  static void add(std::vector<RankCopy>& copies, std::size_t rank, const Buffer& to, std::size_t owner,
                  const Buffer& from, Offsets at, std::size_t bytes);

  std::vector<std::unique_ptr<Device>> devices_;
  std::unique_ptr<RankLinks> links_;
  std::int64_t least_;
  int used_ = -1;                   ///< the only rank that requests go to; -1: all
  std::int64_t requests_left_ = 0;  ///< until the last rank fails; 0: it does not
};

}  // namespace hornbeam
