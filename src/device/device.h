// SPDX-License-Identifier: Apache-2.0
// What the particle's path needs of a device: memory, launches, sort and scan, and stamps of time. The CPU, CUDA and
// OpenCL implement it; tree/, interactions/ and dynamics/ run their stages on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "device/buffer.h"
#include "device/lending.h"
#include "device/ranks.h"
#include "hornbeam/gravity.h"
#include "kernel_list.h"

namespace hornbeam {

class HostDevice;
namespace processes {
class Served;
}

#define HB_KERNEL_ENUMERATOR(name) name,
/// Kernels of a precision, those of an order of expansions, those of visitors of pairs, those of the walk from cell to
/// cell of an order.
enum class Kernel : int { HB_ALL_KERNELS(HB_KERNEL_ENUMERATOR, HB_KERNEL_ENUMERATOR) };
#undef HB_KERNEL_ENUMERATOR

#define HB_KERNEL_COUNT(name) +1
inline constexpr int plain_kernel_count = 0 HB_PLAIN_KERNELS(HB_KERNEL_COUNT, HB_KERNEL_COUNT);
inline constexpr int expansion_kernel_count = 0 HB_EXPANSION_KERNELS(HB_KERNEL_COUNT, HB_KERNEL_COUNT);
inline constexpr int pair_kernel_count = 0 HB_PAIRS_KERNELS(HB_KERNEL_COUNT, HB_KERNEL_COUNT);
#undef HB_KERNEL_COUNT

/// Which build of the kernels: HB_PRECISION, and HB_EXPANSION or HB_HIERARCHY.
struct KernelVariant {
  Precision precision = Precision::mixed;
  int expansion = 4;
};

/// How a device was requested.
struct DeviceChoice {
  bool is_automatic = false;  ///< by "auto", which takes another one where this one is full
  int index = 0;              ///< of the device of its backend
  int threads = 0;            ///< of the CPU; 0: all cores
  std::string note;           ///< which devices "auto" passed over, and why; empty: none
};

/// Bytes of a device that are left free: for library calls, the driver and rounding. With less "auto" takes another
/// one.
inline constexpr std::uint64_t kept_free_on_device = 256'000'000;

/// One device and one queue of work on it. Work is done in the order it is requested; only download(), end_fetch() and
/// the seconds between stamps wait for it. Every failure of the driver throws Error naming the call and the device.
class Device {
 public:
  virtual ~Device() = default;

  [[nodiscard]] virtual std::string backend() const = 0;      ///< "cpu", "cuda" or "opencl"
  [[nodiscard]] virtual std::string description() const = 0;  ///< for people: model, driver
  /// Names the card among all of its machine; empty: several programs may have it without loss.
  [[nodiscard]] virtual std::string identity() const { return ""; }
  /// The host's cores that are nearest to it, as Linux lists them; empty: all alike.
  [[nodiscard]] virtual std::string near_cores() const { return ""; }
  [[nodiscard]] virtual std::uint64_t memory_bytes() const = 0;
  /// The CPU itself, whose handles are pointers (device/host/host_device.h); else null. For folders named host/ alone.
  [[nodiscard]] virtual HostDevice* host() { return nullptr; }
  [[nodiscard]] virtual int threads() const { return 1; }  ///< of the host that work for it
  /// Whether its memory is the host's: the CPU, or an OpenCL device that is the CPU.
  [[nodiscard]] virtual bool shares_host_memory() const { return false; }
  [[nodiscard]] virtual std::uint64_t free_bytes() const = 0;      ///< memory_bytes() less our own where unknown
  [[nodiscard]] virtual std::uint64_t largest_buffer() const = 0;  ///< bytes that allocate() can give in one piece
  /// Whether kernels of this precision run here (an OpenCL device may lack fp64).
  [[nodiscard]] virtual bool has(Precision precision) const = 0;
  /// Particles that an item of a kernel of packs takes (HB_LANES of physics/portable.h).
  [[nodiscard]] virtual int lanes() const { return 1; }
  /// Whether this kernel is among its own: the CPU lacks those of ways that it goes otherwise.
  [[nodiscard]] virtual bool runs(Kernel /*kernel*/) const { return true; }

  /// Throws Error: bytes needed, had, and what to change. bytes > 0.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* handle) noexcept = 0;
  /// A handle of memory of the host that is read and written where it lies; null where it has to be copied.
  virtual void* adopt(void* /*memory*/) { return nullptr; }
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

  /// Runs a kernel. `what`, a structure of namespace kernels (launches.h), names it and has its arguments. items: work
  /// items, or warps of an HB_WARP_KERNEL, rounded up to whole blocks; nothing for 0.
  template <class Launch>
  void launch(const Launch& what, KernelVariant variant, std::int64_t items) {
    what.with_arguments([&](const auto&... values) {
      const Arguments arguments(values...);
      if constexpr (Launch::by_warp) {
        start_warps(Launch::kernel, variant, items, arguments);
      } else {
        start_items(Launch::kernel, variant, items, arguments);
      }
    });
  }

  /// Calls work(), whose launches go to queue 1, 2, ... in place of the usual one, 0. They wait for all that was
  /// requested of queue 0 so far, and of their own queue. What follows may overlap with them, until join_queues(). Only
  /// launches may be requested.
  template <class Work>
  void on_queue(int queue, const Work& work) {
    fork_queue();
    const QueueScope scope(*this, queue);
    work();
  }
  /// What is requested of queue 0 from now on waits for queues 1 to `last`, too.
  virtual void join_queues(int /*last*/) {}

