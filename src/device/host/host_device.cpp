// SPDX-License-Identifier: Apache-2.0
// The CPU as a device, see host_device.h; and which instruction sets it has.
#include "device/host/host_device.h"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "device/host/array.h"
#include "device/host/item_kernels.h"
#include "device/host/pair_kernels.h"
#include "device/host/threads.h"
#include "hornbeam/error.h"
#include "instruction_sets.h"
#include "memory/room.h"
#include "physics/portable.h"

namespace hornbeam {
namespace {

constexpr const char* build_here = "compile it for all processors with `make build`";

/// Walks read eight values at a time.
constexpr std::size_t read_behind = 8 * sizeof(double);

bool runs_here(InstructionSet isa) {
#if defined(HORNBEAM_X86)
  if (isa == InstructionSet::avx512) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("fma");
  }
  if (isa == InstructionSet::avx2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
  return isa == InstructionSet::generic;
}

bool is_compiled(InstructionSet isa) {
  bool is = false;
#define HB_IS_COMPILED(name) is = is || isa == InstructionSet::name;
  HB_INSTRUCTION_SETS(HB_IS_COMPILED)
#undef HB_IS_COMPILED
  return is;
}

std::string_view name_of(InstructionSet isa) {
  switch (isa) {
    case InstructionSet::avx512:
      return "AVX-512";
    case InstructionSet::avx2:
      return "AVX2";
    default:
#if defined(__aarch64__)
      return "NEON";
#else
      return "baseline";
#endif
  }
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "CPU";
}

std::string describe() { return processor_name() + ", " + std::string(name_of(detect_instruction_set())); }

std::uint64_t machine_bytes() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
}

std::byte* bytes_of(const Buffer& buffer) { return static_cast<std::byte*>(buffer.handle()); }

HostKernel kernel_of(Kernel kernel, Precision precision) {
  switch (precision) {
    case Precision::single:
      return single::host_kernel(kernel);
    case Precision::fp64:
      return fp64::host_kernel(kernel);
    default:
      return mixed::host_kernel(kernel);
  }
}

/// What an item of a kernel takes: those of the far images of a periodic box have many particles or coefficients each.
Work work_of(Kernel kernel) {
  const bool is_long = kernel == Kernel::lattice_moments || kernel == Kernel::lattice_locals ||
                       kernel == Kernel::lattice_fields || kernel == Kernel::lattice_tides;
  return is_long ? Work::walk : Work::item;
}

HostWalkKernel walk_of(Kernel kernel, Precision precision) {
  switch (precision) {
    case Precision::single:
      return single::host_walk_kernel(kernel);
    case Precision::fp64:
      return fp64::host_walk_kernel(kernel);
    default:
      return mixed::host_walk_kernel(kernel);
  }
}

}  // namespace

HostDevice::HostDevice(int threads) : threads_(threads), isa_(detect_instruction_set()), description_(describe()) {}

std::uint64_t HostDevice::memory_bytes() const { return machine_bytes(); }

std::uint64_t HostDevice::free_bytes() const {
  return static_cast<std::uint64_t>(std::min(memory::room().bytes, static_cast<double>(memory_bytes())));
}

void* HostDevice::allocate(std::size_t bytes) {
  try {
    return LargePages<std::byte>().allocate(bytes + read_behind);
  } catch (const std::bad_alloc&) {
    throw Error("memory", std::to_string(bytes) + " more bytes do not fit", "use fewer particles or a larger machine");
  }
}

void HostDevice::release(void* handle) noexcept { std::free(handle); }

std::shared_ptr<void> HostDevice::lend(std::size_t bytes) { return {allocate(bytes), std::free}; }

void HostDevice::upload(const Buffer& to, std::size_t offset, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(bytes_of(to) + offset, from, bytes);
}

void HostDevice::download(void* to, const Buffer& from, std::size_t offset, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, bytes_of(from) + offset, bytes);
}

void HostDevice::begin_fetch(const Buffer& from, std::size_t bytes) {
  std::memcpy(fetched_.data(), from.handle(), bytes);
}

void HostDevice::end_fetch(void* to, std::size_t bytes) { std::memcpy(to, fetched_.data(), bytes); }

void HostDevice::clear(const Buffer& buffer, std::size_t bytes) { std::memset(buffer.handle(), 0, bytes); }

