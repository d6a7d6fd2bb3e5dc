// SPDX-License-Identifier: Apache-2.0
#include "device/opencl/opencl_sort.h"

#include <algorithm>

#include "device/kernels/signature.h"
#include "device/launch.h"

namespace hornbeam {
namespace {

namespace sort_kernels {
using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
#define HB_SORT_LAUNCH(kernel)                   \
  struct kernel {                                \
    static constexpr const char* name = #kernel; \
    HB_ARGUMENTS(kernel)                         \
  };
HB_SORT_KERNELS(HB_SORT_LAUNCH, )
#undef HB_SORT_LAUNCH
}  // namespace sort_kernels

constexpr std::int64_t group = 256, tile = 2048, digits = 256;  // as in sort.cl and scan.cl
constexpr int bits_per_pass = 8;

std::int64_t tiles_of(std::int64_t n) { return (n + tile - 1) / tile; }

/// Totals of all levels of a scan of n words.
std::int64_t totals_of(std::int64_t n) {
  std::int64_t sum = 0;
  do {
    n = tiles_of(n);
    sum += n;
  } while (n > 1);
  return sum;
}

}  // namespace

OpenClSorter::OpenClSorter(Device& device, OpenClContext& context, OpenClProgram& program)
    : context_(context), program_(program), counts_(device), totals_(device) {}

template <class Launch>
void OpenClSorter::launch(const Launch& what, std::int64_t groups) {
  what.with_arguments([&](const auto&... values) {
    context_.launch(program_.kernel(Launch::name), Launch::name, groups, group, Arguments(values...));
  });
}

void OpenClSorter::sort_pairs(DeviceArray<std::uint64_t>& keys, DeviceArray<std::uint64_t>& spare_keys,
                              DeviceArray<std::uint32_t>& values, DeviceArray<std::uint32_t>& spare_values,
                              std::int64_t n, int begin, int end) {
  if (n < 2) return;
  const std::int64_t tiles = tiles_of(n);
  counts_.reserve(static_cast<std::size_t>(digits * tiles) * sizeof(std::uint32_t));
  for (std::int32_t shift = begin; shift < end; shift += bits_per_pass) {
    const std::int32_t width = std::min(bits_per_pass, end - shift);
    const std::uint32_t mask = (1U << width) - 1;
    launch(sort_kernels::sort_count{.keys = keys, .n = n, .shift = shift, .mask = mask, .counts = counts_}, tiles);
    exclusive_scan(counts_, digits * tiles);
    launch(sort_kernels::sort_scatter{.keys = keys,
                                      .values = values,
                                      .n = n,
                                      .shift = shift,
                                      .bits = width,
                                      .offsets = counts_,
                                      .sorted_keys = spare_keys,
                                      .sorted_values = spare_values},
           tiles);
    keys.swap(spare_keys);
    values.swap(spare_values);
  }
}

void OpenClSorter::exclusive_scan(const DeviceArray<std::uint32_t>& values, std::int64_t n) {
  if (n <= 0) return;
  totals_.reserve(static_cast<std::size_t>(totals_of(n)) * sizeof(std::uint32_t));
  scan(values, 0, n, 0);
}

// Words [first, first + n) of values; the totals of its tiles go to totals_ from first_total on, and theirs behind.
void OpenClSorter::scan(const DeviceArray<std::uint32_t>& values, std::int64_t first, std::int64_t n,
                        std::int64_t first_total) {
  const std::int64_t tiles = tiles_of(n);
  launch(
      sort_kernels::scan_tiles{.values = values, .first = first, .n = n, .totals = totals_, .first_total = first_total},
      tiles);
  if (tiles == 1) return;
  scan(totals_, first_total, tiles, first_total + tiles);
  launch(
      sort_kernels::add_to_tiles{
          .values = values, .first = first, .n = n, .before = totals_, .first_before = first_total},
      tiles);
}

}  // namespace hornbeam
