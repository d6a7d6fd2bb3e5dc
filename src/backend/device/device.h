// SPDX-License-Identifier: Apache-2.0
// What the particle's path needs of a device with memory of its own: memory, launches, sort and scan, and stamps of
// time. CUDA and OpenCL implement it; DevicePipeline runs the stages on it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>

#include "backend/device/kernels/list.h"
#include "hornbeam/gravity.h"

namespace hornbeam {

#define HB_KERNEL_ENUMERATOR(name) name,
/// Kernels of a precision, those of an order of expansions, those of neighbour search.
enum class Kernel : int {
  HB_PLAIN_KERNELS(HB_KERNEL_ENUMERATOR)      //
  HB_EXPANSION_KERNELS(HB_KERNEL_ENUMERATOR)  //
  HB_NEIGHBOUR_KERNELS(HB_KERNEL_ENUMERATOR)
};
#undef HB_KERNEL_ENUMERATOR

#define HB_KERNEL_COUNT(name) +1
inline constexpr int plain_kernel_count = 0 HB_PLAIN_KERNELS(HB_KERNEL_COUNT);
inline constexpr int expansion_kernel_count = 0 HB_EXPANSION_KERNELS(HB_KERNEL_COUNT);
#undef HB_KERNEL_COUNT

/// Which build of the kernels: HB_PRECISION and HB_EXPANSION.
struct KernelVariant {
  Precision precision = Precision::mixed;
  int expansion = 4;
};

class Device;

/// A piece of device memory, freed with its owner. Grows only on request and then forgets what it held.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(Device& device) : device_(&device) {}
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() { release(); }

  /// Room for at least `bytes`; what was in it is lost where it has to grow.
  void reserve(std::size_t bytes);
  void release() noexcept;
  void swap(Buffer& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    std::swap(bytes_, other.bytes_);
  }
  [[nodiscard]] void* handle() const { return handle_; }  ///< device pointer or cl_mem; null when empty
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  Device* device_ = nullptr;
  void* handle_ = nullptr;
  std::size_t bytes_ = 0;
};

/// The arguments of one launch, in order: buffers and plain values.
class Arguments {
 public:
  struct Item {
    const void* value;  ///< of `bytes` bytes; for a buffer, its handle
    std::size_t bytes;
  };

  template <class... T>
  explicit Arguments(const T&... values) {
    (add(values), ...);
  }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  Arguments& add(const Buffer& buffer) { return add(buffer.handle()); }
  template <class T>
  requires(!std::is_base_of_v<Buffer, T>) Arguments& add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    at_ = (at_ + alignof(T) - 1) / alignof(T) * alignof(T);
    std::memcpy(room_.data() + at_, &value, sizeof(T));
    items_.at(count_++) = {room_.data() + at_, sizeof(T)};
    at_ += sizeof(T);
    return *this;
  }
  template <class... T>
  Arguments& add_all(const T&... values) {
    (add(values), ...);
    return *this;
  }
  [[nodiscard]] std::span<const Item> items() const { return {items_.data(), count_}; }

 private:
  alignas(16) std::array<std::byte, 1024> room_;
  std::array<Item, 64> items_;
  std::size_t at_ = 0, count_ = 0;
};

/// One device and one queue of work on it. Work is done in the order it is asked for; only download(), end_fetch() and
/// the seconds between stamps wait for it. Every failure of the driver throws Error naming the call and the device.
class Device {
 public:
  virtual ~Device() = default;

  [[nodiscard]] virtual std::string backend() const = 0;      ///< "cuda" or "opencl"
  [[nodiscard]] virtual std::string description() const = 0;  ///< for people: model, driver
  [[nodiscard]] virtual std::uint64_t memory_bytes() const = 0;
  /// Whether that is the host's memory: an OpenCL device that is the CPU.
  [[nodiscard]] virtual bool shares_host_memory() const { return false; }
  [[nodiscard]] virtual std::uint64_t free_bytes() const = 0;      ///< memory_bytes() less our own where unknown
  [[nodiscard]] virtual std::uint64_t largest_buffer() const = 0;  ///< bytes that allocate() can give in one piece
  /// Whether kernels of this precision run here (an OpenCL device may lack fp64).
  [[nodiscard]] virtual bool has(Precision precision) const = 0;

  /// Throws Error: bytes needed, had, and what to change. bytes > 0.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* handle) noexcept = 0;
  /// Returns when `from` may be used again. offset: bytes into the buffer.
  virtual void upload(const Buffer& to, std::size_t offset, const void* from, std::size_t bytes) = 0;
  /// Waits for all work before and the copy.
  virtual void download(void* to, const Buffer& from, std::size_t offset, std::size_t bytes) = 0;
  /// Begins to copy the first `bytes` of a buffer, at most fetch_room, as they are at this point of the queue;
  /// end_fetch() waits for work before this point only. One at a time.
  virtual void begin_fetch(const Buffer& from, std::size_t bytes) = 0;
  virtual void end_fetch(void* to, std::size_t bytes) = 0;
  virtual void clear(const Buffer& buffer, std::size_t bytes) = 0;  ///< zeros
  virtual void copy(const Buffer& to, const Buffer& from, std::size_t bytes) = 0;

  /// `items` work items of an HB_KERNEL or HB_BLOCK_KERNEL, rounded up to whole blocks; nothing for 0.
  virtual void launch(Kernel kernel, KernelVariant variant, std::int64_t items, const Arguments& arguments) = 0;
  /// `warps` items of an HB_WARP_KERNEL (rounded up to whole blocks).
  virtual void launch_warps(Kernel kernel, KernelVariant variant, std::int64_t warps, const Arguments& arguments) = 0;

  /// Stable sort of n pairs (u64 key, u32 value) by bits [begin, end) of the key, or by more below `begin` where that
  /// costs nothing: returns the lowest bit that counted. Ends in keys and values, which may have changed places with
  /// their spare rooms (each of at least the same size).
  virtual int sort_pairs(Buffer& keys, Buffer& spare_keys, Buffer& values, Buffer& spare_values, std::int64_t n,
                         int begin, int end) = 0;
  /// values[i] = sum of values[0 .. i), for n u32 in place: one more than are counted gives the sum of all in the last.
  virtual void exclusive_scan(Buffer& values, std::int64_t n) = 0;

  /// A point in the queue; may be the last one again where nothing was asked for just after it. seconds(a, b) waits for
  /// b. Stamps up to the last 4096 are remembered.
  virtual int stamp() = 0;
  virtual double seconds(int from, int to) = 0;
};

inline constexpr std::size_t fetch_room = 64;  ///< bytes

inline void Buffer::release() noexcept {
  if (handle_ != nullptr) device_->release(handle_);
  handle_ = nullptr;
  bytes_ = 0;
}

inline void Buffer::reserve(std::size_t bytes) {
  if (bytes <= bytes_) return;
  release();
  handle_ = device_->allocate(bytes);
  bytes_ = bytes;
}

}  // namespace hornbeam