void HostDevice::copy(const Buffer& to, const Buffer& from, std::size_t bytes) {
  std::memcpy(to.handle(), from.handle(), bytes);
}

int HostDevice::sort_pairs(DeviceArray<std::uint64_t>& keys, DeviceArray<std::uint64_t>& spare_keys,
                           DeviceArray<std::uint32_t>& values, DeviceArray<std::uint32_t>& spare_values, std::int64_t n,
                           int begin, int end) {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0U);
  const std::uint64_t* const key = host_values(keys);
  const std::uint64_t above = end < 64 ? (std::uint64_t{1} << end) - 1 : ~std::uint64_t{0};
  const auto counted = [&](std::uint32_t i) { return (key[i] & above) >> begin; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return counted(a) < counted(b); });
  for (std::size_t i = 0; i < order.size(); ++i) {
    host_values(spare_keys)[i] = key[order[i]];
    host_values(spare_values)[i] = host_values(values)[order[i]];
  }
  keys.swap(spare_keys);
  values.swap(spare_values);
  return begin;
}

void HostDevice::exclusive_scan(DeviceArray<std::uint32_t>& values, std::int64_t n) {
  std::uint32_t* const v = host_values(values);
  std::exclusive_scan(v, v + n, v, 0U);
}

int HostDevice::stamp() {
  last_stamp_ = (last_stamp_ + 1) % stamps_kept;
  stamps_[last_stamp_] = std::chrono::steady_clock::now();
  return static_cast<int>(last_stamp_);
}

double HostDevice::seconds(int from, int to) {
  const auto at = [&](int k) { return stamps_[static_cast<std::size_t>(k)]; };
  return std::chrono::duration<double>(at(to) - at(from)).count();
}

bool HostDevice::runs(Kernel kernel) const {
  return kernel_of(kernel, Precision::mixed) != nullptr || walk_of(kernel, Precision::mixed) != nullptr;
}

int HostDevice::lanes() const { return HB_LANES; }

void HostDevice::start_items(Kernel kernel, KernelVariant variant, std::int64_t items, const Arguments& arguments) {
  const HostKernel run = kernel_of(kernel, variant.precision);
  if (run == nullptr) return start_warps(kernel, variant, items, arguments);
  const Threads scope(threads_for(items, work_of(kernel)));
  run(items, arguments);
}

/// What warps do for groups elsewhere threads do here.
void HostDevice::start_warps(Kernel kernel, KernelVariant variant, std::int64_t /*warps*/, const Arguments& arguments) {
  const HostWalkKernel run = walk_of(kernel, variant.precision);
  if (run == nullptr) throw Error("cpu", "this kernel cannot run on the CPU", "this is a bug of hornbeam");
  run(arguments, isa_, threads_);
}

InstructionSet detect_instruction_set() {
  const char* asked = std::getenv("HORNBEAM_ISA");
  if (asked != nullptr) {
    for (const InstructionSet isa : {InstructionSet::generic, InstructionSet::avx2, InstructionSet::avx512}) {
      constexpr std::string_view names[] = {"generic", "avx2", "avx512"};
      if (names[static_cast<int>(isa)] != asked) continue;
      if (!is_compiled(isa))
        throw NoDevice("HORNBEAM_ISA",
                       std::string(asked) + " is not part of this program, which was compiled for other processors",
                       build_here);
      if (!runs_here(isa)) throw NoDevice("HORNBEAM_ISA", std::string(asked) + " does not run on this machine");
      return isa;
    }
    throw UsageError("HORNBEAM_ISA", std::string(asked) + " is not an instruction set", "use generic, avx2 or avx512");
  }
  for (const InstructionSet isa : {InstructionSet::avx512, InstructionSet::avx2, InstructionSet::generic}) {
    if (is_compiled(isa) && runs_here(isa)) return isa;
  }
  throw Error("cpu", "this program was compiled only for another machine's processor", build_here);
}

DeviceInfo host_info() {
  DeviceInfo cpu;
  cpu.backend = "cpu";
  cpu.device = describe();
  cpu.threads = omp_get_max_threads();
  cpu.memory_bytes = machine_bytes();
  return cpu;
}

std::unique_ptr<HostDevice> open_host_device(int threads) {
  return std::make_unique<HostDevice>(threads > 0 ? threads : omp_get_max_threads());
}

}  // namespace hornbeam
