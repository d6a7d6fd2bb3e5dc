// SPDX-License-Identifier: Apache-2.0
#include "backend/opencl/opencl_sort.h"

#include <algorithm>

namespace hornbeam {
namespace {

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

void OpenClSorter::launch(const char* name, std::int64_t groups, const Arguments& arguments) {
  context_.launch(program_.kernel(name), name, groups, group, arguments);
}

void OpenClSorter::sort_pairs(Buffer& keys, Buffer& spare_keys, Buffer& values, Buffer& spare_values, std::int64_t n,
                              int begin, int end) {
  if (n < 2) return;
  const std::int64_t tiles = tiles_of(n);
  counts_.reserve(static_cast<std::size_t>(digits * tiles) * sizeof(std::uint32_t));
  for (std::int32_t shift = begin; shift < end; shift += bits_per_pass) {
    const std::int32_t width = std::min(bits_per_pass, end - shift);
    const std::uint32_t mask = (1U << width) - 1;
    launch("sort_count", tiles, Arguments(keys, n, shift, mask, counts_));
    exclusive_scan(counts_, digits * tiles);
    launch("sort_scatter", tiles, Arguments(keys, values, n, shift, width, counts_, spare_keys, spare_values));
    keys.swap(spare_keys);
    values.swap(spare_values);
  }
}

void OpenClSorter::exclusive_scan(const Buffer& values, std::int64_t n) {
  if (n <= 0) return;
  totals_.reserve(static_cast<std::size_t>(totals_of(n)) * sizeof(std::uint32_t));
  scan(values, 0, n, 0);
}

// Words [first, first + n) of values; the totals of its tiles go to totals_ from first_total on, and theirs behind.
void OpenClSorter::scan(const Buffer& values, std::int64_t first, std::int64_t n, std::int64_t first_total) {
  const std::int64_t tiles = tiles_of(n);
  launch("scan_tiles", tiles, Arguments(values, first, n, totals_, first_total));
  if (tiles == 1) return;
  scan(totals_, first_total, tiles, first_total + tiles);
  launch("add_to_tiles", tiles, Arguments(values, first, n, totals_, first_total));
}

}  // namespace hornbeam
