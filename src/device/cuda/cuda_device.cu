// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda_device.h"

#include <cuda_runtime.h>

#include <array>
#include <cctype>
#include <chrono>
#include <cstring>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "device/cuda/cuda_memory.h"
#include "device/cuda/kernel_table.h"
#include "device/cuda/other_streams.h"
#include "device/cuda/peers.h"
#include "device/cuda/staged_copies.h"
#include "device/kernels/sizes.h"
#include "hornbeam/error.h"

namespace hornbeam {
namespace {

constexpr int stamps_kept = 4096;
constexpr std::size_t pinned_bytes = 64 << 10;
/// The end of a stage is the beginning of the next if nothing was requested in between and the host took no longer.
constexpr std::chrono::microseconds same_time{20};
/// Fewer pairs than a tile the radix sort sorts in one go; from there to here merging is quicker (H200: 25 us for 89 of
/// 4,096 pairs, 79 for 124 of 2^18, 108 for 139 of 2^19).
constexpr std::int64_t radix_tile = 2816, most_merged = 1 << 19;

/// Keys by their lowest 64 - shift bits.
struct LowerBits {
  int shift;
  __device__ bool operator()(std::uint64_t a, std::uint64_t b) const { return (a << shift) < (b << shift); }
};

template <int... expansion>
KernelTable expansion_table(Precision precision, int order, std::integer_sequence<int, expansion...>) {
  using Table = KernelTable (*)();
  constexpr Table tables[3][sizeof...(expansion)] = {{mixed::expansion_kernels<expansion>...},
                                                     {single::expansion_kernels<expansion>...},
                                                     {fp64::expansion_kernels<expansion>...}};
  return tables[static_cast<int>(precision)][order]();
}

KernelTable hierarchy_table(Precision precision, int order) {
  using Table = KernelTable (*)();
  constexpr Table tables[3][3] = {
      {mixed::hierarchy_kernels<4>, mixed::hierarchy_kernels<5>, mixed::hierarchy_kernels<6>},
      {single::hierarchy_kernels<4>, single::hierarchy_kernels<5>, single::hierarchy_kernels<6>},
      {fp64::hierarchy_kernels<4>, fp64::hierarchy_kernels<5>, fp64::hierarchy_kernels<6>}};
  return tables[static_cast<int>(precision)][order - 4]();
}

/// plain_kernels() or pair_kernels() of a precision.
KernelTable table_of(Precision precision, bool pairs) {
  switch (precision) {
    case Precision::single:
      return pairs ? single::pair_kernels() : single::plain_kernels();
    case Precision::fp64:
      return pairs ? fp64::pair_kernels() : fp64::plain_kernels();
    default:
      return pairs ? mixed::pair_kernels() : mixed::plain_kernels();
  }
}

struct CompiledKernel {
  const void* address;
  int block_warps;
};

CompiledKernel compiled(Kernel kernel, KernelVariant variant) {
  const int index = static_cast<int>(kernel);
  if (index < plain_kernel_count) {
    const KernelTable table = table_of(variant.precision, false);
    return {table.kernel[index], table.block_warps};
  }
  constexpr int pairs_begin = plain_kernel_count + expansion_kernel_count;
  constexpr int hierarchy_begin = pairs_begin + pair_kernel_count;
  if (index >= hierarchy_begin) {
    const KernelTable table = hierarchy_table(variant.precision, variant.expansion);
    return {table.kernel[index - hierarchy_begin], table.block_warps};
  }
  if (index >= pairs_begin) {
    const KernelTable table = table_of(variant.precision, true);
    return {table.kernel[index - pairs_begin], table.block_warps};
  }
  const KernelTable table = expansion_table(variant.precision, variant.expansion, std::make_integer_sequence<int, 7>{});
  return {table.kernel[index - plain_kernel_count], table.block_warps};
}

class CudaDevice final : public Device, private Lending {
 public:
  /// A second constructor does the work: whatever it has made goes if it throws.
  explicit CudaDevice(int index) : CudaDevice(index, std::nullopt) {
    const OnDevice here(index_);
    HB_CUDA(cudaGetDeviceProperties(&properties_, index));
    HB_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    used_ = stream_;
    pool_ = make_pool(index_);
    HB_CUDA(cudaMallocHost(&pinned_, pinned_bytes));
    HB_CUDA(cudaMallocHost(&fetched_, fetch_room));
    HB_CUDA(cudaEventCreateWithFlags(&is_fetched_, cudaEventDisableTiming));
    HB_CUDA(cudaEventCreateWithFlags(&is_asked_, cudaEventDisableTiming));
    HB_CUDA(cudaEventCreateWithFlags(&is_passed_, cudaEventDisableTiming));
    events_.assign(stamps_kept, nullptr);
    cudaFuncAttributes code{};
    HB_CUDA(cudaFuncGetAttributes(&code, compiled(Kernel::mark_groups, {Precision::mixed, 0}).address));
    kernels_wait_ = properties_.major >= 9 && code.ptxVersion >= 90;
  }

