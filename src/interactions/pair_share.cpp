// SPDX-License-Identifier: Apache-2.0
// Runs of groups for ranks, see pair_share.h. Compiled once a precision (HB_PRECISION).
#include "interactions/pair_share.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

HB_OPEN
namespace {

/// If fewer than one of so many particles ask for something, nothing is shared: all rows are exchanged, and a row takes
/// some sixteenth of the time of a sum (97.8 ms for 2^24, and 100 bytes a row at 250 GB/s).
constexpr i64 rows_of_target = 8;

/// Where runs of groups begin among the particles.
std::vector<std::int64_t> begins_of(Device& device, const Groups& groups, const Turns& turns) {
  std::vector<u32> place, begins;
  for (i64 run = 0; run <= turns.runs(); ++run) {
    place.push_back(static_cast<u32>(std::min(run * turns.run, turns.targets)));
  }
  begins.resize(place.size());
  const std::size_t bytes = place.size() * sizeof(u32);
  DeviceArray<u32> places(device), found(device);
  places.reserve(bytes);
  found.reserve(bytes);
  device.upload(places, 0, place.data(), bytes);
  const auto count = static_cast<i32>(place.size());
  device.launch(kernels::gather_words{.from = groups.first.as<u32>(), .place = places, .n = count, .to = found},
                plain_variant, count);
  device.download(begins.data(), found, 0, bytes);
  return {begins.begin(), begins.end()};
}

}  // namespace

PairShare::PairShare(Device& device, const Groups& groups, i32 particles, i64 asked) {
  const Turns wanted = device.share(asked, 1);
  if (!wanted.are_shared() || groups.count == 0 || asked < particles / rows_of_target) return;
  turns_ = Turns::of(groups.count, 1, wanted.ranks);
  rows_ = {begins_of(device, groups, turns_), turns_.ranks};
}

void PairShare::exchange(Device& device, std::initializer_list<Exchanged> arrays) const {
  if (is_shared()) device.exchange(std::span(arrays.begin(), arrays.size()), rows_);
}

void PairShare::exchange_least(Device& device, const DeviceArray<u32>& values, DeviceArray<u32>& spare, i32 n) const {
  if (!is_shared()) return;
  const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(u32);
  spare.reserve(bytes);
  for (int shift = 1; shift < turns_.ranks; ++shift) {
    device.copy_from_rank(spare, values, bytes, shift);
    device.launch(kernels::lower_words{.other = spare, .n = n, .words = values}, plain_variant, n);
  }
}

std::vector<std::int64_t> PairShare::each(Device& device, const DeviceArray<u32>& counts, std::size_t at) const {
  std::vector<std::int64_t> found;
  const auto add = [&](int /*rank*/) {
    u32 own = 0;
    device.download(&own, counts, at * sizeof own, sizeof own);
    found.push_back(own);
  };
  if (is_shared()) {
    device.on_each_rank(add);
  } else {
    add(0);
  }
  return found;
}

u64 PairShare::total(Device& device, const DeviceArray<u32>& counts, std::size_t at) const {
  u64 sum = 0;
  for (const std::int64_t own : each(device, counts, at)) sum += static_cast<u64>(own);
  return sum;
}

HB_CLOSE