  /// Sorts n pairs (u64 key, u32 value), stably, by bits [begin, end) of the key, or by more below `begin` if that
  /// costs nothing. Returns the lowest bit that counted. The result is in keys and values, which may have been
  /// exchanged with their spare arrays (each of at least the same size).
  virtual int sort_pairs(DeviceArray<std::uint64_t>& keys, DeviceArray<std::uint64_t>& spare_keys,
                         DeviceArray<std::uint32_t>& values, DeviceArray<std::uint32_t>& spare_values, std::int64_t n,
                         int begin, int end) = 0;
  /// values[i] = sum of values[0 .. i), for n u32 in place: one more than are counted gives the sum of all in the last.
  virtual void exclusive_scan(DeviceArray<std::uint32_t>& values, std::int64_t n) = 0;

  /// A point in the queue; may be the last one again where nothing was requested just after it. seconds(a, b) waits for
  /// b. Stamps up to the last 4096 are remembered.
  virtual int stamp() = 0;
  virtual double seconds(int from, int to) = 0;
  /// Sends what is still in line; for a device of another process.
  virtual void flush() {}

  /// The values that open_device() received.
  [[nodiscard]] const DeviceChoice& choice() const { return choice_; }
  void set_choice(DeviceChoice choice) { choice_ = std::move(choice); }

  /// For arrays of callers; null where handles are no pointers.
  virtual Lending* lending() { return nullptr; }

  // several devices as one (replicated_device.h): each has every array and does all work, but for what is shared
  [[nodiscard]] virtual int ranks() const { return 1; }
  /// How so many targets of a launch are shared among the ranks, in runs of whole `units`; not at all where they are
  /// so few that it takes longer than it saves.
  [[nodiscard]] virtual Turns share(std::int64_t /*targets*/, std::int64_t /*unit*/) const { return {}; }
  /// Calls work(rank) for each rank; what it requests goes to that rank only, but for memory, which is taken on all.
  template <class Work>
  void on_each_rank(const Work& work) {
    for (int rank = 0; rank < ranks(); ++rank) {
      const RankScope scope(*this, rank);
      work(rank);
    }
  }
  /// Copies to all ranks what each has written of its rows of these arrays.
  virtual void exchange(std::span<const Exchanged> /*arrays*/, const RowsOfRanks& /*rows*/) {}
  /// Each rank's `to` gets the first bytes of `from` of the rank `shift` after it.
  virtual void copy_from_rank(const Buffer& /*to*/, const Buffer& /*from*/, std::size_t /*bytes*/, int /*shift*/) {}
  /// Each rank has written a list of counts[rank] values, of bytes each, in each of these arrays: every rank gets those
  /// of the others behind its own. So the order is another on each.
  virtual void join_lists(std::span<const Exchanged> /*arrays*/, std::span<const std::int64_t> /*counts*/) {}
  /// Ranks that so many particles are enough for.
  [[nodiscard]] virtual int ranks_for(std::uint64_t /*particles*/) const { return 1; }
  /// Leaves the work to fewer ranks for good. Nothing must be allocated.
  virtual void keep_ranks(int /*ranks*/) {}

  // between devices of one backend
  /// Work requested later waits for what has been requested of `other`.
  virtual void follow(Device& /*other*/) {}
  /// Bytes into two buffers.
  struct Offsets {
    std::size_t to, from;
  };
  /// Copies bytes from a buffer of `other` to this one's, behind what is queued here. Where devices share no memory it
  /// goes through the host's and waits.
  virtual void copy_from(const Buffer& to, Device& other, const Buffer& from, Offsets at, std::size_t bytes);
  /// Lets copy_from() read memory of `other` directly, where the hardware can.
  virtual void link(Device& /*other*/) {}

 protected:
  virtual void start_items(Kernel kernel, KernelVariant variant, std::int64_t items, const Arguments& arguments) = 0;
  virtual void start_warps(Kernel kernel, KernelVariant variant, std::int64_t warps, const Arguments& arguments) = 0;
  /// Sends what follows to one rank, or to all again (-1).
  virtual void use_rank(int /*rank*/) {}
  /// Marks the point of queue 0 for which the queue waits that is used next.
  virtual void fork_queue() {}
  /// Sends launches to that queue.
  virtual void use_queue(int /*queue*/) {}

 private:
  friend class ReplicatedDevice;
  friend class processes::Served;
  class RankScope {
   public:
    RankScope(Device& device, int rank) : device_(device) { device_.use_rank(rank); }
    ~RankScope() { device_.use_rank(-1); }
    RankScope(const RankScope&) = delete;
    RankScope& operator=(const RankScope&) = delete;

   private:
    Device& device_;
  };

  class QueueScope {
   public:
    QueueScope(Device& device, int queue) : device_(device) { device_.use_queue(queue); }
    ~QueueScope() { device_.use_queue(0); }
    QueueScope(const QueueScope&) = delete;
    QueueScope& operator=(const QueueScope&) = delete;

   private:
    Device& device_;
  };

  DeviceChoice choice_;
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