  ~CudaDevice() override {
    const OnDevice here(index_);
    if (stream_ != nullptr) cudaStreamSynchronize(stream_);
    for (cudaEvent_t event : events_) {
      if (event != nullptr) cudaEventDestroy(event);
    }
    if (scratch_ != nullptr) cudaFreeAsync(scratch_, stream_);
    if (pinned_ != nullptr) cudaFreeHost(pinned_);
    if (fetched_ != nullptr) cudaFreeHost(fetched_);
    if (is_fetched_ != nullptr) cudaEventDestroy(is_fetched_);
    if (is_asked_ != nullptr) cudaEventDestroy(is_asked_);
    if (is_passed_ != nullptr) cudaEventDestroy(is_passed_);
    if (stream_ != nullptr) {
      cudaStreamSynchronize(stream_);
      cudaStreamDestroy(stream_);
    }
    static_cast<void>(cudaGetLastError());  // what failed here concerns no later call
  }
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  [[nodiscard]] std::string backend() const override { return "cuda"; }
  [[nodiscard]] std::string description() const override {
    return std::string(properties_.name) + ", sm_" + std::to_string(properties_.major) +
           std::to_string(properties_.minor);
  }
  [[nodiscard]] std::string identity() const override {
    std::string digits;
    for (const char byte : properties_.uuid.bytes) {
      constexpr const char* hex = "0123456789abcdef";
      digits += {hex[static_cast<unsigned char>(byte) / 16], hex[static_cast<unsigned char>(byte) % 16]};
    }
    return "GPU " + digits;
  }
  [[nodiscard]] std::string near_cores() const override {
    std::array<char, 32> place{};
    if (cudaDeviceGetPCIBusId(place.data(), static_cast<int>(place.size()), index_) != cudaSuccess) return "";
    for (char& digit : place) digit = static_cast<char>(std::tolower(static_cast<unsigned char>(digit)));
    std::ifstream file("/sys/bus/pci/devices/" + std::string(place.data()) + "/local_cpulist");
    std::string list;
    std::getline(file, list);
    return list;
  }
  [[nodiscard]] std::uint64_t memory_bytes() const override { return properties_.totalGlobalMem; }
  [[nodiscard]] std::uint64_t free_bytes() const override {
    const OnDevice here(index_);
    std::size_t free = 0, total = 0;
    HB_CUDA(cudaMemGetInfo(&free, &total));
    std::uint64_t reserved = 0, used = 0;
    HB_CUDA(cudaMemPoolGetAttribute(pool_.get(), cudaMemPoolAttrReservedMemCurrent, &reserved));
    HB_CUDA(cudaMemPoolGetAttribute(pool_.get(), cudaMemPoolAttrUsedMemCurrent, &used));
    return free + reserved - used;
  }
  [[nodiscard]] std::uint64_t largest_buffer() const override { return memory_bytes(); }
  [[nodiscard]] bool has(Precision) const override { return true; }

  void* allocate(std::size_t bytes) override {
    const OnDevice here(index_);
    demand_no_capture(stream_);  // it would be memory of the graph
    void* memory = nullptr;
    cudaError_t error = cudaMallocFromPoolAsync(&memory, bytes, pool_.get(), stream_);
    if (error == cudaErrorMemoryAllocation) {  // what the pool holds may be in pieces too small: give them back
      static_cast<void>(cudaGetLastError());   // an allocation that fails leaves the device in order
      HB_CUDA(cudaStreamSynchronize(stream_));
      HB_CUDA(cudaMemPoolTrimTo(pool_.get(), 0));
      error = cudaMallocFromPoolAsync(&memory, bytes, pool_.get(), stream_);
    }
    if (error == cudaSuccess) return memory;
    static_cast<void>(cudaGetLastError());
    if (error != cudaErrorMemoryAllocation) check(error, "cudaMallocFromPoolAsync");
    throw DeviceFull("device memory",
                     std::to_string(bytes) + " more bytes are needed, and " + std::to_string(free_bytes()) + " of " +
                         std::to_string(memory_bytes()) + " are free on " + description(),
                     "use fewer particles, a larger leaf_size or a lower expansion");
  }
  void release(void* handle) noexcept override {
    if (cudaFreeAsync(handle, stream_) != cudaSuccess) static_cast<void>(cudaGetLastError());
  }  // on its own device

