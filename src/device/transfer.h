// SPDX-License-Identifier: Apache-2.0
// Arrays between host and device, a chunk at a time, so that the host needs no second copy of all particles. Values are
// made and laid down by several threads: where each goes is far from where the next one does, and one thread would wait
// for memory at every one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "device/device.h"
#include "device/host/threads.h"

namespace hornbeam {

inline constexpr std::size_t transfer_chunk = std::size_t{1} << 20;  ///< values

/// Sends value(0) to value(n - 1) as values of type T.
template <class T, class Value>
void upload_values(Device& device, const Buffer& to, std::size_t n, Value value) {
  std::vector<T> part;
  for (std::size_t begin = 0; begin < n; begin += transfer_chunk) {
    part.resize(std::min(transfer_chunk, n - begin));
#pragma omp parallel for schedule(static) num_threads(threads_for(omp_get_max_threads(), part.size(), Work::item))
    for (std::size_t i = 0; i < part.size(); ++i) part[i] = static_cast<T>(value(begin + i));
    device.upload(to, begin * sizeof(T), part.data(), part.size() * sizeof(T));
  }
}

/// Fetches n values of type T; take(i, v) is called for each.
template <class T, class Take>
void download_values(Device& device, const Buffer& from, std::size_t n, Take take) {
  std::vector<T> part;
  for (std::size_t begin = 0; begin < n; begin += transfer_chunk) {
    part.resize(std::min(transfer_chunk, n - begin));
    device.download(part.data(), from, begin * sizeof(T), part.size() * sizeof(T));
#pragma omp parallel for schedule(static) num_threads(threads_for(omp_get_max_threads(), part.size(), Work::item))
    for (std::size_t i = 0; i < part.size(); ++i) take(begin + i, part[i]);
  }
}

}  // namespace hornbeam
