// SPDX-License-Identifier: Apache-2.0
// The CPU as a device: its memory is the host's, its kernels are loops. What is compiled for each instruction set
// (kernels.h) its engines call themselves.
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <string>

#include "device/devices.h"
#include "device/host/instruction_set.h"
#include "device/host/threads.h"

namespace hornbeam {

class HostDevice final : public Device, private Lending {
 public:
  /// threads: at least 1.
  explicit HostDevice(int threads);

  [[nodiscard]] std::string backend() const override { return "cpu"; }
  [[nodiscard]] std::string description() const override { return description_; }
  [[nodiscard]] int threads() const override { return threads_; }
  /// Of these, as many as so many items are worth.
  [[nodiscard]] int threads_for(std::int64_t items, Work work) const {
    return hornbeam::threads_for(threads_, items, work);
  }
  [[nodiscard]] InstructionSet instruction_set() const { return isa_; }
  [[nodiscard]] std::uint64_t memory_bytes() const override;
  [[nodiscard]] HostDevice* host() override { return this; }
  [[nodiscard]] bool shares_host_memory() const override { return true; }
  [[nodiscard]] std::uint64_t free_bytes() const override;
  [[nodiscard]] std::uint64_t largest_buffer() const override { return free_bytes(); }
  [[nodiscard]] bool has(Precision /*precision*/) const override { return true; }
  [[nodiscard]] int lanes() const override;
  [[nodiscard]] bool runs(Kernel kernel) const override;

  /// On large pages, with room behind the last value for walks that read several at a time.
  void* allocate(std::size_t bytes) override;
  void release(void* handle) noexcept override;
  void* adopt(void* memory) override { return memory; }
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
  int stamp() override;
  double seconds(int from, int to) override;
  Lending* lending() override { return this; }

 protected:
  void start_items(Kernel kernel, KernelVariant variant, std::int64_t items, const Arguments& arguments) override;
  void start_warps(Kernel kernel, KernelVariant variant, std::int64_t warps, const Arguments& arguments) override;

 private:
  [[nodiscard]] std::uintptr_t queue() const override { return 0; }
  void wait_for(std::uintptr_t /*queue*/) override {}
  void finish() override {}
  std::shared_ptr<void> lend(std::size_t bytes) override;

  static constexpr std::size_t stamps_kept = 4096;

  int threads_;
  InstructionSet isa_;
  std::string description_;
  std::array<std::byte, fetch_room> fetched_{};
  std::array<std::chrono::steady_clock::time_point, stamps_kept> stamps_{};
  std::size_t last_stamp_ = 0;
};

/// The values of an array on the CPU.
template <class T>
T* host_values(const DeviceArray<T>& array) {
  return static_cast<T*>(array.handle());
}
template <class T>
T* host_values(const ArrayArgument<T>& array) {
  return static_cast<T*>(array.handle());
}

DeviceInfo host_info();
/// threads: 0 for all cores.
std::unique_ptr<HostDevice> open_host_device(int threads);

}  // namespace hornbeam