  void upload(const Buffer& to, std::size_t offset, const void* from, std::size_t bytes) override {
    const OnDevice here(index_);
    asked_since_stamp_ = true;
    char* const there = static_cast<char*>(to.handle()) + offset;
    if (StagedCopies::suit(bytes)) return staged_.upload(there, from, bytes, stream_);
    HB_CUDA(cudaMemcpyAsync(there, from, bytes, cudaMemcpyHostToDevice, stream_));
    HB_CUDA(cudaStreamSynchronize(stream_));
  }
  void download(void* to, const Buffer& from, std::size_t offset, std::size_t bytes) override {
    const OnDevice here(index_);
    asked_since_stamp_ = true;
    const char* const there = static_cast<char*>(from.handle()) + offset;
    if (StagedCopies::suit(bytes)) return staged_.download(to, there, bytes, stream_);
    void* const by_way_of = bytes <= pinned_bytes ? pinned_ : to;
    HB_CUDA(cudaMemcpyAsync(by_way_of, there, bytes, cudaMemcpyDeviceToHost, stream_));
    HB_CUDA(cudaStreamSynchronize(stream_));
    if (by_way_of != to) std::memcpy(to, by_way_of, bytes);
  }
  void begin_fetch(const Buffer& from, std::size_t bytes) override {
    const OnDevice here(index_);
    asked_since_stamp_ = true;
    HB_CUDA(cudaMemcpyAsync(fetched_, from.handle(), bytes, cudaMemcpyDeviceToHost, stream_));
    HB_CUDA(cudaEventRecord(is_fetched_, stream_));
  }
  void end_fetch(void* to, std::size_t bytes) override {
    const OnDevice here(index_);
    HB_CUDA(cudaEventSynchronize(is_fetched_));
    std::memcpy(to, fetched_, bytes);
  }
  void clear(const Buffer& buffer, std::size_t bytes) override {
    const OnDevice here(index_);
    asked_since_stamp_ = true;
    HB_CUDA(cudaMemsetAsync(buffer.handle(), 0, bytes, stream_));
  }
  void copy(const Buffer& to, const Buffer& from, std::size_t bytes) override {
    const OnDevice here(index_);
    asked_since_stamp_ = true;
    HB_CUDA(cudaMemcpyAsync(to.handle(), from.handle(), bytes, cudaMemcpyDeviceToDevice, stream_));
  }

  Lending* lending() override { return this; }

  void link(Device& other) override { let_read(index_, dynamic_cast<CudaDevice&>(other).side()); }
  void follow(Device& other) override { wait_for_peer(side(), dynamic_cast<CudaDevice&>(other).side()); }
  void copy_from(const Buffer& to, Device& other, const Buffer& from, Offsets at, std::size_t bytes) override {
    asked_since_stamp_ = true;
    copy_from_peer(side(), static_cast<char*>(to.handle()) + at.to, dynamic_cast<CudaDevice&>(other).side(),
                   static_cast<const char*>(from.handle()) + at.from, bytes);
  }

  void start_items(Kernel kernel, KernelVariant variant, std::int64_t items, const Arguments& arguments) override {
    start(compiled(kernel, variant).address, (items + HB_BLOCK - 1) / HB_BLOCK, HB_BLOCK, arguments);
  }
  void start_warps(Kernel kernel, KernelVariant variant, std::int64_t warps, const Arguments& arguments) override {
    const CompiledKernel found = compiled(kernel, variant);
    start(found.address, (warps + found.block_warps - 1) / found.block_warps, found.block_warps * HB_WARP, arguments);
  }

  void fork_queue() override {
    const OnDevice here(index_);
    others_.fork(stream_);
  }
  void use_queue(int queue) override {
    const OnDevice here(index_);
    used_ = queue == 0 ? stream_ : others_.stream(queue);
  }
  void join_queues(int last) override {
    const OnDevice here(index_);
    others_.join(stream_, last);
    has_joined_ = true;
  }

  int sort_pairs(DeviceArray<std::uint64_t>& keys, DeviceArray<std::uint64_t>& spare_keys,
                 DeviceArray<std::uint32_t>& values, DeviceArray<std::uint32_t>& spare_values, std::int64_t n,
                 int begin, int end) override {
    const OnDevice here(index_);
    asked_since_stamp_ = true;
    static_cast<void>(cudaGetLastError());  // of other libraries: CUB would take it for its own
    if (n <= most_merged) begin = 0;        // neither one tile nor merging takes longer for it
    if (n > radix_tile && n <= most_merged) {
      merge_pairs(keys, values, n, LowerBits{64 - end});
      return begin;
    }
    cub::DoubleBuffer<std::uint64_t> key(static_cast<std::uint64_t*>(keys.handle()),
                                         static_cast<std::uint64_t*>(spare_keys.handle()));
    cub::DoubleBuffer<std::uint32_t> value(static_cast<std::uint32_t*>(values.handle()),
                                           static_cast<std::uint32_t*>(spare_values.handle()));
    std::size_t bytes = 0;
    HB_CUDA(cub::DeviceRadixSort::SortPairs(nullptr, bytes, key, value, n, begin, end, stream_));
    void* const room = scratch(bytes);
    HB_CUDA(cub::DeviceRadixSort::SortPairs(room, bytes, key, value, n, begin, end, stream_));
    if (key.Current() != keys.handle()) keys.swap(spare_keys);
    if (value.Current() != values.handle()) values.swap(spare_values);
    return begin;
  }
  void exclusive_scan(DeviceArray<std::uint32_t>& values, std::int64_t n) override {
    const OnDevice here(index_);
    asked_since_stamp_ = true;
    static_cast<void>(cudaGetLastError());  // as in sort_pairs()
    auto* const data = static_cast<std::uint32_t*>(values.handle());
    std::size_t bytes = 0;
    HB_CUDA(cub::DeviceScan::ExclusiveSum(nullptr, bytes, data, data, n, stream_));
    void* const room = scratch(bytes);
    HB_CUDA(cub::DeviceScan::ExclusiveSum(room, bytes, data, data, n, stream_));
  }

  int stamp() override {
    const OnDevice here(index_);
    const auto now = std::chrono::steady_clock::now();
    if (!asked_since_stamp_ && now - stamped_ < same_time) return next_stamp_ - 1;
    asked_since_stamp_ = false;
    stamped_ = now;
    cudaEvent_t& event = events_[static_cast<std::size_t>(next_stamp_ % stamps_kept)];
    if (event == nullptr) HB_CUDA(cudaEventCreate(&event));
    HB_CUDA(cudaEventRecord(event, stream_));
    return next_stamp_++;
  }
  double seconds(int from, int to) override {
    const OnDevice here(index_);
    const cudaEvent_t begin = events_[static_cast<std::size_t>(from % stamps_kept)];
    const cudaEvent_t end = events_[static_cast<std::size_t>(to % stamps_kept)];
    HB_CUDA(cudaEventSynchronize(end));
    float milliseconds = 0;
    HB_CUDA(cudaEventElapsedTime(&milliseconds, begin, end));
    return milliseconds * 1e-3;
  }

 private:
  explicit CudaDevice(int index, std::nullopt_t /*unopened*/) : index_(index) {}

  [[nodiscard]] PeerSide side() const { return {index_, stream_, is_passed_, pool_.get()}; }

  [[nodiscard]] std::uintptr_t queue() const override {
    const OnDevice here(index_);
    demand_no_capture(stream_);
    return reinterpret_cast<std::uintptr_t>(stream_);
  }
  void wait_for(std::uintptr_t queue) override {
    const OnDevice here(index_);
    demand_no_capture(reinterpret_cast<cudaStream_t>(queue));
    HB_CUDA(cudaEventRecord(is_asked_, reinterpret_cast<cudaStream_t>(queue)));
    HB_CUDA(cudaStreamWaitEvent(stream_, is_asked_));
  }
  void as_current(const std::function<void()>& work) override {
    const OnDevice here(index_);
    work();
  }
  void finish() override {
    const OnDevice here(index_);
    HB_CUDA(cudaStreamSynchronize(stream_));
  }
  std::shared_ptr<void> lend(std::size_t bytes) override {
    void* const memory = allocate(bytes);
    finish();  // it is there for all queues
    return {memory, FreeWhenIdle{index_, pool_}};
  }

  /// The kernel may be set up while the one before still ends, for which it waits itself (HB_AFTER_KERNEL_BEFORE): most
  /// of a step of few particles are short kernels, such as one for each level of the tree. Not so where the one before
  /// is of another stream.
  void start(const void* kernel, std::int64_t blocks, int items, const Arguments& arguments) {
    if (blocks == 0) return;
    const OnDevice here(index_);
    asked_since_stamp_ = true;
    std::array<void*, 64> values;
    std::size_t count = 0;
    for (const Arguments::Item& item : arguments.items()) values.at(count++) = const_cast<void*>(item.value);
    cudaLaunchAttribute overlap{};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t launch{};
    launch.gridDim = dim3(static_cast<unsigned>(blocks));
    launch.blockDim = dim3(static_cast<unsigned>(items));
    launch.stream = used_;
    launch.attrs = &overlap;
    launch.numAttrs = kernels_wait_ && used_ == stream_ && !has_joined_ ? 1 : 0;
    has_joined_ = has_joined_ && used_ != stream_;
    HB_CUDA(cudaLaunchKernelExC(&launch, kernel, values.data()));
  }

  void merge_pairs(Buffer& keys, Buffer& values, std::int64_t n, LowerBits less) {
    auto* const key = static_cast<std::uint64_t*>(keys.handle());
    auto* const value = static_cast<std::uint32_t*>(values.handle());
    std::size_t bytes = 0;
    HB_CUDA(cub::DeviceMergeSort::StableSortPairs(nullptr, bytes, key, value, n, less, stream_));
    void* const room = scratch(bytes);
    HB_CUDA(cub::DeviceMergeSort::StableSortPairs(room, bytes, key, value, n, less, stream_));
  }

  /// Room for a library call, kept from one to the next.
  void* scratch(std::size_t bytes) {
    if (bytes > scratch_bytes_) {
      if (scratch_ != nullptr) release(scratch_);
      scratch_ = nullptr;
      scratch_bytes_ = 0;
      scratch_ = allocate(bytes);
      scratch_bytes_ = bytes;
    }
    return scratch_;
  }

  int index_;
  cudaDeviceProp properties_{};
  bool kernels_wait_ = false;  ///< for the one before: the device can, and their code is for such devices
  cudaStream_t stream_ = nullptr;
  cudaStream_t used_ = nullptr;  ///< by launches: stream_, or one of the others
  bool has_joined_ = false;      ///< stream_ waits for others before its next launch
  OtherStreams others_;
  MemoryPool pool_;          ///< also of what callers borrow, longer than the device
  void* pinned_ = nullptr;   ///< the counts that a step waits for come by way of it: half the time of other memory
  void* fetched_ = nullptr;  ///< pinned, too
  StagedCopies staged_;
  cudaEvent_t is_fetched_ = nullptr;
  cudaEvent_t is_asked_ = nullptr;   ///< in a caller's stream
  cudaEvent_t is_passed_ = nullptr;  ///< for another device to wait for
  void* scratch_ = nullptr;
  std::size_t scratch_bytes_ = 0;
  std::vector<cudaEvent_t> events_;
  int next_stamp_ = 0;
  bool asked_since_stamp_ = true;
  std::chrono::steady_clock::time_point stamped_;  ///< when the last stamp was requested
};

/// The driver's code where there is none.
int device_count(cudaError_t& error) {
  int count = 0;
  error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess) return count;
  static_cast<void>(cudaGetLastError());
  return 0;
}

}  // namespace

std::vector<DeviceInfo> list_cuda_devices() {
  std::vector<DeviceInfo> devices;
  cudaError_t error{};
  const int count = device_count(error);
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties;
    HB_CUDA(cudaGetDeviceProperties(&properties, i));
    DeviceInfo info;
    info.backend = "cuda";
    info.device = properties.name;
    info.threads = properties.multiProcessorCount;
    info.memory_bytes = properties.totalGlobalMem;
    devices.push_back(info);
  }
  return devices;
}

std::optional<int> cuda_device_of(const void* memory) {
  cudaPointerAttributes found{};
  if (cudaPointerGetAttributes(&found, memory) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // none of its business
    return {};
  }
  const bool is_here = found.type == cudaMemoryTypeDevice || found.type == cudaMemoryTypeManaged;
  return is_here ? std::optional(found.device) : std::nullopt;
}

std::unique_ptr<Device> open_cuda_device(int index) {
  cudaError_t error{};
  const int count = device_count(error);
  if (count == 0) {
    const bool is_memory = error == cudaErrorMemoryAllocation;
    throw_failure(is_memory ? DriverFailure::memory : DriverFailure::no_device, "cudaGetDeviceCount",
                  cudaGetErrorString(error));
  }
  if (index < 0 || index >= count) {
    throw NoDevice("device = " + std::to_string(index), "there are " + std::to_string(count) + " CUDA devices",
                   "use 0 to " + std::to_string(count - 1));
  }
  return std::make_unique<CudaDevice>(index);
}

}  // namespace hornbeam
